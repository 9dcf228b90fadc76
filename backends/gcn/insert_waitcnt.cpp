// SPDX-License-Identifier: Apache-2.0
// Inserts wait counters and wait states. The hardware does not check that a load has completed, nor some
// distances between instructions; the assembler inserts nothing.
//
// Vector memory operations complete in issue order, and so do those of local memory: the wait is for a count,
// the number of younger operations that may still be outstanding. Scalar loads complete in any order and
// share their counter with local memory: if one is pending, the wait is for all. The state at a block start
// is the union over the incoming paths; for each register the smallest count of younger operations wins.
#include <algorithm>
#include <bitset>
#include <cstddef>
#include <map>
#include <utility>

#include "backends/gcn/machine.h"

namespace kc::gcn {
namespace {

constexpr int64_t kNoWait = -1;
constexpr size_t kNoLoop = SIZE_MAX;

/// Registers of both register files.
using Units = std::bitset<2 * kVgprCount>;
uint32_t unit_of(const Register& r, uint32_t i) { return 2 * (r.first + i) + (r.kind == Register::Vector); }

/// Outstanding operations of one counter at one program point.
class Counter {
 public:
  explicit Counter(int64_t none) : none_(none) {}
  bool operator==(const Counter&) const = default;

  void issue(const MachineInst& inst) {
    for (auto& [unit, younger] : pending_) younger = std::min(younger + 1, none_ - 1);
    for (const Register& r : inst.results)
      for (uint32_t i = 0; i < r.count; ++i) pending_[unit_of(r, i)] = 0;
    any_order_ |= info(inst.op).machine.form == Smem;
  }
  /// The count to wait for before the register is accessed; kNoWait if no operation on it is outstanding.
  int64_t need(const Register& r) const {
    if (r.kind == Register::Immediate) return kNoWait;
    int64_t count = kNoWait;
    for (uint32_t i = 0; i < r.count; ++i)
      if (auto at = pending_.find(unit_of(r, i)); at != pending_.end())
        count = count == kNoWait ? at->second : std::min(count, at->second);
    return count != kNoWait && any_order_ ? 0 : count;
  }
  void wait(int64_t count) {
    std::erase_if(pending_, [&](const auto& p) { return p.second >= count; });
    if (count == 0) any_order_ = false;
  }
  /// The count that waits for all of these.
  int64_t need_any(const Units& units) const {
    int64_t count = kNoWait;
    for (const auto& [unit, younger] : pending_)
      if (units.test(unit)) count = count == kNoWait ? younger : std::min(count, younger);
    return count != kNoWait && any_order_ ? 0 : count;
  }
  /// Merges the state of another predecessor.
  void join(const Counter& other) {
    for (const auto& [unit, younger] : other.pending_) {
      auto [at, is_new] = pending_.try_emplace(unit, younger);
      if (!is_new) at->second = std::min(at->second, younger);
    }
    any_order_ |= other.any_order_;
  }
  int64_t none() const { return none_; }

 private:
  int64_t none_;                         // the largest count, which waits for nothing
  std::map<uint32_t, int64_t> pending_;  // by register: number of operations issued later
  bool any_order_ = false;
};

struct Pending {
  Counter vm{info(Op::gcn_s_waitcnt).attrs[0].fallback}, lgkm{info(Op::gcn_s_waitcnt).attrs[1].fallback};
  bool operator==(const Pending&) const = default;
};

class WaitcntInserter {
 public:
  explicit WaitcntInserter(std::vector<MachineBlock>& blocks)
      : blocks_(blocks), innermost_(blocks.size(), kNoLoop), at_start_(blocks.size()) {
    for (size_t i = 0; i < blocks.size(); ++i) position_[blocks[i].id.index] = i;
    find_loops();
  }

  void run() {
    std::vector<bool> seen(blocks_.size());
    std::vector<size_t> work;
    auto arrive = [&](size_t to, const Pending& with) {
      Pending met = at_start_[to];
      met.vm.join(with.vm), met.lgkm.join(with.lgkm);
      if (seen[to] && met == at_start_[to]) return;
      seen[to] = true, at_start_[to] = std::move(met);
      work.push_back(to);
    };
    if (!blocks_.empty()) arrive(0, {});
    while (!work.empty()) {
      const size_t b = work.back();
      work.pop_back();
      Pending now = at_start_[b];
      bool falls = true;
      for (const MachineInst& inst : blocks_[b].insts) {
        step(inst, b, now);
        if (inst.target.valid()) arrive(position_.at(inst.target.index), now);
        if (inst.op == Op::gcn_s_branch || inst.op == Op::gcn_s_endpgm) falls = false;
      }
      if (falls && b + 1 < blocks_.size()) {
        if (const Loop* loop = entered(b, b + 1)) flush(now, *loop);
        arrive(b + 1, now);
      }
    }
    for (size_t b = 0; b < blocks_.size(); ++b) insert(b);
  }

 private:
  struct Due {
    int64_t vm = kNoWait, lgkm = kNoWait;
  };

  static int64_t earlier(int64_t a, int64_t b) {
    return a == kNoWait ? b : b == kNoWait ? a : std::min(a, b);
  }

  // A wait before a loop executes once, a wait inside it in each iteration. A backward branch spans its loop
  // from `first` to `last`. Loops that overlap count as nested, which only changes the positions of waits.
  // (The cycles of cycles.h say nothing of the layout.)
  struct Loop {
    size_t first = 0, last = 0, parent = kNoLoop;
    Units touched;  // by its instructions
    bool holds(size_t block) const { return block >= first && block <= last; }
  };

  static bool in_one_cycle(const Cycles& cycles, size_t a, size_t b) {
    return cycles.smallest_with(static_cast<uint32_t>(a), static_cast<uint32_t>(b)) != kNone;
  }

  void find_loops() {
    if (blocks_.empty()) return;
    // other backward branches lead to out-of-line code
    const Cycles cycles(successors_of(blocks_), 0);
    std::map<std::pair<size_t, size_t>, bool>
        spans;  // first, then blocks after the last: outer loops come first
    for (size_t b = 0; b < blocks_.size(); ++b)
      for (const MachineInst& inst : blocks_[b].insts)
        if (inst.target.valid())
          if (size_t to = position_.at(inst.target.index); to <= b && in_one_cycle(cycles, b, to))
            spans[{to, blocks_.size() - b}] = true;
    auto next = spans.begin();
    std::vector<size_t> open;
    for (size_t b = 0; b < blocks_.size(); ++b) {
      while (!open.empty() && loops_[open.back()].last < b) open.pop_back();
      for (; next != spans.end() && next->first.first == b; ++next) {
        loops_.push_back({b, blocks_.size() - next->first.second, open.empty() ? kNoLoop : open.back(), {}});
        open.push_back(loops_.size() - 1);
      }
      if (open.empty()) continue;
      innermost_[b] = open.back();
      for (const MachineInst& inst : blocks_[b].insts)
        for (const auto* list : {&inst.operands, &inst.results})
          for (const Register& r : *list)
            for (uint32_t i = 0; r.kind != Register::Immediate && i < r.count; ++i)
              loops_[open.back()].touched.set(unit_of(r, i));
    }
    for (size_t l = loops_.size(); l-- > 0;)
      if (loops_[l].parent != kNoLoop) loops_[loops_[l].parent].touched |= loops_[l].touched;
  }
  // The outermost loop entered by the edge, or null.
  const Loop* entered(size_t from, size_t to) const {
    const Loop* loop = nullptr;
    for (size_t l = innermost_[to]; l != kNoLoop && !loops_[l].holds(from); l = loops_[l].parent)
      loop = &loops_[l];
    return loop;
  }
  static Due flush(Pending& now, const Loop& loop) {
    const Due due{now.vm.need_any(loop.touched), now.lgkm.need_any(loop.touched)};
    if (due.vm != kNoWait) now.vm.wait(due.vm);
    if (due.lgkm != kNoWait) now.lgkm.wait(due.lgkm);
    return due;
  }

  // The waits required before the instruction; then updates the outstanding operations.
  Due step(const MachineInst& inst, size_t block, Pending& now) const {
    Due due;
    const Loop* loop = inst.target.valid() ? entered(block, position_.at(inst.target.index)) : nullptr;
    if (loop) due = flush(now, *loop);
    for (const auto* list : {&inst.operands, &inst.results})
      for (const Register& r : *list) {
        due.vm = earlier(due.vm, now.vm.need(r));
        due.lgkm = earlier(due.lgkm, now.lgkm.need(r));
      }
    if (inst.op == Op::gcn_s_waitcnt) {  // of a barrier or a fence
      if (inst.attrs[0] < now.vm.none()) due.vm = earlier(due.vm, inst.attrs[0]);
      if (inst.attrs[1] < now.lgkm.none()) due.lgkm = earlier(due.lgkm, inst.attrs[1]);
    }
    if (due.vm != kNoWait) now.vm.wait(due.vm);
    if (due.lgkm != kNoWait) now.lgkm.wait(due.lgkm);
    const Wait counter = info(inst.op).machine.wait;
    if (counter == Wait::Vm) now.vm.issue(inst);
    if (counter == Wait::Lgkm) now.lgkm.issue(inst);
    return due;
  }

  void insert(size_t b) {
    Pending now = at_start_[b];
    std::vector<MachineInst> out;
    for (MachineInst& inst : blocks_[b].insts) {
      put(out, step(inst, b, now), inst.loc);
      if (inst.op != Op::gcn_s_waitcnt) out.push_back(std::move(inst));
    }
    const bool falls =
        out.empty() || (out.back().op != Op::gcn_s_branch && out.back().op != Op::gcn_s_endpgm);
    if (const Loop* loop = falls && b + 1 < blocks_.size() ? entered(b, b + 1) : nullptr)
      put(out, flush(now, *loop), {});
    blocks_[b].insts = std::move(out);
  }

  static void put(std::vector<MachineInst>& out, const Due& due, Loc loc) {
    if (due.vm == kNoWait && due.lgkm == kNoWait) return;
    MachineInst wait{.op = Op::gcn_s_waitcnt, .loc = loc};
    for (size_t i = 0; i < kMaxAttrs; ++i) wait.attrs[i] = info(wait.op).attrs[i].fallback;
    if (due.vm != kNoWait) wait.attrs[0] = due.vm;
    if (due.lgkm != kNoWait) wait.attrs[1] = due.lgkm;
    out.push_back(std::move(wait));
  }

  std::vector<MachineBlock>& blocks_;
  std::map<uint32_t, size_t> position_;  // by block id
  std::vector<Loop> loops_;              // outer loops before inner ones
  std::vector<size_t> innermost_;        // loop of each block, or kNoLoop
  std::vector<Pending> at_start_;
};

bool reads(const MachineInst& inst, const Register& r) {
  return std::any_of(inst.operands.begin(), inst.operands.end(),
                     [&](const Register& o) { return o.overlaps(r); });
}

// Whether `inst` is a vector operation that overwrites data that `earlier`, a store of more than 64 bits, may
// still read.
bool overwrites_wide_data(const MachineInst& earlier, const MachineInst& inst) {
  if (!is_vmem(info(earlier.op).machine.form) || info(earlier.op).effects != Effects::Write) return false;
  return is_valu(info(inst.op).machine.form) &&
         std::ranges::any_of(earlier.operands, [&](const Register& data) {
           return data.kind == Register::Vector && data.count > 2 &&
                  std::ranges::any_of(inst.results, [&](const Register& r) { return r.overlaps(data); });
         });
}

// Wait states between two vector instructions on machines without interlocks for them.
size_t vector_states(const MachineInst& earlier, const MachineInst& inst) {
  const MachineInfo &a = info(earlier.op).machine, &b = info(inst.op).machine;
  if (!is_valu(a.form) || !is_valu(b.form)) return 0;
  const bool reads_vcc = (b.uses & Vcc) != 0;
  size_t states = 0;
  for (const Register& r : earlier.results) {
    if (r.kind == Register::Scalar && (reads(inst, r) || (reads_vcc && r.overlaps(sreg(kVcc, 2)))))
      states = 2;
    const bool first_lane = (b.extra & LaneSelect) || inst.op == Op::gcn_v_readfirstlane_b32;
    const bool estimate = a.form == Vop1 && (a.extra & (QuarterRate | Float64Rate));
    if (r.kind == Register::Vector && (first_lane || estimate) && reads(inst, r))
      states = std::max<size_t>(states, 1);
  }
  return states;
}

// Wait states required between `earlier` and `inst`, or 0.
size_t states_between(const MachineInst& earlier, const MachineInst& inst, const MachineModel& model) {
  const MachineInfo &a = info(earlier.op).machine, &b = info(inst.op).machine;
  if (overwrites_wide_data(earlier, inst)) return model.vector_waits ? 2 : 1;
  if (!is_valu(a.form)) return 0;
  const size_t between = model.vector_waits ? vector_states(earlier, inst) : 0;
  for (const Register& r : earlier.results) {
    if (r.kind != Register::Scalar) continue;
    if (is_vmem(b.form) && reads(inst, r)) return 5;
    if ((b.extra & LaneSelect) && inst.operands.size() > 1 && inst.operands[1].overlaps(r)) return 4;
    bool fmas = inst.op == Op::gcn_v_div_fmas_f32 || inst.op == Op::gcn_v_div_fmas_f64;
    if (fmas && r.overlaps(sreg(kVcc, 2))) return 4;
  }
  return between;
}

size_t issue_states(const MachineInst& inst) {
  return inst.op == Op::gcn_s_nop ? static_cast<size_t>(inst.operands[0].imm) + 1 : 1;
}

class HazardNopInserter {
 public:
  explicit HazardNopInserter(const MachineModel& model) : model_(model) {}

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
      size_t states = states_between(issued_[i - 1], inst, model_);
      if (states > distance) needed = std::max(needed, states - distance);
      distance += issue_states(issued_[i - 1]);
      if (i > block_) in_block = distance;
    }
    // The instructions before this block are unknown, since it may be a branch target: a vector memory access
    // near its start that reads scalar registers waits as if they had just been written.
    if (in_block < kLongest && is_vmem(info(inst.op).machine.form))
      for (const Register& r : inst.operands)
        if (r.kind == Register::Scalar && r.first >= kFirstSgpr)
          needed = std::max(needed, kLongest - in_block);
    if (model_.vector_waits && is_valu(info(inst.op).machine.form))
      needed = std::max<size_t>(needed, in_block == 0 ? 1 : 0);  // the jump to this block is one wait state
    return needed == 0 && breaks_run(inst) ? 1 : needed;
  }

  // With XNACK replay a destination must not overlap an address of the same sequence of loads. A jump ends
  // the sequence, the end of a block does not.
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

  const MachineModel& model_;
  std::vector<MachineInst> issued_;  // in layout order
  size_t block_ = 0;                 // start of the current block
};

}  // namespace

void insert_waitcnt(std::vector<MachineBlock>& blocks) { WaitcntInserter(blocks).run(); }

void insert_hazard_nops(std::vector<MachineBlock>& blocks, const MachineModel& model) {
  HazardNopInserter hazards(model);
  for (MachineBlock& b : blocks) hazards.run(b);
}

}  // namespace kc::gcn
