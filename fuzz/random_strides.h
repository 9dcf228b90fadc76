// SPDX-License-Identifier: Apache-2.0
// Random programs whose loops walk through arrays with the stride of a launch or a group, so that lanes lie
// side by side and leave one after the other. In some, work-items lie along y, and each x has rows of its
// own.
#pragma once

#include "fuzz/random_program.h"

namespace kc::fuzz {

/// Every run ends, every index is in bounds, and no work-item accesses what another one writes. The same seed
/// gives the same text everywhere. The kernel is `k(a0, a1: i32 and u8 buffers, o: i32 buffer, out: i64
/// buffer, n: i32, m: i32)`; the first three have `n` elements and some more for each x, `out` has four
/// for each work-item.
RandomProgram random_strides(uint64_t seed);

}  // namespace kc::fuzz
