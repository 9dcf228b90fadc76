// SPDX-License-Identifier: Apache-2.0
// Float arithmetic: f32, f64, and square roots.
#include "backends/gcn/selector.h"
#include "ir/check.h"

namespace kc::gcn {

ValueId Selector::lane_float(Op op, Elem elem, const std::vector<ValueId>& v) {
  if (op == Op::fsqrt) return elem == Elem::F64 ? sqrt64(to_vector(v[0])) : sqrt32(to_vector(v[0]));
  return elem == Elem::F64 ? lane_float64(op, v) : lane_float32(op, v);
}

ValueId Selector::lane_float32(Op op, const std::vector<ValueId>& v) {
  Type type = vgpr();
  switch (op) {
    case Op::fadd:
      return vop2(Op::gcn_v_add_f32, v[0], v[1], true);
    case Op::fsub:
      if (m.is_const(v[1]))  // x + -c is the same
        return vop2(Op::gcn_v_add_f32, v[0], imm(static_cast<uint32_t>(m.value(v[1]).bits) ^ 0x80000000u),
                    true);
      return is_scalar_reg(v[1]) ? vop2(Op::gcn_v_subrev_f32, v[1], v[0], false)
                                 : vop2(Op::gcn_v_sub_f32, v[0], v[1], false);
    case Op::fmul:
      return vop2(Op::gcn_v_mul_f32, v[0], v[1], true);
    case Op::fmin:
      return vop2(Op::gcn_v_min_f32, v[0], v[1], true);
    case Op::fmax:
      return vop2(Op::gcn_v_max_f32, v[0], v[1], true);
    case Op::ffma:
      return vop3(Op::gcn_v_fma_f32, type, v);
    case Op::ffloor:
      return make(Op::gcn_v_floor_f32, type, v);
    case Op::fceil:
      return make(Op::gcn_v_ceil_f32, type, v);
    case Op::ftrunc:
      return make(Op::gcn_v_trunc_f32, type, v);
    case Op::frint:
      return make(Op::gcn_v_rndne_f32, type, v);
    case Op::fneg:
      return make(Op::gcn_v_xor_b32, type, {imm(0x80000000), to_vector(v[0])});
    case Op::fabs:
      return make(Op::gcn_v_and_b32, type, {imm(0x7fffffff), to_vector(v[0])});
    case Op::fdiv:
      return m.result(
          b.emit(Op::gcn_p_div_f32, {to_vector(v[0]), to_vector(v[1])}, {type, type, type, type, type}));
    default:
      break;
  }
  KC_CHECK(false, "gcn: no f32 form of '{}'", info(op).name);
}

ValueId Selector::lane_float64(Op op, const std::vector<ValueId>& v) {
  Type type = vgpr(2);
  switch (op) {
    case Op::fadd:
      return vop3(Op::gcn_v_add_f64, type, v);
    case Op::fsub:
      return vop3(Op::gcn_v_add_f64, type, v, {kNegateSecond});
    case Op::fmul:
      return vop3(Op::gcn_v_mul_f64, type, v);
    case Op::ffma:
      return vop3(Op::gcn_v_fma_f64, type, v);
    case Op::fmin:
      return vop3(Op::gcn_v_min_f64, type, v);
    case Op::fmax:
      return vop3(Op::gcn_v_max_f64, type, v);
    case Op::ffloor:
      return make(Op::gcn_v_floor_f64, type, v);
    case Op::fceil:
      return make(Op::gcn_v_ceil_f64, type, v);
    case Op::ftrunc:
      return make(Op::gcn_v_trunc_f64, type, v);
    case Op::frint:
      return make(Op::gcn_v_rndne_f64, type, v);
    case Op::fdiv:
      return m.result(
          b.emit(Op::gcn_p_div_f64, {to_vector(v[0]), to_vector(v[1])}, {type, type, type, type, type}));
    case Op::fneg:
      return pack(lo(v[0]), make(Op::gcn_v_xor_b32, vgpr(), {imm(0x80000000), hi(v[0])}), true);
    case Op::fabs:
      return pack(lo(v[0]), make(Op::gcn_v_and_b32, vgpr(), {imm(0x7fffffff), hi(v[0])}), true);
    default:
      break;
  }
  KC_CHECK(false, "gcn: no f64 form of '{}'", info(op).name);
}

// Both roots end in the same way. Let s be within one ulp of the root of a, and s+ the next number. The root
// is above the midpoint m of s and s+ if a > m * m = s * s+ + ((s+ - s) / 2)^2. Since a and s * s+ are
// multiples of (s+ - s)^2, this is equivalent to a - s * s+ > 0, and one fused operation gives that sign
// without error. Below s the condition is a - s * s- <= 0. Arguments are scaled up where the difference could
// underflow.

ValueId Selector::sqrt32(ValueId x) {
  ValueId small = vcmp(Op::gcn_v_cmp_lt_f32, x, to_vector(imm(0x0f800000)));  // 2^-96
  ValueId up = make(Op::gcn_v_mul_f32, vgpr(), {imm(0x4f800000), x});         // times 2^32
  ValueId a = choose(small, up, x);
  ValueId s = make(Op::gcn_v_sqrt_f32, vgpr(), {a});  // within one unit
  ValueId below = make(Op::gcn_v_add_u32, vgpr(), {imm(-1), s}),
          above = make(Op::gcn_v_add_u32, vgpr(), {imm(1), s});
  ValueId low = make(Op::gcn_v_fma_f32, vgpr(), {below, s, a}, {kNegateFirst});
  ValueId high = make(Op::gcn_v_fma_f32, vgpr(), {above, s, a}, {kNegateFirst});
  ValueId r = choose(vcmp(Op::gcn_v_cmp_ge_f32, imm(0), low), below, s);
  r = choose(vcmp(Op::gcn_v_cmp_lt_f32, imm(0), high), above, r);
  ValueId down = make(Op::gcn_v_mul_f32, vgpr(), {imm(0x37800000), r});  // times 2^-16
  r = choose(small, down, r);
  ValueId special = make(Op::gcn_v_cmp_class_f32, masks_.type, {a, to_vector(imm(kOwnRoots))});
  return choose(special, a, r);
}

// v_rsq_f64 is accurate only to 2^29 ulps, 2^-23 of its value. With y = (1 + e) / sqrt(a) the first step
// leaves errors of 1.5 * e^2 in s and h (half the reciprocal root), the second about their product: only the
// rounding of s itself remains, half an ulp.
ValueId Selector::sqrt64(ValueId x) {
  Type type = vgpr(2);
  auto fma = [&](ValueId p, ValueId q, ValueId r, Negate negate) {
    return vop3(Op::gcn_v_fma_f64, type, {p, q, r}, {negate});
  };
  ValueId half = imm(0x3f000000);                                                 // the inline constant 0.5
  ValueId small = vcmp(Op::gcn_v_cmp_gt_f64, constant64(0x1000000000000000), x);  // 2^-767
  ValueId a = vop3(Op::gcn_v_ldexp_f64, type, {x, choose(small, to_vector(imm(256)), to_vector(imm(0)))});
  ValueId y = make(Op::gcn_v_rsq_f64, type, {a});
  ValueId s = make(Op::gcn_v_mul_f64, type, {a, y}), h = make(Op::gcn_v_mul_f64, type, {half, y});
  ValueId error = fma(h, s, half, kNegateFirst);
  h = fma(h, error, h, kNegateNone), s = fma(s, error, s, kNegateNone);
  s = fma(fma(s, s, a, kNegateFirst), h, s, kNegateNone);
  ValueId below = make(Op::gcn_p_v_add64, type, {imm(-1), s}),
          above = make(Op::gcn_p_v_add64, type, {imm(1), s});
  ValueId low = fma(below, s, a, kNegateFirst), high = fma(above, s, a, kNegateFirst);
  ValueId r = choose(vcmp(Op::gcn_v_cmp_ge_f64, imm(0), low), below, s);
  r = choose(vcmp(Op::gcn_v_cmp_lt_f64, imm(0), high), above, r);
  r = vop3(Op::gcn_v_ldexp_f64, type, {r, choose(small, to_vector(imm(-128)), to_vector(imm(0)))});
  ValueId special = make(Op::gcn_v_cmp_class_f64, masks_.type, {a, to_vector(imm(kOwnRoots))});
  return choose(special, a, r);
}

}  // namespace kc::gcn
