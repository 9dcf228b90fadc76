// SPDX-License-Identifier: Apache-2.0
// merge_tails: tail merging.
//
// Blocks that end with equal operations and jump to the same block do both in one new block. The classic
// optimisation for size, here for comparison with `meld`: nothing is selected, operands that differ become
// parameters. For each two blocks the longest tail is taken that saves more operations than it needs
// parameters. Blocks that dominate their successor keep their tails, since their values may be used later.
//
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   b1: %x = load %a; store %p, %x; br -> b3        b1: br -> b4(%a)
//   b2: %y = load %b; store %p, %y; br -> b3  ==>   b2: br -> b4(%b)
//                                                   b4(%q): %z = load %q; store %p, %z; br -> b3
#include "passes/transform/merge_tails.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "passes/transform/simplify_cfg.h"

namespace kc {
namespace {

constexpr size_t kMostTailIterations = 32;
constexpr size_t kMostTails = 8;  // blocks with one successor that are compared pairwise

// Two blocks, and the number of instructions in their common tail.
struct Tails {
  BlockId left, right;
  size_t count = 0;
  int saved = 0;
};

class TailMerger {
 public:
  TailMerger(Function& function, AnalysisCache& analyses)
      : f(function), cfg_(analyses.cfg()), dom_(analyses.dominators()) {}

  bool run() {
    bool changed = false;
    for (BlockId to : cfg_.rpo) {
      std::vector<BlockId> from;
      for (BlockId p : cfg_.preds[to.index])
        if (cfg_.reachable(p) && f.inst(f.terminator(p)).op == Op::br && !dom_.dominates(p, to) &&
            !merged_.contains(p) && from.size() < kMostTails)
          from.push_back(p);
      Tails best;
      for (size_t i = 0; i < from.size(); ++i)
        for (size_t j = i + 1; j < from.size(); ++j)
          if (const Tails tails = compare(from[i], from[j]); tails.saved > best.saved) best = tails;
      if (best.saved <= 0) continue;
      merge(best);
      changed = true;
    }
    return changed;
  }

 private:
  bool alike(const Inst& a, const Inst& b) const {
    const OpInfo& row = info(a.op);
    if (a.op != b.op || a.attrs != b.attrs || a.operands.size() != b.operands.size() || row.has(Convergent) ||
        row.effects == Effects::CrossLane || a.op == Op::opaque_false)
      return false;
    auto same_type = [&](ValueId x, ValueId y) { return f.type(x) == f.type(y); };
    return std::ranges::equal(a.operands, b.operands, same_type) &&
           std::ranges::equal(a.results, b.results, same_type);
  }

  // The instruction `back` positions before the jump.
  InstId at(BlockId b, size_t back) const {
    const auto& insts = f.block(b).insts;
    return insts[insts.size() - 2 - back];
  }

  Tails compare(BlockId left, BlockId right) const {
    Tails best{left, right};
    const size_t most = std::min(f.block(left).insts.size(), f.block(right).insts.size()) - 1;
    std::set<std::pair<ValueId, ValueId>> differ;  // pairs that become parameters
    auto need = [&](const ValueList& ours, const ValueList& theirs) {
      for (size_t k = 0; k < ours.size(); ++k)
        if (ours[k] != theirs[k]) differ.insert({ours[k], theirs[k]});
    };
    need(f.successors(left)[0].args, f.successors(right)[0].args);
    const size_t passed = differ.size();  // parameters needed in any case
    for (size_t n = 0; n < most; ++n) {
      const Inst &a = f.inst(at(left, n)), &b = f.inst(at(right, n));
      if (!alike(a, b)) break;
      for (size_t k = 0; k < a.results.size(); ++k) differ.erase({a.results[k], b.results[k]});
      need(a.operands, b.operands);
      const int saved = static_cast<int>(n + 1 + passed) - static_cast<int>(differ.size());
      // A result paired with anything but its counterpart would be needed before the tail.
      if (std::ranges::any_of(differ, [&](const auto& pair) {
            return std::ranges::find(a.results, pair.first) != a.results.end() ||
                   std::ranges::find(b.results, pair.second) != b.results.end();
          }))
        break;
      if (saved > best.saved) best.count = n + 1, best.saved = saved;
    }
    return best;
  }

  void merge(const Tails& tails) {
    const BlockId end = f.add_block("tails");
    const auto& insts = f.block(tails.left).insts;
    const std::vector<InstId> left(insts.end() - 1 - static_cast<ptrdiff_t>(tails.count), insts.end());
    std::vector<InstId> right = f.block(tails.right).insts;
    right.erase(right.begin(), right.end() - 1 - static_cast<ptrdiff_t>(tails.count));
    std::map<std::pair<ValueId, ValueId>, ValueId> params;
    std::array<std::vector<ValueId>, 2> passed;
    std::set<ValueId> from_tail;
    auto one = [&](ValueId l, ValueId r) {
      if (l == r || from_tail.contains(l)) return l;
      auto [it, fresh] = params.try_emplace({l, r});
      if (fresh) {
        it->second = f.add_param(end, f.type(l));
        passed[0].push_back(l), passed[1].push_back(r);
      }
      return it->second;
    };
    for (size_t n = 0; n < left.size(); ++n) {
      Inst &ours = f.inst(left[n]), &theirs = f.inst(right[n]);
      for (size_t k = 0; k < ours.operands.size(); ++k)
        ours.operands[k] = one(ours.operands[k], theirs.operands[k]);
      for (size_t t = 0; t < ours.targets.size(); ++t)
        for (size_t k = 0; k < ours.targets[t].args.size(); ++k)
          ours.targets[t].args[k] = one(ours.targets[t].args[k], theirs.targets[t].args[k]);
      from_tail.insert(ours.results.begin(), ours.results.end());
    }
    for (InstId i : right) f.erase(i);
    std::erase_if(f.block(tails.left).insts,
                  [&](InstId i) { return std::ranges::find(left, i) != left.end(); });
    for (InstId i : left) f.append(end, i);
    Builder build(f);
    for (size_t side : {0, 1}) {
      build.block = side == 0 ? tails.left : tails.right;
      build.loc = f.inst(left.front()).loc;
      build.br(end, passed[side]);
    }
    merged_.insert({tails.left, tails.right, end});
  }

  Function& f;
  const Cfg& cfg_;
  const DominatorTree& dom_;
  std::set<BlockId> merged_;  // in this iteration
};

}  // namespace

bool merge_tails(Function& f, AnalysisCache& analyses) {
  bool changed = false;
  for (size_t n = 0; n < kMostTailIterations && TailMerger(f, analyses).run(); ++n) {
    analyses.keep(NoAnalyses);
    changed = true;
  }
  if (changed) simplify_cfg(f, analyses);
  return changed;
}

}  // namespace kc
