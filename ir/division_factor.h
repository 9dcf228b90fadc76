// SPDX-License-Identifier: Apache-2.0
// Division by a constant as a product (Granlund and Montgomery, "Division by Invariant Integers using
// Multiplication", 1994).
#pragma once
#include <cstdint>
#include <optional>

namespace kc {

/// x / d = ((x >> before) * factor) >> (bits + after), all unsigned.
struct DivisionFactor {
  uint64_t factor = 0;
  unsigned before = 0, after = 0;
  bool operator==(const DivisionFactor&) const = default;
};

/// For every x of `bits` (at most 64) up to `bound`, and d > 1; what is shifted out before is kept small.
/// Nothing where the factor would need a bit more, as for 7 and bounds near 2^bits.
std::optional<DivisionFactor> exact_factor(uint64_t d, unsigned bits, uint64_t bound);

}  // namespace kc
