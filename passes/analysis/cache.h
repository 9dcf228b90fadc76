// SPDX-License-Identifier: Apache-2.0
// Analyses of one function between passes: each is computed when a pass first asks for it, and kept for later
// passes until one changes what it depends on.
//
//   pass            asks for        changed   preserves           kept after it
//   reassociate     uniformity      no        -                   all
//   licm            cycles          yes       nothing             nothing
//   dce             graph           yes       graph, uniformity   those two, dominators, cycles
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ir/cfg.h"
#include "passes/analysis/cycles.h"
#include "passes/analysis/integer_range_analysis.h"
#include "passes/analysis/uniformity.h"

namespace kc {

/// Sets of analyses, for what a pass preserves.
enum Analyses : uint32_t {
  NoAnalyses = 0,
  GraphAnalyses = 1,  // of blocks and edges: graph, dominators, cycles
  UniformityOfValues = 2,
  RangesOfValues = 4,
  AllAnalyses = 7,
};

class AnalysisCache {
 public:
  /// Of a function that outlives the cache. `ids`: what differs between the lanes of a wave.
  explicit AnalysisCache(const Function& f, UniformityOptions ids = {}) : f_(f), ids_(ids) {}
  /// Those that `kept` has of a function, for an exact copy of it.
  AnalysisCache(const Function& copy, UniformityOptions ids, const AnalysisCache& kept);
  AnalysisCache(const AnalysisCache&) = delete;
  AnalysisCache& operator=(const AnalysisCache&) = delete;

  /// References stay valid until `keep` drops the analysis. A pass that asks again after its own changes
  /// drops what they invalidate first.
  const Cfg& cfg();
  const DominatorTree& dominators();
  const Cycles& cycles();
  const Uniformity& uniformity();
  const IntegerRanges& ranges();
  const UniformityOptions& ids() const { return ids_; }

  /// Drops all but the analyses of this set.
  void keep(uint32_t preserved);
  /// Takes the result of a pass that has computed it for the function as it is now.
  void set(Uniformity uniformity) { uniformity_ = std::move(uniformity); }
  /// What differs between a kept analysis and a fresh one; empty when all agree.
  std::string out_of_date() const;

 private:
  const Function& f_;
  UniformityOptions ids_;
  std::optional<Cfg> cfg_;
  std::optional<DominatorTree> dominators_;
  std::optional<Cycles> cycles_;
  std::optional<Uniformity> uniformity_;
  std::optional<IntegerRanges> ranges_;
};

}  // namespace kc
