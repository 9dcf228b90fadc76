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

}  // namespace

double float_value(ElementType type, uint64_t bits) {
  if (type.is_half) return static_cast<double>(std::bit_cast<_Float16>(static_cast<uint16_t>(bits)));
  if (type.elem == Elem::F32) return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  return std::bit_cast<double>(bits);
}

uint64_t float_bits(ElementType type, double value) {
  if (type.is_half) return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
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
