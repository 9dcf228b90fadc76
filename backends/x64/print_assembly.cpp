// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "backends/x64/assembly.h"
#include "backends/x64/conditions.h"
#include "ir/forever.h"

namespace kc::x64 {
namespace {

constexpr std::array<std::string_view, 16> kConditions{"o", "no", "b", "ae", "e", "ne", "be", "a",
                                                       "s", "ns", "p", "np", "l", "ge", "le", "g"};
constexpr std::array<std::string_view, 16> kQuad{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                                 "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
constexpr std::array<std::string_view, 8> kDoubleNames{"eax", "ecx", "edx", "ebx",
                                                       "esp", "ebp", "esi", "edi"};
constexpr std::array<std::string_view, 8> kWordNames{"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
constexpr std::array<std::string_view, 8> kByteNames{"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"};

std::string name_of(AsmReg r) {
  if (r.file == File::Mask) return fmt::format("k{}", r.index);
  if (r.file == File::Vec)
    return fmt::format("{}mm{}", r.bytes == 16 ? 'x' : r.bytes == 32 ? 'y' : 'z', r.index);
  if (r.bytes == 8) return std::string(kQuad[r.index]);
  if (r.index >= 8) return fmt::format("r{}{}", r.index, r.bytes == 4 ? "d" : r.bytes == 2 ? "w" : "b");
  return std::string((r.bytes == 4 ? kDoubleNames : r.bytes == 2 ? kWordNames : kByteNames)[r.index]);
}

std::string_view size_name(unsigned bytes) {
  switch (bytes) {
    case 1:
      return "byte";
    case 2:
      return "word";
    case 4:
      return "dword";
    case 8:
      return "qword";
    case 16:
      return "xmmword";
    case 32:
      return "ymmword";
    default:
      return "zmmword";
  }
}

void print_memory(const AsmOperand& o, bool with_size, std::string& s) {
  const AsmMem& m = o.mem;
  const int64_t disp = o.value;
  auto out = std::back_inserter(s);
  if (with_size) fmt::format_to(out, "{} ptr ", size_name(m.bytes));
  s += '[';
  bool some = false;
  if (m.pool) {
    fmt::format_to(out, "rip + .Lconstants{}", disp ? fmt::format("+{}", disp) : "");
    some = true;
  }
  if (m.label >= 0) fmt::format_to(out, "rip + .L{}", m.label), some = true;
  if (m.base.file != File::None) s += name_of(m.base), some = true;
  if (m.index.file != File::None) {
    if (some) s += " + ";
    if (m.scale != 1 || m.base.file == File::None) fmt::format_to(out, "{}*", m.scale);
    s += name_of(m.index);
    some = true;
  }
  if (!m.pool && m.label < 0 && (disp || !some)) {
    if (some)
      fmt::format_to(out, " {} {}", disp < 0 ? '-' : '+', disp < 0 ? -disp : disp);
    else
      fmt::format_to(out, "{}", disp);
  }
  s += ']';
  if (m.elements) fmt::format_to(out, "{{1to{}}}", m.elements);
}

// vcmpps with predicate 1 is written vcmpltps; integer comparisons likewise.
std::string with_predicate(std::string_view mnemonic, int64_t predicate) {
  static constexpr std::array<std::string_view, 8> names{"eq",  "lt",  "le",  "unord",
                                                         "neq", "nlt", "nle", "ord"};
  std::string_view name = names[static_cast<size_t>(predicate & 7)];
  size_t stem = mnemonic.find("cmp") + 3;
  return fmt::format("{}{}{}", mnemonic.substr(0, stem), name, mnemonic.substr(stem));
}

bool has_predicate(const AsmInst& i) {
  return i.count == 4 && (i.mnemonic.starts_with("vcmp") || i.mnemonic.starts_with("vpcmp"));
}

}  // namespace

std::string_view conditional_mnemonic(std::string_view stem, int64_t condition) {
  struct Names {
    std::array<std::array<std::string, 16>, 3> text;
  };
  static const auto& names = forever([] {
    Names n;
    constexpr std::array<std::string_view, 3> stems{"j", "set", "cmov"};
    for (size_t k = 0; k < 3; ++k)
      for (size_t c = 0; c < 16; ++c) n.text[k][c] = std::string(stems[k]) + std::string(kConditions[c]);
    return n;
  });
  return names.text[stem == "j" ? 0 : stem == "set" ? 1 : 2][static_cast<size_t>(condition & 15)];
}

std::string print(const AsmInst& inst) {
  bool predicate = has_predicate(inst);
  std::string s =
      predicate ? with_predicate(inst.mnemonic, inst.operands[3].value) : std::string(inst.mnemonic);
  if (inst.lock) s = "lock " + s;
  // An instruction with 64-bit immediate has its own mnemonic.
  if (s == "mov" && inst.operands[1].kind == AsmOperand::Imm && inst.operands[0].reg.bytes == 8) {
    int64_t v = inst.operands[1].value;
    if (v != static_cast<int32_t>(v)) s = "movabs";
  }
  for (size_t i = 0; i < inst.count - (predicate ? 1u : 0u); ++i) {
    const AsmOperand& o = inst.operands[i];
    s += i ? ", " : " ";
    switch (o.kind) {
      case AsmOperand::Reg:
        s += name_of(o.reg);
        break;
      case AsmOperand::Mem:
        print_memory(o, inst.mnemonic != "lea", s);
        break;
      case AsmOperand::Imm:
        if (inst.mnemonic == "mov" && inst.operands[0].reg.bytes == 4)
          s += fmt::format("{}", static_cast<uint32_t>(o.value));
        else
          s += fmt::format("{}", o.value);
        break;
      case AsmOperand::Label:
        s += fmt::format(".L{}", o.value);
        break;
      case AsmOperand::None:
        break;
    }
    if (i == 0 && inst.mask >= 0) s += fmt::format(" {{k{}}}{}", inst.mask, inst.zeroing ? " {z}" : "");
  }
  return s;
}

std::string print(const Assembly& assembly) {
  std::string s = fmt::format("\t.intel_syntax noprefix\n\t.text\n\t.globl\t{0}\n{0}:\n", assembly.name);
  for (const AsmInst& i : assembly.insts) {
    if (i.aligned) s += fmt::format("\t.p2align\t{}\n", std::countr_zero(kLoopAlignment));
    if (i.label >= 0) s += fmt::format(".L{}:\n", i.label);
    if (!i.mnemonic.empty()) s += "\t" + print(i) + "\n";
  }
  if (assembly.pool.empty()) return s;
  s += "\t.balign\t64\n.Lconstants:\n";
  for (size_t i = 0; i < assembly.pool.size(); i += 8) {
    s += "\t.byte\t";
    for (size_t k = i; k < std::min(i + 8, assembly.pool.size()); ++k)
      s += fmt::format("{}{}", k == i ? "" : ",", assembly.pool[k]);
    s += "\n";
  }
  return s;
}

}  // namespace kc::x64
