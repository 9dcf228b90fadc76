// SPDX-License-Identifier: Apache-2.0
// Arithmetic on uniform values as far as the scalar unit supports it: 32-bit integers, most 64-bit
// operations, conditions.
#include "backends/gcn/selector.h"

namespace kc::gcn {

// Invalid if the vector unit has to compute it.
ValueId Selector::uniform_op(const Inst& inst, Elem elem) {
  switch (inst.op) {
    case Op::select: {
      Type type = machine_type(w.type(inst.results[0]));
      bool small = type.regs == 1;
      ValueId yes = small ? scalar(inst.operands[1]) : reg(inst.operands[1]);
      ValueId no = small ? scalar(inst.operands[2]) : reg(inst.operands[2]);
      return select_scalar(inst.operands[0], type, yes, no);
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
  return narrow(select_scalar(inst.operands[0], sgpr(is_wide(to) ? 2 : 1), imm(-1), imm(0)), to);
}

// A comparison used as a condition needs no register for its result.
ValueId Selector::select_scalar(ValueId condition, Type type, ValueId yes, ValueId no) {
  ValueId c = reg(condition);
  if (InstId def = m.def(c); def && m.inst(def).op == Op::gcn_p_cmp) {
    const Inst& compare = m.inst(def);
    return make(Op::gcn_p_cmp_select, type, {compare.operands[0], compare.operands[1], yes, no},
                {compare.attrs[0]});
  }
  return make(Op::gcn_p_select, type, {c, yes, no});
}

// 64-bit product, modulo 2^64.
ValueId Selector::multiply_scalar64(ValueId x, ValueId y) {
  auto multiply = [&](ValueId a, ValueId c) { return make(Op::gcn_s_mul_i32, sgpr(), {a, c}); };
  auto add = [&](ValueId a, ValueId c) { return make(Op::gcn_s_add_u32, sgpr(), {a, c}); };
  ValueId high = make(Op::gcn_s_mul_hi_u32, sgpr(), {lo(x), lo(y)});
  high = add(add(high, multiply(lo(x), hi(y))), multiply(hi(x), lo(y)));
  return pack(multiply(lo(x), lo(y)), high, false);
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
    case Op::mul:
      return multiply_scalar64(reg(inst.operands[0]), reg(inst.operands[1]));
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
    case Op::sdiv:
    case Op::udiv:
    case Op::srem:
    case Op::urem: {
      ValueId d = inst.operands[1];
      if (!w.is_const(d) || !is_invertible(inst.op, imm(static_cast<int64_t>(w.value(d).bits)), Elem::I32))
        return {};
      return divide_by_constant(inst.op, reg(inst.operands[0]), static_cast<uint32_t>(w.value(d).bits),
                                bound_of(inst.operands[0], kBoundDepth), true);
    }
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
