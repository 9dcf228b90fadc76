// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/elements.h"

#include <bit>

#include "ir/check.h"
#include "ir/division_factor.h"
#include "ir/known_bits.h"

namespace kc::x64 {
namespace {

ValueId to_double(Emit& e, bool is_signed, ValueId half, VecType t) {
  if (is_signed) return e.vec(Op::x64_vcvtdq2pd, {half}, t.bytes);
  if (e.avx512) return e.vec(Op::x64_vcvtudq2pd, {half}, t.bytes);
  ValueId biased = e.xor_(half, e.constant(0x80000000u, t.as(32)), t);
  return e.fadd(e.vec(Op::x64_vcvtdq2pd, {biased}, t.bytes), e.fconstant(2147483648.0, t.as(64)), t.as(64));
}

// A non-integral quotient of two 32-bit integers differs from the next integer by at least 2^-32, far more
// than the rounding error of a double, so truncating the rounded quotient is exact.
ValueId divide32(Emit& e, bool is_signed, bool remainder, ValueId a, ValueId b, ValueId inverse, VecType t) {
  VecType d = t.as(64);
  unsigned halves = t.bytes == 16 ? 1 : 2;
  ValueId q[2];
  for (unsigned h = 0; h < halves; ++h) {
    ValueId x = to_double(e, is_signed, e.extract_half(a, h, t), t);
    q[h] =
        inverse ? e.fmul(x, inverse, d) : e.fdiv(x, to_double(e, is_signed, e.extract_half(b, h, t), t), d);
    if (is_signed)
      q[h] = e.vec(Op::x64_vcvttpd2dq, {q[h]}, t.bytes);
    else if (e.avx512)
      q[h] = e.vec(Op::x64_vcvttpd2udq, {q[h]}, t.bytes);
    else  // 2^52 moves the integer into the low bits
      q[h] = e.fadd(e.round(q[h], 3, d), e.fconstant(4503599627370496.0, d), d);
  }
  if (halves == 1) q[1] = q[0];
  ValueId quotient = is_signed || e.avx512 ? e.insert_half(q[0], q[1], t) : e.narrow(q[0], q[1], t);
  if (remainder) return e.sub(a, e.mul(quotient, b, t), t);
  return e.blend(e.compare(true, Eq, b, e.zero(), t), e.ones(), quotient, t);
}

// 64-bit division lane by lane; the machine opcode is defined for all inputs.
ValueId divide64(Emit& e, bool is_signed, bool remainder, ValueId a, ValueId b, VecType t) {
  std::vector<ValueId> lanes;
  for (unsigned i = 0; i < t.lanes(); ++i) {
    ValueId x = e.extract(a, i, t), y = e.extract(b, i, t);
    ValueId high = is_signed ? e.gpr(Op::x64_sar_imm, {x, e.number(63)}) : e.gpr_const(0);
    InstId row = e.row(is_signed ? Op::x64_sdiv : Op::x64_udiv, {x, high, y}, {kGpr, kGpr}, {8});
    lanes.push_back(e.m.result(row, remainder ? 1 : 0));
  }
  return e.build(lanes, t);
}

// Bytes and shorts are exact as floats. A quotient that is no integer is at least 1 / b away from the next
// one, and less than 2^-3 / b from the float, also where that is a product with `inverse`.
ValueId divide_small(Emit& e, bool remainder, ValueId a, ValueId b, ValueId inverse, VecType t) {
  auto to_float = [&](ValueId v) { return e.vec(Op::x64_vcvtdq2ps, {v}, t.bytes); };
  const ValueId x = to_float(a), q = inverse ? e.fmul(x, inverse, t) : e.fdiv(x, to_float(b), t);
  const ValueId quotient = e.vec(Op::x64_vcvttps2dq, {q}, t.bytes);
  if (remainder) return e.sub(a, e.mul(quotient, b, t), t);
  return e.blend(e.compare(true, Eq, b, e.zero(), t), e.ones(), quotient, t);
}

// The upper half of a * m, both unsigned.
ValueId high_product(Emit& e, ValueId a, uint64_t m, VecType t) {
  constexpr uint64_t kLow = 0xffffffff;
  const VecType wide = t.as(64);
  const auto times = [&](ValueId x, uint64_t by) {
    return e.vec(Op::x64_vpmuludq, {x, e.constant(by, wide)}, t.bytes);
  };
  const ValueId upper = e.lshr(a, 32, wide);
  if (t.bits == 32)
    return e.or_(e.lshr(times(a, m), 32, wide), e.and_(times(upper, m), e.constant(~kLow, wide), wide), wide);
  const ValueId cross = e.add(times(a, m >> 32), e.lshr(times(a, m & kLow), 32, t), t);
  const ValueId other = e.add(times(upper, m & kLow), e.and_(cross, e.constant(kLow, t), t), t);
  return e.add(times(upper, m >> 32), e.add(e.lshr(cross, 32, t), e.lshr(other, 32, t), t), t);
}

ValueId divide(Emit& e, Op op, Elem elem, ValueId a, ValueId b, ValueId inverse, VecType t) {
  bool is_signed = op == Op::sdiv || op == Op::srem, remainder = op == Op::srem || op == Op::urem;
  if (t.bits == 64) return divide64(e, is_signed, remainder, a, b, t);
  if (!is_small(elem)) return divide32(e, is_signed, remainder, a, b, inverse, t);
  if (is_signed) a = sign_extend_small(e, elem, a, t.bytes), b = sign_extend_small(e, elem, b, t.bytes);
  return cut_small(e, elem, divide_small(e, remainder, a, b, inverse, t), t.bytes);
}

ValueId float_min_max(Emit& e, bool is_min, ValueId a, ValueId b, VecType t) {
  // The instruction returns b if an operand is NaN or both are zeros. Equal operands differ at most in the
  // sign of zero.
  ValueId r = is_min ? e.raw_min(a, b, t) : e.raw_max(a, b, t);
  ValueId zero_rule = is_min ? e.or_(a, b, t) : e.and_(a, b, t);
  r = e.blend(e.fcompare(Eq, a, b, t), zero_rule, r, t);
  return e.blend(e.fcompare(Unordered, b, b, t), a, r, t);
}

template <class Count>
ValueId shift(Emit& e, Op op, Elem elem, ValueId a, Count n, VecType t) {
  if (op == Op::lshr) return e.lshr(a, n, t);
  if (op == Op::shl) return cut_small(e, elem, e.shl(a, n, t), t.bytes);
  return cut_small(e, elem, e.ashr(sign_extend_small(e, elem, a, t.bytes), n, t), t.bytes);
}

ValueId fused(Emit& e, std::span<const ValueId> args, VecType t) {
  return e.vec(t.bits == 32 ? Op::x64_vfmadd213ps : Op::x64_vfmadd213pd, {args[0], args[1], args[2]},
               t.bytes);
}

}  // namespace

ValueId element_divide(Emit& e, Op op, Elem elem, unsigned bytes, ValueId a, ValueId b, ValueId inverse) {
  return divide(e, op, elem, a, b, inverse, {bytes, 32});
}

bool divides_by_product(Op op, Elem elem, uint64_t divisor) {
  const bool is_signed = op == Op::sdiv || op == Op::srem;
  return !is_small(elem) && divisor > 1 && !(is_signed && divisor == low_ones(bits_of(elem)));
}

// Granlund and Montgomery 1994, with w bits, and s the number of bits of |d| - 1.
//
// unsigned: by ir/division_factor.h; where a factor of w bits is not exact, m is the next integer above
//           2^w (2^s - d) / d, and h = x * m >> w
//           x / d = (h + (x - h >> 1)) >> s - 1
// signed:   m is the next integer above 2^(w - 1 + s) / |d|
//           x / |d| = (x * m >> w - 1 + s) + (x < 0)
ValueId divide_by_product(Emit& e, Op op, Elem elem, unsigned bytes, ValueId a, uint64_t divisor) {
  const bool is_signed = op == Op::sdiv || op == Op::srem, remainder = op == Op::srem || op == Op::urem;
  const unsigned w = bits_of(elem);
  const bool negative = is_signed && divisor >> (w - 1);
  const uint64_t d = negative ? low_ones(w) & -divisor : divisor;
  const VecType t{bytes, w};
  const auto s = static_cast<unsigned>(std::bit_width(d - 1));
  using Wide = unsigned __int128;
  ValueId q;
  if (is_signed) {
    const auto m = static_cast<uint64_t>((Wide{1} << (w - 1 + s)) / d + 1);
    const ValueId sign = e.ashr(a, w - 1, t);
    // m counts as unsigned: for a negative x the product of the bits is 2^w m too large.
    const ValueId high = e.sub(high_product(e, a, m, t), e.and_(sign, e.constant(m, t), t), t);
    q = e.ashr(high, s - 1, t);
    q = negative ? e.sub(sign, q, t) : e.sub(q, sign, t);
  } else if (const auto f = exact_factor(d, w, low_ones(w))) {
    const auto shifted = [&](ValueId v, unsigned by) { return by ? e.lshr(v, by, t) : v; };
    q = shifted(high_product(e, shifted(a, f->before), f->factor, t), f->after);
  } else {
    const auto m = static_cast<uint64_t>((((Wide{1} << s) - d) << w) / d + 1);
    const ValueId high = high_product(e, a, m, t);
    q = e.lshr(e.add(high, e.lshr(e.sub(a, high, t), 1, t), t), s - 1, t);
  }
  return remainder ? e.sub(a, e.mul(q, e.constant(divisor, t), t), t) : q;
}

ValueId element_shift(Emit& e, Op op, Elem elem, unsigned bytes, ValueId a, unsigned n) {
  return shift(e, op, elem, a, n, {bytes, element_bits(elem)});
}

ValueId sign_extend_small(Emit& e, Elem elem, ValueId a, unsigned bytes) {
  if (!is_small(elem)) return a;
  VecType t{bytes, 32};
  unsigned n = 32 - bits_of(elem);
  return e.ashr(e.shl(a, n, t), n, t);
}
ValueId cut_small(Emit& e, Elem elem, ValueId a, unsigned bytes) {
  if (!is_small(elem)) return a;
  VecType t{bytes, 32};
  return e.and_(a, e.constant(elem == Elem::I8 ? 0xff : 0xffff, t), t);
}

ValueId integer_op(Emit& e, Op op, ValueId a, ValueId b, VecType t) {
  switch (op) {
    case Op::add:
      return e.add(a, b, t);
    case Op::sub:
      return e.sub(a, b, t);
    case Op::mul:
      return e.mul(a, b, t);
    case Op::and_:
      return e.and_(a, b, t);
    case Op::or_:
      return e.or_(a, b, t);
    case Op::xor_:
      return e.xor_(a, b, t);
    case Op::umin:
    case Op::smin:
      return e.min(op == Op::smin, a, b, t);
    default:
      KC_CHECK(op == Op::umax || op == Op::smax, "x64: '{}' is no arithmetic of integers", name_of(op));
      return e.max(op == Op::smax, a, b, t);
  }
}

ValueId element_op(Emit& e, Op op, Elem elem, unsigned bytes, std::span<const ValueId> args) {
  VecType t{bytes, element_bits(elem)};
  ValueId a = args[0], b = args.size() > 1 ? args[1] : ValueId();
  auto small = [&](ValueId v) { return cut_small(e, elem, v, bytes); };
  auto extended = [&](ValueId v) { return sign_extend_small(e, elem, v, bytes); };
  switch (op) {
    case Op::add:
    case Op::sub:
    case Op::mul:
      return small(integer_op(e, op, a, b, t));
    case Op::and_:
    case Op::or_:
    case Op::xor_:
    case Op::umin:
    case Op::umax:
      return integer_op(e, op, a, b, t);
    case Op::smin:
    case Op::smax:
      return small(integer_op(e, op, extended(a), extended(b), t));
    case Op::sdiv:
    case Op::udiv:
    case Op::srem:
    case Op::urem:
      return divide(e, op, elem, a, b, {}, t);
    case Op::shl:
    case Op::lshr:
    case Op::ashr:
      return shift(e, op, elem, a, e.and_(b, e.constant(bits_of(elem) - 1, t), t), t);
    case Op::fadd:
      return e.fadd(a, b, t);
    case Op::fsub:
      return e.fsub(a, b, t);
    case Op::fmul:
      return e.fmul(a, b, t);
    case Op::fdiv:
      return e.fdiv(a, b, t);
    case Op::ffma:
      return fused(e, args, t);
    case Op::fneg:
      return e.xor_(a, e.constant(uint64_t{1} << (t.bits - 1), t), t);
    case Op::fabs:
      return e.and_(a, e.constant((uint64_t{1} << (t.bits - 1)) - 1, t), t);
    case Op::fsqrt:
      return e.fsqrt(a, t);
    case Op::fmin:
      return float_min_max(e, true, a, b, t);
    case Op::fmax:
      return float_min_max(e, false, a, b, t);
    case Op::frint:
      return e.round(a, 0, t);
    case Op::ffloor:
      return e.round(a, 1, t);
    case Op::fceil:
      return e.round(a, 2, t);
    case Op::ftrunc:
      return e.round(a, 3, t);
    default:
      break;
  }
  KC_CHECK(false, "x64: no vector form of '{}'", name_of(op));
  return {};
}

Predicate predicate_of(Op comparison) {
  switch (comparison) {
    case Op::eq:
      return Eq;
    case Op::ne:
      return NotEq;
    case Op::slt:
    case Op::ult:
      return Lt;
    default:
      KC_CHECK(comparison == Op::sle || comparison == Op::ule, "x64: '{}' compares no integers",
               name_of(comparison));
      return Le;
  }
}

ValueId element_compare(Emit& e, Op op, Elem elem, unsigned bytes, ValueId a, ValueId b) {
  VecType t{bytes, element_bits(elem)};
  switch (op) {
    case Op::eq:
    case Op::ne:
      return e.compare(true, predicate_of(op), a, b, t);
    case Op::slt:
    case Op::sle:
      return e.compare(true, predicate_of(op), sign_extend_small(e, elem, a, bytes),
                       sign_extend_small(e, elem, b, bytes), t);
    case Op::ult:
    case Op::ule:
      // Small values have a zero sign bit as 32-bit elements, so a signed comparison suffices.
      return e.compare(is_small(elem), predicate_of(op), a, b, t);
    case Op::feq:
      return e.fcompare(Eq, a, b, t);
    case Op::fne:
      return e.fcompare(NotEq, a, b, t);
    case Op::flt:
      return e.fcompare(Lt, a, b, t);
    default:
      return e.fcompare(Le, a, b, t);
  }
}

const Inst* defined_by(const Function& f, ValueId v, Op op) {
  const InstId d = f.is_inline(v) ? InstId() : f.def(v);
  return d && f.inst(d).op == op ? &f.inst(d) : nullptr;
}

namespace {

struct ScalarRows {
  unsigned bytes;
  bool is_float;
  Op load, load_index, store, store_index;
};
constexpr ScalarRows kScalarRows[] = {
    {1, false, Op::x64_load8, Op::x64_load8_index, Op::x64_store8, Op::x64_store8_index},
    {2, false, Op::x64_load16, Op::x64_load16_index, Op::x64_store16, Op::x64_store16_index},
    {4, false, Op::x64_load32, Op::x64_load32_index, Op::x64_store32, Op::x64_store32_index},
    {8, false, Op::x64_load64, Op::x64_load64_index, Op::x64_store64, Op::x64_store64_index},
    {4, true, Op::x64_vmovss_load, Op::x64_vmovss_load_index, Op::x64_vmovss_store,
     Op::x64_vmovss_store_index},
    {8, true, Op::x64_vmovsd_load, Op::x64_vmovsd_load_index, Op::x64_vmovsd_store,
     Op::x64_vmovsd_store_index}};

}  // namespace

Op scalar_access(Elem elem, bool store, bool index) {
  const Type type{elem};
  const auto r = std::ranges::find_if(kScalarRows, [&](const ScalarRows& x) {
    return x.bytes == type.bytes() && x.is_float == type.is_float();
  });
  return store ? (index ? r->store_index : r->store) : index ? r->load_index : r->load;
}

std::optional<ScalarAccess> scalar_access_of(Op op) {
  for (const ScalarRows& r : kScalarRows)
    for (bool indexed : {false, true}) {
      const Op load = indexed ? r.load_index : r.load, store = indexed ? r.store_index : r.store;
      if (op == load || op == store) return ScalarAccess{r.bytes, op == store, indexed, load};
    }
  return std::nullopt;
}

}  // namespace kc::x64
