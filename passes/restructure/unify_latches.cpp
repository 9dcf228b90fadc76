// SPDX-License-Identifier: Apache-2.0
// unify_latches: one latch for each loop in which work-items diverge.
//
// Where work-items that diverged meet only at the header, its parameters are divergent: some come from the
// loop, others may just enter it, as far as analysis can tell. With a latch they meet there, and what all
// back edges pass alike, such as a count, stays uniform.
//
//   b2: br_if %c -> b1(%n), b3                 b2: br_if %c -> b4, b3
//   b3: br -> b1(%n)                      ==>  b3: br -> b4
//                                              b4.latch: br -> b1(%n)
#include "passes/restructure/unify_latches.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "passes/analysis/cycles.h"

namespace kc {
namespace {

// A back edge for each element: the block that it leaves, twice if both of its edges go back.
std::vector<BlockId> latches_of(const Cfg& cfg, const Cycles& cycles, uint32_t c) {
  std::vector<BlockId> latches;
  if (!cycles.cycles[c].reducible()) return latches;
  for (BlockId p : cfg.preds[cycles.cycles[c].header])
    if (cfg.reachable(p) && cycles.contains(c, p)) latches.push_back(p);
  return latches;
}

// What all back edges pass alike is no parameter of the latch.
void add_latch(Function& f, BlockId header, std::vector<BlockId> latches) {
  Builder b(f);
  b.block = f.add_block("latch");
  std::ranges::sort(latches);
  const auto again = std::ranges::unique(latches);
  latches.erase(again.begin(), again.end());
  std::vector<Target*> edges;
  for (BlockId from : latches)
    for (Target& t : f.inst(f.terminator(from)).targets)
      if (t.block == header) edges.push_back(&t);
  std::vector<size_t> differ;
  std::vector<ValueId> values;
  const std::vector<ValueId> params = f.block(header).params;
  for (size_t k = 0; k < params.size(); ++k) {
    const ValueId first = edges[0]->args[k];
    const bool same = std::ranges::all_of(edges, [&](const Target* t) { return t->args[k] == first; });
    if (!same) differ.push_back(k);
    values.push_back(same ? first : f.add_param(b.block, f.type(params[k])));
  }
  for (Target* t : edges) {
    std::vector<ValueId> passed;
    for (size_t k : differ) passed.push_back(t->args[k]);
    *t = {b.block, std::move(passed)};
  }
  b.br(header, std::move(values));
}

template <class Wanted>
bool unify(Function& f, const Cfg& cfg, const Cycles& cycles, Wanted wanted) {
  bool changed = false;
  for (uint32_t c = 0; c < cycles.cycles.size(); ++c) {
    const std::vector<BlockId> latches = latches_of(cfg, cycles, c);
    if (latches.size() < 2 || !wanted(c)) continue;
    add_latch(f, BlockId(cycles.cycles[c].header), latches);
    changed = true;
  }
  return changed;
}

}  // namespace

bool has_several_latches(AnalysisCache& analyses) {
  const Cycles& cycles = analyses.cycles();
  for (uint32_t c = 0; c < cycles.cycles.size(); ++c)
    if (latches_of(analyses.cfg(), cycles, c).size() > 1) return true;
  return false;
}

bool unify_all_latches(Function& f) {
  const Cfg cfg(f);
  return unify(f, cfg, Cycles(f, cfg), [](uint32_t) { return true; });
}

bool unify_latches(Function& f, AnalysisCache& analyses) {
  if (!has_several_latches(analyses)) return false;
  const Uniformity& u = analyses.uniformity();
  auto diverges = [&](uint32_t c) {
    return std::ranges::any_of(u.cycles.nodes(c), [&](uint32_t b) { return u.divergent_branch[b]; });
  };
  return unify(f, analyses.cfg(), u.cycles, diverges);
}

}  // namespace kc
