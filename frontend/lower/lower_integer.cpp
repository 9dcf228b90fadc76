// SPDX-License-Identifier: Apache-2.0
// Built-in integer functions, expressed in IR operations.
#include "frontend/lower/lower.h"
#include "frontend/sema/builtins.h"

namespace kc::front {

namespace {

// Operations on one integer type, for readable formulas.
struct Integers {
  Builder& b;
  kc::Type type;
  bool is_signed;

  ValueId op(Op o, ValueId x, ValueId y) const { return b.make(o, type, {x, y}); }
  ValueId test(Op o, ValueId x, ValueId y) const { return b.make(o, kI1, {x, y}); }
  ValueId pick(ValueId c, ValueId x, ValueId y) const { return b.make(Op::select, type, {c, x, y}); }
  ValueId number(uint64_t n) const { return b.f.constant(type, n); }
  ValueId invert(ValueId x) const { return op(Op::xor_, x, number(~uint64_t{0})); }
  ValueId shift(ValueId x, unsigned n) const { return op(is_signed ? Op::ashr : Op::lshr, x, number(n)); }
  ValueId less(ValueId x, ValueId y) const { return test(is_signed ? Op::slt : Op::ult, x, y); }
  unsigned bits() const { return type.bits(); }
  uint64_t highest() const { return is_signed ? (uint64_t{1} << (bits() - 1)) - 1 : ~uint64_t{0}; }
  // The largest value if x is at least 0, else the smallest.
  ValueId limit(ValueId x) const {
    return op(Op::xor_, op(Op::ashr, x, number(bits() - 1)), number(highest()));
  }
};

kc::Type twice(kc::Type type) { return type == kI8 ? kI16 : type == kI16 ? kI32 : kI64; }

// The upper half of a 64-bit product, from four products of 32-bit halves.
ValueId high_half_64(const Integers& i, ValueId x, ValueId y) {
  ValueId mask = i.number(0xffffffffu), half = i.number(32);
  auto low = [&](ValueId v) { return i.op(Op::and_, v, mask); };
  auto high = [&](ValueId v) { return i.op(Op::lshr, v, half); };
  ValueId ll = i.op(Op::mul, low(x), low(y)), lh = i.op(Op::mul, low(x), high(y));
  ValueId hl = i.op(Op::mul, high(x), low(y)), hh = i.op(Op::mul, high(x), high(y));
  ValueId middle = i.op(Op::add, i.op(Op::add, high(ll), low(lh)), low(hl));
  ValueId sum = i.op(Op::add, i.op(Op::add, hh, high(lh)), i.op(Op::add, high(hl), high(middle)));
  if (!i.is_signed) return sum;
  // The unsigned product treats a negative factor as 2^64 more than its value.
  auto excess = [&](ValueId sign, ValueId v) { return i.op(Op::and_, i.shift(sign, 63), v); };
  return i.op(Op::sub, i.op(Op::sub, sum, excess(x, y)), excess(y, x));
}

ValueId high_half(const Integers& i, ValueId x, ValueId y) {
  if (i.bits() == 64) return high_half_64(i, x, y);
  kc::Type wide = twice(i.type);
  Op extend = i.is_signed ? Op::sext : Op::zext;
  ValueId product = i.b.make(Op::mul, wide, {i.b.make(extend, wide, {x}), i.b.make(extend, wide, {y})});
  ValueId upper = i.b.make(Op::lshr, wide, {product, i.b.f.constant(wide, i.bits())});
  return i.b.make(Op::trunc, i.type, {upper});
}

ValueId add_saturated(const Integers& i, ValueId x, ValueId y) {
  ValueId sum = i.op(Op::add, x, y);
  if (!i.is_signed) return i.pick(i.test(Op::ult, sum, x), i.number(i.highest()), sum);
  ValueId turned = i.op(Op::and_, i.op(Op::xor_, x, sum), i.op(Op::xor_, y, sum));
  return i.pick(i.test(Op::slt, turned, i.number(0)), i.limit(x), sum);
}

ValueId subtract_saturated(const Integers& i, ValueId x, ValueId y) {
  ValueId difference = i.op(Op::sub, x, y);
  if (!i.is_signed) return i.pick(i.test(Op::ult, x, y), i.number(0), difference);
  ValueId turned = i.op(Op::and_, i.op(Op::xor_, x, y), i.op(Op::xor_, x, difference));
  return i.pick(i.test(Op::slt, turned, i.number(0)), i.limit(x), difference);
}

// x * y + z in twice the width; it fits if the upper half is only a sign extension.
ValueId multiply_add_saturated(const Integers& i, ValueId x, ValueId y, ValueId z) {
  ValueId low = i.op(Op::mul, x, y), sum = i.op(Op::add, low, z);
  ValueId carry = i.pick(i.test(Op::ult, sum, low), i.number(1), i.number(0));
  ValueId upper = i.op(Op::add, high_half(i, x, y), carry);
  if (!i.is_signed) return i.pick(i.test(Op::eq, upper, i.number(0)), sum, i.number(i.highest()));
  upper = i.op(Op::add, upper, i.shift(z, i.bits() - 1));
  return i.pick(i.test(Op::eq, upper, i.shift(sum, i.bits() - 1)), sum, i.limit(upper));
}

}  // namespace

ValueId KernelLowering::integer_builtin(const BuiltinRow& row, const Type* type, std::span<const ValueId> v) {
  Integers i{b_, ir_type(type), type->is_signed()};
  switch (row.id) {
    case Builtin::ctz: {
      ValueId below = i.op(Op::and_, i.invert(v[0]), i.op(Op::sub, v[0], i.number(1)));
      return b_.make(Op::popcount, i.type, {below});
    }
    case Builtin::mad24:
      return i.op(Op::add, i.op(Op::mul, v[0], v[1]), v[2]);
    case Builtin::rotate:  // shift counts are taken modulo the width, so a count of 0 works
      return i.op(Op::or_, i.op(Op::shl, v[0], v[1]), i.op(Op::lshr, v[0], i.op(Op::sub, i.number(0), v[1])));
    case Builtin::mul_hi:
      return high_half(i, v[0], v[1]);
    case Builtin::mad_hi:
      return i.op(Op::add, high_half(i, v[0], v[1]), v[2]);
    case Builtin::mad_sat:
      return multiply_add_saturated(i, v[0], v[1], v[2]);
    case Builtin::add_sat:
      return add_saturated(i, v[0], v[1]);
    case Builtin::sub_sat:
      return subtract_saturated(i, v[0], v[1]);
    case Builtin::hadd:
      return i.op(Op::add, i.op(Op::and_, v[0], v[1]), i.shift(i.op(Op::xor_, v[0], v[1]), 1));
    case Builtin::rhadd:
      return i.op(Op::sub, i.op(Op::or_, v[0], v[1]), i.shift(i.op(Op::xor_, v[0], v[1]), 1));
    case Builtin::abs:
      return i.is_signed ? i.op(Op::smax, v[0], i.op(Op::sub, i.number(0), v[0])) : v[0];
    case Builtin::abs_diff:
      return i.op(Op::sub, i.op(i.is_signed ? Op::smax : Op::umax, v[0], v[1]),
                  i.op(i.is_signed ? Op::smin : Op::umin, v[0], v[1]));
    default: {  // upsample
      kc::Type wide = twice(i.type);
      ValueId high = b_.make(Op::zext, wide, {v[0]}), low = b_.make(Op::zext, wide, {v[1]});
      ValueId moved = b_.make(Op::shl, wide, {high, f_->constant(wide, i.bits())});
      return b_.make(Op::or_, wide, {moved, low});
    }
  }
}

// The bits of `otherwise` are explained in builtins.def.
ValueId KernelLowering::integer_dot(const BuiltinRow& row, std::span<const ValueId> v) {
  const bool a_signed = row.otherwise & 1, b_signed = row.otherwise & 2, is_signed = a_signed || b_signed;
  auto byte = [&](ValueId word, int64_t k, bool extends_sign) {
    ValueId low = b_.make(Op::trunc, kI8, {b_.make(Op::lshr, kI32, {word, f_->constant(kI32, 8 * k)})});
    return b_.make(extends_sign ? Op::sext : Op::zext, kI32, {low});
  };
  ValueId sum;
  for (int64_t k = 0; k < 4; ++k) {
    ValueId product = b_.make(Op::mul, kI32, {byte(v[0], k, a_signed), byte(v[1], k, b_signed)});
    sum = k ? b_.make(Op::add, kI32, {sum, product}) : product;
  }
  if (!(row.otherwise & 4)) return sum;
  auto wide = [&](ValueId x) { return b_.make(is_signed ? Op::sext : Op::zext, kI64, {x}); };
  ValueId exact = b_.make(Op::add, kI64, {wide(sum), wide(v[2])});
  const Type* word = types_.get(is_signed ? TypeKind::Int : TypeKind::UInt);
  return b_.make(Op::trunc, kI32,
                 {saturate(exact, types_.get(is_signed ? TypeKind::Long : TypeKind::ULong), word)});
}

ValueId KernelLowering::bitselect(const Type* type, std::span<const ValueId> v) {
  kc::Type t = ir_type(type), word = t.is_float() ? (t == kF64 ? kI64 : kI32) : t;
  auto bits = [&](ValueId x) { return t == word ? x : b_.make(Op::bitcast, word, {x}); };
  Integers i{b_, word, false};
  ValueId mask = bits(v[2]);
  ValueId result =
      i.op(Op::or_, i.op(Op::and_, bits(v[0]), i.invert(mask)), i.op(Op::and_, bits(v[1]), mask));
  return t == word ? result : b_.make(Op::bitcast, t, {result});
}

// Clamps an integer to the range of another integer type.
ValueId KernelLowering::saturate(ValueId v, const Type* from, const Type* to) {
  Integers i{b_, ir_type(from), from->is_signed()};
  unsigned source = i.bits(), target = ir_type(to).bits();
  if (from->is_signed() && !to->is_signed()) v = i.op(Op::smax, v, i.number(0));
  bool signed_target = to->is_signed();
  unsigned from_value_bits = source - from->is_signed(), to_value_bits = target - signed_target;
  if (to_value_bits < from_value_bits) {
    v = i.op(i.is_signed ? Op::smin : Op::umin, v, i.number((uint64_t{1} << to_value_bits) - 1));
    if (i.is_signed && signed_target) v = i.op(Op::smax, v, i.number(~uint64_t{0} << to_value_bits));
  }
  return v;
}

}  // namespace kc::front
