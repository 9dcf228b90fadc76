// SPDX-License-Identifier: Apache-2.0
// Emits machine instructions on one vector at a time, with one name for AVX2 and AVX-512. A VecType specifies
// the size in bytes and 32-bit or 64-bit elements; integers may have 8 or 16 bits in sums, products of
// shorts, minima, shifts by numbers, bitwise operations, comparisons, blends and constants. Element masks are
// vectors of all ones or zeros on AVX2, and mask registers on AVX-512.
#pragma once

#include <map>

#include "backends/x64/conditions.h"
#include "backends/x64/word_bytes.h"
#include "ir/function.h"

namespace kc::x64 {

struct VecType {
  unsigned bytes = 32;
  unsigned bits = 32;
  unsigned lanes() const { return bytes * 8 / bits; }
  VecType as(unsigned element_bits) const { return {bytes, element_bits}; }
};

class Emit {
 public:
  Emit(Function& machine, bool with_avx512) : m(machine), avx512(with_avx512) {}
  Function& m;
  const bool avx512;
  BlockId block;
  Loc loc;
  WordBytes word_bytes;  // what results of shifts and of or_ are, as far as it is known

  // --- machine instructions
  InstId row(Op op, ValueList operands, std::initializer_list<Type> results,
             std::initializer_list<int64_t> attrs = {});
  ValueId gpr(Op op, ValueList operands, int64_t size = 8, int64_t imm = 0, int64_t cc = 0);
  ValueId vec(Op op, ValueList operands, unsigned bytes, int64_t imm = 0);
  ValueId kreg(Op op, ValueList operands, unsigned bytes, int64_t imm = 0);
  ValueId number(int64_t v) { return m.constant(kI64, static_cast<uint64_t>(v)); }  // an immediate
  ValueId gpr_const(uint64_t v);
  /// An immediate if it fits in 32 bits, else a register.
  ValueId imm_or_gpr(uint64_t v, unsigned size);
  void jump(BlockId to, ValueList args);
  /// A conditional jump.
  void branch(Op op, ValueList operands, int64_t size, Condition cc, Target yes, Target no);

  // --- constants, in the entry block
  ValueId zero();
  ValueId ones();
  ValueId constant(uint64_t bits, VecType t);
  ValueId fconstant(double v, VecType t);
  /// The mask of one lane. AVX-512 only.
  ValueId lane_mask(unsigned lane);
  ValueId iota(int64_t first, int64_t step, unsigned element_bytes, unsigned bytes);
  /// Numbers below 32 as 32-bit elements.
  ValueId numbers(const std::vector<uint8_t>& numbers, unsigned bytes);
  /// The same 16 bytes in each 128 bits.
  ValueId bytes16(const std::array<uint8_t, 16>& in_each, unsigned bytes);
  /// Inserts the constants where they dominate all uses.
  void finish();

  // --- integers and bits
  ValueId and_(ValueId a, ValueId b, VecType t);
  ValueId or_(ValueId a, ValueId b, VecType t);
  ValueId xor_(ValueId a, ValueId b, VecType t);
  ValueId andn(ValueId a, ValueId b, VecType t);  // ~a & b
  ValueId add(ValueId a, ValueId b, VecType t);
  ValueId sub(ValueId a, ValueId b, VecType t);
  ValueId mul(ValueId a, ValueId b, VecType t);
  ValueId min(bool is_signed, ValueId a, ValueId b, VecType t);
  ValueId max(bool is_signed, ValueId a, ValueId b, VecType t);
  ValueId shl(ValueId a, unsigned n, VecType t);
  ValueId lshr(ValueId a, unsigned n, VecType t);
  ValueId ashr(ValueId a, unsigned n, VecType t);
  // Counts below the element width.
  ValueId shl(ValueId a, ValueId n, VecType t);
  ValueId lshr(ValueId a, ValueId n, VecType t);
  ValueId ashr(ValueId a, ValueId n, VecType t);
  ValueId compare(bool is_signed, Predicate p, ValueId a, ValueId b, VecType t);
  ValueId blend(ValueId mask, ValueId yes, ValueId no, VecType t);
  /// Elements whose mask is set, zero elsewhere.
  ValueId keep(ValueId mask, ValueId a, VecType t);

  // --- floats
  ValueId fadd(ValueId a, ValueId b, VecType t);
  ValueId fsub(ValueId a, ValueId b, VecType t);
  ValueId fmul(ValueId a, ValueId b, VecType t);
  ValueId fdiv(ValueId a, ValueId b, VecType t);
  ValueId fsqrt(ValueId a, VecType t);
  ValueId raw_min(ValueId a, ValueId b, VecType t);  // b if one is NaN or both are zero
  ValueId raw_max(ValueId a, ValueId b, VecType t);
  ValueId round(ValueId a, unsigned mode, VecType t);  // 0 nearest, 1 down, 2 up, 3 toward zero
  ValueId fcompare(Predicate p, ValueId a, ValueId b, VecType t);

  // --- element masks
  Type mask_type() const { return avx512 ? kKreg : kVec; }
  ValueId mask_and(ValueId a, ValueId b, VecType t);
  ValueId mask_or(ValueId a, ValueId b, VecType t);
  ValueId mask_xor(ValueId a, ValueId b, VecType t);
  ValueId mask_xnor(ValueId a, ValueId b, VecType t);
  ValueId mask_andn(ValueId a, ValueId b, VecType t);  // a & ~b
  /// One bit per element in a general register.
  ValueId mask_bits(ValueId mask, VecType t);
  /// The mask of bits in a general register; the lowest bit is the first element.
  ValueId mask_from_bits(ValueId bits, VecType t);
  /// All elements or none, from 0 or 1 in a general register.
  ValueId mask_from_bool(ValueId bit, VecType t);
  /// A mask of no lane, or of all lanes of a vector. Operations on it fold: what no lane does is not done.
  ValueId constant_mask(bool all, unsigned bytes);
  bool is_none(ValueId mask) const { return is_constant_mask(mask, false); }
  bool is_all(ValueId mask) const { return is_constant_mask(mask, true); }
  /// The mask of 64-bit elements for one half of the lanes of a mask of 32-bit elements, and back.
  ValueId mask_half(ValueId mask, unsigned half, VecType t);
  ValueId mask_join(ValueId low, ValueId high, VecType t);

  // --- moves between sizes and register files
  ValueId splat_gpr(ValueId a, VecType t);
  ValueId splat_vec(ValueId a, VecType t);
  ValueId to_vec(ValueId gpr, unsigned bits);  // lowest element
  ValueId to_gpr(ValueId vec, unsigned bits);
  ValueId extract_half(ValueId a, unsigned half, VecType t);
  ValueId insert_half(ValueId a, ValueId high, VecType t);
  /// The 128 bits with the element.
  ValueId quarter_of(ValueId a, unsigned lane, VecType t);
  /// The element in a general register.
  ValueId extract(ValueId a, unsigned lane, VecType t);
  ValueId build(const std::vector<ValueId>& gprs, VecType t);
  /// Inserts 128 bits; the first quarter needs no vector yet.
  ValueId insert_quarter(ValueId a, ValueId part, unsigned quarter, VecType t);
  /// Low (high) half of 32-bit elements as 64-bit elements; and the low words of two vectors as one.
  ValueId widen(ValueId a, unsigned half, bool is_signed, VecType t);
  ValueId narrow(ValueId low, ValueId high, VecType t);

 private:
  ValueId word_shuffled(const WordBytes::Bytes& bytes, VecType t);
  unsigned full() const { return avx512 ? 64 : 32; }
  bool is_constant_mask(ValueId mask, bool all) const;
  ValueId hoisted(Op op, int64_t a, int64_t b, int64_t c, int64_t d);
  ValueId in_entry(Op op, ValueList operands, const Type& result, std::array<int64_t, kMaxAttrs> attrs);
  using Logic = ValueId (Emit::*)(ValueId, ValueId, VecType);
  ValueId note_halves(ValueId result, ValueId a, ValueId b, Logic logic);
  ValueId known_half(ValueId mask, unsigned half, VecType t);
  std::map<std::tuple<Op, int64_t, int64_t, int64_t, int64_t>, ValueId> constants_;
  std::vector<InstId> hoisted_;
  std::map<std::tuple<ValueId, BlockId, unsigned>, ValueId> lane_parts_;
  std::map<ValueId, bool> constant_masks_;  // of AVX-512: whether it has all lanes
  // Of AVX2: masks of 32-bit elements that were joined from masks of 64-bit elements, `a` and `b`, and those
  // that combine two such masks. Their halves need not be widened again.
  struct Halves {
    ValueId a, b;
    Logic logic = nullptr;
    unsigned steps = 0;  // of logic, between the halves of the masks that were joined and those of this one
  };
  std::map<ValueId, Halves> halves_;
};

}  // namespace kc::x64
