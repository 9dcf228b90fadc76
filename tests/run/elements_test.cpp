// SPDX-License-Identifier: Apache-2.0
// Half-precision numbers of buffers, against the compiler's own type for them.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "host/elements.h"

namespace {

using namespace kc;

constexpr ElementType kHalf{.elem = Elem::I16, .is_half = true};

uint64_t expected_bits(double value) { return std::bit_cast<uint16_t>(static_cast<_Float16>(value)); }

}  // namespace

TEST_CASE("every half-precision number has its value, and that value its bits") {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const auto value = static_cast<double>(std::bit_cast<_Float16>(half));
    const double found = float_value(kHalf, half);
    if (std::bit_cast<uint64_t>(found) != std::bit_cast<uint64_t>(value)) FAIL_CHECK("bits " << bits);
    // A conversion makes NaNs quiet.
    const uint32_t back = std::isnan(value) ? bits | 0x200 : bits;
    if (float_bits(kHalf, value) != back) FAIL_CHECK("back from bits " << bits);
  }
}

TEST_CASE("numbers are rounded to half precision once, to the nearest, and to even") {
  std::mt19937_64 random(1);
  auto check = [](double value) {
    if (float_bits(kHalf, value) != expected_bits(value)) FAIL_CHECK("of " << value);
  };
  for (int n = 0; n < 1'000'000; ++n) {
    const uint64_t any = random();
    check(std::bit_cast<double>(any));
    check(std::ldexp(static_cast<double>(static_cast<int64_t>(any)), static_cast<int>(any % 60) - 90));
  }
  // Around the middle of neighbours.
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const double low = float_value(kHalf, bits), high = float_value(kHalf, bits + 1);
    const double middle = (low + high) / 2;
    for (double value : {middle, std::nextafter(middle, low), std::nextafter(middle, high)}) {
      check(value);
      check(-value);
    }
  }
  for (double value : {65504.0, 65519.999, 65520.0, 65536.0, 1e300}) check(value), check(-value);
}
