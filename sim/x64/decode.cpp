// SPDX-License-Identifier: Apache-2.0
// Decodes machine code: wraps the bytes in a minimal object file for LLVM's disassembler, and parses its
// Intel syntax.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "ir/process.h"
#include "sim/x64/machine.h"

namespace kc {
namespace x64sim {
namespace {

constexpr const char* kDisassembler = "llvm-objdump-19";

// An ELF file with one code section, according to the System V ABI.
class ObjectFile {
 public:
  explicit ObjectFile(std::span<const uint8_t> code) {
    const std::string_view names{"\0.text\0.shstrtab\0", 17};
    size_t text = 64, strings = text + code.size(), headers = (strings + names.size() + 7) / 8 * 8;
    bytes_ = std::string(
                 "\x7f"
                 "ELF\x02\x01\x01",
                 7) +
             std::string(9, '\0');
    put(2, 1), put(2, 62), put(4, 1), put(8, 0), put(8, 0), put(8, headers);
    put(4, 0), put(2, 64), put(2, 0), put(2, 0), put(2, 64), put(2, 3), put(2, 2);
    bytes_.append(reinterpret_cast<const char*>(code.data()), code.size());
    bytes_ += names;
    bytes_.resize(headers + 64, '\0');
    section(1, 1, 6, text, code.size(), 64);
    section(7, 3, 0, strings, names.size(), 1);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void put(unsigned n, uint64_t v) {
    for (; n--; v >>= 8) bytes_ += static_cast<char>(v & 0xff);
  }
  void section(uint32_t name, uint32_t type, uint64_t flags, uint64_t offset, uint64_t size, uint64_t align) {
    put(4, name), put(4, type), put(8, flags), put(8, 0), put(8, offset), put(8, size);
    put(4, 0), put(4, 0), put(8, align), put(8, 0);
  }
  std::string bytes_;
};

Reg parse_reg(std::string_view s) {
  static constexpr std::string_view kLegacy[4][8] = {{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"},
                                                     {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"},
                                                     {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"},
                                                     {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"}};
  for (unsigned size = 0; size < 4; ++size)
    for (uint8_t i = 0; i < 8; ++i)
      if (s == kLegacy[size][i]) return {File::Gpr, i, static_cast<uint8_t>(8u >> size)};
  auto number = [&](size_t from, size_t to, unsigned limit) -> int {
    unsigned n = 0;
    auto [end, error] = std::from_chars(s.data() + from, s.data() + to, n);
    return error == std::errc() && end == s.data() + to && n < limit ? static_cast<int>(n) : -1;
  };
  if (s.size() >= 4 && s.substr(1, 2) == "mm" && s[0] >= 'x' && s[0] <= 'z')
    if (int n = number(3, s.size(), 32); n >= 0)
      return {File::Vec, static_cast<uint8_t>(n), static_cast<uint8_t>(16u << (s[0] - 'x'))};
  if (s.size() == 2 && s[0] == 'k')
    if (int n = number(1, 2, 8); n >= 0) return {File::Mask, static_cast<uint8_t>(n), 8};
  if (s.size() >= 2 && s[0] == 'r') {
    size_t digits = s.find_first_not_of("0123456789", 1);
    size_t end = digits == std::string_view::npos ? s.size() : digits;
    std::string_view suffix = s.substr(end);
    int bytes = suffix.empty() ? 8 : suffix == "d" ? 4 : suffix == "w" ? 2 : suffix == "b" ? 1 : 0;
    if (int n = end > 1 && bytes ? number(1, end, 16) : -1; n >= 8)
      return {File::Gpr, static_cast<uint8_t>(n), static_cast<uint8_t>(bytes)};
  }
  return {};
}

bool parse_number(std::string_view s, int64_t& out) {
  bool negative = !s.empty() && s[0] == '-';
  if (negative) s.remove_prefix(1);
  int base = 10;
  if (s.starts_with("0x")) s.remove_prefix(2), base = 16;
  uint64_t v = 0;
  auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), v, base);
  if (s.empty() || error != std::errc() || end != s.data() + s.size()) return false;
  out = static_cast<int64_t>(negative ? ~v + 1 : v);
  return true;
}

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

// "rax + 4*zmm1 - 0x10": the text between the brackets.
bool parse_address(std::string_view s, Operand& o) {
  bool minus = false;
  while (!(s = trim(s)).empty()) {
    size_t end = s.find_first_of("+- ", s[0] == '-' ? 1 : 0);
    std::string_view term = trim(s.substr(0, end));
    if (int64_t n; parse_number(term, n)) {
      o.imm += minus ? -n : n;
    } else if (size_t star = term.find('*'); star != std::string_view::npos) {
      if (!parse_number(term.substr(0, star), n)) return false;
      o.scale = static_cast<uint8_t>(n);
      o.index = parse_reg(term.substr(star + 1));
      if (o.index.file == File::None) return false;
    } else if (term == "rip") {
      o.rip = true;
    } else if (Reg r = parse_reg(term); r.file != File::None) {
      // A vector without a scale is the index; so is the second register.
      bool is_base = o.reg.file == File::None && r.file == File::Gpr;
      (is_base ? o.reg : o.index) = r;
    } else if (term != "riz" && term != "eiz") {
      return false;
    }
    if (end == std::string_view::npos) break;
    s = trim(s.substr(end));
    if (s.empty()) break;
    minus = s[0] == '-';
    if (s[0] != '+' && s[0] != '-') return false;
    s.remove_prefix(1);
  }
  return true;
}

bool parse_memory(std::string_view s, Operand& o) {
  static constexpr std::pair<std::string_view, uint8_t> kSizes[] = {
      {"byte", 1},     {"word", 2},     {"dword", 4},   {"qword", 8},
      {"xmmword", 16}, {"ymmword", 32}, {"zmmword", 64}};
  o.kind = Operand::Memory;
  size_t open = s.find('['), close = s.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos) return false;
  std::string_view size = s.substr(0, s.find(' '));
  for (auto [name, bytes] : kSizes)
    if (open > 0 && size == name) o.bytes = bytes;
  return parse_address(s.substr(open + 1, close - open - 1), o);
}

// An operand and the following marks in braces.
bool parse_operand(std::string_view s, Inst& inst) {
  if (inst.count == inst.operands.size()) return false;
  Operand& o = inst.operands[inst.count++];
  size_t brace;
  while ((brace = s.rfind('{')) != std::string_view::npos) {
    std::string_view mark = s.substr(brace + 1, s.rfind('}') - brace - 1);
    Reg r = parse_reg(mark);
    int64_t n = 0;
    if (mark == "z")
      inst.zeroing = true;
    else if (r.file == File::Mask)
      inst.mask = r.index;
    else if (mark.starts_with("1to") && parse_number(mark.substr(3), n))
      o.broadcast = static_cast<uint8_t>(n);
    else
      return false;  // rounding and exception marks are not used
    s = trim(s.substr(0, brace));
  }
  if (s.find('[') != std::string_view::npos) return parse_memory(s, o);
  if (Reg r = parse_reg(s); r.file != File::None) {
    o.kind = Operand::Register;
    o.reg = r;
    return true;
  }
  o.kind = Operand::Immediate;
  return parse_number(s, o.imm);
}

// Comparisons have their predicate in the mnemonic: "vpcmpltud" is "vpcmpud" with immediate 1.
const Row* row_of(std::string_view name, int64_t& predicate) {
  static constexpr std::string_view kFloat[] = {
      "eq",    "lt",     "le",     "unord",    "neq",    "nlt",    "nle",    "ord",
      "eq_uq", "nge",    "ngt",    "false",    "neq_oq", "ge",     "gt",     "true",
      "eq_os", "lt_oq",  "le_oq",  "unord_s",  "neq_us", "nlt_uq", "nle_uq", "ord_s",
      "eq_us", "nge_uq", "ngt_uq", "false_os", "neq_os", "ge_oq",  "gt_oq",  "true_us"};
  static constexpr std::string_view kInteger[] = {"eq", "lt", "le", "false", "neq", "nlt", "nle", "true"};
  predicate = -1;
  auto find = [](std::string_view s) {
    auto it = table().find(s);
    return it == table().end() ? nullptr : it->second;
  };
  if (const Row* row = find(name)) return row;
  auto split = [&](std::string_view prefix, std::span<const std::string_view> names) -> const Row* {
    if (!name.starts_with(prefix)) return nullptr;
    for (size_t i = 0; i < names.size(); ++i) {
      std::string_view rest = name.substr(prefix.size());
      if (!rest.starts_with(names[i])) continue;
      if (const Row* row = find(std::string(prefix) + std::string(rest.substr(names[i].size())))) {
        predicate = static_cast<int64_t>(i);
        return row;
      }
    }
    return nullptr;
  };
  const Row* row = split("vpcmp", kInteger);
  return row ? row : split("vcmp", kFloat);
}

bool fits(std::string_view token, const Operand& o) {
  char kind = o.kind == Operand::Memory      ? 'm'
              : o.kind == Operand::Immediate ? 'i'
              : o.reg.file == File::Gpr      ? 'r'
              : o.reg.file == File::Vec      ? 'v'
                                             : 'k';
  return token.find(kind) != std::string_view::npos;
}

bool fits_form(const Inst& inst) {
  std::string_view form = inst.row->form;
  size_t i = 0;
  while (!(form = trim(form)).empty()) {
    size_t end = std::min(form.find(' '), form.size());
    std::string_view token = form.substr(0, end);
    form.remove_prefix(end);
    if (i < inst.count) {
      if (!fits(token, inst.operands[i])) return false;
      ++i;
    } else if (token.back() != '?') {
      return false;
    }
  }
  return i == inst.count;
}

X64Class class_of(const Inst& inst) {
  if (inst.row->kind != X64Class::General && inst.row->kind != X64Class::Vector &&
      inst.row->kind != X64Class::Mask)
    return inst.row->kind;
  for (unsigned i = 0; i < inst.count; ++i)
    if (inst.operands[i].is_mem() && inst.row->name != "lea") return i ? X64Class::Load : X64Class::Store;
  return inst.row->kind;
}

bool can_be_locked(const Inst& inst) {
  static constexpr std::string_view kNames[] = {"add", "sub", "and", "or",   "xor",     "neg",
                                                "not", "inc", "dec", "xadd", "cmpxchg", "xchg"};
  return inst.count && inst.operands[0].is_mem() &&
         std::ranges::find(kNames, inst.row->name) != std::end(kNames);
}

// The text after the offset, without the address that the disassembler adds as a comment.
std::string parse_inst(std::string_view text, Inst& inst) {
  text = trim(text.substr(0, text.find('#')));
  if (size_t symbol = text.find(" <"); symbol != std::string_view::npos) text = text.substr(0, symbol);
  inst.text = text;
  std::replace(inst.text.begin(), inst.text.end(), '\t', ' ');
  size_t blank = std::min(text.find_first_of(" \t"), text.size());
  int64_t predicate;
  inst.row = row_of(text.substr(0, blank), predicate);
  if (!inst.row) return "no such mnemonic in the emulator";
  std::string_view rest = trim(text.substr(blank));
  while (!rest.empty()) {
    size_t comma = std::min(rest.find(','), rest.size());
    if (!parse_operand(trim(rest.substr(0, comma)), inst)) return "an operand is not understood";
    rest = trim(rest.substr(std::min(comma + 1, rest.size())));
  }
  if (predicate >= 0 && inst.count < inst.operands.size()) {
    Operand& o = inst.operands[inst.count++];
    o.kind = Operand::Immediate;
    o.imm = predicate;
  }
  if (!fits_form(inst)) return "operands of another form than the emulator knows";
  inst.kind = class_of(inst);
  return {};
}

struct LineOf {
  uint64_t offset;
  std::string_view text;
};

// "   1f: \tvaddps\tzmm0, zmm0, zmm1"
std::vector<LineOf> split_listing(std::string_view listing) {
  std::vector<LineOf> r;
  while (!listing.empty()) {
    size_t end = std::min(listing.find('\n'), listing.size());
    std::string_view line = trim(listing.substr(0, end));
    listing.remove_prefix(std::min(end + 1, listing.size()));
    size_t colon = line.find(':');
    uint64_t offset = 0;
    if (colon == std::string_view::npos) continue;
    auto [stop, error] = std::from_chars(line.data(), line.data() + colon, offset, 16);
    if (error != std::errc() || stop != line.data() + colon || colon + 1 == line.size()) continue;
    r.push_back({offset, trim(line.substr(colon + 1))});
  }
  return r;
}

std::expected<X64Program, std::string> program_of(const X64Input& input, uint64_t base,
                                                  std::span<const LineOf> lines) {
  auto p = std::make_shared<Program>();
  p->image_bytes = input.image.size();
  p->image.resize((input.image.size() + 63) / 64);
  std::memcpy(p->image.data(), input.image.data(), input.image.size());
  p->at.assign(input.code_bytes, -1);
  for (size_t i = 0; i < lines.size(); ++i) {
    Inst inst;
    inst.offset = static_cast<uint32_t>(lines[i].offset - base);
    // The disassembler prints the prefix on a line of its own.
    bool lock = lines[i].text == "lock" && i + 1 < lines.size();
    if (lock) ++i;
    uint64_t end = i + 1 < lines.size() ? lines[i + 1].offset - base : input.code_bytes;
    inst.length = static_cast<uint32_t>(end - inst.offset);
    if (std::string error = parse_inst(lines[i].text, inst); !error.empty())
      return std::unexpected(fmt::format("{:#x}: {}: {}", inst.offset, lines[i].text, error));
    if (lock && !can_be_locked(inst))
      return std::unexpected(fmt::format("{:#x}: {}: not with the lock prefix", inst.offset, lines[i].text));
    if (inst.kind == X64Class::Branch && inst.count && inst.operands[0].kind == Operand::Immediate)
      inst.operands[0].imm -= static_cast<int64_t>(base);
    p->at[inst.offset] = static_cast<int32_t>(p->insts.size());
    p->insts.push_back(std::move(inst));
  }
  return X64Program(std::move(p));
}

}  // namespace

const std::map<std::string_view, const Row*>& table() {
  static const std::map<std::string_view, const Row*> all = [] {
    std::map<std::string_view, const Row*> r;
    for (auto rows : {general_rows(), lane_rows(), float_rows(), convert_rows(), shuffle_rows(), mask_rows(),
                      memory_rows()})
      for (const Row& row : rows) r.emplace(row.name, &row);
    return r;
  }();
  return all;
}

}  // namespace x64sim

using namespace x64sim;

bool x64_disassembler_present() {
  auto out = run_tool({kDisassembler, "--version"});
  return out && out->exit_code == 0;
}

std::expected<std::vector<X64Program>, std::string> load_x64(std::span<const X64Input> inputs) {
  std::vector<uint8_t> code;
  std::vector<uint64_t> base;
  for (const X64Input& in : inputs) {
    if (in.code_bytes > in.image.size()) return std::unexpected("the code is longer than the image");
    code.resize((code.size() + 63) / 64 * 64, 0xcc);
    base.push_back(code.size());
    code.insert(code.end(), in.image.begin(), in.image.begin() + static_cast<ptrdiff_t>(in.code_bytes));
  }
  TempDir dir;
  std::string path = dir.file("code.o");
  if (!dir.valid() || !write_file(path, ObjectFile(code).bytes()))
    return std::unexpected("cannot write a temporary file");
  auto out = run_tool({kDisassembler, "-d", "-z", "--no-show-raw-insn", "--x86-asm-syntax=intel", path});
  if (!out) return std::unexpected(out.error().message);
  if (out->exit_code) return std::unexpected(fmt::format("{}: {}", kDisassembler, out->err));
  std::vector<LineOf> lines = split_listing(out->out);
  std::vector<X64Program> programs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto below = [](const LineOf& l, uint64_t v) { return l.offset < v; };
    auto first = std::lower_bound(lines.begin(), lines.end(), base[i], below);
    auto last = std::lower_bound(first, lines.end(), base[i] + inputs[i].code_bytes, below);
    auto p = program_of(inputs[i], base[i], {first, last});
    if (!p) return std::unexpected(p.error());
    programs.push_back(std::move(*p));
  }
  return programs;
}

std::expected<X64Program, std::string> load_x64(std::span<const uint8_t> image, size_t code_bytes) {
  const X64Input one[] = {{image, code_bytes}};
  auto programs = load_x64(one);
  if (!programs) return std::unexpected(programs.error());
  return std::move(programs->front());
}

std::vector<std::string_view> x64_mnemonics() {
  std::vector<std::string_view> r;
  for (const auto& [name, row] : table()) r.push_back(name);
  return r;
}

}  // namespace kc
