// SPDX-License-Identifier: Apache-2.0
// Registers, and scalar instructions.
#include <fmt/format.h>

#include "sim/gcn/wave.h"

namespace kc::gcn_sim {
namespace {

uint64_t image_base(const Launch& l) { return l.image.base; }

// s_getreg and s_setreg pack: register in bits 0-5, offset in 6-10, width - 1 in 11-15.
struct Field {
  unsigned offset;
  uint32_t mask;
  explicit Field(uint64_t packed)
      : offset((packed >> 6) & 31),
        mask(static_cast<uint32_t>((uint64_t{1} << (((packed >> 11) & 31) + 1)) - 1)) {}
};

void set_mode(Wave& w, uint64_t packed, uint32_t value) {
  Field f(packed);
  w.mode = (w.mode & ~(f.mask << f.offset)) | (value & f.mask) << f.offset;
  if (w.mode & 15) w.fault("only rounding to nearest is supported");
}

void jump_to(Wave& w, uint64_t address) {
  uint64_t pc = address - image_base(w.launch);
  auto it = w.launch.object.index_of_pc.find(pc);
  if (it == w.launch.object.index_of_pc.end())
    w.fault(fmt::format("jump to {:#x}, which is no instruction", pc));
  w.pc = it->second;
}

uint64_t next_address(const Wave& w, const GcnInst& inst) { return image_base(w.launch) + inst.pc + 4; }

bool taken(Wave& w, const GcnInst& inst) {
  auto scc = [&] { return w.scalar({.kind = GcnOperand::Scc}) != 0; };
  auto vcc = [&] { return w.scalar({.kind = GcnOperand::Vccz}) == 0; };
  switch (inst.op) {
    case Op::gcn_s_cbranch_scc0:
      return !scc();
    case Op::gcn_s_cbranch_scc1:
      return scc();
    case Op::gcn_s_cbranch_vccz:
      return !vcc();
    case Op::gcn_s_cbranch_vccnz:
      return vcc();
    case Op::gcn_s_cbranch_execz:
      return w.exec() == 0;
    case Op::gcn_s_cbranch_execnz:
      return w.exec() != 0;
    default:
      return true;
  }
}

// Executes instructions without evaluation function in the table; false for any other.
bool execute_special_scalar(Wave& w, const GcnInst& inst) {
  switch (inst.op) {
    case Op::gcn_s_endpgm:
      w.done = true;
      return true;
    case Op::gcn_s_barrier:
      if (w.strict())
        for (const Pending& p : w.lgkm)
          if (p.lds_write)
            w.fault("s_barrier while a write to local memory is under way: lgkmcnt(0) is missing");
      w.at_barrier = true;
      return true;
    case Op::gcn_s_waitcnt:
      wait(w, inst);
      return true;
    case Op::gcn_s_nop:
    case Op::gcn_s_sleep:
    case Op::gcn_s_setprio:
    case Op::gcn_s_icache_inv:
      return true;
    case Op::gcn_s_getpc_b64:
      w.write_scalar(inst.results[0], next_address(w, inst));
      return true;
    case Op::gcn_s_setpc_b64:
      jump_to(w, w.scalar(inst.operands[0]));
      return true;
    case Op::gcn_s_swappc_b64: {
      uint64_t to = w.scalar(inst.operands[0]);
      w.write_scalar(inst.results[0], next_address(w, inst));
      jump_to(w, to);
      return true;
    }
    case Op::gcn_s_getreg_b32: {
      Field f(inst.operands[0].value);
      w.write_scalar(inst.results[0], (w.mode >> f.offset) & f.mask);
      return true;
    }
    case Op::gcn_s_setreg_b32:
    case Op::gcn_s_setreg_imm32_b32:
      set_mode(w, inst.operands[0].value, static_cast<uint32_t>(w.scalar(inst.operands[1])));
      w.setreg_time = w.time;
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string register_name(GcnOperand::Kind kind, unsigned reg) {
  if (kind == GcnOperand::Vector) return fmt::format("v{}", reg);
  switch (reg) {
    case gcn::kVcc:
      return "vcc_lo";
    case gcn::kVcc + 1:
      return "vcc_hi";
    case gcn::kM0:
      return "m0";
    case gcn::kExec:
      return "exec_lo";
    case gcn::kExec + 1:
      return "exec_hi";
    default:
      return fmt::format("s{}", reg);
  }
}

uint64_t Wave::scalar_bits(const GcnOperand& o) const {
  switch (o.kind) {
    case GcnOperand::Immediate:
      return o.value;
    case GcnOperand::Scc:
      return scc;
    case GcnOperand::Vccz:
      return vcc() == 0;
    case GcnOperand::Execz:
      return exec() == 0;
    case GcnOperand::Scalar:
      return o.regs == 1 ? sgpr[o.reg] : pair(o.reg);
    default:
      fault("operand is not scalar");
  }
}

uint64_t Wave::scalar_known(const GcnOperand& o) const {
  if (o.kind == GcnOperand::Scc && !scc_known) return 0;
  if (o.kind == GcnOperand::Vccz) {
    const uint64_t known = sgpr_known[gcn::kVcc] | uint64_t{sgpr_known[gcn::kVcc + 1]} << 32;
    return ~known == 0 || (vcc() & known) != 0 ? ~uint64_t{0} : 0;
  }
  if (o.kind != GcnOperand::Scalar) return ~uint64_t{0};
  const uint64_t high = o.regs == 1 ? ~0u : sgpr_known[o.reg + 1u];
  return sgpr_known[o.reg] | high << 32;
}

void Wave::fault_unknown(const GcnOperand& o) const {
  if (o.kind == GcnOperand::Scc) fault("scc is read before it is written");
  if (o.kind == GcnOperand::Vccz) fault("vccz is read before vcc is written");
  const bool second = o.regs == 2 && sgpr_known[o.reg] == ~0u;
  fault(fmt::format("{} is read before it is written", register_name(o.kind, o.reg + second)));
}

uint64_t Wave::scalar(const GcnOperand& o) const {
  if (wants_written() && ~scalar_known(o)) fault_unknown(o);
  return scalar_bits(o);
}

void Wave::write_scalar(const GcnOperand& o, uint64_t bits, uint64_t known) {
  set_sgpr(o.reg, static_cast<uint32_t>(bits), static_cast<uint32_t>(known));
  if (o.regs == 2)
    set_sgpr(o.reg + 1u, static_cast<uint32_t>(bits >> 32), static_cast<uint32_t>(known >> 32));
}

uint64_t Wave::known(const GcnOperand& o) const {
  if (o.kind != GcnOperand::Vector) return ~uint64_t{0};
  uint64_t lanes = ~uint64_t{0};
  for (unsigned i = 0; i < o.regs; ++i) lanes &= vgpr_known[o.reg + i];
  return lanes;
}

uint64_t Wave::lane_bits(const GcnOperand& o, unsigned lane) const {
  uint64_t low = vgpr[o.reg][lane];
  return o.regs == 1 ? low : low | uint64_t{vgpr[o.reg + 1u][lane]} << 32;
}

void Wave::require(const GcnOperand& o, uint64_t lanes) const {
  if (!wants_written() || o.kind != GcnOperand::Vector) return;
  for (unsigned i = 0; i < o.regs; ++i) {
    uint64_t missing = lanes & ~vgpr_known[o.reg + i];
    if (!missing) continue;
    const auto lane = static_cast<unsigned>(__builtin_ctzll(missing));
    const Unwritten& origin = unwritten[o.reg + i];
    if (origin.at == UINT32_MAX)
      fault(fmt::format("v{} is read before it is written, in lane {}", o.reg + i, lane));
    const GcnInst& reader = launch.object.code[origin.at];
    fault(fmt::format(
        "v{} is read before it is written, in lane {}, {}, and v{} depends on it", origin.reg, lane,
        reader.line ? fmt::format("in line {}", reader.line) : fmt::format("by '{}'", reader.text),
        o.reg + i));
  }
}

namespace {

// Whether each bit of the result depends only on the operand bits at the same position.
bool is_bitwise(Op op) {
  switch (op) {
    case Op::gcn_s_mov_b32:
    case Op::gcn_s_mov_b64:
    case Op::gcn_s_not_b32:
    case Op::gcn_s_not_b64:
#define KC_BITWISE(name)       \
  case Op::gcn_s_##name##_b32: \
  case Op::gcn_s_##name##_b64: \
  case Op::gcn_s_##name##_saveexec_b64:
      KC_BITWISE(and)
      KC_BITWISE(or)
      KC_BITWISE(xor)
      KC_BITWISE(andn2)
      KC_BITWISE(orn2)
      KC_BITWISE(nand)
      KC_BITWISE(nor)
      KC_BITWISE(xnor)
#undef KC_BITWISE
    case Op::gcn_s_andn1_saveexec_b64:
    case Op::gcn_s_orn1_saveexec_b64:
    case Op::gcn_s_andn1_wrexec_b64:
    case Op::gcn_s_andn2_wrexec_b64:
      return true;
    default:
      return false;
  }
}

bool compares_equality(Op op) {
  return op == Op::gcn_s_cmp_eq_u64 || op == Op::gcn_s_cmp_lg_u64 || op == Op::gcn_s_cmp_eq_u32 ||
         op == Op::gcn_s_cmp_lg_u32 || op == Op::gcn_s_cmp_eq_i32 || op == Op::gcn_s_cmp_lg_i32;
}

// The operands of a scalar instruction, and their known bits.
struct Inputs {
  uint64_t bits[4] = {}, known[4] = {};
  size_t count = 0;
  void add(uint64_t b, uint64_t k) { bits[count] = b, known[count++] = k; }
  bool all_known() const {
    uint64_t all = ~uint64_t{0};
    for (size_t i = 0; i < count; ++i) all &= known[i];
    return ~all == 0;
  }
};

// Bits of a bitwise result that do not depend on the unknown bits of its operands.
uint64_t known_bitwise(const GcnInst& inst, const Inputs& in) {
  uint64_t ones = ~uint64_t{0}, zeros = ~uint64_t{0};
  for (unsigned choice = 0; choice < 4; ++choice) {
    uint64_t a[4] = {};
    for (size_t i = 0; i < in.count; ++i)
      a[i] = (choice >> i & 1) ? in.bits[i] | ~in.known[i] : in.bits[i] & in.known[i];
    const uint64_t r = inst.eval(a);
    ones &= r, zeros &= ~r;
  }
  return ones | zeros;
}

}  // namespace

// Unknown bits may be part of masks as long as nothing depends on them: an `and` removes the lanes for which
// a comparison is meaningless.
void execute_scalar(Wave& w, const GcnInst& inst) {
  const MachineInfo& m = inst.row().machine;
  if (inst.row().min_targets) {
    if (!taken(w, inst)) return;
    if (inst.target == UINT32_MAX) w.fault("branch to an address that is no instruction");
    w.pc = inst.target;
    return;
  }
  if (execute_special_scalar(w, inst)) return;
  Inputs in;
  for (const GcnOperand& o : inst.operands) in.add(w.scalar_bits(o), w.scalar_known(o));
  const bool exec_too = (m.extra & gcn::SaveExec) || ((m.uses & gcn::Exec) && (m.extra & gcn::WritesExec));
  if (exec_too) in.add(w.exec(), ~uint64_t{0});
  const bool sure = !w.strict() || in.all_known();
  const bool bitwise = !sure && is_bitwise(inst.op), equality = !sure && compares_equality(inst.op);
  if (!sure && !bitwise && !equality)
    for (const GcnOperand& o : inst.operands) w.scalar(o);
  if (m.uses & gcn::Scc) in.bits[2] = w.scalar({.kind = GcnOperand::Scc});
  if (!inst.eval && !inst.status) w.fault("the emulator has no meaning for this instruction");
  const uint64_t result = inst.eval ? inst.eval(in.bits) : 0;
  const uint64_t known = bitwise ? known_bitwise(inst, in) : ~uint64_t{0};
  const bool writes_exec = (m.extra & (gcn::SaveExec | gcn::WritesExec)) ||
                           (!inst.results.empty() && inst.results[0].reg >= gcn::kExec);
  if (~known && writes_exec)
    for (const GcnOperand& o : inst.operands) w.scalar(o);
  if (m.extra & (gcn::SaveExec | gcn::WritesExec)) {
    uint64_t old = w.exec();
    w.write_scalar({.kind = GcnOperand::Scalar, .regs = 2, .reg = gcn::kExec}, result);
    w.write_scalar(inst.results[0], m.extra & gcn::SaveExec ? old : result);
    w.set_scc(result != 0);
    return;
  }
  if (inst.status) {
    w.set_scc(inst.status(in.bits) != 0);
    // A difference in a known bit proves inequality.
    if (equality) w.scc_known = ((in.bits[0] ^ in.bits[1]) & in.known[0] & in.known[1]) != 0;
  }
  if (!inst.results.empty()) w.write_scalar(inst.results[0], result, known);
  if (m.extra & gcn::SccNonZero) {
    const uint64_t width = inst.results[0].regs == 1 ? ~0u : ~uint64_t{0};
    w.set_scc((result & width) != 0);
    if (~known & width) w.scc_known = (result & known & width) != 0;
  }
}

}  // namespace kc::gcn_sim
