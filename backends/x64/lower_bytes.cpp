// SPDX-License-Identifier: Apache-2.0
// Byte lanes and masks of whole waves (byte_lanes.h): one instruction for all lanes. Masks and bytes are
// split where words need them; results of word operations are joined where they are defined.
#include "backends/x64/elements.h"
#include "backends/x64/lower.h"
#include "ir/check.h"

namespace kc::x64 {

/// Whether the value is one vector or mask register for all lanes.
bool X64Lowering::is_whole(ValueId v) const {
  Type type = w.type(v);
  return dense_ && (type.is_mask() || (type.lane && type.elem == Elem::I1) || byte_lanes_.has(v));
}

/// All lanes as one mask register, or as bytes.
ValueId X64Lowering::whole(ValueId v) {
  Type type = w.type(v);
  const bool mask = type.is_mask() || type.elem == Elem::I1;
  if (w.is_inline(v)) {
    const uint64_t bits = w.is_const(v) ? w.value(v).bits : 0;
    if (!mask) return e.constant(bits * 0x01010101u, vec32());
    const uint64_t all = ~uint64_t{0} >> (64 - w.width), set = type.is_mask() ? bits : bits ? all : 0;
    return e.kreg(Op::x64_kmov64_from_gpr, {e.gpr_const(set & all)}, w.width);
  }
  if (ValueId one = values_[v.index].whole) return one;
  ValueId& made = wholes_[{v, e.block}];
  if (made) return made;
  if (!mask && !type.lane) return made = e.vec(Op::x64_vpbroadcastb_gpr, {scalar(v)}, w.width);
  return made = mask ? joined_masks(parts(v)) : joined_bytes(parts(v));
}

ValueId X64Lowering::joined_masks(const std::vector<ValueId>& parts) {
  auto pair = [&](Op op, ValueId low, ValueId high) { return e.kreg(op, {high, low}, w.width); };
  ValueId low = pair(Op::x64_kunpck32, parts[0], parts[1]);
  return parts.size() == 2 ? low : pair(Op::x64_kunpck64, low, pair(Op::x64_kunpck32, parts[2], parts[3]));
}

ValueId X64Lowering::joined_bytes(const std::vector<ValueId>& parts) {
  ValueId r;
  for (unsigned k = 0; k < parts.size(); ++k)
    r = e.insert_quarter(r, e.vec(Op::x64_vpmovdb, {parts[k]}, bytes_), k, {w.width, 32});
  return r;
}

/// The masks or words of 16 lanes each. The first mask also has the bits of the other lanes, above its own.
const std::vector<ValueId>& X64Lowering::split(ValueId v) {
  std::vector<ValueId>& r = splits_[{v, e.block}];
  if (!r.empty()) return r;
  ValueId all = whole(v);
  const bool mask = w.type(v).is_mask() || w.type(v).elem == Elem::I1;
  for (unsigned k = 0; k < count_; ++k) {
    if (mask)
      r.push_back(k ? e.kreg(Op::x64_kshiftr64, {all}, w.width, k * lanes_per_part()) : all);
    else
      r.push_back(
          e.vec(Op::x64_vpmovzxbd, {k ? e.vec(Op::x64_vextracti32x4, {all}, w.width, k) : all}, bytes_));
  }
  return r;
}

/// All lanes or none, by a uniform boolean.
ValueId X64Lowering::whole_from_bool(ValueId truth) {
  return e.kreg(Op::x64_kmov64_from_gpr, {e.gpr(Op::x64_neg, {scalar(truth)}, 8)}, w.width);
}

/// Lowers an instruction on masks of whole waves; invalid for other instructions.
ValueId X64Lowering::whole_mask_op(const Inst& inst) {
  auto two = [&](Op op, ValueId a, ValueId b) { return e.kreg(op, {a, b}, w.width); };
  auto operand = [&](size_t k) { return whole(inst.operands[k]); };
  auto choice = [&](ValueId c, ValueId yes, ValueId no) {
    return two(Op::x64_kor64, two(Op::x64_kand64, c, yes), two(Op::x64_kandn64, c, no));
  };
  switch (inst.op) {
    case Op::mask_cond:
      if (ValueId x = negated(w, inst.operands[1])) return two(Op::x64_kandn64, whole(x), operand(0));
      [[fallthrough]];
    case Op::mask_and:
    case Op::and_:
      return two(Op::x64_kand64, operand(0), operand(1));
    case Op::mask_or:
    case Op::or_:
      return two(Op::x64_kor64, operand(0), operand(1));
    case Op::mask_andnot:
      return two(Op::x64_kandn64, operand(1), operand(0));
    case Op::mask_if:
      return two(Op::x64_kand64, operand(0), whole_from_bool(inst.operands[1]));
    case Op::eq:
      return two(Op::x64_kxnor64, operand(0), operand(1));
    case Op::add:
    case Op::sub:
    case Op::xor_:
    case Op::ne:
      return two(Op::x64_kxor64, operand(0), operand(1));
    case Op::select:
      if (w.type(inst.results[0]).is_mask())
        return choice(whole_from_bool(inst.operands[0]), operand(1), operand(2));
      [[fallthrough]];
    case Op::blend:
      return choice(operand(0), operand(1), operand(2));
    default:
      return {};
  }
}

ValueId X64Lowering::byte_value(const Inst& inst) {
  const VecType t{w.width, 32}, bytes = t.as(8);
  const bool words = w.type(inst.results[0]).elem == Elem::I32;
  auto operand = [&](size_t k) { return whole(inst.operands[k]); };
  // Counts are taken modulo the width.
  auto shift = [&] { return static_cast<unsigned>(w.value(inst.operands[1]).bits & (words ? 31 : 7)); };
  switch (inst.op) {
    case Op::zext:
      if (w.type(inst.operands[0]).elem == Elem::I1)
        return e.vec(Op::x64_vpblendmb,
                     {operand(0), e.constant(0x01010101u, vec32()), e.constant(0, vec32())}, w.width);
      [[fallthrough]];
    case Op::trunc:
      return operand(0);
    case Op::blend:
    case Op::select:
      if (inst.operands[1] == inst.operands[2]) return operand(1);
      return e.vec(Op::x64_vpblendmb, {operand(0), operand(1), operand(2)}, w.width);
    case Op::add:
      // For words only the low byte of the number matters.
      if (w.is_const(inst.operands[1]))
        return e.vec(Op::x64_vpaddb,
                     {operand(0), e.constant((w.value(inst.operands[1]).bits & 0xff) * 0x01010101u, vec32())},
                     w.width);
      return e.vec(Op::x64_vpaddb, {operand(0), operand(1)}, w.width);
    case Op::sub:
      return e.vec(Op::x64_vpsubb, {operand(0), operand(1)}, w.width);
    case Op::umin:
    case Op::smin:
      return e.min(inst.op == Op::smin && !words, operand(0), operand(1), bytes);
    case Op::umax:
    case Op::smax:
      return e.max(inst.op == Op::smax && !words, operand(0), operand(1), bytes);
    case Op::shl:
      return e.shl(operand(0), shift(), bytes);
    case Op::lshr:
      return e.lshr(operand(0), shift(), bytes);
    case Op::ashr:
      return e.ashr(operand(0), shift(), bytes);
    case Op::and_:
      return e.and_(operand(0), operand(1), t);
    case Op::or_:
      return e.or_(operand(0), operand(1), t);
    case Op::xor_:
      return e.xor_(operand(0), operand(1), t);
    default:
      return {};
  }
}

ValueId X64Lowering::byte_comparison(const Inst& inst) {
  const bool is_signed =
      (inst.op == Op::slt || inst.op == Op::sle) && w.type(inst.operands[0]).elem == Elem::I8;
  return e.kreg(is_signed ? Op::x64_vpcmpb : Op::x64_vpcmpub,
                {whole(inst.operands[0]), whole(inst.operands[1])}, w.width, predicate_of(inst.op));
}

/// Lowers an instruction on bytes or on masks of whole waves; returns whether it was one.
bool X64Lowering::whole_op(const Inst& inst) {
  if (!dense_ || inst.results.size() != 1) return false;
  ValueId result = inst.results[0];
  Lowered r;
  if (inst.op == Op::any) {
    r.scalar = any_bit(inst.operands[0]);
  } else if (byte_lanes_.compares(inst)) {
    r.whole = byte_comparison(inst);
  } else if (!is_whole(result)) {
    return false;
  } else if (byte_lanes_.has(result)) {
    r.whole = byte_value(inst);
  } else if (inst.operands.size() > 1 && w.type(inst.operands[1]).elem != Elem::I1 &&
             !w.type(inst.operands[1]).is_mask()) {
    return false;  // a comparison of words
  } else {
    r.whole = whole_mask_op(inst);
  }
  if (!r.whole && !r.scalar) return false;
  if (r.whole && has_scalar(result))
    r.scalar = inst.op == Op::blend ? scalar(inst.operands[1]) : uniform_op(inst);
  bind(result, std::move(r));
  return true;
}

}  // namespace kc::x64
