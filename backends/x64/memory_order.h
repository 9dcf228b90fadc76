// SPDX-License-Identifier: Apache-2.0
// Vectors of OpenCL that are only computed on component by component: it does not matter which lane holds
// which component, so they stay as they lie in memory.
//
//   float4 v = a[id];                       by component: 4 loads, 8 shuffles, work, 8 shuffles, 4 stores
//   b[id] = v * 2 + c[id];                  in memory order: 4 loads, work, 4 stores
//
//   x(0..15) y(0..15) z(0..15) w(0..15)     what the four vectors hold by component
//   xyzw(0..3) xyzw(4..7) ...               and in memory order
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "backends/x64/interleaved.h"

namespace kc::x64 {

/// By group: whether its members may be in memory order. All values that come from its loads then go, in the
/// same order, through elementwise operations of the same kind for all members, with operands that are of the
/// same kind or equal for all lanes and members, and through parameters of blocks, to stores of whole groups,
/// and nowhere else. Masks of lanes become masks of words; of smaller elements all lanes must be active.
/// `full`: whether a mask is known to have all lanes.
std::vector<bool> groups_in_memory_order(const Function& wave, std::span<const Interleaved> groups,
                                         const std::vector<Shape>& shapes,
                                         const std::function<bool(ValueId)>& full);

}  // namespace kc::x64
