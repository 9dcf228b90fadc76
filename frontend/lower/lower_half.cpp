// SPDX-License-Identifier: Apache-2.0
// Half-precision numbers, which exist in memory only: sign, 5 bits of exponent, 10 of mantissa (IEEE-754
// binary16).
#include <bit>

#include "frontend/lower/lower.h"
#include "frontend/sema/builtins.h"

namespace kc::front {

// The exponent and mantissa, moved into the fields of a float, whose exponents begin 112 lower. A denormal as
// the mantissa of 2^-14 is too large by 2^-14. No step has a denormal float, on which processors take long.
ValueId KernelLowering::from_half(ValueId half) {
  constexpr uint32_t kDenormal = 0x400u << 13, kFinite = 0x7c00u << 13, kLower = 112u << 23;
  auto op = [&](Op o, ValueId a, uint64_t b) { return b_.make(o, kI32, {a, f_->constant(kI32, b)}); };
  auto below = [&](ValueId a, uint32_t b) { return b_.make(Op::ult, kI1, {a, f_->constant(kI32, b)}); };
  ValueId bits = b_.make(Op::zext, kI32, {half});
  ValueId magnitude = op(Op::shl, op(Op::and_, bits, 0x7fff), 13);
  ValueId larger = b_.make(Op::bitcast, kF32, {op(Op::add, magnitude, kLower + (1u << 23))});
  ValueId denormal = b_.make(Op::fsub, kF32, {larger, f_->constant(kF32, std::bit_cast<uint32_t>(0x1p-14f))});
  ValueId special = op(Op::or_, magnitude, 0x7f800000);
  ValueId result =
      b_.make(Op::select, kI32, {below(magnitude, kFinite), op(Op::add, magnitude, kLower), special});
  result = b_.make(Op::select, kI32,
                   {below(magnitude, kDenormal), b_.make(Op::bitcast, kI32, {denormal}), result});
  result = b_.make(Op::or_, kI32, {result, op(Op::shl, op(Op::and_, bits, 0x8000), 16)});
  return b_.make(Op::bitcast, kF32, {result});
}

// Shifts the mantissa into position, further for denormals; the bits shifted out decide the rounding.
ValueId KernelLowering::to_half(ValueId x, Rounding rounding) {
  auto constant = [&](uint64_t n) { return f_->constant(kI32, n); };
  auto op = [&](Op o, ValueId a, ValueId b) { return b_.make(o, kI32, {a, b}); };
  auto test = [&](Op o, ValueId a, ValueId b) { return b_.make(o, kI1, {a, b}); };
  auto pick = [&](ValueId c, ValueId a, ValueId b) { return b_.make(Op::select, kI32, {c, a, b}); };
  ValueId bits;
  if (f_->type(x) == kF64) {  // truncated to float; a sticky last bit makes the float round like the double
    ValueId cut = round_to_float(x, Rounding::ToZero);
    ValueId inexact = test(Op::fne, b_.make(Op::fpext, kF64, {cut}), x);
    bits = op(Op::or_, b_.make(Op::bitcast, kI32, {cut}), b_.make(Op::zext, kI32, {inexact}));
  } else {
    bits = b_.make(Op::bitcast, kI32, {x});
  }
  ValueId magnitude = op(Op::and_, bits, constant(0x7fffffff));
  ValueId sign = op(Op::lshr, op(Op::and_, bits, constant(0x80000000u)), constant(16));
  ValueId exponent = op(Op::lshr, magnitude, constant(23));
  ValueId fraction = op(Op::and_, magnitude, constant(0x7fffff));
  ValueId mantissa =
      pick(test(Op::eq, exponent, constant(0)), fraction, op(Op::or_, fraction, constant(0x800000)));
  ValueId normal = test(Op::ule, constant(113), exponent);
  ValueId shift =
      pick(normal, constant(13), op(Op::umin, op(Op::sub, constant(126), exponent), constant(31)));
  ValueId whole = pick(normal, op(Op::sub, magnitude, constant(112u << 23)), mantissa);
  ValueId kept = op(Op::lshr, whole, shift);
  ValueId lost = op(Op::and_, whole, op(Op::sub, op(Op::shl, constant(1), shift), constant(1)));
  ValueId negative = test(Op::ne, sign, constant(0)), inexact = test(Op::ne, lost, constant(0));
  ValueId outwards;                   // whether to round away from zero
  ValueId beyond = constant(0x7c00);  // the result for values that are too large
  if (rounding == Rounding::Default || rounding == Rounding::ToEven) {
    ValueId half = op(Op::lshr, op(Op::shl, constant(1), shift), constant(1));
    ValueId odd = test(Op::ne, op(Op::and_, kept, constant(1)), constant(0));
    outwards = b_.make(Op::or_, kI1,
                       {test(Op::ult, half, lost), b_.make(Op::and_, kI1, {test(Op::eq, half, lost), odd})});
  } else if (rounding == Rounding::ToZero) {
    outwards = f_->constant(kI1, 0);
    beyond = constant(0x7bff);
  } else {
    bool up = rounding == Rounding::Up;
    ValueId away = up ? b_.make(Op::xor_, kI1, {negative, f_->constant(kI1, 1)}) : negative;
    outwards = b_.make(Op::and_, kI1, {inexact, away});
    beyond = pick(away, constant(0x7c00), constant(0x7bff));
  }
  ValueId result = op(Op::add, kept, b_.make(Op::zext, kI32, {outwards}));
  result = pick(test(Op::ule, constant(0x47800000), magnitude), beyond, result);
  result = pick(test(Op::eq, magnitude, constant(0x7f800000)), constant(0x7c00), result);
  result = pick(test(Op::ult, constant(0x7f800000), magnitude), constant(0x7e00), result);
  return b_.make(Op::trunc, kI16, {op(Op::or_, result, sign)});
}

}  // namespace kc::front
