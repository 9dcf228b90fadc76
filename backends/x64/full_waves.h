// SPDX-License-Identifier: Apache-2.0
// Code of its own for waves with all their lanes, which nearly all are, and a loop over those of a row.
//
//   entry:                     entry:          uniform values
//     some work           ==>    next:         full_waves ? all : some
//     ret                        all:          the work under no mask, unless a guard at its start keeps a
//     lane
//                                              out: some
//                                some:         the work under the wave's mask
//                                end:          is there another full wave? next_wave, next : ret
//
// A guard is the test by which a kernel begins, `if (i >= n) return;`.
#pragma once

#include <memory>

#include "ir/function.h"

namespace kc::x64 {

/// Null where the function is too large for two copies, has loops that lanes leave one by one, or barriers,
/// at which waves return.
std::unique_ptr<Function> with_full_waves(const Function& wave);

}  // namespace kc::x64
