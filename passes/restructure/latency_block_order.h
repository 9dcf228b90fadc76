// SPDX-License-Identifier: Apache-2.0
// The block order of linearize's `interleave`: blocks are far from the loads that they wait for. A block that
// loads a value and uses it is split, so that other blocks fit between the halves.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ir/function.h"

namespace kc {

/// A block and the block that took its later instructions; the first jumps to the second.
struct SplitBlock {
  BlockId first, second;
};

/// Splits blocks before each first use of a value loaded in the same half. Values keep their ids; the list is
/// in layout order.
std::vector<SplitBlock> split_at_first_uses(Function& f);

/// Undoes some splits: the instructions of the second blocks move back to the first.
void join_splits(Function& f, std::span<const SplitBlock> splits);

/// Orders the blocks of a chain by load latency.
class LoadDistances {
 public:
  explicit LoadDistances(const Function& f);
  /// Reorders nodes, given in topological order: list scheduling that picks the ready node with the most
  /// distant loads, or with none. follow(node, act) calls act for each successor of the node; nodes numbered
  /// from the function's block count on are taken to use no loads.
  using Follow = std::function<void(uint32_t node, const std::function<void(uint32_t)>& act)>;
  void order(std::span<uint32_t> nodes, const Follow& follow) const;

 private:
  std::vector<std::vector<uint32_t>> loads_;  // by block: other blocks whose loaded values it uses
};

}  // namespace kc
