// SPDX-License-Identifier: Apache-2.0
// Wait counters and wait states. The hardware does not check that a load has arrived, nor some distances
// between instructions; the assembler inserts nothing.
//
// Vector memory returns in the order of issue, so the wait is for a count: how many younger operations may
// still be under way. Scalar loads return in any order: the wait is for all. Nothing is pending across
// blocks except stores, which nobody waits for.
#include <algorithm>

#include "backends/gcn/machine.h"

namespace kc::gcn {
namespace {

constexpr int64_t kNoWait = -1;
constexpr int64_t kVmMax = 62;  // 63 would be no wait at all

class Waits {
 public:
  void run(MachineBlock& block) {
    std::vector<MachineInst> out;
    pending_vm_.clear(), pending_lgkm_.clear();
    for (MachineInst& inst : block.insts) {
      int64_t vm = kNoWait, lgkm = kNoWait;
      const OpInfo& row = info(inst.op);
      bool leaves = inst.target.valid();
      auto need = [&](const Register& r) {
        for (size_t i = 0; i < pending_vm_.size(); ++i)
          if (pending_vm_[i].overlaps(r)) vm = strictest(vm, pending_vm_.size() - 1 - i);
        for (const Register& p : pending_lgkm_)
          if (p.overlaps(r)) lgkm = 0;
      };
      for (const Register& r : inst.operands) need(r);
      for (const Register& r : inst.results) need(r);
      if (leaves) arrive(vm, lgkm);
      wait(out, vm, lgkm, inst.loc);
      if (row.machine.wait == Wait::Vm)
        pending_vm_.push_back(inst.results.empty() ? Register{} : inst.results[0]);
      if (row.machine.wait == Wait::Lgkm && !inst.results.empty()) pending_lgkm_.push_back(inst.results[0]);
      out.push_back(std::move(inst));
    }
    int64_t vm = kNoWait, lgkm = kNoWait;
    bool ends = !out.empty() && out.back().op == Op::gcn_s_endpgm;
    if (!ends) arrive(vm, lgkm), wait(out, vm, lgkm, {});
    block.insts = std::move(out);
  }

 private:
  /// The smaller number of operations that may still be under way.
  static int64_t strictest(int64_t vm, size_t younger) {
    auto count = static_cast<int64_t>(younger);
    return vm == kNoWait ? count : std::min(vm, count);
  }

  // Everything that a later block might read.
  void arrive(int64_t& vm, int64_t& lgkm) {
    for (size_t i = 0; i < pending_vm_.size(); ++i)
      if (pending_vm_[i].kind != Register::Immediate) vm = strictest(vm, pending_vm_.size() - 1 - i);
    if (!pending_lgkm_.empty()) lgkm = 0;
  }

  void wait(std::vector<MachineInst>& out, int64_t vm, int64_t lgkm, Loc loc) {
    if (vm == kNoWait && lgkm == kNoWait) return;
    MachineInst inst{.op = Op::gcn_s_waitcnt, .loc = loc};
    for (size_t i = 0; i < kMaxAttrs; ++i) inst.attrs[i] = info(inst.op).attrs[i].fallback;
    if (vm != kNoWait) inst.attrs[0] = vm = std::min(vm, kVmMax);
    if (lgkm != kNoWait) inst.attrs[1] = lgkm;
    out.push_back(std::move(inst));
    if (vm != kNoWait) pending_vm_.erase(pending_vm_.begin(), pending_vm_.end() - vm);
    if (lgkm == 0) pending_lgkm_.clear();
  }

  std::vector<Register> pending_vm_;  // in order of issue; stores stand as immediates
  std::vector<Register> pending_lgkm_;
};

bool reads(const MachineInst& inst, const Register& r) {
  return std::any_of(inst.operands.begin(), inst.operands.end(),
                     [&](const Register& o) { return o.overlaps(r); });
}

// Wait states that `inst` needs behind `earlier`; 0 when none.
size_t states_between(const MachineInst& earlier, const MachineInst& inst) {
  const MachineInfo &a = info(earlier.op).machine, &b = info(inst.op).machine;
  if (is_valu(a.form)) {
    for (const Register& r : earlier.results) {
      if (r.kind != Register::Scalar) continue;
      if (is_vmem(b.form) && reads(inst, r)) return 5;
      if ((b.extra & LaneSelect) && inst.operands.size() > 1 && inst.operands[1].overlaps(r)) return 4;
      bool fmas = inst.op == Op::gcn_v_div_fmas_f32 || inst.op == Op::gcn_v_div_fmas_f64;
      if (fmas && r.overlaps(sreg(kVcc, 2))) return 4;
    }
  }
  return 0;
}

// With XNACK replay a destination must not overlap an address of the same run of loads.
bool breaks_run(const std::vector<MachineInst>& out, const MachineInst& inst) {
  uint16_t form = info(inst.op).machine.form;
  auto family = [](uint16_t g) { return is_vmem(g) ? 1 : g == Smem ? 2 : 0; };
  if (!family(form)) return false;
  for (auto it = out.rbegin(); it != out.rend() && family(info(it->op).machine.form) == family(form); ++it) {
    for (const Register& r : inst.results)
      if (reads(*it, r)) return true;
    for (const Register& r : it->results)
      if (reads(inst, r)) return true;
  }
  return false;
}

size_t issue_states(const MachineInst& inst) {
  return inst.op == Op::gcn_s_nop ? static_cast<size_t>(inst.operands[0].imm) + 1 : 1;
}

}  // namespace

void insert_waits(std::vector<MachineBlock>& blocks) {
  Waits waits;
  for (MachineBlock& b : blocks) waits.run(b);
}

void insert_hazard_nops(std::vector<MachineBlock>& blocks) {
  constexpr size_t kLongest = 5;
  for (MachineBlock& b : blocks) {
    std::vector<MachineInst> out;
    for (MachineInst& inst : b.insts) {
      size_t needed = 0, distance = 0;
      for (auto it = out.rbegin(); it != out.rend() && distance < kLongest; ++it) {
        size_t states = states_between(*it, inst);
        if (states > distance) needed = std::max(needed, states - distance);
        distance += issue_states(*it);
      }
      // What was issued before this block is not known: a vector memory access near its start that reads
      // scalar registers waits as if they had just been written.
      if (distance < kLongest && is_vmem(info(inst.op).machine.form))
        for (const Register& r : inst.operands)
          if (r.kind == Register::Scalar && r.first >= kFirstSgpr)
            needed = std::max(needed, kLongest - distance);
      if (needed == 0 && breaks_run(out, inst)) needed = 1;
      if (needed) {
        MachineInst nop{.op = Op::gcn_s_nop, .loc = inst.loc};
        nop.operands.push_back(immediate(static_cast<int64_t>(needed) - 1));
        out.push_back(std::move(nop));
      }
      out.push_back(std::move(inst));
    }
    b.insts = std::move(out);
  }
}

}  // namespace kc::gcn
