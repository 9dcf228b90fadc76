// SPDX-License-Identifier: Apache-2.0
// Hazards that the hardware leaves to the program: waits for memory, wait states, and sequences of memory
// instructions that must be restartable after a page fault.
#include <fmt/format.h>

#include <algorithm>

#include "sim/gcn/wave.h"

namespace kc::gcn_sim {
namespace {

template <typename F>
void each_register(const GcnInst& inst, F f) {
  for (const auto* list : {&inst.operands, &inst.results})
    for (const GcnOperand& o : *list)
      if (o.kind == GcnOperand::Scalar || o.kind == GcnOperand::Vector)
        for (unsigned i = 0; i < o.regs; ++i) f(o.kind, o.reg + i, list == &inst.results);
}

void check_allocated(const Wave& w, const GcnInst& inst) {
  const GcnKernel& k = w.launch.kernel;
  each_register(inst, [&](GcnOperand::Kind kind, unsigned reg, bool) {
    if (kind == GcnOperand::Vector ? reg >= k.vgprs : reg >= k.sgprs && reg < gcn::kSgprCount)
      w.fault(fmt::format("{} is beyond the {} registers that the kernel asks for", register_name(kind, reg),
                          kind == GcnOperand::Vector ? k.vgprs : k.sgprs));
  });
}

// A wait that came after the load and did not ask for it is named.
std::string missing_wait(const Wave& w, const Pending& p, bool vector) {
  const Wave::LastWait& last = vector ? w.waited_vm : w.waited_lgkm;
  const std::string_view counter = vector ? "vmcnt" : "lgkmcnt";
  if (last.time <= p.issued) return fmt::format("s_waitcnt {} is missing", counter);
  const GcnInst& inst = w.launch.object.code[last.at];
  return fmt::format("a stronger s_waitcnt {} is missing: the last one{} waits for {}({}) only{}", counter,
                     inst.line ? fmt::format(" (line {})", inst.line) : std::string(), counter,
                     vector ? inst.vmcnt : inst.lgkmcnt,
                     p.scalar ? ", and scalar loads may end in any order" : "");
}

void check_pending(const Wave& w, const GcnInst& inst) {
  if (w.vm.empty() && w.lgkm.empty()) return;
  const bool may_follow = w.launch.options.foreign && gcn::is_vmem(inst.row().machine.form);
  each_register(inst, [&](GcnOperand::Kind kind, unsigned reg, bool written) {
    for (const auto* queue : {&w.vm, &w.lgkm})
      for (const Pending& p : *queue)
        if (p.kind == kind && reg >= p.reg && reg < p.reg + unsigned{p.regs} &&
            !(written && may_follow && queue == &w.vm))
          w.fault(fmt::format("{} is {} while a load into it is under way: {}", register_name(kind, reg),
                              written ? "overwritten" : "read", missing_wait(w, p, queue == &w.vm)));
  });
}

void need(const Wave& w, uint64_t since, uint64_t states, std::string_view why) {
  uint64_t passed = w.time - since;
  if (passed < states)
    w.fault(fmt::format("{}: {} wait states are needed, there are {}", why, states, passed));
}
void need_after_valu(const Wave& w, const GcnOperand& o, uint64_t states, std::string_view use) {
  if (o.kind != GcnOperand::Scalar) return;
  for (unsigned i = 0; i < o.regs; ++i)
    need(w, w.valu_wrote_sgpr[o.reg + i], states,
         fmt::format("a vector instruction wrote {}, {}", register_name(o.kind, o.reg + i), use));
}

void check_wait_states(const Wave& w, const GcnInst& inst) {
  const MachineInfo& m = inst.row().machine;
  const GcnOperand vcc{.kind = GcnOperand::Scalar, .regs = 2, .reg = gcn::kVcc};
  const GcnOperand exec{.kind = GcnOperand::Scalar, .regs = 2, .reg = gcn::kExec};
  if (gcn::is_vmem(m.form))
    for (const GcnOperand& o : inst.operands) need_after_valu(w, o, 5, "which a memory instruction reads");
  if (m.extra & gcn::LaneSelect) need_after_valu(w, inst.operands[1], 4, "which selects a lane");
  if ((m.uses & gcn::Vcc) && gcn::is_valu(m.form)) need_after_valu(w, vcc, 4, "which v_div_fmas reads");
  for (const GcnOperand& o : inst.operands) {
    if (o.kind == GcnOperand::Vccz) need_after_valu(w, vcc, 5, "which is read as vccz");
    if (o.kind == GcnOperand::Execz) need_after_valu(w, exec, 5, "which is read as execz");
  }
  if (gcn::is_valu(m.form))
    for (const GcnOperand& o : inst.results)
      if (o.kind == GcnOperand::Vector)
        for (unsigned i = 0; i < o.regs; ++i)
          need(w, w.wide_store_read[o.reg + i], 1,
               fmt::format("v{} is overwritten right after a store of more than 64 bits that reads it",
                           o.reg + i));
  if (inst.op == Op::gcn_s_getreg_b32 || inst.op == Op::gcn_s_setreg_b32 ||
      inst.op == Op::gcn_s_setreg_imm32_b32)
    need(w, w.setreg_time, 2, "s_setreg is followed by an access to the register");
}

bool stores(const GcnInst& inst) { return inst.row().effects == Effects::Write; }

// With retried page faults, adjacent memory instructions are replayed as a group, so none of them may
// overwrite a register that another one uses as address.
void check_clause(Wave& w, const GcnInst& inst) {
  const MachineInfo& m = inst.row().machine;
  auto kind = gcn::is_vmem(m.form)  ? Wave::Clause::Vector
              : m.form == gcn::Smem ? Wave::Clause::Scalar
                                    : Wave::Clause::None;
  Wave::Clause& c = w.clause;
  if (kind != c.kind) c = {};
  c.kind = kind;
  if (kind == Wave::Clause::None) return;
  Wave::Clause own;
  // The data of a store is not part of its address.
  bool is_buffer = m.form == gcn::Buffer || m.form == gcn::BufferOff;
  size_t data = !stores(inst) ? SIZE_MAX : is_buffer ? 0 : 1;
  for (size_t i = 0; i < inst.operands.size(); ++i) {
    const GcnOperand& o = inst.operands[i];
    if (i == data || static_cast<int>(i) == m.tied) continue;
    for (unsigned r = 0; r < o.regs; ++r) {
      if (o.kind == GcnOperand::Scalar) own.s_address.set(o.reg + r);
      if (o.kind == GcnOperand::Vector) own.v_address.set(o.reg + r);
    }
  }
  for (const GcnOperand& o : inst.results)
    for (unsigned r = 0; r < o.regs; ++r) {
      if (o.kind == GcnOperand::Scalar) own.s_dest.set(o.reg + r);
      if (o.kind == GcnOperand::Vector) own.v_dest.set(o.reg + r);
    }
  const bool passes = w.launch.options.foreign && c.s_dest.none() && c.v_dest.none();
  if (w.strict() && !passes &&
      ((c.s_address & own.s_dest).any() || (c.s_dest & own.s_address).any() ||
       (c.v_address & own.v_dest).any() || (c.v_dest & own.v_address).any()))
    w.fault(
        "a run of memory instructions writes a register that holds an address of another: s_nop 0 must break "
        "the run");
  c.s_address |= own.s_address, c.s_dest |= own.s_dest;
  c.v_address |= own.v_address, c.v_dest |= own.v_dest;
}

}  // namespace

void check_hazards(Wave& w, const GcnInst& inst) {
  check_allocated(w, inst);
  if (!w.strict()) return;
  check_pending(w, inst);
  check_wait_states(w, inst);
  check_clause(w, inst);
}

void note_issue(Wave& w, const GcnInst& inst) {
  const MachineInfo& m = inst.row().machine;
  w.time += inst.op == Op::gcn_s_nop ? inst.operands[0].value + 1 : 1;
  if (gcn::is_valu(m.form)) {
    for (const GcnOperand& o : inst.results)
      if (o.kind == GcnOperand::Scalar)
        for (unsigned i = 0; i < o.regs; ++i) w.valu_wrote_sgpr[o.reg + i] = w.time;
    if (m.extra & gcn::WritesExec) w.valu_wrote_sgpr[gcn::kExec] = w.valu_wrote_sgpr[gcn::kExec + 1] = w.time;
  }
  if (inst.op == Op::gcn_s_setreg_b32 || inst.op == Op::gcn_s_setreg_imm32_b32) w.setreg_time = w.time;
  if (m.wait == Wait::None) return;
  Pending p;
  p.scalar = m.form == gcn::Smem;
  p.lds_write = m.form == gcn::Ds && stores(inst);
  p.issued = w.time;
  if (!inst.results.empty()) {
    p.kind = inst.results[0].kind;
    p.reg = inst.results[0].reg;
    p.regs = inst.results[0].regs;
  }
  (m.wait == Wait::Vm ? w.vm : w.lgkm).push_back(p);
  bool has_scalar_offset = m.form == gcn::Buffer || m.form == gcn::BufferOff
                               ? inst.operands.back().kind == GcnOperand::Scalar
                               : false;
  if (m.wait == Wait::Vm && stores(inst) && !has_scalar_offset)
    for (const GcnOperand& o : inst.operands)
      if (o.kind == GcnOperand::Vector && o.regs > 2)
        for (unsigned i = 0; i < o.regs; ++i) w.wide_store_read[o.reg + i] = w.time;
}

void wait(Wave& w, const GcnInst& inst) {
  const Wave::LastWait now{w.time + 1, w.pc - 1};
  if (inst.vmcnt != GcnInst{}.vmcnt) w.waited_vm = now;
  if (inst.lgkmcnt != GcnInst{}.lgkmcnt) w.waited_lgkm = now;
  while (w.vm.size() > inst.vmcnt) w.vm.pop_front();
  // Scalar loads complete in any order: only a wait for all of them is sufficient.
  bool any_order = std::any_of(w.lgkm.begin(), w.lgkm.end(), [](const Pending& p) { return p.scalar; });
  if (inst.lgkmcnt == 0)
    w.lgkm.clear();
  else if (!any_order)
    while (w.lgkm.size() > inst.lgkmcnt) w.lgkm.pop_front();
}

}  // namespace kc::gcn_sim
