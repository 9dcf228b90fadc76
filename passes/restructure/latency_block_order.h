// SPDX-License-Identifier: Apache-2.0
// What linearize's `interleave` does to rows: blocks stand far behind the loads that they wait for, and a
// block that loads and uses what it loaded is parted, so that others can stand in between.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "ir/function.h"

namespace kc {

/// A block and the one that its later instructions went to; the first jumps to the second.
struct SplitBlock {
  BlockId first, second;
};

/// Parts blocks in front of each first use of something loaded in the same part. Values keep their names; the
/// list is in the order of the layout.
std::vector<SplitBlock> split_at_first_uses(Function& f);

/// Undoes some of it: the instructions of the second blocks go back to the first ones.
void join_splits(Function& f, std::span<const SplitBlock> splits);

/// Orders rows by loads.
class LoadDistances {
 public:
  explicit LoadDistances(const Function& f);
  /// Brings nodes, which stand in topological order, into another one: of those that can be next the one
  /// whose loads are farthest away, or that uses none. follow(node, act) calls act for each node behind it;
  /// nodes from the function's number of blocks on are taken to use no loads.
  using Follow = std::function<void(uint32_t node, const std::function<void(uint32_t)>& act)>;
  void order(std::span<uint32_t> nodes, const Follow& follow) const;

 private:
  std::vector<std::vector<uint32_t>> loads_;  // by block: other blocks whose loads it uses
};

}  // namespace kc
