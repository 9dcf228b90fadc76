// SPDX-License-Identifier: Apache-2.0
// Small groups as straight-line code: all that lies between two barriers is there once for each wave, with
// the numbers of its lanes, and what waves keep from one region (group_regions.h) to the next are values.
//
//   start:  %x = load            start:  %x0 = load (lanes 0 ... 15), %x1 = load (lanes 16 ... 31)
//           barrier        ==>           ...
//   after:  store %x             after:  store %x0 (lanes 0 ... 15), store %x1 (lanes 16 ... 31)
//
// Accesses of local memory are then at constant places, so what one wave stores and another one loads can
// stay in registers (forward_stores).
#pragma once

#include "backends/x64/group_regions.h"
#include "ir/function.h"

namespace kc::x64 {

/// Whether constants bound ids, so that the copies become simpler; no other number does in such a way that a
/// loop over the waves ends early; all waves together are short; and nothing of a launch record is needed but
/// what is in that of the first wave. The group is a line along x.
bool can_copy_group(const Function& wave, const GroupRegions& regions, uint32_t waves);

/// Makes the copies. Branches that the group takes are around them and there once.
void copy_group(Function& wave, GroupRegions& regions, uint32_t waves);

}  // namespace kc::x64
