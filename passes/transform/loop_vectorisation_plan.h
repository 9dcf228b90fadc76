// SPDX-License-Identifier: Apache-2.0
// The loops that can be vectorised, and what goes from iteration to iteration in them.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/fold.h"
#include "ir/function.h"
#include "passes/analysis/cache.h"
#include "passes/transform/loop_vectorisation.h"

namespace kc {

/// A value that grows by the same number with each iteration.
struct Counter {
  ValueId param;
  int64_t step = 0;  // bytes of a pointer
};
/// A value that all iterations make together, and that nothing else in the loop reads.
struct Reduction {
  ValueId param;
  Fold fold = Fold::Add;
};

/// A load or store of every iteration whose address grows by the same number of bytes with each.
struct StridedAccess {
  InstId access;
  int64_t step = 0;
};

/// An innermost loop whose iterations may run side by side.
struct CountedLoop {
  BlockId header, body, latch;
  std::vector<BlockId> blocks;  // without the header
  InstId condition;
  Counter counter;  // which the condition compares
  bool counts_down = false;
  bool inclusive = false;  // it reaches the bound: <=
  bool not_equal = false;  // it ends at the bound: !=
  ValueId bound;
  std::vector<Counter> counters;
  std::vector<Reduction> reductions;
  std::vector<StridedAccess> strided;
  uint32_t bytes = 0;
  uint32_t scattered = 0;  // accesses
};

/// Whether work-items only load, compute and store: nothing that copies of them would do more than once.
bool only_loads_and_stores(const Function& f, const Cfg& cfg);

/// The loops, outer ones around others left out, and a summary of all innermost loops.
std::vector<CountedLoop> find_counted_loops(const Function& f, AnalysisCache& analyses,
                                            VectorisableLoops& found);

}  // namespace kc
