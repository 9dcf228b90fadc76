// SPDX-License-Identifier: Apache-2.0
// Arithmetic that is defined for all inputs. SPIR-V leaves division by zero, large shift counts and
// out-of-range conversions undefined, so each is emitted with a guard.
#include <bit>
#include <cmath>

#include "backends/spirv/code.h"
#include "ir/check.h"

namespace kc::spirv {

namespace {

uint64_t low_bits(unsigned n) { return n >= 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1; }
uint64_t smallest(Elem e) { return uint64_t{1} << (width(e) - 1); }

uint64_t float_bits(Elem e, double value) {
  return e == Elem::F32 ? std::bit_cast<uint32_t>(static_cast<float>(value)) : std::bit_cast<uint64_t>(value);
}

// x/0 is all ones, x%0 is x; MIN/-1 and MIN%-1 are computed as divisions by 1.
Word divide(Code& c, Op op, Elem e, Word x, Word y, bool safe) {
  bool is_signed = op == Op::sdiv || op == Op::srem, quotient = op == Op::sdiv || op == Op::udiv;
  spv::Op instruction = op == Op::sdiv   ? spv::Op::OpSDiv
                        : op == Op::udiv ? spv::Op::OpUDiv
                        : op == Op::srem ? spv::Op::OpSRem
                                         : spv::Op::OpUMod;
  if (safe) return c.make(instruction, e, {x, y});
  Word is_zero = c.make(spv::Op::OpIEqual, Elem::I1, {y, c.zero(e)});
  Word bad = is_zero;
  if (is_signed) {
    Word all_ones = c.constant(e, low_bits(width(e)));
    Word by_minus_one = c.make(spv::Op::OpIEqual, Elem::I1, {y, all_ones});
    Word of_smallest = c.make(spv::Op::OpIEqual, Elem::I1, {x, c.constant(e, smallest(e))});
    Word overflow = c.make(spv::Op::OpLogicalAnd, Elem::I1, {by_minus_one, of_smallest});
    bad = c.make(spv::Op::OpLogicalOr, Elem::I1, {bad, overflow});
  }
  Word divisor = c.select(e, bad, c.constant(e, 1), y);
  Word result = c.make(instruction, e, {x, divisor});
  return c.select(e, is_zero, quotient ? c.constant(e, low_bits(width(e))) : x, result);
}

Word shift(Code& c, spv::Op op, Elem e, Word x, Word count, bool safe) {
  if (safe) return c.make(op, e, {x, count});
  Word wrapped = c.make(spv::Op::OpBitwiseAnd, e, {count, c.constant(e, width(e) - 1)});
  return c.make(op, e, {x, wrapped});
}

Word pick(Code& c, spv::Op compare, Elem e, Word x, Word y) {
  return c.select(e, c.make(compare, Elem::I1, {x, y}), x, y);
}

// The instruction prefers numbers to NaNs. Equal operands are identical or zeros of both signs, of which it
// may return either: or-ing the bits gives -0, and-ing gives +0.
Word float_extreme(Code& c, bool minimum, Elem e, Word x, Word y) {
  Elem bits = integer_of(e);
  Word result = c.glsl(minimum ? Glsl::NMin : Glsl::NMax, e, {x, y});
  Word equal = c.make(spv::Op::OpFOrdEqual, Elem::I1, {x, y});
  Word x_bits = c.make(spv::Op::OpBitcast, bits, {x}), y_bits = c.make(spv::Op::OpBitcast, bits, {y});
  Word both = c.make(minimum ? spv::Op::OpBitwiseOr : spv::Op::OpBitwiseAnd, bits, {x_bits, y_bits});
  return c.select(e, equal, c.make(spv::Op::OpBitcast, e, {both}), result);
}

// Truncates and saturates; NaN gives 0. The bounds are powers of two, exact in both formats.
Word float_to_int(Code& c, bool is_signed, Elem from, Elem to, Word x) {
  const unsigned digits = width(to) - (is_signed ? 1 : 0);
  Word limit = c.constant(from, float_bits(from, std::ldexp(1.0, static_cast<int>(digits))));
  Word lowest =
      c.constant(from, is_signed ? float_bits(from, -std::ldexp(1.0, static_cast<int>(digits))) : 0);
  Word too_large = c.make(spv::Op::OpFOrdGreaterThanEqual, Elem::I1, {x, limit});
  Word not_small = c.make(spv::Op::OpFOrdGreaterThanEqual, Elem::I1, {x, lowest});
  Word below = c.make(spv::Op::OpFOrdLessThan, Elem::I1, {x, limit});
  Word fits = c.make(spv::Op::OpLogicalAnd, Elem::I1, {not_small, below});
  Word safe = c.select(from, fits, x, c.zero(from));
  Elem wide = width(to) < 32 ? Elem::I32 : to;
  Word result = c.make(is_signed ? spv::Op::OpConvertFToS : spv::Op::OpConvertFToU, wide, {safe});
  if (wide != to) result = c.make(spv::Op::OpUConvert, to, {result});
  if (is_signed) {
    Word too_small = c.make(spv::Op::OpFOrdLessThan, Elem::I1, {x, lowest});
    result = c.select(to, too_small, c.constant(to, smallest(to)), result);
  }
  return c.select(to, too_large, c.constant(to, low_bits(digits)), result);
}

// Drivers emulate these two on doubles and lose the sign of zero, among other things (seen with Mesa 22.3).
// So the bits of the fraction are cleared here, and rounding uses an addition.
Word trunc64(Code& c, Word x) {
  const Elem q = Elem::I64;
  auto k = [&](uint64_t bits) { return c.constant(q, bits); };
  Word bits = c.make(spv::Op::OpBitcast, q, {x});
  Word exponent = c.make(spv::Op::OpShiftRightLogical, q, {bits, k(52)});
  exponent = c.make(spv::Op::OpBitwiseAnd, q, {exponent, k(0x7ff)});
  Word below_one = c.make(spv::Op::OpULessThan, Elem::I1, {exponent, k(1023)});
  Word is_whole = c.make(spv::Op::OpUGreaterThanEqual, Elem::I1, {exponent, k(1075)});
  Word shift = c.make(spv::Op::OpISub, q, {exponent, k(1023)});
  shift = c.make(spv::Op::OpBitwiseAnd, q, {shift, k(63)});
  Word fraction = c.make(spv::Op::OpShiftRightLogical, q, {k(low_bits(52)), shift});
  Word cleared = c.make(spv::Op::OpBitwiseAnd, q, {bits, c.make(spv::Op::OpNot, q, {fraction})});
  cleared = c.select(q, is_whole, bits, cleared);
  cleared = c.select(q, below_one, c.make(spv::Op::OpBitwiseAnd, q, {bits, k(uint64_t{1} << 63)}), cleared);
  return c.make(spv::Op::OpBitcast, Elem::F64, {cleared});
}

Word rint64(Code& c, Word x) {
  const Elem d = Elem::F64, q = Elem::I64;
  const uint64_t sign = uint64_t{1} << 63;
  Word bits = c.make(spv::Op::OpBitcast, q, {x});
  Word magnitude = c.make(spv::Op::OpBitwiseAnd, q, {bits, c.constant(q, ~sign)});
  Word absolute = c.make(spv::Op::OpBitcast, d, {magnitude});
  Word unit = c.constant(d, float_bits(d, 0x1p52));  // from here on every double is an integer
  Word rounded = c.exact(spv::Op::OpFSub, d, {c.exact(spv::Op::OpFAdd, d, {absolute, unit}), unit});
  Word result = c.make(spv::Op::OpBitwiseOr, q,
                       {c.make(spv::Op::OpBitcast, q, {rounded}),
                        c.make(spv::Op::OpBitwiseAnd, q, {bits, c.constant(q, sign)})});
  Word has_fraction = c.make(spv::Op::OpFOrdLessThan, Elem::I1, {absolute, unit});
  return c.select(d, has_fraction, c.make(spv::Op::OpBitcast, d, {result}), x);
}

Word int_to_float(Code& c, bool is_signed, Elem from, Elem to, Word x) {
  if (width(from) < 32) {
    x = c.make(is_signed ? spv::Op::OpSConvert : spv::Op::OpUConvert, Elem::I32, {x});
    from = Elem::I32;
  }
  return c.make(is_signed ? spv::Op::OpConvertSToF : spv::Op::OpConvertUToF, to, {x});
}

Word lower_bool(Code& c, Op op, const std::vector<Word>& x) {
  switch (op) {
    case Op::and_:
      return c.make(spv::Op::OpLogicalAnd, Elem::I1, {x[0], x[1]});
    case Op::or_:
      return c.make(spv::Op::OpLogicalOr, Elem::I1, {x[0], x[1]});
    case Op::eq:
      return c.make(spv::Op::OpLogicalEqual, Elem::I1, {x[0], x[1]});
    default:  // add, sub, xor and ne are the same on one bit
      return c.make(spv::Op::OpLogicalNotEqual, Elem::I1, {x[0], x[1]});
  }
}

// Sign extension with integer arithmetic, without a dedicated instruction.
Word sign_extend(Code& c, Elem from, Elem to, Word x) {
  Word sign = c.constant(to, uint64_t{1} << (width(from) - 1));
  Word low = c.make(spv::Op::OpUConvert, to, {x});
  return c.make(spv::Op::OpISub, to, {c.make(spv::Op::OpBitwiseXor, to, {low, sign}), sign});
}

Word convert_int(Code& c, Op op, Elem from, Elem to, Word x, const SpirvOptions& options) {
  if (from == Elem::I1)
    return c.select(to, x, c.constant(to, op == Op::zext ? 1 : low_bits(width(to))), c.zero(to));
  if (to == Elem::I1) {
    Word bit = c.make(spv::Op::OpBitwiseAnd, from, {x, c.constant(from, 1)});
    return c.make(spv::Op::OpINotEqual, Elem::I1, {bit, c.zero(from)});
  }
  if (op == Op::sext && options.hide_sign_extension && width(to) == 64) return sign_extend(c, from, to, x);
  return c.make(op == Op::sext ? spv::Op::OpSConvert : spv::Op::OpUConvert, to, {x});
}

Word bitcast(Code& c, Elem from, Elem to, Word x) {
  // Pointers are already integers.
  if (is_float(from) == is_float(to) && width(from) == width(to)) return x;
  return c.make(spv::Op::OpBitcast, to, {x});
}

// The SPIR-V instruction of an opcode that maps to a single one; otherwise Op::OpNop.
spv::Op direct_int(Op op) {
  switch (op) {
    case Op::add:
      return spv::Op::OpIAdd;
    case Op::sub:
      return spv::Op::OpISub;
    case Op::mul:
      return spv::Op::OpIMul;
    case Op::and_:
      return spv::Op::OpBitwiseAnd;
    case Op::or_:
      return spv::Op::OpBitwiseOr;
    case Op::xor_:
      return spv::Op::OpBitwiseXor;
    case Op::eq:
      return spv::Op::OpIEqual;
    case Op::ne:
      return spv::Op::OpINotEqual;
    case Op::slt:
      return spv::Op::OpSLessThan;
    case Op::sle:
      return spv::Op::OpSLessThanEqual;
    case Op::ult:
      return spv::Op::OpULessThan;
    case Op::ule:
      return spv::Op::OpULessThanEqual;
    case Op::feq:
      return spv::Op::OpFOrdEqual;
    case Op::fne:
      return spv::Op::OpFUnordNotEqual;
    case Op::flt:
      return spv::Op::OpFOrdLessThan;
    case Op::fle:
      return spv::Op::OpFOrdLessThanEqual;
    default:
      return spv::Op::OpNop;
  }
}

Word lower_int(Code& c, Op op, Elem result, const Operands& operands) {
  const auto& x = operands.ids;
  Elem e = operands.type;
  if (spv::Op direct = direct_int(op); direct != spv::Op::OpNop) return c.make(direct, result, {x[0], x[1]});
  switch (op) {
    case Op::sdiv:
    case Op::udiv:
    case Op::srem:
    case Op::urem:
      return divide(c, op, e, x[0], x[1], operands.second_is_safe);
    case Op::shl:
      return shift(c, spv::Op::OpShiftLeftLogical, e, x[0], x[1], operands.second_is_safe);
    case Op::lshr:
      return shift(c, spv::Op::OpShiftRightLogical, e, x[0], x[1], operands.second_is_safe);
    case Op::ashr:
      return shift(c, spv::Op::OpShiftRightArithmetic, e, x[0], x[1], operands.second_is_safe);
    case Op::smin:
      return pick(c, spv::Op::OpSLessThan, e, x[0], x[1]);
    case Op::smax:
      return pick(c, spv::Op::OpSGreaterThan, e, x[0], x[1]);
    case Op::umin:
      return pick(c, spv::Op::OpULessThan, e, x[0], x[1]);
    case Op::umax:
      return pick(c, spv::Op::OpUGreaterThan, e, x[0], x[1]);
    default:
      KC_CHECK(false, "spirv: no lowering of {}", name_of(op));
  }
}

}  // namespace

Word lower_arithmetic(Code& c, Op op, Elem result, const Operands& operands, const SpirvOptions& options) {
  const auto& x = operands.ids;
  Elem e = operands.type;
  switch (op) {
    case Op::zext:
    case Op::sext:
    case Op::trunc:
      return convert_int(c, op, e, result, x[0], options);
    case Op::bitcast:
      return bitcast(c, e, result, x[0]);
    case Op::fptosi:
    case Op::fptoui:
      return float_to_int(c, op == Op::fptosi, e, result, x[0]);
    case Op::sitofp:
    case Op::uitofp:
      return int_to_float(c, op == Op::sitofp, e, result, x[0]);
    case Op::fpext:
    case Op::fptrunc:
      return c.make(spv::Op::OpFConvert, result, {x[0]});
    case Op::select:
      return c.select(result, x[0], x[1], x[2]);
    case Op::fadd:
      return c.exact(spv::Op::OpFAdd, e, {x[0], x[1]});
    case Op::fsub:
      return c.exact(spv::Op::OpFSub, e, {x[0], x[1]});
    case Op::fmul:
      return c.exact(spv::Op::OpFMul, e, {x[0], x[1]});
    case Op::fdiv:
      return c.exact(spv::Op::OpFDiv, e, {x[0], x[1]});
    case Op::fneg:
      return c.exact(spv::Op::OpFNegate, e, {x[0]});
    case Op::ffma:
      if (e == Elem::F32 ? options.fused_fma32 : options.fused_fma64)
        return c.glsl(Glsl::Fma, e, {x[0], x[1], x[2]});
      return e == Elem::F32 ? emulate_fma32(c, x[0], x[1], x[2]) : emulate_fma64(c, x[0], x[1], x[2]);
    case Op::fabs:
      return c.glsl(Glsl::FAbs, e, {x[0]});
    case Op::fsqrt:
      return c.glsl(Glsl::Sqrt, e, {x[0]});
    case Op::ffloor:
      return c.glsl(Glsl::Floor, e, {x[0]});
    case Op::fceil:
      return c.glsl(Glsl::Ceil, e, {x[0]});
    case Op::ftrunc:
      return e == Elem::F64 ? trunc64(c, x[0]) : c.glsl(Glsl::Trunc, e, {x[0]});
    case Op::frint:
      return e == Elem::F64 ? rint64(c, x[0]) : c.glsl(Glsl::RoundEven, e, {x[0]});
    case Op::fmin:
    case Op::fmax:
      return float_extreme(c, op == Op::fmin, e, x[0], x[1]);
    default:
      return e == Elem::I1 ? lower_bool(c, op, x) : lower_int(c, op, result, operands);
  }
}

}  // namespace kc::spirv
