// SPDX-License-Identifier: Apache-2.0
#include "ir/known_bits.h"

#include <algorithm>
#include <bit>

#include "ir/op.h"

namespace kc {
namespace {

int64_t least(unsigned width) { return width >= 64 ? INT64_MIN : -(int64_t{1} << (width - 1)); }
int64_t greatest(unsigned width) { return width >= 64 ? INT64_MAX : (int64_t{1} << (width - 1)) - 1; }

// Mask of the bits above the highest one in which low and high differ: all numbers in between share them.
uint64_t shared_bits(uint64_t low, uint64_t high) {
  unsigned differ = 64 - static_cast<unsigned>(std::countl_zero(low ^ high));
  return ~low_ones(differ);
}

// Refines each of the three representations by the others.
KnownBits settled(KnownBits a) {
  const uint64_t all = low_ones(a.width), sign = uint64_t{1} << (a.width - 1);
  for (int round = 0; round < 2 && !a.nothing; ++round) {
    const int64_t smin = a.smin, smax = a.smax;
    a.umin = std::max(a.umin, a.ones), a.umax = std::min(a.umax, all & ~a.zeros);
    if (a.smin >= 0 || a.smax < 0) {  // signed and unsigned order agree
      a.umin = std::max(a.umin, static_cast<uint64_t>(a.smin) & all);
      a.umax = std::min(a.umax, static_cast<uint64_t>(a.smax) & all);
    }
    if (a.umin < sign && a.umax >= sign) {
      // Both signs are possible: the bits still bound each half.
      a.smin = std::max(a.smin, as_signed(a.width, sign | a.ones));
      a.smax = std::min(a.smax, static_cast<int64_t>(all & ~a.zeros & ~sign));
    } else {
      a.smin = std::max(a.smin, as_signed(a.width, a.umin));
      a.smax = std::min(a.smax, as_signed(a.width, a.umax));
    }
    if (a.umin > a.umax || a.smin > a.smax) break;
    const uint64_t shared = shared_bits(a.umin, a.umax) & all;
    const uint64_t ones = a.ones | (a.umin & shared), zeros = a.zeros | (~a.umin & shared);
    const bool settled = ones == a.ones && zeros == a.zeros && a.smin == smin && a.smax == smax;
    a.ones = ones, a.zeros = zeros;
    if (settled) break;
  }
  if (a.umin > a.umax || a.smin > a.smax || (a.zeros & a.ones)) return KnownBits::none(a.width);
  return a;
}

// Known bits of a sum: positions where both operands and the carry are known. The carry is known where the
// smallest and the greatest sum agree on it.
KnownBits sum_bits(const KnownBits& a, uint64_t b_zeros, uint64_t b_ones, bool carry) {
  KnownBits r = KnownBits::anything(a.width);
  const uint64_t all = low_ones(a.width);
  uint64_t most = (all & ~a.zeros) + (all & ~b_zeros) + carry, fewest = a.ones + b_ones + carry;
  uint64_t carry_zero = ~(most ^ a.zeros ^ b_zeros), carry_one = fewest ^ a.ones ^ b_ones;
  uint64_t known = (a.zeros | a.ones) & (b_zeros | b_ones) & (carry_zero | carry_one) & all;
  r.zeros = ~most & known, r.ones = fewest & known;
  return r;
}

using Wide = __int128;

KnownBits bounds(KnownBits r, Wide ulow, Wide uhigh, Wide slow, Wide shigh) {
  const Wide size = Wide{1} << r.width;
  if (ulow >= 0 && uhigh < size)
    r.umin = static_cast<uint64_t>(ulow), r.umax = static_cast<uint64_t>(uhigh);
  else if (ulow >= size && uhigh < 2 * size)  // all sums wrap
    r.umin = static_cast<uint64_t>(ulow - size), r.umax = static_cast<uint64_t>(uhigh - size);
  else if (ulow >= -size && uhigh < 0)
    r.umin = static_cast<uint64_t>(ulow + size), r.umax = static_cast<uint64_t>(uhigh + size);
  if (slow >= least(r.width) && shigh <= greatest(r.width))
    r.smin = static_cast<int64_t>(slow), r.smax = static_cast<int64_t>(shigh);
  return settled(r);
}

// Shift counts are taken modulo the width.
struct Counts {
  uint64_t low = 0, high = 0;
};
Counts shift_counts(unsigned width, const KnownBits& count) {
  if (auto c = count.value()) return {*c % width, *c % width};
  return count.umax < width ? Counts{count.umin, count.umax} : Counts{0, width - 1};
}

// The result is one of the two.
KnownBits one_of(const KnownBits& a, const KnownBits& b) {
  KnownBits r = KnownBits::anything(a.width);
  r.zeros = a.zeros & b.zeros, r.ones = a.ones & b.ones;
  return r;
}

KnownBits answer(bool always, bool never) {
  return always ? KnownBits::constant(1, 1) : never ? KnownBits::constant(1, 0) : KnownBits::anything(1);
}

}  // namespace

uint64_t low_ones(unsigned width) { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }
int64_t as_signed(unsigned width, uint64_t bits) {
  unsigned shift = 64 - width;
  return static_cast<int64_t>(bits << shift) >> shift;
}

KnownBits KnownBits::anything(unsigned width) {
  return {.width = static_cast<uint8_t>(width),
          .umax = low_ones(width),
          .smin = least(width),
          .smax = greatest(width)};
}
KnownBits KnownBits::none(unsigned width) {
  KnownBits r = anything(width);
  r.nothing = true;
  return r;
}
KnownBits KnownBits::constant(unsigned width, uint64_t bits) {
  const uint64_t all = low_ones(width);
  bits &= all;
  const int64_t number = as_signed(width, bits);
  return {.width = static_cast<uint8_t>(width),
          .zeros = all & ~bits,
          .ones = bits,
          .umin = bits,
          .umax = bits,
          .smin = number,
          .smax = number};
}
KnownBits KnownBits::between(unsigned width, uint64_t low, uint64_t high) {
  KnownBits r = anything(width);
  r.umin = low, r.umax = high;
  return settled(r);
}
KnownBits KnownBits::signed_between(unsigned width, int64_t low, int64_t high) {
  KnownBits r = anything(width);
  r.smin = low, r.smax = high;
  return settled(r);
}

std::optional<uint64_t> KnownBits::value() const {
  return !nothing && umin == umax ? std::optional(umin) : std::nullopt;
}
bool KnownBits::contains(uint64_t bits) const {
  int64_t number = as_signed(width, bits);
  return !nothing && (bits & zeros) == 0 && (~bits & ones) == 0 && bits >= umin && bits <= umax &&
         number >= smin && number <= smax;
}
bool KnownBits::fits_unsigned(unsigned bits) const { return !nothing && umax <= low_ones(bits); }
bool KnownBits::fits_signed(unsigned bits) const {
  return !nothing && smin >= least(bits) && smax <= greatest(bits);
}

KnownBits meet(KnownBits a, const KnownBits& b) {
  if (b.nothing) a.nothing = true;
  a.zeros |= b.zeros, a.ones |= b.ones;
  a.umin = std::max(a.umin, b.umin), a.umax = std::min(a.umax, b.umax);
  a.smin = std::max(a.smin, b.smin), a.smax = std::min(a.smax, b.smax);
  return a.nothing ? KnownBits::none(a.width) : settled(a);
}
KnownBits join(const KnownBits& a, const KnownBits& b) {
  if (a.nothing) return b;
  if (b.nothing) return a;
  KnownBits r = a;
  r.zeros &= b.zeros, r.ones &= b.ones;
  r.umin = std::min(a.umin, b.umin), r.umax = std::max(a.umax, b.umax);
  r.smin = std::min(a.smin, b.smin), r.smax = std::max(a.smax, b.smax);
  return r;
}

namespace known {

KnownBits add(const KnownArgs& x) {
  const KnownBits &a = x[0], &b = x[1];
  return bounds(sum_bits(a, b.zeros, b.ones, false), Wide{a.umin} + b.umin, Wide{a.umax} + b.umax,
                Wide{a.smin} + b.smin, Wide{a.smax} + b.smax);
}
KnownBits sub(const KnownArgs& x) {
  const KnownBits &a = x[0], &b = x[1];
  return bounds(sum_bits(a, b.ones, b.zeros, true), Wide{a.umin} - b.umax, Wide{a.umax} - b.umin,
                Wide{a.smin} - b.smax, Wide{a.smax} - b.smin);
}
KnownBits mul(const KnownArgs& x) {
  const KnownBits &a = x[0], &b = x[1];
  KnownBits r = KnownBits::anything(a.width);
  unsigned low = static_cast<unsigned>(std::countr_one(a.zeros) + std::countr_one(b.zeros));
  r.zeros = low_ones(std::min<unsigned>(low, a.width));
  Wide top = std::min<unsigned __int128>(static_cast<unsigned __int128>(a.umax) * b.umax,
                                         static_cast<unsigned __int128>(1) << 100);
  Wide c[] = {Wide{a.smin} * b.smin, Wide{a.smin} * b.smax, Wide{a.smax} * b.smin, Wide{a.smax} * b.smax};
  auto [least_of, greatest_of] = std::ranges::minmax(c);
  bool exact = top < (Wide{1} << r.width);
  return bounds(r, exact ? Wide{a.umin} * b.umin : Wide{0}, exact ? top : (Wide{1} << r.width) - 1, least_of,
                greatest_of);
}

KnownBits and_(const KnownArgs& x) {
  KnownBits r = KnownBits::anything(x.width);
  r.zeros = x[0].zeros | x[1].zeros, r.ones = x[0].ones & x[1].ones;
  r.umax = std::min(x[0].umax, x[1].umax);
  return settled(r);
}
KnownBits or_(const KnownArgs& x) {
  KnownBits r = KnownBits::anything(x.width);
  r.zeros = x[0].zeros & x[1].zeros, r.ones = x[0].ones | x[1].ones;
  r.umin = std::max(x[0].umin, x[1].umin);
  return settled(r);
}
KnownBits xor_(const KnownArgs& x) {
  KnownBits r = KnownBits::anything(x.width);
  r.zeros = (x[0].zeros & x[1].zeros) | (x[0].ones & x[1].ones);
  r.ones = (x[0].zeros & x[1].ones) | (x[0].ones & x[1].zeros);
  return settled(r);
}

KnownBits shl(const KnownArgs& x) {
  const KnownBits& a = x[0];
  const unsigned w = x.width;
  const uint64_t all = low_ones(w);
  const auto [low, high] = shift_counts(w, x[1]);
  KnownBits r = KnownBits::anything(w);
  r.zeros = low_ones(
      std::min<unsigned>(static_cast<unsigned>(std::countr_one(a.zeros)) + static_cast<unsigned>(low), w));
  if (low == high) r.zeros |= (a.zeros << low) & all, r.ones = (a.ones << low) & all;
  if (a.umax <= all >> high) r.umin = a.umin << low, r.umax = a.umax << high;
  if (low == high && a.smax <= greatest(w) >> low && a.smin >= least(w) >> low)
    r.smin = a.smin * (int64_t{1} << low), r.smax = a.smax * (int64_t{1} << low);
  return settled(r);
}
KnownBits lshr(const KnownArgs& x) {
  const KnownBits& a = x[0];
  const uint64_t all = low_ones(x.width);
  const auto [low, high] = shift_counts(x.width, x[1]);
  KnownBits r = KnownBits::anything(x.width);
  if (low == high) r.zeros = (a.zeros >> low) | (all & ~(all >> low)), r.ones = a.ones >> low;
  r.umin = a.umin >> high, r.umax = a.umax >> low;
  return settled(r);
}
KnownBits ashr(const KnownArgs& x) {
  const KnownBits& a = x[0];
  const auto [low, high] = shift_counts(x.width, x[1]);
  KnownBits r = KnownBits::anything(x.width);
  r.smin = std::min(a.smin >> low, a.smin >> high), r.smax = std::max(a.smax >> low, a.smax >> high);
  return settled(r);
}

// x / 0 has all bits set, x % 0 is x.
KnownBits udiv(const KnownArgs& x) {
  const KnownBits &a = x[0], &b = x[1];
  KnownBits r = KnownBits::anything(x.width);
  if (b.umin > 0) r.umin = a.umin / b.umax, r.umax = a.umax / b.umin;
  return settled(r);
}
KnownBits urem(const KnownArgs& x) {
  const KnownBits &a = x[0], &b = x[1];
  if (b.umin > a.umax) return a;
  KnownBits r = KnownBits::anything(x.width);
  r.umax = a.umax;
  if (b.umin > 0) r.umax = std::min(r.umax, b.umax - 1);
  if (auto d = b.value(); d && std::has_single_bit(*d)) {
    r.zeros = a.zeros | (low_ones(a.width) & ~(*d - 1));
    r.ones = a.ones & (*d - 1);
  }
  return settled(r);
}
KnownBits sdiv(const KnownArgs& x) {
  const KnownBits &a = x[0], &b = x[1];
  if (a.smin >= 0 && b.smin >= 0) return udiv(x);
  KnownBits r = KnownBits::anything(x.width);
  if (auto c = b.value(); c && *c != 0 && b.smin != -1) {
    int64_t first = a.smin / b.smin, last = a.smax / b.smin;
    r.smin = std::min(first, last), r.smax = std::max(first, last);
  }
  return settled(r);
}
KnownBits srem(const KnownArgs& x) {
  const KnownBits &a = x[0], &b = x[1];
  if (a.smin >= 0 && b.smin >= 0) return urem(x);
  KnownBits r = KnownBits::anything(x.width);
  r.smin = std::min<int64_t>(a.smin, 0), r.smax = std::max<int64_t>(a.smax, 0);
  if (auto c = b.value(); c && *c != 0 && b.smin != least(x.width)) {
    int64_t most = (b.smin < 0 ? -b.smin : b.smin) - 1;
    r.smin = std::max(r.smin, -most), r.smax = std::min(r.smax, most);
  }
  return settled(r);
}

KnownBits smin(const KnownArgs& x) {
  KnownBits r = one_of(x[0], x[1]);
  r.smin = std::min(x[0].smin, x[1].smin), r.smax = std::min(x[0].smax, x[1].smax);
  return settled(r);
}
KnownBits smax(const KnownArgs& x) {
  KnownBits r = one_of(x[0], x[1]);
  r.smin = std::max(x[0].smin, x[1].smin), r.smax = std::max(x[0].smax, x[1].smax);
  return settled(r);
}
KnownBits umin(const KnownArgs& x) {
  KnownBits r = one_of(x[0], x[1]);
  r.umin = std::min(x[0].umin, x[1].umin), r.umax = std::min(x[0].umax, x[1].umax);
  return settled(r);
}
KnownBits umax(const KnownArgs& x) {
  KnownBits r = one_of(x[0], x[1]);
  r.umin = std::max(x[0].umin, x[1].umin), r.umax = std::max(x[0].umax, x[1].umax);
  return settled(r);
}

KnownBits zext(const KnownArgs& x) {
  const KnownBits& a = x[0];
  KnownBits r = KnownBits::anything(x.width);
  r.zeros = a.zeros | (low_ones(x.width) & ~low_ones(a.width)), r.ones = a.ones;
  r.umin = a.umin, r.umax = a.umax;
  return settled(r);
}
KnownBits sext(const KnownArgs& x) {
  const KnownBits& a = x[0];
  const uint64_t added = low_ones(x.width) & ~low_ones(a.width), sign = uint64_t{1} << (a.width - 1);
  KnownBits r = KnownBits::anything(x.width);
  r.zeros = a.zeros | (a.zeros & sign ? added : 0), r.ones = a.ones | (a.ones & sign ? added : 0);
  r.smin = a.smin, r.smax = a.smax;
  return settled(r);
}
KnownBits trunc(const KnownArgs& x) {
  const KnownBits& a = x[0];
  const uint64_t kept = low_ones(x.width);
  KnownBits r = KnownBits::anything(x.width);
  r.zeros = a.zeros & kept, r.ones = a.ones & kept;
  if ((shared_bits(a.umin, a.umax) | kept) == ~uint64_t{0}) r.umin = a.umin & kept, r.umax = a.umax & kept;
  if (a.smin >= least(x.width) && a.smax <= greatest(x.width)) r.smin = a.smin, r.smax = a.smax;
  return settled(r);
}

KnownBits eq(const KnownArgs& x) {
  return answer(x[0].value() && x[0].value() == x[1].value(), meet(x[0], x[1]).nothing);
}
KnownBits ne(const KnownArgs& x) {
  return answer(meet(x[0], x[1]).nothing, x[0].value() && x[0].value() == x[1].value());
}
KnownBits slt(const KnownArgs& x) { return answer(x[0].smax < x[1].smin, x[0].smin >= x[1].smax); }
KnownBits sle(const KnownArgs& x) { return answer(x[0].smax <= x[1].smin, x[0].smin > x[1].smax); }
KnownBits ult(const KnownArgs& x) { return answer(x[0].umax < x[1].umin, x[0].umin >= x[1].umax); }
KnownBits ule(const KnownArgs& x) { return answer(x[0].umax <= x[1].umin, x[0].umin > x[1].umax); }

KnownBits popcount(const KnownArgs& x) {
  auto bits = [](uint64_t v) { return static_cast<uint64_t>(std::popcount(v)); };
  return KnownBits::between(x.width, bits(x[0].ones), bits(low_ones(x.width) & ~x[0].zeros));
}
KnownBits clz(const KnownArgs& x) {
  auto leading = [&](uint64_t v) { return static_cast<uint64_t>(std::countl_zero(v)) - (64 - x.width); };
  return KnownBits::between(x.width, leading(x[0].umax), leading(x[0].umin));
}

KnownBits select(const KnownArgs& x) {
  if (x[0].nothing) return KnownBits::none(x.width);
  if (auto c = x[0].value()) return x[*c ? 1 : 2];
  return join(x[1], x[2]);
}
KnownBits blend(const KnownArgs& x) { return join(x[1], x[2]); }
KnownBits splat(const KnownArgs& x) { return x[0]; }
KnownBits first_lane(const KnownArgs& x) { return x[1]; }

KnownBits local_id(const KnownArgs& x) {
  return KnownBits::between(x.width, 0, (x.group ? x.group : kMostLocal) - 1);
}
KnownBits local_size(const KnownArgs& x) {
  return KnownBits::between(x.width, x.group ? x.group : 1, x.group ? x.group : kMostLocal);
}
KnownBits global_size(const KnownArgs& x) { return KnownBits::between(x.width, 1, kMostId); }
KnownBits num_groups(const KnownArgs& x) { return KnownBits::between(x.width, 1, kMostId); }
KnownBits global_id(const KnownArgs& x) { return KnownBits::between(x.width, 0, kMostId); }
KnownBits group_id(const KnownArgs& x) { return KnownBits::between(x.width, 0, kMostId); }
KnownBits global_offset(const KnownArgs& x) { return KnownBits::between(x.width, 0, kMostId); }
KnownBits work_dim(const KnownArgs& x) { return KnownBits::between(x.width, 1, 3); }
KnownBits lane_id(const KnownArgs& x) { return KnownBits::between(x.width, 0, x.lanes - 1); }

}  // namespace known

KnownBits transfer(Op op, const KnownArgs& x) {
  const OpInfo& row = info(op);
  if (row.op_class != OpClass::Choice)  // a choice may never take one of its arms
    for (const KnownBits* operand : x.operands)
      if (operand && operand->nothing) return KnownBits::none(x.width);
  return row.known ? row.known(x) : KnownBits::anything(x.width);
}

KnownBits where(const KnownBits& x, Op op, const KnownBits& y, bool truth) {
  if (x.nothing || y.nothing) return KnownBits::none(x.width);
  KnownBits r = KnownBits::anything(x.width);
  const uint64_t all = low_ones(x.width);
  if (op == Op::eq || op == Op::ne) {
    if ((op == Op::eq) == truth) return meet(x, y);
    auto other = y.value();
    if (!other) return x;
    // Excludes an end point of the interval.
    if (x.umin == *other && x.umin < all) r.umin = x.umin + 1;
    if (x.umax == *other && x.umax > 0) r.umax = x.umax - 1;
    if (x.smin == y.smin && x.smin < greatest(x.width)) r.smin = x.smin + 1;
    if (x.smax == y.smax && x.smax > least(x.width)) r.smax = x.smax - 1;
    if (x.value() == other) r.nothing = true;
    return meet(x, r);
  }
  bool is_signed = op == Op::slt || op == Op::sle, strict = op == Op::slt || op == Op::ult;
  if (truth) {
    if (strict && (is_signed ? y.smax == least(x.width) : y.umax == 0)) return KnownBits::none(x.width);
    if (is_signed)
      r.smax = y.smax - strict;
    else
      r.umax = y.umax - strict;
  } else {  // y <= x, or y < x
    if (!strict && (is_signed ? y.smin == greatest(x.width) : y.umin == all)) return KnownBits::none(x.width);
    if (is_signed)
      r.smin = y.smin + !strict;
    else
      r.umin = y.umin + !strict;
  }
  return meet(x, r);
}

KnownBits where_right(const KnownBits& x, Op op, const KnownBits& y, bool truth) {
  if (op == Op::eq || op == Op::ne) return where(y, op, x, truth);
  // x < y is the opposite of y <= x.
  Op opposite = op == Op::slt ? Op::sle : op == Op::sle ? Op::slt : op == Op::ult ? Op::ule : Op::ult;
  return where(y, opposite, x, !truth);
}

}  // namespace kc
