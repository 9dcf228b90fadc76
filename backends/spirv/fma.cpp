// SPDX-License-Identifier: Apache-2.0
// Emulated fused multiply-add for devices that compute it as a separate product and sum.
#include <cstdint>

#include "backends/spirv/code.h"

namespace kc::spirv {

// The product of two floats is exact in double. The sum is rounded to odd (the error is sticky in the last
// bit), and then the conversion rounds correctly: Boldo and Melquiond, "Emulation of a FMA and correctly
// rounded sums" (IEEE Transactions on Computers, 2008).
Word emulate_fma32(Code& c, Word a, Word b, Word addend) {
  const Elem d = Elem::F64, q = Elem::I64;
  auto widen = [&](Word x) { return c.make(spv::Op::OpFConvert, d, {x}); };
  auto sub = [&](Word x, Word y) { return c.exact(spv::Op::OpFSub, d, {x, y}); };
  auto add = [&](Word x, Word y) { return c.exact(spv::Op::OpFAdd, d, {x, y}); };
  Word p = c.exact(spv::Op::OpFMul, d, {widen(a), widen(b)});
  Word w = widen(addend);
  Word sum = add(p, w);
  Word from_w = sub(sum, p);
  Word error = add(sub(p, sub(sum, from_w)), sub(w, from_w));

  // The comparison is false if the error is NaN, which happens for an infinite sum.
  Word inexact = c.make(spv::Op::OpFOrdNotEqual, Elem::I1, {error, c.zero(d)});
  Word bits = c.make(spv::Op::OpBitcast, q, {sum});
  Word last = c.make(spv::Op::OpBitwiseAnd, q, {bits, c.constant(q, 1)});
  Word even = c.make(spv::Op::OpIEqual, Elem::I1, {last, c.zero(q)});
  Word adjust = c.make(spv::Op::OpLogicalAnd, Elem::I1, {inexact, even});
  Word error_up = c.make(spv::Op::OpFOrdGreaterThan, Elem::I1, {error, c.zero(d)});
  Word sum_up = c.make(spv::Op::OpFOrdGreaterThan, Elem::I1, {sum, c.zero(d)});
  Word outward = c.make(spv::Op::OpLogicalEqual, Elem::I1, {error_up, sum_up});
  Word step = c.select(q, outward, c.constant(q, 1), c.constant(q, ~uint64_t{0}));
  Word odd = c.select(q, adjust, c.make(spv::Op::OpIAdd, q, {bits, step}), bits);
  return c.make(spv::Op::OpFConvert, Elem::F32, {c.make(spv::Op::OpBitcast, d, {odd})});
}

namespace {

constexpr Elem Q = Elem::I64;

// 128 bits: a product of two significands with room at both ends.
struct Bits128 {
  Word high, low;
};

class Fma64 {
 public:
  explicit Fma64(Code& code) : c(code) {}

  // Integer arithmetic throughout: align the product and the addend, add, normalise, round to even. If a
  // factor is zero or not finite, separate operations are already exact.
  Word run(Word a, Word b, Word addend) {
    DecodedDouble x = decode(a), y = decode(b), z = decode(addend);
    Word sign = xor_(x.sign, y.sign);
    Bits128 product = shift_left(multiply(x.significand, y.significand), 20);
    Bits128 other{shl(z.significand, k(73 - 64)), k(0)};
    // Exponents of the least significant bits of both.
    Word product_unit = sub(add(x.exponent, y.exponent), k(2 * 1075 + 20));
    Word other_unit = sub(z.exponent, k(1075 + 73));
    Word distance = sub(product_unit, other_unit);
    Word product_above = compare(spv::Op::OpSGreaterThanEqual, distance, k(0));
    other = shift_right_jam(other, pick(product_above, distance, k(0)));
    product = shift_right_jam(product, pick(product_above, k(0), sub(k(0), distance)));
    Word unit = pick(product_above, product_unit, other_unit);

    Word same = compare(spv::Op::OpIEqual, sign, z.sign);
    Word larger = c.make(spv::Op::OpLogicalNot, Elem::I1, {less(product, other)});
    Bits128 difference = subtract(choose(larger, product, other), choose(larger, other, product));
    Bits128 total = choose(same, sum(product, other), difference);
    sign = pick(same, sign, pick(larger, sign, z.sign));
    Word result = or_(round(total, unit), sign);
    Word nothing = compare(spv::Op::OpIEqual, or_(total.high, total.low), k(0));
    result = pick(nothing, k(0), result);  // operands that cancel give +0

    Word separate =
        c.exact(spv::Op::OpFAdd, Elem::F64, {c.exact(spv::Op::OpFMul, Elem::F64, {a, b}), addend});
    Word chosen = c.make(spv::Op::OpBitcast, Elem::F64, {result});
    // A finite product must not overflow against an infinite addend.
    chosen = c.select(Elem::F64, z.infinite, addend, chosen);
    return c.select(Elem::F64, either(x.special, y.special), separate, chosen);
  }

 private:
  struct DecodedDouble {
    Word sign, exponent, significand;
    Word infinite, special;  // special: not finite, or zero
  };

  Word k(uint64_t bits) { return c.constant(Q, bits); }
  Word op(spv::Op o, Word x, Word y) { return c.make(o, Q, {x, y}); }
  Word add(Word x, Word y) { return op(spv::Op::OpIAdd, x, y); }
  Word sub(Word x, Word y) { return op(spv::Op::OpISub, x, y); }
  Word mul(Word x, Word y) { return op(spv::Op::OpIMul, x, y); }
  Word and_(Word x, Word y) { return op(spv::Op::OpBitwiseAnd, x, y); }
  Word or_(Word x, Word y) { return op(spv::Op::OpBitwiseOr, x, y); }
  Word xor_(Word x, Word y) { return op(spv::Op::OpBitwiseXor, x, y); }
  Word shl(Word x, Word n) { return op(spv::Op::OpShiftLeftLogical, x, n); }
  Word shr(Word x, Word n) { return op(spv::Op::OpShiftRightLogical, x, n); }
  Word compare(spv::Op o, Word x, Word y) { return c.make(o, Elem::I1, {x, y}); }
  Word either(Word x, Word y) { return c.make(spv::Op::OpLogicalOr, Elem::I1, {x, y}); }
  Word pick(Word condition, Word yes, Word no) { return c.select(Q, condition, yes, no); }
  Bits128 choose(Word condition, Bits128 yes, Bits128 no) {
    return {pick(condition, yes.high, no.high), pick(condition, yes.low, no.low)};
  }
  Word flag(Word condition) { return pick(condition, k(1), k(0)); }

  // Subnormal numbers are scaled by 2^54 first, so that every significand has its leading bit set.
  DecodedDouble decode(Word x) {
    Word bits = c.make(spv::Op::OpBitcast, Q, {x});
    Word field = and_(shr(bits, k(52)), k(0x7ff));
    Word subnormal = compare(spv::Op::OpIEqual, field, k(0));
    Word magnitude = and_(bits, k(~(uint64_t{1} << 63)));
    Word is_zero = compare(spv::Op::OpIEqual, magnitude, k(0));
    Word two_54 = c.constant(Elem::F64, uint64_t{1023 + 54} << 52);
    Word scaled = c.make(spv::Op::OpBitcast, Q, {c.exact(spv::Op::OpFMul, Elem::F64, {x, two_54})});
    Word from = pick(subnormal, scaled, bits);
    DecodedDouble part;
    part.sign = and_(bits, k(uint64_t{1} << 63));
    part.exponent = sub(and_(shr(from, k(52)), k(0x7ff)), pick(subnormal, k(54), k(0)));
    part.significand = or_(and_(from, k((uint64_t{1} << 52) - 1)), k(uint64_t{1} << 52));
    part.significand = pick(is_zero, k(0), part.significand);
    part.infinite = compare(spv::Op::OpIEqual, field, k(0x7ff));
    part.special = either(part.infinite, is_zero);
    return part;
  }

  Bits128 multiply(Word x, Word y) {
    Word low32 = k(0xffffffff), by32 = k(32);
    Word xl = and_(x, low32), xh = shr(x, by32), yl = and_(y, low32), yh = shr(y, by32);
    // The upper halves have 21 bits, so the middle sum does not overflow.
    Word middle = add(mul(xh, yl), mul(xl, yh));
    return sum({mul(xh, yh), mul(xl, yl)}, {shr(middle, by32), shl(middle, by32)});
  }

  Bits128 sum(Bits128 x, Bits128 y) {
    Word low = add(x.low, y.low);
    Word carry = flag(compare(spv::Op::OpULessThan, low, x.low));
    return {add(add(x.high, y.high), carry), low};
  }
  Bits128 subtract(Bits128 x, Bits128 y) {
    Word borrow = flag(compare(spv::Op::OpULessThan, x.low, y.low));
    return {sub(sub(x.high, y.high), borrow), sub(x.low, y.low)};
  }
  Word less(Bits128 x, Bits128 y) {
    Word high_less = compare(spv::Op::OpULessThan, x.high, y.high);
    Word high_equal = compare(spv::Op::OpIEqual, x.high, y.high);
    Word low_less = compare(spv::Op::OpULessThan, x.low, y.low);
    return either(high_less, c.make(spv::Op::OpLogicalAnd, Elem::I1, {high_equal, low_less}));
  }
  Bits128 shift_left(Bits128 x, uint64_t n) {
    return {or_(shl(x.high, k(n)), shr(x.low, k(64 - n))), shl(x.low, k(n))};
  }

  // Bits shifted out are or-ed into the last bit.
  Bits128 shift_right_jam(Bits128 x, Word count) {
    count = pick(compare(spv::Op::OpULessThan, count, k(127)), count, k(127));
    Word far = compare(spv::Op::OpUGreaterThanEqual, count, k(64));
    Word high = pick(far, k(0), x.high), low = pick(far, x.high, x.low), lost = pick(far, x.low, k(0));
    Word n = and_(count, k(63)), back = and_(sub(k(64), n), k(63));
    Word moves = compare(spv::Op::OpINotEqual, n, k(0));
    lost = or_(lost, pick(moves, shl(low, back), k(0)));
    low = or_(shr(low, n), pick(moves, shl(high, back), k(0)));
    Word sticky = flag(compare(spv::Op::OpINotEqual, lost, k(0)));
    return {shr(high, n), or_(low, sticky)};
  }

  // Index of the highest set bit.
  Word highest_bit(Bits128 x) {
    Word result = k(0);
    for (unsigned i = 0; i < 4; ++i) {
      Word word = c.make(spv::Op::OpUConvert, Elem::I32, {shr(i < 2 ? x.low : x.high, k(i % 2 * 32))});
      Word at = c.make(spv::Op::OpUConvert, Q, {c.glsl(Glsl::FindUMsb, Elem::I32, {word})});
      Word present = compare(spv::Op::OpINotEqual, c.make(spv::Op::OpUConvert, Q, {word}), k(0));
      result = pick(present, add(at, k(uint64_t{i} * 32)), result);
    }
    return result;
  }

  // The bits of the double with magnitude x * 2^unit.
  Word round(Bits128 x, Word unit) {
    // Exponent of the result's last bit: 53 significant bits, but not below the subnormal unit.
    Word last = sub(add(highest_bit(x), unit), k(52));
    last = pick(compare(spv::Op::OpSLessThan, last, k(static_cast<uint64_t>(-1074))),
                k(static_cast<uint64_t>(-1074)), last);
    // Two more bits remain for rounding: half and sticky.
    Word drop = sub(sub(last, unit), k(2));
    Word left = compare(spv::Op::OpSLessThan, drop, k(0));
    Word shifted = shift_right_jam(x, pick(left, k(0), drop)).low;
    Word raised = shl(x.low, and_(sub(k(0), drop), k(63)));
    Word bits = pick(left, raised, shifted);
    Word significand = shr(bits, k(2)), rest = and_(bits, k(3));
    Word odd = and_(significand, k(1));
    // 3 is above half; 2 is a tie, which rounds to even.
    Word up = flag(compare(spv::Op::OpUGreaterThan, add(rest, odd), k(2)));
    significand = add(significand, up);
    // The leading bit, if present, increments the exponent.
    Word result = add(significand, shl(add(last, k(1074)), k(52)));
    Word infinity = k(uint64_t{0x7ff} << 52);
    return pick(compare(spv::Op::OpULessThan, result, infinity), result, infinity);
  }

  Code& c;
};

}  // namespace

Word emulate_fma64(Code& code, Word a, Word b, Word addend) { return Fma64(code).run(a, b, addend); }

}  // namespace kc::spirv
