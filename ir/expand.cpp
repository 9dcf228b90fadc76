// SPDX-License-Identifier: Apache-2.0
#include "ir/expand.h"

#include "ir/function.h"

namespace kc::expansion {
namespace {

/// Arithmetic on one integer type, with short names.
struct Integer {
  explicit Integer(Builder& builder, ValueId v) : b(builder), type(b.f.type(v)), width(type.bits()) {}
  Builder& b;
  Type type;
  unsigned width;

  ValueId constant(uint64_t bits) {
    return b.f.constant(type, width == 64 ? bits : bits & ((uint64_t{1} << width) - 1));
  }
  ValueId make(Op op, ValueId x, ValueId y) { return b.make(op, type, {x, y}); }
  ValueId make(Op op, ValueId x, uint64_t y) { return make(op, x, constant(y)); }
};

}  // namespace

// Sums of adjacent bits, pairs, nibbles; the multiplication adds up all bytes in the highest one.
ValueId popcount(Builder& b, std::span<const ValueId> operands) {
  Integer i(b, operands[0]);
  ValueId x = operands[0];
  x = i.make(Op::sub, x, i.make(Op::and_, i.make(Op::lshr, x, 1), 0x5555555555555555));
  x = i.make(Op::add, i.make(Op::and_, x, 0x3333333333333333),
             i.make(Op::and_, i.make(Op::lshr, x, 2), 0x3333333333333333));
  x = i.make(Op::and_, i.make(Op::add, x, i.make(Op::lshr, x, 4)), 0x0f0f0f0f0f0f0f0f);
  if (i.width == 8) return x;
  return i.make(Op::lshr, i.make(Op::mul, x, 0x0101010101010101), i.width - 8);
}

// Copies the highest set bit to all bits below it, then counts the clear bits.
ValueId clz(Builder& b, std::span<const ValueId> operands) {
  Integer i(b, operands[0]);
  ValueId x = operands[0];
  for (unsigned shift = 1; shift < i.width; shift *= 2) x = i.make(Op::or_, x, i.make(Op::lshr, x, shift));
  ValueId clear = i.make(Op::xor_, x, ~uint64_t{0});
  return popcount(b, {&clear, 1});
}

}  // namespace kc::expansion
