// SPDX-License-Identifier: Apache-2.0
// Wait counters and wait states. The hardware does not check that a load has arrived, nor some distances
// between instructions; the assembler inserts nothing.
//
// Vector memory returns in the order of issue, and so does local memory: the wait is for a count, how many
// younger operations may still be under way. Scalar loads return in any order and share their counter with
// local memory: where one is pending the wait is for all. Nothing is pending across blocks except what gives
// no result; only barriers and fences wait for that.
#include <algorithm>
#include <cstddef>

#include "backends/gcn/machine.h"

namespace kc::gcn {
namespace {

constexpr int64_t kNoWait = -1;

/// What one counter counts.
class Counter {
 public:
  explicit Counter(int64_t none) : none_(none) {}
  void clear() { pending_.clear(), any_order_ = false; }
  void issue(const MachineInst& inst) {
    pending_.push_back(inst.results.empty() ? Register{} : inst.results[0]);
    any_order_ |= info(inst.op).machine.form == Smem;
  }
  void need(const Register& r) {
    for (size_t i = 0; i < pending_.size(); ++i)
      if (pending_[i].overlaps(r)) need_issued(i);
  }
  // Everything that a later block might read.
  void need_results() {
    for (size_t i = 0; i < pending_.size(); ++i)
      if (pending_[i].kind != Register::Immediate) need_issued(i);
  }
  /// At most so many operations may still be under way.
  void need_at_most(int64_t count) {
    if (count < none_ && (wait_ == kNoWait || count < wait_)) wait_ = count;
  }
  /// The wait that is due, or what means none; what it waits for is not pending any more.
  int64_t take() {
    if (wait_ == kNoWait) return none_;
    int64_t count = std::min(wait_, none_ - 1);
    wait_ = kNoWait;
    auto left = static_cast<std::ptrdiff_t>(std::min<size_t>(static_cast<size_t>(count), pending_.size()));
    pending_.erase(pending_.begin(), pending_.end() - left);
    if (pending_.empty()) any_order_ = false;
    return count;
  }

 private:
  void need_issued(size_t i) {
    need_at_most(any_order_ ? 0 : std::min(static_cast<int64_t>(pending_.size() - 1 - i), none_ - 1));
  }

  int64_t none_;                   // the count that is no wait at all
  std::vector<Register> pending_;  // in order of issue; what gives no result stands as an immediate
  bool any_order_ = false;
  int64_t wait_ = kNoWait;
};

class Waits {
 public:
  void run(MachineBlock& block) {
    std::vector<MachineInst> out;
    vm_.clear(), lgkm_.clear();
    for (MachineInst& inst : block.insts) {
      for (const auto* list : {&inst.operands, &inst.results})
        for (const Register& r : *list) vm_.need(r), lgkm_.need(r);
      if (inst.target.valid()) need_results();
      if (inst.op == Op::gcn_s_waitcnt) {  // of a barrier or a fence
        vm_.need_at_most(inst.attrs[0]), lgkm_.need_at_most(inst.attrs[1]);
        wait(out, inst.loc);
        continue;
      }
      wait(out, inst.loc);
      Wait counter = info(inst.op).machine.wait;
      if (counter == Wait::Vm) vm_.issue(inst);
      if (counter == Wait::Lgkm) lgkm_.issue(inst);
      out.push_back(std::move(inst));
    }
    bool ends = !out.empty() && out.back().op == Op::gcn_s_endpgm;
    if (!ends) need_results(), wait(out, {});
    block.insts = std::move(out);
  }

 private:
  void need_results() { vm_.need_results(), lgkm_.need_results(); }

  void wait(std::vector<MachineInst>& out, Loc loc) {
    MachineInst inst{.op = Op::gcn_s_waitcnt, .loc = loc};
    const auto& none = info(inst.op).attrs;
    for (size_t i = 0; i < kMaxAttrs; ++i) inst.attrs[i] = none[i].fallback;
    inst.attrs[0] = vm_.take(), inst.attrs[1] = lgkm_.take();
    if (inst.attrs[0] != none[0].fallback || inst.attrs[1] != none[1].fallback)
      out.push_back(std::move(inst));
  }

  Counter vm_{info(Op::gcn_s_waitcnt).attrs[0].fallback}, lgkm_{info(Op::gcn_s_waitcnt).attrs[1].fallback};
};

bool reads(const MachineInst& inst, const Register& r) {
  return std::any_of(inst.operands.begin(), inst.operands.end(),
                     [&](const Register& o) { return o.overlaps(r); });
}

// Whether `inst` is a vector operation that overwrites what `earlier`, a store of more than 64 bits, may
// still read.
bool overwrites_wide_data(const MachineInst& earlier, const MachineInst& inst) {
  if (!is_vmem(info(earlier.op).machine.form) || info(earlier.op).effects != Effects::Write) return false;
  return is_valu(info(inst.op).machine.form) &&
         std::ranges::any_of(earlier.operands, [&](const Register& data) {
           return data.kind == Register::Vector && data.count > 2 &&
                  std::ranges::any_of(inst.results, [&](const Register& r) { return r.overlaps(data); });
         });
}

// Wait states that `inst` needs behind `earlier`; 0 when none.
size_t states_between(const MachineInst& earlier, const MachineInst& inst) {
  const MachineInfo &a = info(earlier.op).machine, &b = info(inst.op).machine;
  if (overwrites_wide_data(earlier, inst)) return 1;
  if (!is_valu(a.form)) return 0;
  for (const Register& r : earlier.results) {
    if (r.kind != Register::Scalar) continue;
    if (is_vmem(b.form) && reads(inst, r)) return 5;
    if ((b.extra & LaneSelect) && inst.operands.size() > 1 && inst.operands[1].overlaps(r)) return 4;
    bool fmas = inst.op == Op::gcn_v_div_fmas_f32 || inst.op == Op::gcn_v_div_fmas_f64;
    if (fmas && r.overlaps(sreg(kVcc, 2))) return 4;
  }
  return 0;
}

size_t issue_states(const MachineInst& inst) {
  return inst.op == Op::gcn_s_nop ? static_cast<size_t>(inst.operands[0].imm) + 1 : 1;
}

class Hazards {
 public:
  void run(MachineBlock& block) {
    block_ = issued_.size();
    for (MachineInst& inst : block.insts) {
      if (size_t states = needed(inst)) {
        MachineInst nop{.op = Op::gcn_s_nop, .loc = inst.loc};
        nop.operands.push_back(immediate(static_cast<int64_t>(states) - 1));
        issued_.push_back(std::move(nop));
      }
      issued_.push_back(std::move(inst));
    }
    block.insts.assign(issued_.begin() + static_cast<std::ptrdiff_t>(block_), issued_.end());
  }

 private:
  static constexpr size_t kLongest = 5;

  size_t needed(const MachineInst& inst) const {
    size_t needed = 0, distance = 0, in_block = 0;
    for (size_t i = issued_.size(); i > 0 && distance < kLongest; --i) {
      size_t states = states_between(issued_[i - 1], inst);
      if (states > distance) needed = std::max(needed, states - distance);
      distance += issue_states(issued_[i - 1]);
      if (i > block_) in_block = distance;
    }
    // What was issued before this block is not known, since it may be jumped to: a vector memory access near
    // its start that reads scalar registers waits as if they had just been written.
    if (in_block < kLongest && is_vmem(info(inst.op).machine.form))
      for (const Register& r : inst.operands)
        if (r.kind == Register::Scalar && r.first >= kFirstSgpr)
          needed = std::max(needed, kLongest - in_block);
    return needed == 0 && breaks_run(inst) ? 1 : needed;
  }

  // With XNACK replay a destination must not overlap an address of the same run of loads. A jump ends a run,
  // the end of a block does not.
  bool breaks_run(const MachineInst& inst) const {
    auto family = [](const MachineInst& i) {
      uint16_t form = info(i.op).machine.form;
      return is_vmem(form) ? 1 : form == Smem ? 2 : 0;
    };
    if (!family(inst)) return false;
    for (auto it = issued_.rbegin(); it != issued_.rend() && family(*it) == family(inst); ++it) {
      for (const Register& r : inst.results)
        if (reads(*it, r)) return true;
      for (const Register& r : it->results)
        if (reads(inst, r)) return true;
    }
    return false;
  }

  std::vector<MachineInst> issued_;  // in the order of the text
  size_t block_ = 0;                 // where the current block starts
};

}  // namespace

void insert_waits(std::vector<MachineBlock>& blocks) {
  Waits waits;
  for (MachineBlock& b : blocks) waits.run(b);
}

void insert_hazard_nops(std::vector<MachineBlock>& blocks) {
  Hazards hazards;
  for (MachineBlock& b : blocks) hazards.run(b);
}

}  // namespace kc::gcn
