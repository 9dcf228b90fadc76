// SPDX-License-Identifier: Apache-2.0
// What is known of one integer: bits, and intervals of it as an unsigned and as a signed number.
//
//   x & 12            bits: zero but for 2 and 3   unsigned 0..12   signed 0..12
//   sext(i8 x)        bits: nothing                unsigned all     signed -128..127
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ir/function.h"

namespace kc {

/// The set of numbers of `width` bits that agree with all of it; `nothing` is the empty set, which is what is
/// known where nothing has been computed yet.
struct KnownBits {
  uint8_t width = 64;
  bool nothing = false;
  uint64_t zeros = 0, ones = 0;  // bits that are certainly 0, certainly 1
  uint64_t umin = 0, umax = ~uint64_t{0};
  int64_t smin = INT64_MIN, smax = INT64_MAX;

  bool operator==(const KnownBits&) const = default;
  static KnownBits anything(unsigned width);
  static KnownBits none(unsigned width);
  static KnownBits constant(unsigned width, uint64_t bits);
  static KnownBits between(unsigned width, uint64_t low, uint64_t high);       // unsigned, both included
  static KnownBits signed_between(unsigned width, int64_t low, int64_t high);  // both included

  bool non_negative() const { return !nothing && smin >= 0; }
  /// The only number in the set.
  std::optional<uint64_t> value() const;
  bool contains(uint64_t bits) const;
  /// Whether zero extension, or sign extension, of the low `bits` bits gives every number of the set.
  bool fits_unsigned(unsigned bits) const;
  bool fits_signed(unsigned bits) const;
};

/// eq, ne and the orders of integers; the first two are also of other types.
bool compares_integers(Op op);

/// All ones of a width.
uint64_t low_ones(unsigned width);
/// The number that these bits are, signed.
int64_t as_signed(unsigned width, uint64_t bits);

/// What holds for members of both sets, of either set.
KnownBits meet(KnownBits a, const KnownBits& b);
KnownBits join(const KnownBits& a, const KnownBits& b);

/// What holds for the result of an operation on integers whose operands are in these sets. `width` is that of
/// the result. Opcodes that it does not know may give anything.
KnownBits transfer(Op op, unsigned width, std::span<const KnownBits> operands);

/// What holds for x where `x op y` is `truth`; `op` is a comparison of integers.
KnownBits where(const KnownBits& x, Op op, const KnownBits& y, bool truth);
/// What holds for y there.
KnownBits where_right(const KnownBits& x, Op op, const KnownBits& y, bool truth);

}  // namespace kc
