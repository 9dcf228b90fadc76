// SPDX-License-Identifier: Apache-2.0
// Elements of buffers as users see them.
#pragma once

#include <cstdint>
#include <string>

#include "ir/type.h"

namespace kc {

/// The type of a buffer's elements as the user names it: i32, u8, f32 ... Half-precision numbers have the
/// bits of I16.
struct ElementType {
  Elem elem = Elem::I32;
  bool is_unsigned = false;
  bool is_half = false;
  size_t bytes() const { return Type{elem}.bytes(); }
  bool is_float() const { return is_half || Type{elem}.is_float(); }
};

/// The number that an element of floats is, exactly.
double float_value(ElementType type, uint64_t bits);
/// The bits of the element of floats that is nearest to the number.
uint64_t float_bits(ElementType type, double value);

/// The shortest text that reads back as the same value.
std::string format_element(ElementType type, uint64_t bits);

}  // namespace kc
