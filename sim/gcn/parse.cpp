// SPDX-License-Identifier: Apache-2.0
// Instruction parsing. A mnemonic selects opcodes of the table; the opcode's signature determines its
// operands.
#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdlib>
#include <map>

#include "backends/gcn/isa/table.h"
#include "sim/gcn/parse.h"

namespace kc::gcn_text {

std::string_view trim(std::string_view s) {
  size_t b = s.find_first_not_of(" \t\r"), e = s.find_last_not_of(" \t\r");
  return b == std::string_view::npos ? std::string_view{} : s.substr(b, e - b + 1);
}

Words split(std::string_view s, char separator) {
  Words words;
  size_t start = 0;
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i <= s.size(); ++i) {
    char c = i < s.size() ? s[i] : separator;
    if (c == '"') quoted = !quoted;
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if ((c == separator && depth <= 0 && !quoted) || i == s.size()) {
      std::string_view word = trim(s.substr(start, i - start));
      if (!word.empty()) words.push_back(word);
      start = i + 1;
    }
  }
  return words;
}

bool integer(std::string_view s, int64_t& value) {
  bool minus = s.starts_with('-');
  if (minus) s.remove_prefix(1);
  int base = 10;
  if (s.starts_with("0x")) base = 16, s.remove_prefix(2);
  uint64_t u = 0;
  auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), u, base);
  if (s.empty() || error != std::errc{} || end != s.data() + s.size()) return false;
  value = static_cast<int64_t>(minus ? 0 - u : u);
  return true;
}

namespace {

struct Named {
  std::string_view name;
  uint16_t reg;
  uint8_t regs;
};
constexpr Named kNamed[] = {
    {"vcc", gcn::kVcc, 2},        {"vcc_lo", gcn::kVcc, 1},
    {"vcc_hi", gcn::kVcc + 1, 1}, {"exec", gcn::kExec, 2},
    {"exec_lo", gcn::kExec, 1},   {"exec_hi", gcn::kExec + 1, 1},
    {"m0", gcn::kM0, 1},          {"flat_scratch", gcn::kFlatScratch, 2},
    {"flat_scratch_lo", 102, 1},  {"flat_scratch_hi", 103, 1},
    {"xnack_mask", 104, 2},       {"xnack_mask_lo", 104, 1},
    {"xnack_mask_hi", 105, 1},
};

bool register_range(std::string_view s, GcnOperand& o) {
  for (const Named& n : kNamed)
    if (n.name == s) return o.kind = GcnOperand::Scalar, o.reg = n.reg, o.regs = n.regs, true;
  if (s.size() < 2 || (s[0] != 's' && s[0] != 'v')) return false;
  GcnOperand::Kind kind = s[0] == 's' ? GcnOperand::Scalar : GcnOperand::Vector;
  s.remove_prefix(1);
  int64_t first = 0, last = 0;
  if (s[0] == '[') {
    size_t colon = s.find(':');
    if (!s.ends_with(']')) return false;
    if (colon == std::string_view::npos) {
      if (!integer(s.substr(1, s.size() - 2), first)) return false;
      last = first;
    } else if (!integer(s.substr(1, colon - 1), first) ||
               !integer(s.substr(colon + 1, s.size() - colon - 2), last)) {
      return false;
    }
  } else {
    if (s[0] < '0' || s[0] > '9' || !integer(s, first)) return false;
    last = first;
  }
  int64_t limit = kind == GcnOperand::Scalar ? gcn::kSgprCount : gcn::kVgprCount;
  if (first < 0 || last < first || last >= limit || last - first >= 16) return false;
  o.kind = kind;
  o.reg = static_cast<uint16_t>(first);
  o.regs = static_cast<uint8_t>(last - first + 1);
  return true;
}

// The element type and width of an operand of the signature.
Elem element_of(const OpInfo& row, const SigItem& item, size_t position) {
  unsigned regs = item.types.empty() ? 1 : item.types[0].regs;
  Elem e = row.machine.source == Elem::Void ? Elem::I32 : row.machine.source;
  if (position > 0 && (row.machine.extra & gcn::FloatFirst)) e = Elem::I32;
  unsigned bits = Type{e}.bits();
  if (regs >= 2 && bits <= 32) return Elem::I64;
  if (regs == 1 && bits == 64) return Elem::I32;
  return e;
}

// Bits of a constant as the hardware expands it: small integers are sign-extended; other integers are 32-bit
// literals, which supply the high half of an f64.
uint64_t integer_bits(int64_t v, Elem e, bool sign_extends) {
  bool is_inline = v >= -16 && v <= 64;
  if (Type{e}.bits() == 64) {
    auto low = static_cast<uint32_t>(v);
    if (is_inline) return static_cast<uint64_t>(v);
    if (e == Elem::F64) return uint64_t{low} << 32;
    return sign_extends ? static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(low))) : low;
  }
  return Type{e}.bits() == 16 ? static_cast<uint16_t>(v) : static_cast<uint32_t>(v);
}

Problem constant(std::string_view s, const OpInfo& row, GcnOperand& o) {
  int64_t v = 0;
  o.kind = GcnOperand::Immediate;
  if (integer(s, v)) {
    // 16 bits, with the signedness of the comparison
    if (row.machine.form == gcn::Sopk && !row.name.ends_with("_b32"))
      v = row.name.ends_with("u32") ? static_cast<uint16_t>(v) : static_cast<int16_t>(v);
    bool sign_extends = row.name.find("i64") != std::string_view::npos;
    o.value = integer_bits(v, o.elem, sign_extends);
    return {};
  }
  std::string copy(s);
  char* end = nullptr;
  double d = std::strtod(copy.c_str(), &end);
  bool digit = s.find_first_of("0123456789") != std::string_view::npos;
  if (!digit || end != copy.c_str() + copy.size()) return fmt::format("operand '{}' is not understood", s);
  bool inverse_two_pi = s == "0.15915494" || s.starts_with("0.159154943");
  if (Type{o.elem}.bits() == 64)
    o.value = inverse_two_pi ? 0x3fc45f306dc9c882 : std::bit_cast<uint64_t>(d);
  else if (Type{o.elem}.bits() == 32)
    o.value = inverse_two_pi ? 0x3e22f983 : std::bit_cast<uint32_t>(static_cast<float>(d));
  else
    return fmt::format("'{}' is no constant of 16 bits", s);
  return {};
}

// hwreg(NAME, offset, width), in the packing of s_getreg and s_setreg.
Problem hardware_register(std::string_view s, GcnOperand& o) {
  Words parts = split(s.substr(6, s.size() - 7), ',');
  int64_t offset = 0, width = 32, id = 1;
  if (parts.empty() || (parts[0] != "HW_REG_MODE" && (!integer(parts[0], id) || id != 1)))
    return fmt::format("'{}' is not supported: only HW_REG_MODE is", s);
  if (parts.size() == 3 && (!integer(parts[1], offset) || !integer(parts[2], width)))
    return "malformed hwreg";
  if (offset < 0 || width < 1 || offset + width > 32) return "malformed hwreg";
  o.kind = GcnOperand::Immediate;
  o.value = static_cast<uint64_t>(id | offset << 6 | (width - 1) << 11);
  return {};
}

Problem operand(std::string_view s, const OpInfo& row, GcnOperand& o) {
  bool changed = true;
  while (changed) {
    changed = true;
    if (s.starts_with('-') && s.size() > 1 && !(s[1] >= '0' && s[1] <= '9'))
      o.neg = true, s.remove_prefix(1);
    else if (s.size() > 2 && s.starts_with('|') && s.ends_with('|'))
      o.abs = true, s = s.substr(1, s.size() - 2);
    else if (s.starts_with("neg(") && s.ends_with(')'))
      o.neg = true, s = s.substr(4, s.size() - 5);
    else if (s.starts_with("abs(") && s.ends_with(')'))
      o.abs = true, s = s.substr(4, s.size() - 5);
    else if (s.starts_with("sext(") && s.ends_with(')'))
      o.sext = true, s = s.substr(5, s.size() - 6);
    else
      changed = false;
  }
  if ((o.neg || o.abs) && !(row.machine.extra & gcn::FloatMath) && row.name != "v_mov_b32" &&
      row.name != "v_cndmask_b32")
    return fmt::format("'{}' takes no sign modifiers", row.name);
  if (register_range(s, o)) return {};
  if (s == "scc" || s == "src_scc") return o.kind = GcnOperand::Scc, Problem{};
  if (s == "vccz" || s == "src_vccz") return o.kind = GcnOperand::Vccz, Problem{};
  if (s == "execz" || s == "src_execz") return o.kind = GcnOperand::Execz, Problem{};
  if (s.starts_with("hwreg(") && s.ends_with(')')) return hardware_register(s, o);
  return constant(s, row, o);
}

Problem check_class(const SigItem& item, GcnOperand& o, std::string_view text, bool valu) {
  unsigned regs = item.types.empty() ? 1 : item.types[0].regs;
  bool scalar = false, vector = false;
  for (Type t : item.types) (t.elem == Elem::Sgpr ? scalar : vector) = true;
  if (o.kind == GcnOperand::Scalar || o.kind == GcnOperand::Vector) {
    if (o.regs != regs) return fmt::format("'{}' should have {} registers", text, regs);
    if (o.kind == GcnOperand::Vector ? !vector : !scalar)
      return fmt::format("'{}' is in the wrong register file", text);
    if (o.kind == GcnOperand::Scalar && regs > 1 && o.reg % (regs == 2 ? 2 : 4) != 0)
      return fmt::format("'{}' is not aligned", text);
  } else if (o.kind == GcnOperand::Immediate) {
    // A mask may be a constant.
    if (!item.imm && !(valu && scalar)) return fmt::format("'{}' cannot be a constant", text);
  } else if (!scalar) {
    return fmt::format("'{}' is in the wrong register file", text);
  }
  return {};
}

// Opcodes by mnemonic, in table order.
using RowsByMnemonic = std::map<std::string_view, std::vector<Op>>;
const RowsByMnemonic& all_rows() {
  static const RowsByMnemonic map = [] {
    RowsByMnemonic m;
    for (size_t i = 0; i < kOpCount; ++i) {
      auto op = static_cast<Op>(i);
      if ((info(op).dialects & InGcn) && info(op).machine.form != gcn::Pseudo)
        m[mnemonic_of(op)].push_back(op);
    }
    return m;
  }();
  return map;
}
const std::vector<Op>& rows_of(std::string_view mnemonic) {
  static const std::vector<Op> none;
  auto it = all_rows().find(mnemonic);
  return it == all_rows().end() ? none : it->second;
}

// "; these begin alike: v_mul_f32, v_mul_hi_u32, ...", of what the first two words of a mnemonic begin.
std::string alike(std::string_view mnemonic) {
  constexpr size_t kShown = 8;
  size_t end = mnemonic.find('_');
  if (end != std::string_view::npos) end = mnemonic.find('_', end + 1);
  const std::string_view head = mnemonic.substr(0, end);
  std::vector<std::string_view> found;
  for (auto it = all_rows().lower_bound(head); it != all_rows().end() && it->first.starts_with(head); ++it)
    found.push_back(it->first);
  if (found.empty() || head.size() < 3) return {};
  const bool all = found.size() <= kShown;
  if (!all) found.resize(kShown);
  return fmt::format("; these begin alike: {}{}", fmt::join(found, ", "), all ? "" : ", ...");
}

// Assigns words of the text to operand positions of the opcode; false if the shape differs.
bool fits(Op op, Words words) {
  const SigShape& sig = signature_of(op);
  const MachineInfo& m = info(op).machine;
  size_t off = SIZE_MAX;
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] == "off") off = i;
  bool wants_off = m.form == gcn::Global || m.form == gcn::BufferOff;
  if (info(op).min_targets) return words.size() == 1;
  if (off != SIZE_MAX && !wants_off) return false;
  if (wants_off != (off != SIZE_MAX) && gcn::is_vmem(m.form) && !sig.operands.empty()) return false;
  if (m.extra & gcn::InOut) return words.size() == sig.results.size();
  size_t count = sig.results.size() + sig.operands.size() - (m.tied >= 0 ? 1 : 0) +
                 (wants_off && !sig.operands.empty() ? 1 : 0);
  return words.size() == count;
}

bool sdwa_select(std::string_view name, uint8_t& shift, uint8_t& bits) {
  if (name == "DWORD") return shift = 0, bits = 0, true;
  if (name == "BYTE_0" || name == "BYTE_1" || name == "BYTE_2" || name == "BYTE_3")
    return shift = static_cast<uint8_t>(8 * (name[5] - '0')), bits = 8, true;
  if (name == "WORD_0" || name == "WORD_1") return shift = name[5] == '1' ? 16 : 0, bits = 16, true;
  return false;
}

// offset:swizzle(MODE, ...) as the 16-bit pattern of ds_swizzle.
bool swizzle_pattern(std::string_view s, int64_t& value) {
  Words parts = split(s.substr(8, s.size() - 9), ',');
  int64_t n[4] = {};
  for (size_t i = 1; i < parts.size() && i <= 4; ++i)
    if (parts[0] != "BITMASK_PERM" && (!integer(parts[i], n[i - 1]) || n[i - 1] < 0 || n[i - 1] > 32))
      return false;
  if (parts.size() == 5 && parts[0] == "QUAD_PERM")
    value = 0x8000 | (n[0] & 3) | (n[1] & 3) << 2 | (n[2] & 3) << 4 | (n[3] & 3) << 6;
  else if (parts.size() == 2 && parts[0] == "SWAP")
    value = 0x1f | n[0] << 10;
  else if (parts.size() == 2 && parts[0] == "REVERSE")
    value = 0x1f | (n[0] - 1) << 10;
  else if (parts.size() == 3 && parts[0] == "BROADCAST")
    value = (0x1f & ~(n[0] - 1)) | n[1] << 5;
  else if (parts.size() == 2 && parts[0] == "BITMASK_PERM" && parts[1].size() == 7) {
    int64_t keep = 0, set = 0, flip = 0;
    for (char c : parts[1].substr(1, 5)) {
      keep = keep << 1 | (c == 'p' || c == 'i'), set = set << 1 | (c == '1'), flip = flip << 1 | (c == 'i');
    }
    value = keep | set << 5 | flip << 10;
  } else {
    return false;
  }
  return true;
}

Problem modifier(std::string_view word, GcnInst& inst) {
  size_t colon = word.find(':');
  std::string_view key = word.substr(0, colon),
                   value = colon == std::string_view::npos ? std::string_view{} : word.substr(colon + 1);
  if (key == "offset" && value.starts_with("swizzle(") && value.ends_with(')'))
    return swizzle_pattern(value, inst.offset) ? Problem{} : fmt::format("'{}' is not understood", word);
  if (key == "offset" || key == "offset0")
    return integer(value, inst.offset) ? Problem{} : fmt::format("'{}' is not a number", word);
  if (key == "offset1")
    return integer(value, inst.offset1) ? Problem{} : fmt::format("'{}' is not a number", word);
  if (key == "glc") return inst.glc = true, Problem{};
  if (key == "slc" || key == "offen") return {};
  if (key == "clamp") return inst.clamp = true, Problem{};
  if (word == "mul:2") return inst.omod = 1, Problem{};
  if (word == "mul:4") return inst.omod = 2, Problem{};
  if (word == "div:2") return inst.omod = 3, Problem{};
  if (key == "dst_sel" && sdwa_select(value, inst.dst_shift, inst.dst_bits)) return {};
  if (word == "dst_unused:UNUSED_PAD") return {};
  if (word == "dst_unused:UNUSED_SEXT") return inst.dst_unused = GcnInst::Sext, Problem{};
  if (word == "dst_unused:UNUSED_PRESERVE") return inst.dst_unused = GcnInst::Preserve, Problem{};
  for (size_t i = 0; i < 2 && i < inst.operands.size(); ++i)
    if (key == (i ? "src1_sel" : "src0_sel") &&
        sdwa_select(value, inst.operands[i].select_shift, inst.operands[i].select_bits))
      return {};
  return fmt::format("modifier '{}' is not supported", word);
}

Problem wait_counts(std::string_view text, GcnInst& inst) {
  int64_t n = 0;
  if (integer(text, n)) {
    inst.vmcnt = static_cast<uint8_t>((n & 15) | ((n >> 14) & 3) << 4);
    inst.lgkmcnt = static_cast<uint8_t>((n >> 8) & 15);
    return {};
  }
  std::string spaced(text);
  for (char& c : spaced)
    if (c == '&' || c == ',') c = ' ';
  for (std::string_view word : split(spaced, ' ')) {
    size_t open = word.find('(');
    if (open == std::string_view::npos || !word.ends_with(')') ||
        !integer(word.substr(open + 1, word.size() - open - 2), n) || n < 0 || n > 63)
      return fmt::format("'{}' is not understood", word);
    std::string_view counter = word.substr(0, open);
    if (counter == "vmcnt")
      inst.vmcnt = static_cast<uint8_t>(n);
    else if (counter == "lgkmcnt" && n <= 15)
      inst.lgkmcnt = static_cast<uint8_t>(n);
    else if (counter == "lgkmcnt")
      return "lgkmcnt counts to 15";
    else if (counter != "expcnt")
      return fmt::format("'{}' is not understood", word);
  }
  return {};
}

Problem operands(const Words& words, GcnInst& inst) {
  const OpInfo& row = inst.row();
  const SigShape& sig = signature_of(inst.op);
  bool valu = gcn::is_valu(row.machine.form);
  size_t at = 0;
  auto next = [&] {
    while (at < words.size() && words[at] == "off") ++at;
    return at < words.size() ? words[at++] : std::string_view{};
  };
  for (const SigItem& item : sig.results) {
    GcnOperand o;
    std::string_view text = next();
    if (!register_range(text, o)) return fmt::format("result '{}' is not a register", text);
    if (Problem p = check_class(item, o, text, false); !p.empty()) return p;
    inst.results.push_back(o);
  }
  if (row.machine.extra & gcn::InOut) return inst.operands = inst.results, Problem{};
  for (size_t i = 0; i < sig.operands.size(); ++i) {
    GcnOperand o;
    o.elem = element_of(row, sig.operands[i], i);
    if (static_cast<int>(i) == row.machine.tied) {
      GcnOperand tied = inst.results[0];
      tied.elem = o.elem;
      inst.operands.push_back(tied);
      continue;
    }
    std::string_view text = next();
    if (Problem p = operand(text, row, o); !p.empty()) return p;
    if (Problem p = check_class(sig.operands[i], o, text, valu); !p.empty()) return p;
    inst.operands.push_back(o);
  }
  return {};
}

// Splits "a, b, c mod mod:1" into operands and modifiers.
void separate(std::string_view text, Words& operand_words, Words& modifiers) {
  operand_words = split(text, ',');
  if (operand_words.empty()) return;
  Words last = split(operand_words.back(), ' ');
  operand_words.back() = last[0];
  modifiers.assign(last.begin() + 1, last.end());
}

std::string_view base_mnemonic(std::string_view m, bool& sdwa, bool& dpp) {
  sdwa = m.ends_with("_sdwa"), dpp = m.ends_with("_dpp");
  for (std::string_view suffix : {"_e32", "_e64", "_sdwa", "_dpp"})
    if (m.ends_with(suffix)) return m.substr(0, m.size() - suffix.size());
  return m;
}

}  // namespace

Problem instruction(std::string_view text, GcnInst& inst, std::string& branch) {
  inst.text = text;
  size_t space = text.find_first_of(" \t");
  bool dpp = false;
  std::string_view name = base_mnemonic(text.substr(0, space), inst.sdwa, dpp);
  std::string_view rest = space == std::string_view::npos ? std::string_view{} : trim(text.substr(space));
  const std::vector<Op>& rows = rows_of(name);
  if (rows.empty()) return fmt::format("unknown mnemonic '{}'{}", name, alike(name));
  if (dpp) return "lane-crossing (dpp) operands are not supported";
  if (rows[0] == Op::gcn_s_waitcnt) {
    inst.op = rows[0];
    return wait_counts(rest, inst);
  }
  Words words, modifiers;
  separate(rest, words, modifiers);
  for (Op op : rows)
    if (fits(op, words)) {
      inst.op = op;
      break;
    }
  if (inst.op == Op::Count_) return fmt::format("'{}' does not take these operands", name);
  const OpInfo& row = inst.row();
  if (row.min_targets) {
    branch = words[0];
    return {};
  }
  if (row.eval) inst.eval = row.eval(row.machine.source, row.machine.dest);
  if (row.machine.status) inst.status = row.machine.status(row.machine.source, Elem::I1);
  if (Problem p = operands(words, inst); !p.empty()) return p;
  for (std::string_view word : modifiers)
    if (Problem p = modifier(word, inst); !p.empty()) return p;
  if (inst.clamp && !(row.machine.extra & gcn::FloatMath)) return "clamp of integers is not supported";
  if (!inst.sdwa && !inst.clamp && !inst.omod)
    inst.loop = gcn_sim::lane_loop(inst.op), inst.compare = gcn_sim::compare_loop(inst.op);
  return {};
}

}  // namespace kc::gcn_text
