// SPDX-License-Identifier: Apache-2.0
// Known bits of an integer, and its intervals as an unsigned and as a signed number.
//
//   x & 12            bits: zero but for 2 and 3   unsigned 0..12   signed 0..12
//   sext(i8 x)        bits: nothing                unsigned all     signed -128..127
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ir/function.h"

namespace kc {

/// A set of numbers of `width` bits, the intersection of all members below; `nothing` is the empty set, the
/// initial state of the analysis.
struct KnownBits {
  uint8_t width = 64;
  bool nothing = false;
  uint64_t zeros = 0, ones = 0;  // bits known to be 0, known to be 1
  uint64_t umin = 0, umax = ~uint64_t{0};
  int64_t smin = INT64_MIN, smax = INT64_MAX;

  bool operator==(const KnownBits&) const = default;
  static KnownBits anything(unsigned width);
  static KnownBits none(unsigned width);
  static KnownBits constant(unsigned width, uint64_t bits);
  static KnownBits between(unsigned width, uint64_t low, uint64_t high);       // unsigned, inclusive
  static KnownBits signed_between(unsigned width, int64_t low, int64_t high);  // inclusive

  bool non_negative() const { return !nothing && smin >= 0; }
  /// The only element, if there is just one.
  std::optional<uint64_t> value() const;
  bool contains(uint64_t bits) const;
  /// Whether all numbers are the zero extension (sign extension) of their low `bits` bits.
  bool fits_unsigned(unsigned bits) const;
  bool fits_signed(unsigned bits) const;
};

/// eq, ne and the integer orders; the first two apply to other types, too.
bool compares_integers(Op op);

/// The mask of `width` ones.
uint64_t low_ones(unsigned width);
/// The bits as a signed number.
int64_t as_signed(unsigned width, uint64_t bits);

/// Intersection, and the smallest representable superset of the union.
KnownBits meet(KnownBits a, const KnownBits& b);
KnownBits join(const KnownBits& a, const KnownBits& b);

/// Transfer function: the set of results of an operation on integers from these sets. `width` is that of the
/// result. An unsupported opcode gives the full set.
KnownBits transfer(Op op, unsigned width, std::span<const KnownBits> operands);

/// Refines x, given that `x op y` is `truth`; `op` is an integer comparison.
KnownBits where(const KnownBits& x, Op op, const KnownBits& y, bool truth);
/// Refines y likewise.
KnownBits where_right(const KnownBits& x, Op op, const KnownBits& y, bool truth);

}  // namespace kc
