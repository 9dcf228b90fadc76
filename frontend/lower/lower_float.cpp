// SPDX-License-Identifier: Apache-2.0
// Built-in floating-point functions, expressed in IR operations. All of them are exact or correctly rounded,
// except those whose accuracy OpenCL C leaves open (mix, smoothstep, native_* and half_*).
#include <numbers>

#include "frontend/lower/lower.h"
#include "frontend/lower/real_constant.h"
#include "frontend/sema/builtins.h"

namespace kc::front {

namespace {

// Operations on one float type and the integer type of the same width, for readable formulas.
struct Floats {
  Builder& b;
  kc::Type type;
  kc::Type word;
  int mantissa;  // stored mantissa bits
  int bias;

  Floats(Builder& builder, kc::Type t)
      : b(builder),
        type(t),
        word(t == kF64 ? kI64 : kI32),
        mantissa(t == kF64 ? 52 : 23),
        bias(t == kF64 ? 1023 : 127) {}

  ValueId number(double x) const { return real_constant(b.f, type, x); }
  ValueId integer(uint64_t n) const { return b.f.constant(word, n); }
  ValueId op(Op o, ValueId x) const { return b.make(o, type, {x}); }
  ValueId op(Op o, ValueId x, ValueId y) const { return b.make(o, type, {x, y}); }
  ValueId fma(ValueId x, ValueId y, ValueId z) const { return b.make(Op::ffma, type, {x, y, z}); }
  ValueId iop(Op o, ValueId x, ValueId y) const { return b.make(o, word, {x, y}); }
  ValueId test(Op o, ValueId x, ValueId y) const { return b.make(o, kI1, {x, y}); }
  ValueId pick(ValueId c, ValueId x, ValueId y) const { return b.make(Op::select, type, {c, x, y}); }
  ValueId bits(ValueId x) const { return b.make(Op::bitcast, word, {x}); }
  ValueId real(ValueId i) const { return b.make(Op::bitcast, type, {i}); }
  ValueId infinity() const { return integer_real(static_cast<uint64_t>(2 * bias + 1) << mantissa); }
  ValueId integer_real(uint64_t encoding) const { return b.f.constant(type, encoding); }
  ValueId sign_bit(ValueId x) const {
    return iop(Op::and_, bits(x), integer(uint64_t{1} << (word.bits() - 1)));
  }
  // The magnitude x, whose sign bit is clear, with the sign of y.
  ValueId with_sign(ValueId x, ValueId y) const { return real(iop(Op::or_, bits(x), sign_bit(y))); }
  ValueId is_nan(ValueId x) const { return test(Op::fne, x, x); }
  ValueId is_infinite(ValueId x) const { return test(Op::feq, op(Op::fabs, x), infinity()); }
};

// Rounds to nearest, halves away from zero. The difference from the truncated value is exact.
ValueId round(const Floats& f, ValueId x) {
  ValueId whole = f.op(Op::ftrunc, x);
  ValueId rest = f.op(Op::fabs, f.op(Op::fsub, x, whole));
  ValueId away = f.op(Op::fadd, whole, f.with_sign(f.number(1), x));
  return f.pick(f.test(Op::fle, f.number(0.5), rest), away, whole);
}

ValueId next_after(const Floats& f, ValueId x, ValueId y) {
  ValueId zero = f.integer(0), one = f.integer(1), i = f.bits(x);
  ValueId grows = f.b.make(Op::eq, kI1, {f.test(Op::flt, x, y), f.test(Op::flt, f.number(0), x)});
  ValueId step = f.b.make(Op::select, f.word, {grows, one, f.integer(~uint64_t{0})});
  ValueId moved = f.real(f.iop(Op::add, i, step));
  ValueId from_zero = f.with_sign(f.real(one), y);
  ValueId result = f.pick(f.test(Op::feq, x, f.real(zero)), from_zero, moved);
  result = f.pick(f.test(Op::feq, x, y), y, result);
  return f.pick(f.is_nan(x), x, f.pick(f.is_nan(y), y, result));
}

// Computes x * 2^n with one rounding. Large exponents are applied in steps; downward steps keep the value
// normal, so that only the last product rounds.
ValueId scale(const Floats& f, ValueId x, ValueId n) {
  int up = f.bias, down = f.bias - 1 - (f.mantissa + 1);
  auto int_pick = [&](ValueId c, ValueId a, ValueId b) { return f.b.make(Op::select, kI32, {c, a, b}); };
  auto step = [&](ValueId far, double factor, int by) {
    x = f.pick(far, f.op(Op::fmul, x, f.number(factor)), x);
    n = int_pick(far, f.b.make(Op::add, kI32, {n, f.b.i32(by)}), n);
  };
  double up_factor = f.type == kF64 ? 0x1p1023 : 0x1p127, down_factor = f.type == kF64 ? 0x1p-969 : 0x1p-102;
  for (int i = 0; i < 2; ++i) step(f.test(Op::slt, f.b.i32(up), n), up_factor, -up);
  for (int i = 0; i < 2; ++i) step(f.test(Op::slt, n, f.b.i32(1 - up)), down_factor, down);
  n = f.b.make(Op::smin, kI32, {n, f.b.i32(up)});
  n = f.b.make(Op::smax, kI32, {n, f.b.i32(1 - up)});
  ValueId biased = f.b.make(Op::add, kI32, {n, f.b.i32(f.bias)});
  if (f.word == kI64) biased = f.b.make(Op::zext, kI64, {biased});
  return f.op(Op::fmul, x, f.real(f.iop(Op::shl, biased, f.integer(static_cast<uint64_t>(f.mantissa)))));
}

ValueId smoothstep(const Floats& f, ValueId low, ValueId high, ValueId x) {
  ValueId t = f.op(Op::fdiv, f.op(Op::fsub, x, low), f.op(Op::fsub, high, low));
  t = f.op(Op::fmin, f.op(Op::fmax, t, f.number(0)), f.number(1));
  return f.op(Op::fmul, f.op(Op::fmul, t, t), f.fma(f.number(-2), t, f.number(3)));
}

ValueId sign(const Floats& f, ValueId x) {
  ValueId zero = f.number(0);
  ValueId rest = f.pick(f.is_nan(x), zero, x);
  rest = f.pick(f.test(Op::flt, x, zero), f.number(-1), rest);
  return f.pick(f.test(Op::flt, zero, x), f.number(1), rest);
}

// The operand of larger (smaller) magnitude; for equal magnitudes, fmax (fmin).
ValueId by_magnitude(const Floats& f, ValueId x, ValueId y, bool larger) {
  ValueId a = f.op(Op::fabs, x), b = f.op(Op::fabs, y);
  ValueId x_wins = f.test(Op::flt, larger ? b : a, larger ? a : b);
  ValueId y_wins = f.test(Op::flt, larger ? a : b, larger ? b : a);
  return f.pick(x_wins, x, f.pick(y_wins, y, f.op(larger ? Op::fmax : Op::fmin, x, y)));
}

}  // namespace

ValueId KernelLowering::float_builtin(const BuiltinRow& row, const Type* type, std::span<const ValueId> v) {
  Floats f(b_, ir_type(type));
  switch (row.id) {
    case Builtin::native_recip:
    case Builtin::half_recip:
      return f.op(Op::fdiv, f.number(1), v[0]);
    case Builtin::round:
      return round(f, v[0]);
    case Builtin::fdim:  // the difference, NaN included, unless it is known to be at most zero
      return f.pick(f.test(Op::fle, v[0], v[1]), f.number(0), f.op(Op::fsub, v[0], v[1]));
    case Builtin::copysign:
      return f.with_sign(f.op(Op::fabs, v[0]), v[1]);
    case Builtin::maxmag:
      return by_magnitude(f, v[0], v[1], true);
    case Builtin::minmag:
      return by_magnitude(f, v[0], v[1], false);
    case Builtin::nextafter:
      return next_after(f, v[0], v[1]);
    case Builtin::sign:
      return sign(f, v[0]);
    case Builtin::step:
      return f.pick(f.test(Op::flt, v[1], v[0]), f.number(0), f.number(1));
    case Builtin::mix:
      return f.fma(f.op(Op::fsub, v[1], v[0]), v[2], v[0]);
    case Builtin::smoothstep:
      return smoothstep(f, v[0], v[1], v[2]);
    case Builtin::degrees:
      return f.op(Op::fmul, v[0], f.number(180 / std::numbers::pi));
    case Builtin::radians:
      return f.op(Op::fmul, v[0], f.number(std::numbers::pi / 180));
    case Builtin::nan:
      return f.real(f.iop(Op::or_, v[0],
                          f.bits(f.integer_real((uint64_t{1} << (f.mantissa - 1)) |
                                                static_cast<uint64_t>(2 * f.bias + 1) << f.mantissa))));
    default:
      return scale(f, v[0], v[1]);
  }
}

// Returns i1.
ValueId KernelLowering::float_test(const BuiltinRow& row, const Type* type, std::span<const ValueId> v) {
  Floats f(b_, ir_type(type));
  auto both = [&](Op o, ValueId x, ValueId y) { return b_.make(o, kI1, {x, y}); };
  ValueId magnitude = f.op(Op::fabs, v[0]);
  switch (row.id) {
    case Builtin::isnan:
      return f.is_nan(v[0]);
    case Builtin::isinf:
      return f.is_infinite(v[0]);
    case Builtin::isfinite:
      return f.test(Op::flt, magnitude, f.infinity());
    case Builtin::isnormal:
      return both(Op::and_, f.test(Op::flt, magnitude, f.infinity()),
                  f.test(Op::fle, f.integer_real(uint64_t{1} << f.mantissa), magnitude));
    case Builtin::signbit:
      return f.test(Op::ne, f.sign_bit(v[0]), f.integer(0));
    case Builtin::isordered:
      return both(Op::and_, f.test(Op::feq, v[0], v[0]), f.test(Op::feq, v[1], v[1]));
    case Builtin::isunordered:
      return both(Op::or_, f.is_nan(v[0]), f.is_nan(v[1]));
    case Builtin::isequal:
      return f.test(Op::feq, v[0], v[1]);
    case Builtin::isnotequal:
      return f.test(Op::fne, v[0], v[1]);
    case Builtin::isgreater:
      return f.test(Op::flt, v[1], v[0]);
    case Builtin::isgreaterequal:
      return f.test(Op::fle, v[1], v[0]);
    case Builtin::isless:
      return f.test(Op::flt, v[0], v[1]);
    case Builtin::islessequal:
      return f.test(Op::fle, v[0], v[1]);
    default:  // islessgreater
      return both(Op::or_, f.test(Op::flt, v[0], v[1]), f.test(Op::flt, v[1], v[0]));
  }
}

// fract, modf and frexp have two results; a pointer receives one of them.
ValueId KernelLowering::split_float(const BuiltinRow& row, const Type* type, ValueId x, ValueId target) {
  Floats f(b_, ir_type(type));
  ValueId no_rest = f.with_sign(f.number(0), x);
  if (row.id == Builtin::modf) {
    ValueId whole = f.op(Op::ftrunc, x);
    b_.emit(Op::store, {target, whole});
    ValueId rest = f.with_sign(f.op(Op::fabs, f.op(Op::fsub, x, whole)), x);
    return f.pick(f.is_infinite(x), no_rest, rest);
  }
  if (row.id == Builtin::fract) {
    ValueId whole = f.op(Op::ffloor, x);
    b_.emit(Op::store, {target, whole});
    ValueId rest = f.op(Op::fsub, x, whole),
            below_one = f.number(f.type == kF64 ? 0x1.fffffffffffffp-1 : 0x1.fffffep-1);
    rest = f.pick(f.test(Op::flt, below_one, rest), below_one, rest);
    rest = f.pick(f.test(Op::feq, x, f.number(0)), x, rest);
    return f.pick(f.is_infinite(x), no_rest, rest);
  }
  // Extracts the exponent field; a denormal is scaled to a normal number first.
  ValueId small = f.test(Op::flt, f.op(Op::fabs, x), f.integer_real(uint64_t{1} << f.mantissa));
  ValueId normal = f.pick(small, f.op(Op::fmul, x, f.number(f.type == kF64 ? 0x1p64 : 0x1p32)), x);
  uint64_t mask = static_cast<uint64_t>(2 * f.bias + 1) << f.mantissa;
  ValueId field = f.iop(Op::lshr, f.iop(Op::and_, f.bits(normal), f.integer(mask)),
                        f.integer(static_cast<uint64_t>(f.mantissa)));
  if (f.word == kI64) field = b_.make(Op::trunc, kI32, {field});
  ValueId shift =
      b_.make(Op::select, kI32, {small, b_.i32(f.bias - 1 + (f.type == kF64 ? 64 : 32)), b_.i32(f.bias - 1)});
  ValueId exponent = b_.make(Op::sub, kI32, {field, shift});
  ValueId half = f.integer(static_cast<uint64_t>(f.bias - 1) << f.mantissa);
  ValueId fraction = f.real(f.iop(Op::or_, f.iop(Op::and_, f.bits(normal), f.integer(~mask)), half));
  // Zero, infinities and NaN are returned unchanged.
  ValueId regular = b_.make(
      Op::and_, kI1, {f.test(Op::flt, f.op(Op::fabs, x), f.infinity()), f.test(Op::fne, x, f.number(0))});
  b_.emit(Op::store, {target, b_.make(Op::select, kI32, {regular, exponent, b_.i32(0)})});
  return f.pick(regular, fraction, x);
}

// Converts to float with a given rounding: the nearest float, or its neighbour if the nearest lies in the
// wrong direction.
ValueId KernelLowering::round_to_float(ValueId x, Rounding rounding) {
  Floats f(b_, kF32);
  ValueId nearest = b_.make(Op::fptrunc, kF32, {x}), back = b_.make(Op::fpext, kF64, {nearest});
  ValueId i = f.bits(nearest);
  if (rounding == Rounding::ToZero) {
    ValueId beyond = f.test(Op::flt, b_.make(Op::fabs, kF64, {x}), b_.make(Op::fabs, kF64, {back}));
    return f.pick(beyond, f.real(f.iop(Op::sub, i, f.integer(1))), nearest);
  }
  bool up = rounding == Rounding::Up;
  ValueId wrong = up ? f.test(Op::flt, back, x) : f.test(Op::flt, x, back);
  ValueId outwards = f.test(Op::flt, up ? f.number(0) : nearest, up ? nearest : f.number(0));
  ValueId moved =
      b_.make(Op::select, kI32, {outwards, f.iop(Op::add, i, f.integer(1)), f.iop(Op::sub, i, f.integer(1))});
  ValueId from_zero = f.integer(up ? 1 : 0x80000001u);
  moved = b_.make(Op::select, kI32, {f.test(Op::feq, nearest, f.number(0)), from_zero, moved});
  return f.pick(wrong, f.real(moved), nearest);
}

// Converts a 64-bit integer with a given rounding: the nearest number, or its neighbour if the nearest lies
// in the wrong direction. The comparison converts back to an integer, where numbers beyond the largest
// integer saturate.
ValueId KernelLowering::round_from_integer(ValueId x, const Type* from, const Type* to, Rounding rounding) {
  Floats f(b_, ir_type(to));
  bool is_signed = from->is_signed();
  Op less = is_signed ? Op::slt : Op::ult;
  ValueId nearest = b_.make(is_signed ? Op::sitofp : Op::uitofp, f.type, {x});
  ValueId back = b_.make(is_signed ? Op::fptosi : Op::fptoui, kI64, {nearest});
  ValueId beyond = f.test(Op::fle, f.number(is_signed ? 0x1p63 : 0x1p64), nearest);
  ValueId above = b_.make(Op::or_, kI1, {beyond, f.test(less, x, back)});
  ValueId below = b_.make(Op::and_, kI1,
                          {f.test(less, back, x), b_.make(Op::xor_, kI1, {beyond, b_.f.constant(kI1, 1)})});
  ValueId i = f.bits(nearest), outwards = f.iop(Op::add, i, f.integer(1)),
          inwards = f.iop(Op::sub, i, f.integer(1));
  ValueId negative = is_signed ? f.test(Op::slt, x, b_.i64(0)) : b_.f.constant(kI1, 0);
  auto pick = [&](ValueId c, ValueId a, ValueId b) { return b_.make(Op::select, f.word, {c, a, b}); };
  ValueId lower = pick(negative, outwards, inwards), higher = pick(negative, inwards, outwards);
  ValueId down = pick(above, lower, i), up = pick(below, higher, i);
  return f.real(rounding == Rounding::Down ? down : rounding == Rounding::Up ? up : pick(negative, up, down));
}

// convert_T with its suffixes.
ValueId KernelLowering::lower_conversion(ValueId v, const Type* from, const Type* to, const Conversion& c) {
  kc::Type source = ir_type(from);
  if (from->is_integer() && to->is_integer())
    return convert(c.saturate && from->kind != TypeKind::Bool ? saturate(v, from, to) : v, from, to);
  if (from->is_floating() && to->is_integer()) {  // the IR conversion saturates
    Op whole = c.rounding == Rounding::ToEven ? Op::frint
               : c.rounding == Rounding::Up   ? Op::fceil
               : c.rounding == Rounding::Down ? Op::ffloor
                                              : Op::ftrunc;
    bool rounds = c.rounding != Rounding::Default && c.rounding != Rounding::ToZero;
    return convert(rounds ? b_.make(whole, source, {v}) : v, from, to);
  }
  if (c.rounding > Rounding::ToEven && from->is_integer() && from->size() == 8 && to->is_floating())
    return round_from_integer(v, from, to, c.rounding);
  bool directed =
      c.rounding > Rounding::ToEven && to->kind == TypeKind::Float && from->kind != TypeKind::Float;
  if (!directed) return convert(v, from, to);
  return round_to_float(convert(v, from, types_.get(TypeKind::Double)), c.rounding);
}

}  // namespace kc::front
