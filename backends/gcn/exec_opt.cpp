// SPDX-License-Identifier: Apache-2.0
// Optimises writes of exec. The instruction that computes the next mask writes exec directly if the mask has
// no other use. A lane comparison for a branch writes vcc, which the branch tests for zero itself.
//
//   s_and_b64 s[18:19], s[16:17], s[20:21]          s_and_b64 exec, s[16:17], s[20:21]
//   s_mov_b64 exec, s[18:19]                  ==>
//
//   v_cmp_lt_f32 s[18:19], v1, v2                   v_cmp_lt_f32 vcc, v1, v2
//   s_cmp_lg_u64 s[18:19], 0                  ==>   s_cbranch_vccz .L
//   s_cbranch_scc0 .L
//
// A mask is also computed into exec before a branch if one successor sets exec to it and the other overwrites
// exec.
#include <algorithm>
#include <bitset>

#include "backends/gcn/machine.h"

namespace kc::gcn {
namespace {

constexpr uint32_t kScalars = 128;
using Scalars = std::bitset<kScalars>;

bool is_pair(const Register& r, uint32_t first) {
  return r.kind == Register::Scalar && r.count == 2 && r.first == first;
}
bool is_mask(const Register& r) { return r.kind == Register::Scalar && r.count == 2 && r.first < kSgprCount; }

template <typename Set>
void each_scalar(const std::vector<Register>& registers, Set set) {
  for (const Register& r : registers)
    for (uint32_t i = 0; r.kind == Register::Scalar && i < r.count && r.first + i < kScalars; ++i)
      set(r.first + i);
}

// Index of the first branch of the block, or its end.
size_t first_branch(const std::vector<MachineInst>& insts) {
  auto branch = std::ranges::find_if(insts, [](const MachineInst& i) { return i.target.valid(); });
  return static_cast<size_t>(branch - insts.begin());
}

// Scalar instructions that neither read nor write exec.
bool ignores_exec(const MachineInst& inst) {
  const MachineInfo& machine = info(inst.op).machine;
  return is_salu(machine.form) && !inst.target.valid() && machine.wait == Wait::None &&
         info(inst.op).effects == Effects::None && !((machine.uses | machine.defs) & Exec) &&
         !(machine.extra & (SaveExec | WritesExec)) && !touches(inst.operands, sreg(kExec, 2)) &&
         !touches(inst.results, sreg(kExec, 2));
}

bool moves_to_exec(const MachineInst& inst) {
  return inst.op == Op::gcn_s_mov_b64 && is_pair(inst.results[0], kExec) && is_mask(inst.operands[0]);
}

class ExecOptimiser {
 public:
  explicit ExecOptimiser(std::vector<MachineBlock>& blocks)
      : blocks_(blocks), successors_(successors_of(blocks)), ways_in_(blocks.size()), live_(blocks.size()) {
    for (const auto& list : successors_)
      for (size_t to : list) ++ways_in_[to];
  }

  void run() {
    find_live();
    for (size_t b = 0; b < blocks_.size(); ++b) {
      compare_to_vcc(b);
      within(b);
      before_branch(b);
    }
  }

 private:
  void step_back(const MachineInst& inst, Scalars& live) const {
    each_scalar(inst.results, [&](uint32_t r) { live.reset(r); });
    each_scalar(inst.operands, [&](uint32_t r) { live.set(r); });
  }

  // Backward iteration to a fixed point.
  void find_live() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (size_t b = blocks_.size(); b-- > 0;) {
        Scalars live = live_out(b);
        for (size_t i = blocks_[b].insts.size(); i-- > 0;) step_back(blocks_[b].insts[i], live);
        if (live != live_[b]) live_[b] = live, changed = true;
      }
    }
  }
  Scalars live_out(size_t b) const {
    Scalars live;
    for (size_t to : successors_[b]) live |= live_[to];
    return live;
  }
  bool is_live(const Scalars& live, const Register& r) const {
    return live.test(r.first) || live.test(r.first + 1);
  }

  // Whether the pair is dead from instruction `from` of the block on.
  bool is_dead(size_t b, size_t from, const Register& r) const {
    Scalars live = live_out(b);
    for (size_t i = blocks_[b].insts.size(); i-- > from;) step_back(blocks_[b].insts[i], live);
    return !is_live(live, r);
  }

  // Index before `end` of the scalar instruction that computes the mask, with no use of exec or of the mask
  // in between; else `end`.
  size_t maker(const std::vector<MachineInst>& insts, size_t end, const Register& mask) const {
    for (size_t i = end; i-- > 0;) {
      const MachineInst& inst = insts[i];
      if (!ignores_exec(inst)) return end;
      if (inst.results.size() == 1 && inst.results[0].kind == Register::Scalar && inst.results[0] == mask)
        return i;
      if (touches(inst.results, mask) || touches(inst.operands, mask)) return end;
    }
    return end;
  }

  void within(size_t b) {
    auto& insts = blocks_[b].insts;
    for (size_t i = 0; i < insts.size(); ++i) {
      if (!moves_to_exec(insts[i])) continue;
      const Register mask = insts[i].operands[0];
      const size_t made = maker(insts, i, mask);
      if (made == i || !is_dead(b, i + 1, mask)) continue;
      insts[made].results[0] = sreg(kExec, 2);
      if (insts[made].comment.empty()) insts[made].comment = std::move(insts[i].comment);
      insts.erase(insts.begin() + static_cast<std::ptrdiff_t>(i--));
    }
  }

  // The successors of the two-way branch at the end of the block: the one that sets exec to the mask, and the
  // other.
  void before_branch(size_t b) {
    if (successors_[b].size() != 2) return;
    auto& insts = blocks_[b].insts;
    const size_t branch = first_branch(insts);
    for (size_t k : {0, 1}) {
      const size_t taken = successors_[b][k], other = successors_[b][1 - k];
      if (taken == other || taken == b || ways_in_[taken] != 1 || blocks_[taken].insts.empty() ||
          blocks_[other].insts.empty())
        continue;
      const MachineInst& first = blocks_[taken].insts[0];
      if (!moves_to_exec(first) || !moves_to_exec(blocks_[other].insts[0])) continue;
      const Register mask = first.operands[0];
      if (is_live(live_[other], mask) || !is_dead(taken, 1, mask)) continue;
      const size_t made = maker(insts, branch, mask);
      if (made == branch) continue;
      insts[made].results[0] = sreg(kExec, 2);
      if (insts[made].comment.empty()) insts[made].comment = first.comment;
      blocks_[taken].insts.erase(blocks_[taken].insts.begin());
      live_[taken].reset(mask.first), live_[taken].reset(mask.first + 1);
      return;
    }
  }

  // The lane comparison whose result a scalar test and the branch after it read.
  void compare_to_vcc(size_t b) {
    auto& insts = blocks_[b].insts;
    const size_t branch = first_branch(insts);
    if (branch < 2 || branch == insts.size() || successors_[b].size() != 2) return;
    const bool if_some = insts[branch].op == Op::gcn_s_cbranch_scc1;
    const MachineInst& test = insts[branch - 1];
    if ((!if_some && insts[branch].op != Op::gcn_s_cbranch_scc0) || test.op != Op::gcn_s_cmp_lg_u64 ||
        !is_mask(test.operands[0]) || test.operands[1].kind != Register::Immediate ||
        test.operands[1].imm != 0)
      return;
    const Register mask = test.operands[0], vcc = sreg(kVcc, 2);
    size_t compare = branch - 1;
    while (true) {
      if (compare-- == 0) return;
      const MachineInst& inst = insts[compare];
      if (info(inst.op).machine.form == Vopc && inst.results[0] == mask) break;
      const MachineInfo& machine = info(inst.op).machine;
      if (((machine.uses | machine.defs) & Vcc) || touches(inst.results, vcc) ||
          touches(inst.operands, vcc) || touches(inst.results, mask) || touches(inst.operands, mask))
        return;
    }
    for (size_t to : successors_[b])
      if (is_live(live_[to], mask) && !starts_with(to, mask)) return;
    for (size_t to : successors_[b])
      if (is_live(live_[to], mask)) {
        blocks_[to].insts[0].operands[0] = vcc;
        live_[to].reset(mask.first), live_[to].reset(mask.first + 1);
      }
    insts[compare].results[0] = vcc;
    insts[branch].op = if_some ? Op::gcn_s_cbranch_vccnz : Op::gcn_s_cbranch_vccz;
    insts.erase(insts.begin() + static_cast<std::ptrdiff_t>(branch) - 1);
  }
  // Whether the only use of the mask in the block and after it is the write to exec at its start.
  bool starts_with(size_t b, const Register& mask) const {
    const auto& insts = blocks_[b].insts;
    return ways_in_[b] == 1 && !insts.empty() && moves_to_exec(insts[0]) && insts[0].operands[0] == mask &&
           is_dead(b, 1, mask);
  }

  std::vector<MachineBlock>& blocks_;
  SuccessorLists successors_;
  std::vector<size_t> ways_in_;
  std::vector<Scalars> live_;  // by block: at its start
};

}  // namespace

void optimise_exec(std::vector<MachineBlock>& blocks) { ExecOptimiser(blocks).run(); }

}  // namespace kc::gcn
