// SPDX-License-Identifier: Apache-2.0
// Removes redundant writes of scc and exec. Scalar logical operations set scc to "result is not zero", so
// that a following comparison with zero is redundant. exec often holds the mask of a block on some or all
// incoming edges.
//
//   s_and_b64 s[16:17], s[18:19], s[20:21]          s_and_b64 s[16:17], s[18:19], s[20:21]
//   s_cmp_lg_u64 s[16:17], 0                   ==>  s_cbranch_scc0 .L
//   s_cbranch_scc0 .L
#include <algorithm>
#include <map>

#include "backends/gcn/machine.h"

namespace kc::gcn {
namespace {

bool is_exec(const Register& r) { return r.kind == Register::Scalar && r.first == kExec && r.count == 2; }
bool writes(const MachineInst& inst, const Register& r) {
  return std::ranges::any_of(inst.results, [&](const Register& w) { return w.overlaps(r); });
}
bool is_zero(const Register& r) { return r.kind == Register::Immediate && r.imm == 0; }

// +1 if it tests whether its first operand is not zero, -1 if it tests for zero, else 0.
int zero_test(const MachineInst& inst) {
  if (inst.operands.size() != 2 || !is_zero(inst.operands[1])) return 0;
  switch (inst.op) {
    case Op::gcn_s_cmp_lg_u64:
    case Op::gcn_s_cmp_lg_u32:
    case Op::gcn_s_cmp_lg_i32:
      return 1;
    case Op::gcn_s_cmp_eq_u64:
    case Op::gcn_s_cmp_eq_u32:
    case Op::gcn_s_cmp_eq_i32:
      return -1;
    default:
      return 0;
  }
}

bool flip(MachineInst& branch) {
  if (branch.op == Op::gcn_s_cbranch_scc0)
    branch.op = Op::gcn_s_cbranch_scc1;
  else if (branch.op == Op::gcn_s_cbranch_scc1)
    branch.op = Op::gcn_s_cbranch_scc0;
  else
    return false;
  return true;
}

void drop_zero_tests(MachineBlock& block) {
  Register tested;  // scc is set if this is not zero; an immediate if nothing is known
  std::vector<MachineInst> out;
  for (size_t i = 0; i < block.insts.size(); ++i) {
    MachineInst& inst = block.insts[i];
    int test = zero_test(inst);
    if (test != 0 && tested.kind == Register::Scalar && tested == inst.operands[0] &&
        (test > 0 || (i + 1 < block.insts.size() && flip(block.insts[i + 1]))))
      continue;
    const MachineInfo& machine = info(inst.op).machine;
    // s_getpc stands for the address of the constant tables, an addition that writes scc.
    if (writes(inst, tested) || (machine.defs & Scc) || inst.op == Op::gcn_s_getpc_b64) tested = {};
    if ((machine.extra & SccNonZero) && !inst.results.empty()) tested = inst.results[0];
    out.push_back(std::move(inst));
  }
  block.insts = std::move(out);
}

/// Pairs of scalar registers with the contents of exec. Those of s[12:13] are tracked separately, because
/// exec is restored from there after whole-wave copies.
struct Copies {
  std::vector<uint32_t> of_exec, of_saved;
  bool operator==(const Copies&) const = default;
};
void erase(std::vector<uint32_t>& pairs, const Register& written) {
  std::erase_if(pairs, [&](uint32_t p) { return sreg(p, 2).overlaps(written); });
}
std::vector<uint32_t> common(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<uint32_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both;
}
void insert(std::vector<uint32_t>& pairs, uint32_t pair) {
  auto at = std::ranges::lower_bound(pairs, pair);
  if (at == pairs.end() || *at != pair) pairs.insert(at, pair);
}

// Whether the instruction writes to exec what it already holds.
bool is_useless(const MachineInst& inst, const Copies& now) {
  return inst.op == Op::gcn_s_mov_b64 && is_exec(inst.results[0]) &&
         inst.operands[0].kind == Register::Scalar &&
         std::ranges::binary_search(now.of_exec, inst.operands[0].first);
}

void step(const MachineInst& inst, Copies& now) {
  bool moves = inst.op == Op::gcn_s_mov_b64 && inst.operands[0].kind == Register::Scalar;
  const Copies before = now;
  for (const Register& r : inst.results) {
    erase(now.of_exec, r), erase(now.of_saved, r);
    if (is_exec(r)) now.of_exec.clear();
    if (r.overlaps(sreg(kSavedExec, 2))) now.of_saved.clear();
  }
  if (info(inst.op).machine.defs & Exec) now.of_exec.clear();
  if (!moves || inst.results[0].count != 2) return;
  const Register &to = inst.results[0], &from = inst.operands[0];
  if (is_exec(from)) {
    insert(now.of_exec, to.first);
    if (to.first == kSavedExec) now.of_saved = now.of_exec;
  } else if (is_exec(to)) {
    if (from.first == kSavedExec) now.of_exec = before.of_saved;
    insert(now.of_exec, from.first);
  } else if (std::ranges::binary_search(before.of_exec, from.first)) {
    insert(now.of_exec, to.first);
  }
}

class RedundantExecMoves {
 public:
  explicit RedundantExecMoves(std::vector<MachineBlock>& blocks) : blocks_(blocks), at_start_(blocks.size()) {
    for (size_t i = 0; i < blocks_.size(); ++i) position_[blocks_[i].id.index] = i;
  }

  // Forward must-analysis: starts with everything and iterates to the greatest fixed point.
  void run() {
    if (blocks_.empty()) return;
    known_.assign(blocks_.size(), false);
    std::vector<size_t> work{0};
    known_[0] = true;
    while (!work.empty()) {
      size_t b = work.back();
      work.pop_back();
      Copies now = at_start_[b];
      bool falls = true;
      for (const MachineInst& inst : blocks_[b].insts) {
        step(inst, now);
        if (inst.target.valid()) arrive(position_.at(inst.target.index), now, work);
        if (inst.op == Op::gcn_s_branch || inst.op == Op::gcn_s_endpgm) falls = false;
      }
      if (falls && b + 1 < blocks_.size()) arrive(b + 1, now, work);
    }
    for (size_t b = 0; b < blocks_.size(); ++b) drop(b);
  }

  // Run after run(). At joins where exec already has its mask on some edges, the other predecessors set it.
  void sink() {
    std::vector<std::vector<size_t>> from(blocks_.size());
    const auto successors = successors_of(blocks_);
    for (size_t b = 0; b < blocks_.size(); ++b)
      for (size_t to : successors[b]) from[to].push_back(b);
    for (size_t b = 1; b < blocks_.size(); ++b) {
      const auto& insts = blocks_[b].insts;
      if (insts.empty() || insts[0].op != Op::gcn_s_mov_b64 || !is_exec(insts[0].results[0]) ||
          insts[0].operands[0].kind != Register::Scalar || insts[0].operands[0].first >= kSgprCount ||
          insts[0].operands[0].first == kSavedExec)
        continue;
      std::vector<size_t> others;
      for (size_t way : from[b])
        if (!known_[way] || !is_useless(insts[0], at_end(way))) others.push_back(way);
      constexpr size_t kMostWays = 2;  // number of predecessors that set it instead
      if (others.size() > kMostWays || others.size() == from[b].size() ||
          std::ranges::any_of(others, [&](size_t way) { return way == b || successors[way].size() != 1; }))
        continue;
      for (size_t way : others) {
        auto& list = blocks_[way].insts;
        const bool jumps = !list.empty() && list.back().op == Op::gcn_s_branch;
        list.insert(jumps ? list.end() - 1 : list.end(), insts[0]);
      }
      step(insts[0], at_start_[b]);
      blocks_[b].insts.erase(blocks_[b].insts.begin());
    }
  }

 private:
  Copies at_end(size_t b) const {
    Copies now = at_start_[b];
    for (const MachineInst& inst : blocks_[b].insts) step(inst, now);
    return now;
  }

  void arrive(size_t to, const Copies& with, std::vector<size_t>& work) {
    Copies met = with;
    if (known_[to])
      met = {common(at_start_[to].of_exec, with.of_exec), common(at_start_[to].of_saved, with.of_saved)};
    if (known_[to] && met == at_start_[to]) return;
    known_[to] = true, at_start_[to] = std::move(met);
    work.push_back(to);
  }

  void drop(size_t b) {
    Copies now = at_start_[b];
    std::erase_if(blocks_[b].insts, [&](const MachineInst& inst) {
      if (is_useless(inst, now)) return true;
      step(inst, now);
      return false;
    });
  }

  std::vector<MachineBlock>& blocks_;
  std::map<uint32_t, size_t> position_;  // by block id
  std::vector<Copies> at_start_;
  std::vector<bool> known_;  // some path to the block has been visited
};

}  // namespace

void remove_redundant_scc_exec(std::vector<MachineBlock>& blocks) {
  RedundantExecMoves(blocks).run();
  for (MachineBlock& b : blocks) drop_zero_tests(b);
  optimise_exec(blocks);
  RedundantExecMoves moves(blocks);
  moves.run();
  moves.sink();
}

}  // namespace kc::gcn
