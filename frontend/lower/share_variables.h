// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

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

/// Merges variables that are live across calls but not at the same time. Returns the number of arguments that
/// calls will pass for values live after them, counted up to `limit`.
uint64_t share_variables(Function& f, std::span<const RegionBlocks> regions, uint64_t limit);

}  // namespace kc::front
