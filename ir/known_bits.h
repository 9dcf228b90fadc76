// SPDX-License-Identifier: Apache-2.0
// Known bits of an integer, and its intervals as an unsigned and as a signed number; and the transfer
// functions of the opcode tables, which compute those of a result from those of the operands.
//
//   x & 12            bits: zero but for 2 and 3   unsigned 0..12   signed 0..12
//   sext(i8 x)        bits: nothing                unsigned all     signed -128..127
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace kc {

enum class Op : uint16_t;

/// Guaranteed by the launch (docs/language.md): ids and sizes are below 2^31, and so are offsets.
inline constexpr uint64_t kMostId = (uint64_t{1} << 31) - 1;
/// Work-items of a group, over all dimensions.
inline constexpr uint64_t kMostLocal = 1024;

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

/// The mask of `width` ones.
uint64_t low_ones(unsigned width);
/// The bits as a signed number.
int64_t as_signed(unsigned width, uint64_t bits);

/// Intersection, and the smallest representable superset of the union.
KnownBits meet(KnownBits a, const KnownBits& b);
KnownBits join(const KnownBits& a, const KnownBits& b);

/// What a transfer function sees of an operation.
struct KnownArgs {
  unsigned width = 64;                         // of the result
  std::array<const KnownBits*, 3> operands{};  // the first three
  // Of the attribute `dim`: the work-items of a group along it, 0 if the function does not say.
  uint64_t group = 0;
  uint64_t lanes = 64;  // of a wave

  const KnownBits& operator[](size_t k) const { return *operands[k]; }
};
/// The set of results. Operands are not empty, except those of a choice.
using KnownFn = KnownBits (*)(const KnownArgs& x);

namespace known {
// Declared from the tables; defined for the rows that name theirs.
#define OP(id, ...) KnownBits id(const KnownArgs& x);
#include "ir/common.def"
#include "ir/thread.def"
#include "ir/wave.def"
#undef OP
}  // namespace known

/// The set of results of an operation from the sets of its operands; the full set of a row without a transfer
/// function.
KnownBits transfer(Op op, const KnownArgs& x);

/// Refines x, given that `x op y` is `truth`; `op` is an integer comparison.
KnownBits where(const KnownBits& x, Op op, const KnownBits& y, bool truth);
/// Refines y likewise.
KnownBits where_right(const KnownBits& x, Op op, const KnownBits& y, bool truth);

}  // namespace kc
