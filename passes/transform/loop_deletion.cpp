// SPDX-License-Identifier: Apache-2.0
// loop_deletion: removes loops that compute nothing.
//
// A loop with one entry and one exit edge goes if it has no effect, if nothing outside uses a value of it,
// and if it ends: its trip count (trip_count.h) is known. Edges to its header then lead to its exit. Inner
// loops come first, so a nest of such loops goes whole. What remains of the loops that cleared or filled an
// array, once `constant_tables` has removed their stores, is of this kind.
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   b0: br -> b1(0)                             b0: br -> b2
//   b1(%i: i32): %1: i32 = add %i, 1:i32   ==>  b2: ret
//     br_if (ult %1, 90:i32) -> b1(%1), b2
//   b2: ret
#include "passes/transform/loop_deletion.h"

#include "passes/analysis/trip_count.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr uint32_t kMostIterations = 4096;  // of a loop that is evaluated

class LoopDeletion {
 public:
  LoopDeletion(Function& function, AnalysisCache& analyses)
      : f(function),
        cfg_(analyses.cfg()),
        tree_(analyses.dominators()),
        cycles_(analyses.cycles()),
        used_(cycles_.cycles.size()) {}

  // One sweep; loops around a removed one may follow in the next.
  bool run() {
    std::vector<uint32_t> idle;
    for (uint32_t c = 0; c < cycles_.cycles.size(); ++c)
      if (is_innermost(c) && is_idle(c)) idle.push_back(c);
    if (idle.empty()) return false;
    find_uses();
    bool changed = false;
    for (uint32_t c : idle) changed |= !used_[c] && remove(c);
    return changed;
  }

 private:
  bool is_innermost(uint32_t c) const { return cycles_.nodes(c).size() == own_nodes(c); }
  size_t own_nodes(uint32_t c) const {
    size_t own = 0;
    for (uint32_t n : cycles_.nodes(c)) own += cycles_.innermost[n] == c;
    return own;
  }

  // One entry, one exit edge, and no effects.
  bool is_idle(uint32_t c) const {
    const Cycle& cycle = cycles_.cycles[c];
    if (!cycle.reducible() || BlockId(cycle.header) == f.entry()) return false;
    size_t exits = 0;
    for (uint32_t n : cycles_.nodes(c)) {
      for (InstId i : f.block(BlockId(n)).insts) {
        const Effects effects = info(f.inst(i).op).effects;
        const bool branch =
            f.inst(i).op == Op::br || f.inst(i).op == Op::br_if || f.inst(i).op == Op::switch_;
        if (effects != Effects::None && effects != Effects::Read && !branch) return false;
      }
      for (const Target& t : f.successors(BlockId(n))) exits += !cycles_.contains(c, t.block);
    }
    return exits == 1;
  }

  // Marks the innermost cycles whose values are used outside.
  void find_uses() {
    for (BlockId b : cfg_.rpo)
      for (InstId i : f.block(b).insts) {
        for (ValueId v : f.inst(i).operands) use(v, b);
        for (const Target& t : f.inst(i).targets)
          for (ValueId v : t.args) use(v, t.block);
      }
  }
  void use(ValueId v, BlockId where) {
    BlockId from = block_of(f, v);
    if (!from.valid()) return;
    const uint32_t c = cycles_.innermost[from.index];
    if (c != kNone && !cycles_.contains(c, where)) used_[c] = true;
  }

  bool remove(uint32_t c) {
    auto trips = find_trip_count(f, cfg_, tree_, cycles_, c, kMostIterations);
    if (!trips) return false;
    const BlockId header(cycles_.cycles[c].header);
    const Target exit = f.successors(trips->exit)[trips->leaving];
    for (BlockId p : cfg_.preds[header.index]) {
      if (cycles_.contains(c, p)) continue;
      for (Target& t : f.inst(f.terminator(p)).targets)
        if (t.block == header) t = exit;
    }
    return true;
  }

  Function& f;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  const Cycles& cycles_;
  std::vector<bool> used_;  // by cycle
};

}  // namespace

bool loop_deletion(Function& f, AnalysisCache& analyses) {
  bool changed = remove_unreachable_blocks(f, analyses);
  while (LoopDeletion(f, analyses).run()) {
    analyses.keep(NoAnalyses);
    remove_unreachable_blocks(f, analyses);
    changed = true;
  }
  return changed;
}

}  // namespace kc
