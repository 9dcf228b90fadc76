// SPDX-License-Identifier: Apache-2.0
// Elements of buffers as users see them.
#pragma once

#include <cstdint>
#include <string>

#include "ir/type.h"

namespace kc {

/// The type of a buffer's elements as the user names it: i32, u8, f32 ...
struct ElementType {
  Elem elem = Elem::I32;
  bool is_unsigned = false;
  size_t bytes() const { return Type{elem}.bytes(); }
};

/// The shortest text that reads back as the same value.
std::string format_element(ElementType type, uint64_t bits);

}  // namespace kc
