// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "ir/function.h"

namespace kc::front {

/// A call of a shared region. `from` ends with the jump to the region. Control returns to `returned`, or
/// after an exception to `thrown` if that is valid.
struct RegionCall {
  BlockId from, returned, thrown;
};
/// A function whose blocks are shared by its calls. `leave` and `escape` end with the dispatch to the
/// callers.
struct RegionBlocks {
  BlockId entry, leave, escape;
  std::vector<RegionCall> calls;
};

/// What it costs that a region is shared, and what it would cost to inline it.
struct RegionCosts {
  uint64_t carried = 0;  // arguments that its calls pass for values live after them
  uint64_t copies = 0;   // instructions of all copies but one
};

/// Merges variables that are live across calls but not at the same time. Returns the costs by region.
std::vector<RegionCosts> share_variables(Function& f, std::span<const RegionBlocks> regions);

}  // namespace kc::front
