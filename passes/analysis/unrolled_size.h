// SPDX-License-Identifier: Apache-2.0
// What a nest of loops consists of when all its loops are unrolled. The iterations are executed with what is
// constant in them; values that are not known have value numbers.
//
//   for (k = -1; k <= 1; k++)                        executed: 9 times all instructions
//     for (j = -1; j <= 1; j++)                ==>   kept: 9 loads, the sums, and the addresses that differ;
//       if (abs(j) + abs(k) == 1) s += a[j * n + k];       no test, no counter, no `abs`
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "ir/cfg.h"
#include "passes/analysis/cycles.h"

namespace kc {

struct UnrolledSize {
  size_t executed = 0;  // instructions, in all iterations together
  size_t kept = 0;      // those that are neither constant nor equal to earlier ones
  size_t arrays = 0;    // of the kept ones: accesses to known places of private arrays, which may vanish
};

/// Nothing if the number of iterations is not known or more than `most_trips` for one of the loops, if
/// work-items meet inside, or if more than `most_kept` instructions are kept. Both sides of a branch that is
/// not known count.
std::optional<UnrolledSize> unrolled_size(const Function& f, const Cfg& cfg, const Cycles& cycles,
                                          uint32_t cycle, uint32_t most_trips, size_t most_kept);

}  // namespace kc
