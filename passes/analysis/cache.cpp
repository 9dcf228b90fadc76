// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/cache.h"

#include <algorithm>

namespace kc {
namespace {

// Of the values that are left.
bool same_divergence(const Function& f, const Cfg& cfg, const Uniformity& kept, const Uniformity& fresh) {
  auto same = [&](ValueId v) { return kept.divergent[v.index] == fresh.divergent[v.index]; };
  return std::ranges::all_of(cfg.rpo, [&](BlockId b) {
    return kept.divergent_branch[b.index] == fresh.divergent_branch[b.index] &&
           std::ranges::all_of(f.block(b).params, same) &&
           std::ranges::all_of(f.block(b).insts,
                               [&](InstId i) { return std::ranges::all_of(f.inst(i).results, same); });
  });
}

}  // namespace

AnalysisCache::AnalysisCache(const Function& copy, UniformityOptions ids, const AnalysisCache& kept)
    : f_(copy), ids_(ids), cfg_(kept.cfg_), dominators_(kept.dominators_), cycles_(kept.cycles_) {
  if (ids == kept.ids_) uniformity_ = kept.uniformity_;
}

const Cfg& AnalysisCache::cfg() {
  if (!cfg_) cfg_.emplace(f_);
  return *cfg_;
}

const DominatorTree& AnalysisCache::dominators() {
  if (!dominators_) dominators_.emplace(f_, cfg());
  return *dominators_;
}

const Cycles& AnalysisCache::cycles() {
  if (uniformity_) return uniformity_->cycles;
  if (!cycles_) cycles_.emplace(f_, cfg());
  return *cycles_;
}

const Uniformity& AnalysisCache::uniformity() {
  if (!uniformity_) uniformity_.emplace(analyse_uniformity(f_, ids_, cfg()));
  if (uniformity_->divergent.size() < f_.value_count()) uniformity_->divergent.resize(f_.value_count());
  return *uniformity_;
}

const IntegerRanges& AnalysisCache::ranges() {
  if (!ranges_) ranges_.emplace(f_, cfg(), dominators());
  return *ranges_;
}

void AnalysisCache::keep(uint32_t preserved) {
  if (!(preserved & GraphAnalyses)) cfg_.reset(), dominators_.reset(), cycles_.reset();
  if (!(preserved & UniformityOfValues)) uniformity_.reset();
  if (!(preserved & RangesOfValues)) ranges_.reset();
}

std::string AnalysisCache::out_of_date() const {
  const Cfg fresh(f_);
  if (cfg_ && (cfg_->rpo != fresh.rpo || cfg_->number != fresh.number || cfg_->preds != fresh.preds))
    return "the graph";
  if (dominators_ && dominators_->idom != DominatorTree(f_, fresh).idom) return "dominators";
  if (cycles_ && cycles_->innermost != Cycles(f_, fresh).innermost) return "cycles";
  if (uniformity_ && !same_divergence(f_, fresh, *uniformity_, analyse_uniformity(f_, ids_, fresh)))
    return "uniformity";
  if (ranges_) {
    const IntegerRanges now(f_, fresh);
    for (BlockId b : fresh.rpo)
      for (InstId i : f_.block(b).insts)
        for (ValueId v : f_.inst(i).results)
          if (!(ranges_->of(v) == now.of(v))) return "integer ranges";
  }
  return "";
}

}  // namespace kc
