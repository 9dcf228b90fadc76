// SPDX-License-Identifier: Apache-2.0
// What the encodings of gfx9 cannot hold although each operand is right by itself. A vector instruction reads
// the constant bus at most once: one scalar register (or pair), or one literal of 32 bits, which only the
// short forms have, as their first operand. Tests compare this with LLVM's assembler.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "backends/gcn/isa/table.h"
#include "sim/gcn/parse.h"
#include "sim/gcn/wave.h"

namespace kc::gcn_text {
namespace {

// 0.5, 1, 2, 4, their negatives, and 1 / (2 pi).
constexpr std::array<uint64_t, 9> kFloats16{0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000,
                                            0xc000, 0x4400, 0xc400, 0x3118};
constexpr std::array<uint64_t, 9> kFloats32{0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
                                            0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983};
constexpr std::array<uint64_t, 9> kFloats64{0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
                                            0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
                                            0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882};

bool is_one_of(const std::array<uint64_t, 9>& list, uint64_t value) {
  return std::ranges::find(list, value) != list.end();
}

// Whether the constant has a code of its own in the operand's field.
bool is_inline(const GcnOperand& o) {
  const unsigned bits = Type{o.elem}.bits();
  const int64_t number = bits == 64   ? static_cast<int64_t>(o.value)
                         : bits == 16 ? static_cast<int16_t>(o.value)
                                      : static_cast<int32_t>(o.value);
  if (number >= -16 && number <= 64) return true;
  return bits == 64   ? is_one_of(kFloats64, o.value)
         : bits == 16 ? is_one_of(kFloats16, o.value & 0xffff)
                      : is_one_of(kFloats32, o.value & 0xffffffff);
}

bool is_literal(const GcnOperand& o) { return o.kind == GcnOperand::Immediate && !is_inline(o); }

bool is_vcc(const GcnOperand& o) { return o.kind == GcnOperand::Scalar && o.reg == gcn::kVcc; }

// The middle operand of v_madmk, the last one of v_madak: always a literal.
const GcnOperand* own_literal(const GcnInst& inst) {
  const std::string_view name = inst.row().name;
  return name.starts_with("v_madmk")   ? &inst.operands[1]
         : name.starts_with("v_madak") ? &inst.operands[2]
                                       : nullptr;
}

// Whether only the long form, VOP3, has these operands.
bool needs_long_form(const GcnInst& inst, std::string_view mnemonic) {
  const MachineInfo& m = inst.row().machine;
  if (m.form == gcn::Vop3 || mnemonic.ends_with("_e64")) return true;
  if (inst.sdwa) return false;
  if (inst.clamp || inst.omod) return true;
  for (const GcnOperand& o : inst.operands)
    if (o.neg || o.abs) return true;
  if (m.form == gcn::Vop1) return false;
  if (inst.operands.size() > 1 && inst.operands[1].kind != GcnOperand::Vector && !own_literal(inst))
    return true;
  for (const GcnOperand& o : inst.results)
    if (o.kind == GcnOperand::Scalar && !is_vcc(o)) return true;
  return (m.extra & gcn::MaskIn) && !is_vcc(inst.operands.back());
}

std::string name_of(const GcnOperand& o) {
  if (o.kind != GcnOperand::Scalar)
    return o.kind == GcnOperand::Scc ? "scc" : o.kind == GcnOperand::Vccz ? "vccz" : "execz";
  if (is_vcc(o) && o.regs == 2) return "vcc";
  if (o.regs == 1) return gcn_sim::register_name(o.kind, o.reg);
  return fmt::format("s[{}:{}]", o.reg, o.reg + o.regs - 1);
}

Problem vector_operands(const GcnInst& inst, std::string_view mnemonic) {
  const MachineInfo& m = inst.row().machine;
  std::vector<std::string> bus;  // what reads it
  auto reads = [&](std::string name) {
    if (std::ranges::find(bus, name) == bus.end()) bus.push_back(std::move(name));
  };
  const GcnOperand* own = own_literal(inst);
  bool literal = false;
  for (const GcnOperand& o : inst.operands) {
    if (o.kind == GcnOperand::Scalar || o.kind == GcnOperand::Scc || o.kind == GcnOperand::Vccz ||
        o.kind == GcnOperand::Execz)
      reads(name_of(o));
    if (is_literal(o) && &o != own) literal = true;
    const bool must_be_vector =
        inst.op == Op::gcn_v_readfirstlane_b32 || (own && &o != own && &o != &inst.operands[0]);
    if (must_be_vector && o.kind != GcnOperand::Vector)
      return fmt::format("operand {} must be a vector register", &o - inst.operands.data());
  }
  if (m.uses & gcn::Vcc) reads("vcc");
  if (literal && (own || inst.sdwa || needs_long_form(inst, mnemonic)))
    return "a constant that is not from -16 to 64 fits only into the first operand of a short form: put it "
           "into a register";
  if (literal || own) reads("a constant of 32 bits");
  if (bus.size() > 1)
    return fmt::format("a vector instruction of gfx9 reads at most one scalar register, and this reads {}",
                       fmt::join(bus, " and "));
  return {};
}

Problem scalar_operands(const GcnInst& inst) {
  std::optional<uint32_t> first;
  for (const GcnOperand& o : inst.operands) {
    if (!is_literal(o)) continue;
    const auto value = static_cast<uint32_t>(o.value);
    if (first && *first != value) return "it has room for one constant that is not from -16 to 64";
    first = value;
  }
  return {};
}

Problem within(std::string_view what, int64_t value, int64_t least, int64_t most) {
  if (value >= least && value <= most) return {};
  return fmt::format("{} must be from {} to {}", what, least, most);
}

}  // namespace

Problem not_encodable(const GcnInst& inst, std::string_view text) {
  const MachineInfo& m = inst.row().machine;
  if (gcn::is_valu(m.form)) return vector_operands(inst, text.substr(0, text.find_first_of(" \t")));
  switch (m.form) {
    case gcn::Sop1:
    case gcn::Sop2:
    case gcn::Sopc:
      return scalar_operands(inst);
    case gcn::Smem:
      if (inst.operands.size() > 1 && inst.operands[1].kind == GcnOperand::Immediate)
        return within("the offset", static_cast<int32_t>(inst.operands[1].value), -(1 << 20), (1 << 20) - 1);
      return {};
    case gcn::Global:
    case gcn::GlobalBase:
      return within("the offset", inst.offset, -4096, 4095);
    case gcn::Buffer:
    case gcn::BufferOff:
      return within("the offset", inst.offset, 0, 4095);
    case gcn::Ds: {
      const int64_t most = m.extra & gcn::TwoOffsets ? 255 : 65535;
      Problem p = within("the offset", inst.offset, 0, most);
      return p.empty() ? within("the second offset", inst.offset1, 0, most) : p;
    }
    default:
      return {};
  }
}

}  // namespace kc::gcn_text
