// SPDX-License-Identifier: Apache-2.0
// How the tests of the warp simulator run functions and graphs.
#pragma once

#include <functional>

#include "passes/analysis/frontiers.h"
#include "sim/warp/warp_simulator.h"
#include "tests/property/synthetic_graphs.h"

namespace kc::test {

inline constexpr WarpScheme kSchemes[] = {WarpScheme::Ipdom, WarpScheme::TfStack, WarpScheme::TfSandy};

/// Right ones, for the simulator.
BlockPriorities priorities_of(const Function& f);
BlockPriorities priorities_of(const Frontiers& frontiers);

/// An acyclic graph as kernel(out: i32 per work-item): the k-th bit of a work-item's id chooses at the k-th
/// branch, so 2^branches work-items take all ways. Node 0 is the entry block. Gives the number of the last
/// node in out.
struct PathFunction {
  Function f;
  uint64_t items = 1;
};
PathFunction path_function(const Graph& g);
/// Likewise for a ladder, where the bit is that of the level.
PathFunction ladder_function(uint32_t levels);

/// All work-items as one warp.
WarpRunResult run_paths(const PathFunction& paths, WarpScheme scheme,
                        const std::function<void(BlockId)>& on_block = {});

}  // namespace kc::test
