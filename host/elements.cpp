// SPDX-License-Identifier: Apache-2.0
#include "host/elements.h"

#include <fmt/format.h>

#include <bit>

namespace kc {

std::string format_element(ElementType type, uint64_t bits) {
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
