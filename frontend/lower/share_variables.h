// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "ir/function.h"

namespace kc::front {

/// A call of a shared region: `from` ends with the jump to it, and what it gives back is taken up in
/// `returned`, or in `thrown` if that is valid.
struct RegionCall {
  BlockId from, returned, thrown;
};
/// A function whose blocks its calls share. The last two end with the way back to each call.
struct RegionBlocks {
  BlockId entry, leave, escape;
  std::vector<RegionCall> calls;
};

/// Joins variables that are needed across calls but not at the same time. Gives the number of arguments that
/// calls will pass because of what is needed behind them, counted up to `limit`.
uint64_t share_variables(Function& f, std::span<const RegionBlocks> regions, uint64_t limit);

}  // namespace kc::front
