// SPDX-License-Identifier: Apache-2.0
// Integer division by an estimate of 2^n / d, where n is the width.
//
// Let X = 2^n / d and let z <= X be an integer; call X - z its deficit. The high word of x * z is below x / d
// by less than the deficit plus 1, so for a deficit below 2 (slightly more is harmless: x / 2^n < 1) at most
// two corrections of the quotient remain. The step z += high(z * (2^n - d * z)) turns a deficit F into F * F
// / X + t with 0 <= t < 1 and never overshoots.
//
// The first z is the float reciprocal; its error and those of the conversions around it stay below 2^-21 of
// X. The factor 1 - 2^-21 ensures z <= X, hence F < X * 2^-20 + 1. For 32 bits one step gives
// F < 1.01 + 1 / X; for 64 bits two steps give F < 1.01 + (1.01 + 1 / X)^2 / X. If X is below 3 the latter
// bound is too weak, but then z is 0, 1 or 2, steps do not change it, and the deficit is below 2 from the
// start.
#include "backends/gcn/selector.h"

namespace kc::gcn {

ValueId Selector::lane_divide(Op op, Elem elem, ValueId x, ValueId y) {
  bool is_signed = op == Op::sdiv || op == Op::srem, remainder = op == Op::srem || op == Op::urem;
  if (is_signed) x = widen_signed(x, elem), y = widen_signed(y, elem);
  if (!is_signed) return narrow(divide_unsigned(elem, remainder, x, y, x, y), elem);
  ValueId sign_x = sign_of(elem, x), sign_y = sign_of(elem, y);
  ValueId n = negate_if(elem, sign_x, x), d = negate_if(elem, sign_y, y);
  ValueId result_sign = remainder ? sign_x : make(Op::gcn_v_xor_b32, vgpr(), {sign_x, sign_y});
  return narrow(divide_unsigned(elem, remainder, n, d, x, y, result_sign), elem);
}

ValueId Selector::sign_of(Elem elem, ValueId v) {
  return make(Op::gcn_v_ashrrev_i32, vgpr(), {imm(31), is_wide(elem) ? hi(v) : v});
}

// -v in lanes where sign is all ones, v where it is zero.
ValueId Selector::negate_if(Elem elem, ValueId sign, ValueId v) {
  if (!is_wide(elem)) {
    ValueId flipped = make(Op::gcn_v_xor_b32, vgpr(), {v, sign});
    return make(Op::gcn_v_sub_u32, vgpr(), {flipped, sign});
  }
  ValueId low = make(Op::gcn_v_xor_b32, vgpr(), {lo(v), sign});
  ValueId high = make(Op::gcn_v_xor_b32, vgpr(), {hi(v), sign});
  return make(Op::gcn_p_v_sub64, vgpr(2), {pack(low, high, true), pack(sign, sign, true)});
}

// n / d or n % d with the sign applied. x / 0 is all ones, x % 0 is x, for the original operands.
ValueId Selector::divide_unsigned(Elem elem, bool remainder, ValueId n, ValueId d, ValueId x, ValueId y,
                                  ValueId sign) {
  bool wide = is_wide(elem);
  Type type = vgpr(wide ? 2 : 1);
  auto multiply = [&](ValueId a, ValueId c) {
    return wide ? lane_int64(Op::mul, a, c) : lane_int32(Op::mul, a, c);
  };
  auto high = [&](ValueId a, ValueId c) {
    return wide ? multiply_high64(a, c) : make(Op::gcn_v_mul_hi_u32, vgpr(), {a, c});
  };
  auto add = [&](ValueId a, ValueId c) {
    return make(wide ? Op::gcn_p_v_add64 : Op::gcn_v_add_u32, type, {a, c});
  };
  auto subtract = [&](ValueId a, ValueId c) {
    return make(wide ? Op::gcn_p_v_sub64 : Op::gcn_v_sub_u32, type, {a, c});
  };
  ValueId z = wide ? reciprocal64(d) : reciprocal32(d);
  ValueId minus_d = subtract(wide ? constant64(0) : imm(0), d);
  for (int step = 0; step < (wide ? 2 : 1); ++step) z = add(z, high(z, multiply(minus_d, z)));
  ValueId q = high(n, z);
  ValueId r = subtract(n, multiply(q, d));
  for (int step = 0; step < 2; ++step) {
    ValueId more = vcmp(wide ? Op::gcn_v_cmp_ge_u64 : Op::gcn_v_cmp_ge_u32, r, d);
    if (!remainder) q = choose(more, add(imm(1), q), q);
    r = choose(more, subtract(r, d), r);
  }
  ValueId result = remainder ? r : q;
  if (sign) result = negate_if(elem, sign, result);
  ValueId by_zero = vcmp(wide ? Op::gcn_v_cmp_eq_u64 : Op::gcn_v_cmp_eq_u32, imm(0), y);
  ValueId all_ones = wide ? constant64(~uint64_t{0}) : to_vector(imm(-1));
  return choose(by_zero, remainder ? x : all_ones, result);
}

ValueId Selector::reciprocal32(ValueId d) {
  ValueId r = make(Op::gcn_v_rcp_f32, vgpr(), {make(Op::gcn_v_cvt_f32_u32, vgpr(), {d})});
  // 2^32 * (1 - 2^-21)
  return make(Op::gcn_v_cvt_u32_f32, vgpr(), {make(Op::gcn_v_mul_f32, vgpr(), {imm(0x4f7ffff8), r})});
}

ValueId Selector::reciprocal64(ValueId d) {
  ValueId low = make(Op::gcn_v_cvt_f32_u32, vgpr(), {lo(d)}),
          high = make(Op::gcn_v_cvt_f32_u32, vgpr(), {hi(d)});
  ValueId f = vop3(Op::gcn_v_fma_f32, vgpr(), {high, imm(0x4f800000), low});  // high * 2^32 + low
  // 2^64 * (1 - 2^-21)
  ValueId z = make(Op::gcn_v_mul_f32, vgpr(), {imm(0x5f7ffff8), make(Op::gcn_v_rcp_f32, vgpr(), {f})});
  return words_of(Elem::F32, z);
}

// The high half of the 128-bit product. No sum overflows: (2^32 - 1)^2 + 2^32 - 1 < 2^64.
ValueId Selector::multiply_high64(ValueId x, ValueId y) {
  auto mad = [&](ValueId a, ValueId c, ValueId plus) {
    return m.result(b.emit(Op::gcn_v_mad_u64_u32, {a, c, pack(plus, imm(0), true)}, {vgpr(2), masks_.type}));
  };
  ValueId low = make(Op::gcn_v_mul_hi_u32, vgpr(), {lo(x), lo(y)});
  ValueId middle = mad(lo(x), hi(y), low);
  ValueId carry = mad(hi(x), lo(y), lo(middle));
  return make(Op::gcn_p_v_add64, vgpr(2), {pack(hi(carry), imm(0), true), mad(hi(x), hi(y), hi(middle))});
}

}  // namespace kc::gcn
