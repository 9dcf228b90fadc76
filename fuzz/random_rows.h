// SPDX-License-Identifier: Apache-2.0
// Random programs whose work-items walk along rows of arrays: what loop vectorisation is about.
#pragma once

#include "fuzz/random_program.h"

namespace kc::fuzz {

/// Every run ends, every index is in bounds, and no work-item accesses the rows that another one writes. The
/// iterations of one work-item may depend on each other in any way. The same seed gives the same text
/// everywhere. The kernel is `k(a0, a1, ..., table: i32 buffer of 128, out: i64 buffer, m: i32, pitch: i32,
/// items: i32)`; the arrays have `pitch` elements for each work-item.
RandomProgram random_rows(uint64_t seed);

}  // namespace kc::fuzz
