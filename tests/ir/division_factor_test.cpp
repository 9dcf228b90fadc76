// SPDX-License-Identifier: Apache-2.0
#include "ir/division_factor.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace kc;

namespace {

uint64_t quotient(uint64_t x, const DivisionFactor& f, unsigned bits) {
  const auto product = static_cast<unsigned __int128>(x >> f.before) * f.factor;
  return static_cast<uint64_t>(product >> (bits + f.after));
}

}  // namespace

TEST_CASE("factors of all divisors of a byte are exact, whatever the bound", "[division]") {
  size_t found = 0;
  for (uint64_t d = 2; d < 256; ++d)
    for (uint64_t bound = 0; bound < 256; ++bound) {
      const auto f = exact_factor(d, 8, bound);
      if (!f) continue;
      ++found;
      REQUIRE(f->factor < 256);
      for (uint64_t x = 0; x <= bound; ++x) {
        INFO(x << " / " << d << " up to " << bound);
        REQUIRE(quotient(x, *f, 8) == x / d);
      }
    }
  CHECK(found > 60'000);  // of 65,024
}

TEST_CASE("factors of words and longs are exact at multiples and around them", "[division]") {
  std::mt19937_64 random(1);
  for (unsigned bits : {32u, 64u}) {
    const uint64_t all = ~uint64_t{0} >> (64 - bits);
    size_t found = 0;
    for (int n = 0; n < 20'000; ++n) {
      const uint64_t d = std::max<uint64_t>(2, (random() & all) >> random() % bits);
      const uint64_t bound = n % 2 ? all : (random() & all) >> random() % bits;
      const auto f = exact_factor(d, bits, bound);
      if (!f) continue;
      ++found;
      for (int k = 0; k < 8; ++k) {
        const uint64_t multiple = bound ? random() % bound / d * d : 0;
        for (uint64_t x : {multiple, multiple - 1, multiple + d - 1, bound, bound - 1, bound / d * d}) {
          if (x > bound) continue;
          INFO(x << " / " << d << " up to " << bound);
          REQUIRE(quotient(x, *f, bits) == x / d);
        }
      }
    }
    CHECK(found > 10'000);
  }
}

TEST_CASE("frequent divisors have a factor of one word, 7 has none", "[division]") {
  for (uint64_t d : {3, 5, 6, 10, 12, 60, 100, 1000, 3600, 10000, 86400}) {
    INFO(d);
    CHECK(exact_factor(d, 32, UINT32_MAX));
    CHECK(exact_factor(d, 64, UINT64_MAX));
  }
  CHECK(exact_factor(10, 32, UINT32_MAX) == DivisionFactor{0xcccccccd, 0, 3});
  CHECK(exact_factor(14, 32, UINT32_MAX)->before == 1);
  CHECK(!exact_factor(7, 32, UINT32_MAX));
  CHECK(exact_factor(7, 32, 1'000'000));
}
