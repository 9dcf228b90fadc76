// SPDX-License-Identifier: Apache-2.0
// Registers, and the instructions of the scalar unit.
#include <fmt/format.h>

#include "sim/gcn_wave.h"

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
  auto scc = [&] {
    if (w.strict() && !w.scc_known) w.fault("scc is read before it is written");
    return w.scc;
  };
  auto vcc = [&] {
    GcnOperand o{.kind = GcnOperand::Scalar, .regs = 2, .reg = gcn::kVcc};
    return w.scalar(o) != 0;
  };
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

// Instructions that the table's functions do not describe; false when this is none of them.
bool special(Wave& w, const GcnInst& inst) {
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

uint64_t Wave::scalar(const GcnOperand& o) {
  switch (o.kind) {
    case GcnOperand::Immediate:
      return o.value;
    case GcnOperand::Scc:
      if (strict() && !scc_known) fault("scc is read before it is written");
      return scc;
    case GcnOperand::Vccz:
      return vcc() == 0;
    case GcnOperand::Execz:
      return exec() == 0;
    case GcnOperand::Scalar:
      break;
    default:
      fault("operand is not scalar");
  }
  if (strict())
    for (unsigned i = 0; i < o.regs; ++i)
      if (!sgpr_known[o.reg + i])
        fault(fmt::format("{} is read before it is written", register_name(o.kind, o.reg + i)));
  return o.regs == 1 ? sgpr[o.reg] : pair(o.reg);
}

void Wave::write_scalar(const GcnOperand& o, uint64_t bits) {
  set_sgpr(o.reg, static_cast<uint32_t>(bits));
  if (o.regs == 2) set_sgpr(o.reg + 1u, static_cast<uint32_t>(bits >> 32));
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
  if (!strict() || o.kind != GcnOperand::Vector) return;
  for (unsigned i = 0; i < o.regs; ++i) {
    uint64_t missing = lanes & ~vgpr_known[o.reg + i];
    if (missing)
      fault(fmt::format("v{} is read before it is written, in lane {}", o.reg + i,
                        static_cast<unsigned>(__builtin_ctzll(missing))));
  }
}

void execute_scalar(Wave& w, const GcnInst& inst) {
  const MachineInfo& m = inst.row().machine;
  if (inst.row().min_targets) {
    if (!taken(w, inst)) return;
    if (inst.target == UINT32_MAX) w.fault("branch to an address that is no instruction");
    w.pc = inst.target;
    return;
  }
  if (special(w, inst)) return;
  uint64_t a[4] = {};
  size_t n = 0;
  for (const GcnOperand& o : inst.operands) a[n++] = w.scalar(o);
  if (m.extra & gcn::SaveExec) a[n++] = w.exec();
  if ((m.uses & gcn::Exec) && (m.extra & gcn::WritesExec)) a[n++] = w.exec();
  if (m.uses & gcn::Scc) {
    if (w.strict() && !w.scc_known) w.fault("scc is read before it is written");
    a[2] = w.scc;
  }
  if (!inst.eval && !inst.status) w.fault("the emulator has no meaning for this instruction");
  uint64_t result = inst.eval ? inst.eval(a) : 0;
  if (m.extra & (gcn::SaveExec | gcn::WritesExec)) {
    uint64_t old = w.exec();
    w.write_scalar({.kind = GcnOperand::Scalar, .regs = 2, .reg = gcn::kExec}, result);
    w.write_scalar(inst.results[0], m.extra & gcn::SaveExec ? old : result);
    w.set_scc(result != 0);
    return;
  }
  if (inst.status) w.set_scc(inst.status(a) != 0);
  if (!inst.results.empty()) w.write_scalar(inst.results[0], result);
  if (m.extra & gcn::SccNonZero)
    w.set_scc(inst.results[0].regs == 1 ? static_cast<uint32_t>(result) != 0 : result != 0);
}

}  // namespace kc::gcn_sim
