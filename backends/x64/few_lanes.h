// SPDX-License-Identifier: Apache-2.0
// Copies of code for waves of which only the first lanes go on, as in the steps of a tree:
// `if (id < s) t[id] += t[id + s];`
//
//   few:     the lanes are in the first vector: of the others nothing is computed
//   first:   they are the first 1, 2, 4 ... lanes: accesses have exactly their size and no mask. What such a
//            store writes the next step can load at once; a load of more than one store, or of a store under
//            a mask, waits until both are in the cache.
#pragma once

#include <optional>
#include <set>
#include <span>

#include "backends/x64/borders.h"
#include "ir/function.h"
#include "ir/lists.h"

namespace kc::x64 {

/// The masks of lanes for which the condition is true, and perhaps others; each once. `users`: of all values
/// of the blocks at hand.
std::set<ValueId> masks_of(const Function& wave, ValueId condition, const Lists<InstId>& users);

/// A copy in which the masks of the condition have no lanes but these. `copies` are new and empty.
void copy_for_few_lanes(Function& wave, std::span<const BlockId> blocks, std::span<const BlockId> copies,
                        ValueId condition, const Lists<InstId>& users, uint64_t lanes);

/// `id < bound`, which alone decides on a mask. The ids of neighbouring lanes are one apart.
struct FirstLanes {
  ValueId mask, id, bound;
};
/// Of a border's comparison in these blocks, if they are few, and load and store local memory. Only for waves
/// along x whose ids ascend from wave to wave. `all`: the mask of all lanes.
std::optional<FirstLanes> find_first_lanes(const Function& wave, const Border& border,
                                           std::span<const BlockId> blocks, const Lists<InstId>& users,
                                           ValueId all);

/// Whether just the first n lanes of a full wave have such an id.
ValueId are_first(Builder& build, ValueId id, ValueId bound, unsigned n);

}  // namespace kc::x64
