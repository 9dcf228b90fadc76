// SPDX-License-Identifier: Apache-2.0
// Elementwise opcodes on machine vectors, with the language's definitions for all inputs. Integers of 8 and
// 16 bits are zero-extended in 32-bit elements.
#pragma once

#include <optional>
#include <span>

#include "backends/x64/emit.h"

namespace kc::x64 {

inline unsigned bits_of(Elem e) { return Type{e}.bits(); }
/// Of 8 or 16 bits, which occupy 32-bit elements.
inline bool is_small(Elem e) { return e == Elem::I8 || e == Elem::I16; }
/// Element size in a vector: 64 for 64-bit types, 32 for all others.
inline unsigned element_bits(Elem e) { return Type{e}.bits() == 64 ? 64 : 32; }

/// The instruction that defines a value, if it is this operation, else null.
const Inst* defined_by(const Function& f, ValueId v, Op op);

/// The row that loads or stores one element, an integer in a general register or a float in a vector, without
/// and with an index.
Op scalar_access(Elem elem, bool store, bool index);
/// The same, read backwards.
struct ScalarAccess {
  unsigned bytes;
  bool store, indexed;
  Op load;  // of such an element at such a place
};
/// None for other rows.
std::optional<ScalarAccess> scalar_access_of(Op op);

inline bool is_division(Op op) { return class_of(op) == OpClass::IntDivision; }

/// Integer arithmetic without divisions and shifts, at the size of the vector's elements. No products of
/// bytes.
ValueId integer_op(Emit& e, Op op, ValueId a, ValueId b, VecType t);
/// Arithmetic whose operands and result have the element type `elem`.
ValueId element_op(Emit& e, Op op, Elem elem, unsigned bytes, std::span<const ValueId> args);
/// Division and remainder of integers of at most 32 bits by one divisor for all lanes: `b` as vectors, and
/// `inverse` computed from a constant below, in double for 32 bits, else in float.
ValueId element_divide(Emit& e, Op op, Elem elem, unsigned bytes, ValueId a, ValueId b, ValueId inverse);
/// The same of integers of 32 and 64 bits by a constant: whether products do it, and they.
bool divides_by_product(Op op, Elem elem, uint64_t divisor);
ValueId divide_by_product(Emit& e, Op op, Elem elem, unsigned bytes, ValueId a, uint64_t divisor);
/// Shifts all elements by the same count, below their width.
ValueId element_shift(Emit& e, Op op, Elem elem, unsigned bytes, ValueId a, unsigned n);
/// Slightly more than 1: the double product with kAboveOne / b is never below the quotient. The excess is too
/// small to reach the next integer, which is at least 2^-32 of the quotient away.
inline constexpr double kAboveOne = 1.0 + 0x1p-50;
/// The same for floats and integers of at most 16 bits.
inline constexpr float kAboveOneF32 = 1.0F + 0x1p-20F;
/// What a comparison of integers asks of the vector instruction, which is one for unsigned or signed
/// elements.
Predicate predicate_of(Op comparison);
/// Comparison; returns an element mask of elem's size.
ValueId element_compare(Emit& e, Op op, Elem elem, unsigned bytes, ValueId a, ValueId b);
/// Conversion of as many lanes as `bytes` has 32-bit elements. 64-bit types take two vectors (one if bytes is
/// 16: then only the lowest element is used); i1 is a mask of 32-bit elements.
std::vector<ValueId> element_convert(Emit& e, Op op, Elem from, Elem to, unsigned bytes,
                                     std::span<const ValueId> args);

/// Sign-extends a small integer to 32 bits, and truncates it to the canonical form.
ValueId sign_extend_small(Emit& e, Elem elem, ValueId a, unsigned bytes);
ValueId cut_small(Emit& e, Elem elem, ValueId a, unsigned bytes);

}  // namespace kc::x64
