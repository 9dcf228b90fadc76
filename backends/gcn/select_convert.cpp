// SPDX-License-Identifier: Apache-2.0
// Type conversions.
#include "backends/gcn/selector.h"
#include "ir/check.h"

namespace kc::gcn {

ValueId Selector::lane_convert(Op op, Elem from, Elem to, ValueId x) {
  switch (op) {
    case Op::bitcast:
      return to_vector(x);
    case Op::zext:
      return is_wide(to) ? pack(to_vector(x), imm(0), true) : to_vector(x);
    case Op::sext: {
      if (from == Elem::I1) return narrow(is_wide(to) ? pack(x, x, true) : x, to);
      ValueId s = widen_signed(to_vector(x), from);
      return is_wide(to) ? pack(s, sign_of(Elem::I32, s), true) : narrow(s, to);
    }
    case Op::trunc: {
      ValueId low = is_wide(from) ? lo(to_vector(x)) : to_vector(x);
      if (to != Elem::I1) return narrow(low, to);
      return vcmp(Op::gcn_v_cmp_ne_u32, imm(0), make(Op::gcn_v_and_b32, vgpr(), {imm(1), low}));
    }
    case Op::fptosi:
    case Op::fptoui:
      return float_to_int(from, to, op == Op::fptosi, to_vector(x));
    case Op::sitofp:
    case Op::uitofp:
      return int_to_float(from, to, op == Op::sitofp, to_vector(x));
    case Op::fpext:
      return make(Op::gcn_v_cvt_f64_f32, vgpr(2), {to_vector(x)});
    case Op::fptrunc:
      return make(Op::gcn_v_cvt_f32_f64, vgpr(), {to_vector(x)});
    default:
      break;
  }
  KC_CHECK(false, "gcn: no conversion '{}'", info(op).name);
}

// The hardware saturates to 32 bits and converts NaN to 0, as the language requires.
ValueId Selector::float_to_int(Elem from, Elem to, bool is_signed, ValueId x) {
  if (is_wide(to)) return float_to_int64(from, is_signed, x);
  Op convert = from == Elem::F64 ? (is_signed ? Op::gcn_v_cvt_i32_f64 : Op::gcn_v_cvt_u32_f64)
                                 : (is_signed ? Op::gcn_v_cvt_i32_f32 : Op::gcn_v_cvt_u32_f32);
  ValueId v = make(convert, vgpr(), {x});
  if (!is_small(to)) return v;
  int64_t limit = low_bits(to);
  if (!is_signed) return make(Op::gcn_v_min_u32, vgpr(), {imm(limit), v});
  v = make(Op::gcn_v_min_i32, vgpr(), {imm(limit >> 1), v});
  return narrow(make(Op::gcn_v_max_i32, vgpr(), {imm(-(limit >> 1) - 1), v}), to);
}

// The integral part of a non-negative number, in two words. Each step is exact: the scaling is by a power of
// two, and the remainder after subtracting the high word has no more digits than the number.
ValueId Selector::words_of(Elem elem, ValueId x) {
  bool wide = elem == Elem::F64;
  ValueId down = wide ? constant64(0x3df0000000000000) : imm(0x2f800000);  // 2^-32
  ValueId up = wide ? constant64(0xc1f0000000000000) : imm(0xcf800000);    // -2^32
  Op convert = wide ? Op::gcn_v_cvt_u32_f64 : Op::gcn_v_cvt_u32_f32;
  ValueId high = lane_float(Op::ftrunc, elem, {lane_float(Op::fmul, elem, {down, x})});
  ValueId low = lane_float(Op::ffma, elem, {high, up, x});
  return pack(make(convert, vgpr(), {low}), make(convert, vgpr(), {high}), true);
}

// By magnitude and sign. For an unsigned target negative numbers become 0; v_max returns 0 for NaN, and the
// conversion of a NaN magnitude gives 0 as well.
ValueId Selector::float_to_int64(Elem from, bool is_signed, ValueId x) {
  bool wide = from == Elem::F64;
  ValueId magnitude = is_signed ? lane_float(Op::fabs, from, {x}) : lane_float(Op::fmax, from, {imm(0), x});
  uint64_t limit64 = is_signed ? 0x43e0000000000000 : 0x43f0000000000000;  // 2^63, 2^64
  int64_t limit32 = is_signed ? 0x5f000000 : 0x5f800000;
  ValueId limit = wide ? constant64(limit64) : to_vector(imm(limit32));
  ValueId over = lane_compare(Op::fle, from, limit, magnitude);
  ValueId v = words_of(from, lane_float(Op::ftrunc, from, {magnitude}));
  if (!is_signed) return choose(over, constant64(~uint64_t{0}), v);
  ValueId sign = sign_of(wide ? Elem::I64 : Elem::I32, x);
  ValueId top = make(Op::gcn_v_xor_b32, vgpr(), {imm(0x7fffffff), sign});
  ValueId rest = make(Op::gcn_v_xor_b32, vgpr(), {imm(-1), sign});
  return choose(over, pack(rest, top, true), negate_if(Elem::I64, sign, v));
}

ValueId Selector::int_to_float(Elem from, Elem to, bool is_signed, ValueId x) {
  if (is_wide(from)) return to == Elem::F64 ? int64_to_f64(is_signed, x) : int64_to_f32(is_signed, x);
  if (is_signed) x = widen_signed(x, from);
  if (to == Elem::F64) return make(is_signed ? Op::gcn_v_cvt_f64_i32 : Op::gcn_v_cvt_f64_u32, vgpr(2), {x});
  return make(is_signed ? Op::gcn_v_cvt_f32_i32 : Op::gcn_v_cvt_f32_u32, vgpr(), {x});
}

// Both words are exact, and so is the scaling: only the addition rounds.
ValueId Selector::int64_to_f64(bool is_signed, ValueId x) {
  ValueId low = make(Op::gcn_v_cvt_f64_u32, vgpr(2), {lo(x)});
  ValueId high = make(is_signed ? Op::gcn_v_cvt_f64_i32 : Op::gcn_v_cvt_f64_u32, vgpr(2), {hi(x)});
  high = make(Op::gcn_v_ldexp_f64, vgpr(2), {high, imm(32)});
  return make(Op::gcn_v_add_f64, vgpr(2), {high, low});
}

// Converts the leading 32 bits. The bits below them matter only in a tie, so one sticky bit replaces them
// all; 32 bits have room for it below the 24 bits of the result and the rounding bit.
ValueId Selector::int64_to_f32(bool is_signed, ValueId x) {
  ValueId magnitude = is_signed ? negate_if(Elem::I64, sign_of(Elem::I64, x), x) : x;
  ValueId zeros = make(Op::gcn_v_ffbh_u32, vgpr(), {hi(magnitude)});  // all ones when the word is 0
  ValueId shift = make(Op::gcn_v_min_u32, vgpr(), {imm(32), zeros});
  ValueId shifted = make(Op::gcn_v_lshlrev_b64, vgpr(2), {shift, magnitude});
  ValueId sticky = make(Op::gcn_v_min_u32, vgpr(), {imm(1), lo(shifted)});
  ValueId leading = make(Op::gcn_v_or_b32, vgpr(), {hi(shifted), sticky});
  ValueId f = make(Op::gcn_v_cvt_f32_u32, vgpr(), {leading});
  f = make(Op::gcn_v_ldexp_f32, vgpr(), {f, make(Op::gcn_v_sub_u32, vgpr(), {imm(32), shift})});
  if (!is_signed) return f;
  ValueId sign = make(Op::gcn_v_and_b32, vgpr(), {imm(0x80000000), hi(x)});
  return make(Op::gcn_v_or_b32, vgpr(), {sign, f});
}

}  // namespace kc::gcn
