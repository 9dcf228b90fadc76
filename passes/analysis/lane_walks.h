// SPDX-License-Identifier: Apache-2.0
// Innermost loops in which each lane reads bytes or shorts of its own, one after the other:
//
//   for (j = 0; j < n; j++) h = (h ^ text[id * n + j]) * 16777619;
//
// Lanes are far from each other, so each iteration gathers; of several iterations together each lane reads
// one word or two. `runtime_unroll` makes such loops of these, and form_costs.h prices them so.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/function.h"
#include "passes/analysis/cache.h"
#include "passes/analysis/lane_steps.h"

namespace kc {

/// The test that ends a loop: an integer or pointer grows by `step` with each iteration, and the loop goes on
/// while it has not reached the bound.
struct LoopTest {
  BlockId block;       // which ends with the test
  size_t staying = 0;  // the target inside of the loop
  ValueId param;       // of the header ...
  int64_t first = 0;   // ... and the constant that it has been increased by where it is tested
  int64_t step = 0;    // bytes of a pointer
  InstId comparison;
  size_t bound = 0;  // its operand that is the bound, defined outside of the loop
  bool is_signed = false, inclusive = false;
  bool not_equal = false;  // it goes on until the bound is met; the step is 1 or -1
};

struct LaneWalk {
  uint32_t cycle = 0;
  std::vector<BlockId> blocks;  // in reverse post-order, the header first
  LoopTest test;
  uint32_t factor = 0;  // how many iterations are worth being done together
  struct Access {
    InstId inst;
    int64_t step = 0;  // bytes from iteration to iteration
  };
  std::vector<Access> accesses;  // loads and stores of every iteration whose address grows evenly
  std::vector<InstId> loads;     // among them those of lanes that are far from each other
  bool stores = false;           // or other effects
};

/// `lanes`: the steps from lane to lane, whose uniformity is given. The steps of addresses from iteration to
/// iteration hold for buffers below 4 GiB: numbers of 32 bits that wrap around between two accesses put them
/// so far apart.
std::vector<LaneWalk> find_lane_walks(const Function& thread, AnalysisCache& analyses,
                                      const Uniformity& uniformity, LaneSteps& lanes);

}  // namespace kc
