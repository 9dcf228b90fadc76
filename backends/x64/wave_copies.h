// SPDX-License-Identifier: Apache-2.0
// A copy of a region (group_regions.h) for each wave of a group, instead of a loop over the waves. The ids
// are known in each: of `if (id < 32) t[id] += t[id + 32];` in a group of four waves a copy is left, for 32
// lanes.
#pragma once

#include <span>
#include <vector>

#include "backends/x64/group_regions.h"
#include "ir/function.h"

namespace kc::x64 {

/// Whether constants bound the ids of these blocks.
bool constants_bound_ids(const Function& wave, std::span<const BlockId> blocks);
/// The same, and all copies together are short.
bool ids_decide(const Function& wave, std::span<const BlockId> blocks, uint32_t waves);

/// Fills the edge from `front` to `end` with a copy of the blocks for each wave, in order, and moves between
/// their launch records. The group is a line along x. In the blocks, an edge to `end` leaves a wave. Returns
/// the new blocks, all but `end`, at the start of which the last wave's record is the current one.
std::vector<BlockId> copy_for_each_wave(Function& wave, GroupRegions& regions,
                                        std::span<const BlockId> blocks, BlockId front, BlockId end,
                                        uint32_t waves);

/// The local ids along x of a wave's lanes, of which the first is `first`.
ValueId ids_of_wave(Builder& build, Type type, uint64_t first);

/// Moves from wave to wave become one if nothing is in between, and each ends its block: what a block knows
/// of the launch record is of one wave.
void join_moves(Function& wave);

}  // namespace kc::x64
