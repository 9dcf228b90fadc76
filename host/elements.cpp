// SPDX-License-Identifier: Apache-2.0
#include "host/elements.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdlib>

namespace kc {
namespace {

// The fewest digits that read back as this half-precision number.
std::string shortest_half(ElementType type, uint64_t bits) {
  const double value = float_value(type, bits);
  if (!std::isfinite(value)) return fmt::format("{}", value);
  for (int digits = 1;; ++digits) {
    const double rounded = std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
    if (float_bits(type, rounded) == bits || digits == 17) return fmt::format("{}", rounded);
  }
}

constexpr uint16_t kHalfInfinity = 0x7c00, kHalfQuiet = 0x200;

// In terms of integers: not every machine that this runs on has a type for half-precision numbers.
double half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value = exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
  if (exponent == 31)
    value = fraction ? std::bit_cast<double>((uint64_t{0x7ff} << 52) | uint64_t{kHalfQuiet} << 42 |
                                             static_cast<uint64_t>(fraction) << 42)
                     : HUGE_VAL;
  return bits >> 15 ? -value : value;
}

uint16_t half_bits(double value) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double size = std::fabs(value);
  unsigned bits = 0;
  if (std::isnan(value))
    bits = kHalfInfinity | kHalfQuiet | (std::bit_cast<uint64_t>(value) >> 42 & 1023);
  else if (size >= 65520)  // half-way from the largest to 2^16
    bits = kHalfInfinity;
  else if (size < 0x1p-14)
    bits = static_cast<unsigned>(std::nearbyint(std::ldexp(size, 24)));
  else  // a fraction that rounds up to 2 carries into the exponent
    bits = static_cast<unsigned>((std::ilogb(size) + 14) << 10) +
           static_cast<unsigned>(std::nearbyint(std::ldexp(size, 10 - std::ilogb(size))));
  return static_cast<uint16_t>(sign | bits);
}

}  // namespace

double float_value(ElementType type, uint64_t bits) {
  if (type.is_half) return half_value(static_cast<uint16_t>(bits));
  if (type.elem == Elem::F32) return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  return std::bit_cast<double>(bits);
}

uint64_t float_bits(ElementType type, double value) {
  if (type.is_half) return half_bits(value);
  if (type.elem == Elem::F32) return std::bit_cast<uint32_t>(static_cast<float>(value));
  return std::bit_cast<uint64_t>(value);
}

std::string format_element(ElementType type, uint64_t bits) {
  if (type.is_half) return shortest_half(type, bits);
  switch (type.elem) {
    case Elem::F32:
      return fmt::format("{}", std::bit_cast<float>(static_cast<uint32_t>(bits)));
    case Elem::F64:
      return fmt::format("{}", std::bit_cast<double>(bits));
    case Elem::I1:
      return bits & 1 ? "true" : "false";
    default:
      break;
  }
  unsigned width = Type{type.elem}.bits();
  if (type.is_unsigned || width == 0) return fmt::format("{}", bits);
  return fmt::format("{}", static_cast<int64_t>(bits << (64 - width)) >> (64 - width));
}

}  // namespace kc
