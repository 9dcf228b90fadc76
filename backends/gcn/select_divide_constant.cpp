// SPDX-License-Identifier: Apache-2.0
// Division of 32-bit integers by a constant, as multiplication by its reciprocal (ir/division_factor.h).
//
// Unsigned: where a 32-bit factor is not exact, with l = ceil(log2 d) and m = floor(2^32 * (2^l - d) / d) + 1
// the quotient is (high(m * x) + x) >> l, where the sum has 33 bits.
// Signed: a factor with 0 < m * |d| - 2^(32 + s) <= 2^(s + 1) gives high(m * x) >> s, plus 1 for negative x,
// and negated for negative d. It has at most 32 bits; from 2^31 on the instruction reads it as m - 2^32, and
// adding x compensates for that.
#include <algorithm>
#include <bit>

#include "backends/gcn/selector.h"
#include "ir/division_factor.h"

namespace kc::gcn {
namespace {

unsigned log2_up(uint64_t v) { return v <= 1 ? 0 : 64 - static_cast<unsigned>(std::countl_zero(v - 1)); }

struct Factor {
  uint32_t factor = 0;
  unsigned shift = 0;
};

Factor signed_factor(uint64_t d) {
  for (unsigned shift = 0;; ++shift) {
    const uint64_t power = uint64_t{1} << (32 + shift), factor = power / d + 1;
    if (factor * d - power <= uint64_t{2} << shift) return {static_cast<uint32_t>(factor), shift};
  }
}

}  // namespace

// x / d or x % d; x is a 32-bit value in vector registers, or in a scalar register if `scalar`.
ValueId Selector::divide_by_constant(Op op, ValueId x, uint32_t d, uint64_t bound, bool scalar) {
  bool is_signed = op == Op::sdiv || op == Op::srem, remainder = op == Op::urem || op == Op::srem;
  auto high = [&](ValueId v, uint32_t factor) {
    if (scalar)
      return make(is_signed ? Op::gcn_s_mul_hi_i32 : Op::gcn_s_mul_hi_u32, sgpr(), {v, imm(factor)});
    return vop3(is_signed ? Op::gcn_v_mul_hi_i32 : Op::gcn_v_mul_hi_u32, vgpr(), {v, imm(factor)});
  };
  auto apply = [&](Op what, ValueId a, ValueId c) {
    if (!scalar) return lane_int32(what, a, c);
    return make(what == Op::add    ? Op::gcn_s_add_u32
                : what == Op::sub  ? Op::gcn_s_sub_u32
                : what == Op::mul  ? Op::gcn_s_mul_i32
                : what == Op::lshr ? Op::gcn_s_lshr_b32
                                   : Op::gcn_s_ashr_i32,
                sgpr(), {a, c});
  };
  auto shifted = [&](Op what, ValueId a, unsigned by) { return by ? apply(what, a, imm(by)) : a; };
  ValueId q;
  if (is_signed) {
    const uint64_t magnitude = d >> 31 ? uint64_t{0} - static_cast<uint64_t>(static_cast<int32_t>(d)) : d;
    const Factor f = signed_factor(magnitude);
    q = high(x, f.factor);
    if (f.factor >> 31) q = apply(Op::add, q, x);
    q = apply(Op::add, shifted(Op::ashr, q, f.shift), apply(Op::lshr, x, imm(31)));
    if (d >> 31) q = apply(Op::sub, scalar ? imm(0) : to_vector(imm(0)), q);
  } else if (const auto f = exact_factor(d, 32, bound)) {
    const ValueId part = shifted(Op::lshr, x, f->before);
    q = shifted(Op::lshr, high(part, static_cast<uint32_t>(f->factor)), f->after);
  } else {
    const unsigned l = log2_up(d);
    const auto factor = static_cast<uint32_t>((((uint64_t{1} << l) - d) << 32) / d + 1);
    ValueId t = high(x, factor);
    ValueId sum = apply(Op::add, apply(Op::lshr, apply(Op::sub, x, t), imm(1)), t);
    q = shifted(Op::lshr, sum, l - 1);
  }
  return remainder ? apply(Op::sub, x, apply(Op::mul, q, imm(static_cast<int32_t>(d)))) : q;
}

}  // namespace kc::gcn
