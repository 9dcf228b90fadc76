// SPDX-License-Identifier: Apache-2.0
// How the tests of the warp simulator run functions and graphs.
#pragma once

#include <functional>

#include "passes/analysis/frontiers.h"
#include "sim/warp/warp_simulator.h"
#include "tests/property/synthetic_graphs.h"

namespace kc::test {

inline constexpr WarpScheme kSchemes[] = {WarpScheme::Ipdom, WarpScheme::TfStack, WarpScheme::TfSandy};

/// Valid priorities for the simulator.
BlockPriorities priorities_of(const Function& f);
BlockPriorities priorities_of(const Frontiers& frontiers);

/// An acyclic graph as kernel(out: i32 per work-item). Bit k of a work-item's id selects the target of the
/// k-th branch, so 2^branches work-items take all paths. Node 0 is the entry block. `out` receives the number
/// of the last node.
struct PathFunction {
  Function f;
  uint64_t items = 1;
};
PathFunction path_function(const Graph& g);
/// The same for a ladder, with one bit per level.
PathFunction ladder_function(uint32_t levels);

/// All work-items as one warp.
WarpRunResult run_paths(const PathFunction& paths, WarpScheme scheme,
                        const std::function<void(BlockId)>& on_block = {});

}  // namespace kc::test
