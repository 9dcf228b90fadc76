// SPDX-License-Identifier: Apache-2.0
// Numbers of set bits and of leading zeros, which reach this backend as arithmetic (ir/expand.h), or were
// written as such:
//
//   x - (x >> 1 & 0x5555...), pairs, nibbles, * 0x0101... >> 24
//       ==>   counts of nibbles from a table, added up
//   popcount(~(x | x >> 1 | ... | x >> 31))
//       ==>   vplzcntd, or the exponent of a float
#pragma once

#include <optional>

#include "backends/x64/emit.h"

namespace kc::x64 {

struct BitCount {
  bool zeros = false;  // leading zeros, the width for 0; else set bits
  ValueId of;
};

/// What the last instruction of such arithmetic counts, in 32 or 64 bits.
std::optional<BitCount> bit_count(const Function& wave, const Inst& inst);
/// In each element; for leading zeros of 64 bits only with AVX-512.
ValueId count_bits(Emit& e, bool zeros, ValueId a, VecType t);

}  // namespace kc::x64
