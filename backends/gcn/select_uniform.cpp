// SPDX-License-Identifier: Apache-2.0
// Arithmetic on uniform values, as far as the scalar unit does it: integers of 32 bits, most of 64,
// conditions.
#include "backends/gcn/selector.h"

namespace kc::gcn {

// An invalid value when the vector unit has to do it.
ValueId Selector::uniform_op(const Inst& inst, Elem elem) {
  switch (inst.op) {
    case Op::select: {
      Type type = machine_type(w.type(inst.results[0]));
      bool small = type.regs == 1;
      ValueId yes = small ? scalar(inst.operands[1]) : reg(inst.operands[1]);
      ValueId no = small ? scalar(inst.operands[2]) : reg(inst.operands[2]);
      return make(Op::gcn_p_select, type, {reg(inst.operands[0]), yes, no});
    }
    case Op::bitcast:
      return reg(inst.operands[0]);
    case Op::zext:
    case Op::sext:
    case Op::trunc:
      return uniform_resize(inst, elem);
    default:
      break;
  }
  if (Type{elem}.is_float()) return {};
  if (elem == Elem::I1) return uniform_condition(inst);
  if (is_wide(elem)) return uniform_int64(inst);
  return is_small(elem) ? ValueId() : uniform_int32(inst);
}

ValueId Selector::uniform_resize(const Inst& inst, Elem from) {
  Elem to = w.type(inst.results[0]).elem;
  if (inst.op == Op::sext && is_small(from)) return {};
  ValueId v = reg(inst.operands[0]);
  if (inst.op == Op::zext) return is_wide(to) ? pack(v, imm(0), false) : v;
  if (inst.op == Op::trunc) {
    if (is_wide(from)) v = lo(v);
    return Type{to}.bits() == 32 ? v : make(Op::gcn_s_and_b32, sgpr(), {v, imm(low_bits(to))});
  }
  if (from == Elem::I32) return pack(v, make(Op::gcn_s_ashr_i32, sgpr(), {v, imm(31)}), false);
  return narrow(make(Op::gcn_p_select, sgpr(is_wide(to) ? 2 : 1), {v, imm(-1), imm(0)}), to);
}

ValueId Selector::uniform_condition(const Inst& inst) {
  auto two = [&](Op op) { return make(op, sgpr(), {scalar(inst.operands[0]), scalar(inst.operands[1])}); };
  switch (inst.op) {
    case Op::and_:
      return two(Op::gcn_s_and_b32);
    case Op::or_:
      return two(Op::gcn_s_or_b32);
    case Op::add:
    case Op::sub:
    case Op::xor_:
    case Op::ne:
      return two(Op::gcn_s_xor_b32);
    case Op::eq:
      return make(Op::gcn_s_xor_b32, sgpr(), {two(Op::gcn_s_xor_b32), imm(1)});
    default:
      return {};
  }
}

ValueId Selector::uniform_int64(const Inst& inst) {
  auto two = [&](Op op) { return make(op, sgpr(2), {reg(inst.operands[0]), reg(inst.operands[1])}); };
  auto shift = [&](Op op) { return make(op, sgpr(2), {reg(inst.operands[0]), lo(reg(inst.operands[1]))}); };
  auto compare = [&](Compare cc) {
    return make(Op::gcn_p_cmp, sgpr(), {reg(inst.operands[0]), reg(inst.operands[1])}, {cc});
  };
  switch (inst.op) {
    case Op::add:
      return two(Op::gcn_p_s_add64);
    case Op::sub:
      return two(Op::gcn_p_s_sub64);
    case Op::and_:
      return two(Op::gcn_s_and_b64);
    case Op::or_:
      return two(Op::gcn_s_or_b64);
    case Op::xor_:
      return two(Op::gcn_s_xor_b64);
    case Op::shl:
      return shift(Op::gcn_s_lshl_b64);
    case Op::lshr:
      return shift(Op::gcn_s_lshr_b64);
    case Op::ashr:
      return shift(Op::gcn_s_ashr_i64);
    case Op::eq:
      return compare(EqU64);
    case Op::ne:
      return compare(LgU64);
    default:
      return {};
  }
}

ValueId Selector::uniform_int32(const Inst& inst) {
  auto two = [&](Op op) { return make(op, sgpr(), {scalar(inst.operands[0]), scalar(inst.operands[1])}); };
  auto compare = [&](Compare cc) {
    return make(Op::gcn_p_cmp, sgpr(), {scalar(inst.operands[0]), scalar(inst.operands[1])}, {cc});
  };
  switch (inst.op) {
    case Op::add:
      return two(Op::gcn_s_add_u32);
    case Op::sub:
      return two(Op::gcn_s_sub_u32);
    case Op::mul:
      return two(Op::gcn_s_mul_i32);
    case Op::and_:
      return two(Op::gcn_s_and_b32);
    case Op::or_:
      return two(Op::gcn_s_or_b32);
    case Op::xor_:
      return two(Op::gcn_s_xor_b32);
    case Op::shl:
      return two(Op::gcn_s_lshl_b32);
    case Op::lshr:
      return two(Op::gcn_s_lshr_b32);
    case Op::ashr:
      return two(Op::gcn_s_ashr_i32);
    case Op::smin:
      return two(Op::gcn_s_min_i32);
    case Op::smax:
      return two(Op::gcn_s_max_i32);
    case Op::umin:
      return two(Op::gcn_s_min_u32);
    case Op::umax:
      return two(Op::gcn_s_max_u32);
    case Op::eq:
      return compare(EqI32);
    case Op::ne:
      return compare(LgI32);
    case Op::slt:
      return compare(LtI32);
    case Op::sle:
      return compare(LeI32);
    case Op::ult:
      return compare(LtU32);
    case Op::ule:
      return compare(LeU32);
    default:
      return {};
  }
}

}  // namespace kc::gcn
