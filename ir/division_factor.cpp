// SPDX-License-Identifier: Apache-2.0
#include "ir/division_factor.h"

#include <bit>

namespace kc {
namespace {

// With f = (2^(bits + after) + excess) / d the product is too large by x * excess / d, in units of
// 2^(bits + after): less than 1 / d, the distance to the next integer, where x * excess < 2^(bits + after).
std::optional<DivisionFactor> without_shift_before(uint64_t d, unsigned bits, uint64_t bound) {
  using Wide = unsigned __int128;
  const auto most = static_cast<unsigned>(std::bit_width(d - 1));
  for (unsigned after = 0; after <= most && bits + after < 128; ++after) {
    const Wide power = Wide{1} << (bits + after), factor = (power + d - 1) / d;
    if (factor >> bits) return {};
    if ((factor * d - power) * (Wide{bound} + 1) <= power)
      return DivisionFactor{static_cast<uint64_t>(factor), 0, after};
  }
  return {};
}

}  // namespace

std::optional<DivisionFactor> exact_factor(uint64_t d, unsigned bits, uint64_t bound) {
  if (auto found = without_shift_before(d, bits, bound)) return found;
  const auto twos = static_cast<unsigned>(std::countr_zero(d));
  if (twos == 0 || d >> twos == 1) return {};
  auto found = without_shift_before(d >> twos, bits, bound >> twos);
  if (found) found->before = twos;
  return found;
}

}  // namespace kc
