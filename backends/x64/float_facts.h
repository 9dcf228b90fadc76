// SPDX-License-Identifier: Apache-2.0
// What is known of floats by the operations that make them.
//
//   fdiv (uitofp %byte), 255      a number, finite, without a sign
//   fsub %a, %b                   perhaps the NaN of two infinities
#pragma once

#include "ir/function.h"

namespace kc::x64 {

struct FloatFacts {
  bool number = false;      // not a NaN
  bool finite = false;      // neither a NaN nor an infinity
  bool sign_clear = false;  // not negative, and not -0 either
  bool nonzero = false;     // of constants
};

/// Of a float of 32 or 64 bits, in each lane; looks at a few of the instructions before it.
FloatFacts float_facts(const Function& wave, ValueId v);

}  // namespace kc::x64
