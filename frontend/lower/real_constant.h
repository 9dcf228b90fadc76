// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>

#include "ir/function.h"

namespace kc::front {

/// x as a constant of type f32, rounded, or f64.
inline ValueId real_constant(Function& f, kc::Type type, double x) {
  return f.constant(
      type, type == kF64 ? std::bit_cast<uint64_t>(x) : std::bit_cast<uint32_t>(static_cast<float>(x)));
}

}  // namespace kc::front
