// SPDX-License-Identifier: Apache-2.0
// The rules of `instcombine` for booleans converted to numbers: 0 and 1, or 0 and -1 as in vector masks.
#include "passes/transform/instcombine_rules.h"

namespace kc {
namespace {

// The boolean that `op` converted to this number, or an invalid id.
ValueId flag_behind(RuleContext& r, ValueId v, Op op) {
  const Inst* extended = r.defined_by(v, op);
  return extended && r.type(extended->operands[0]).elem == Elem::I1 ? extended->operands[0] : ValueId();
}

}  // namespace

bool flag(RuleContext& r, ValueId v, bool positive) {
  return positive ? r.value(v) : r.become(Op::xor_, {v, r.f.constant(kI1, 1)});
}

bool compare_flag(RuleContext& r) {
  auto c = r.bits(r.operand(1));
  if (!c || r.type(r.operand(0)).elem != Elem::I1) return false;
  return flag(r, r.operand(0), r.is_equality() == (*c == 1));
}
// (int)a == (int)b
bool compare_flags(RuleContext& r) {
  for (Op op : {Op::zext, Op::sext}) {
    const Inst *a = r.defined_by(r.operand(0), op), *b = r.defined_by(r.operand(1), op);
    if (a && b && r.type(a->operands[0]).elem == Elem::I1 && r.type(b->operands[0]).elem == Elem::I1)
      return r.become(r.inst().op, {a->operands[0], b->operands[0]});
  }
  return false;
}

// (c ? k1 : k2) == k3
bool compare_chosen(RuleContext& r) {
  auto wanted = r.bits(r.operand(1));
  const Inst* select = r.defined_by(r.operand(0), Op::select);
  if (!wanted || !select) return false;
  auto yes = r.bits(select->operands[1]), no = r.bits(select->operands[2]);
  if (!yes || !no) return false;
  bool if_yes = (yes == wanted) == r.is_equality(), if_no = (no == wanted) == r.is_equality();
  if (if_yes == if_no) return r.constant(if_yes);
  return flag(r, select->operands[0], if_yes);
}

// mask(a) & mask(b), and so on: the mask of the combined condition.
bool flags_together(RuleContext& r) {
  for (Op op : {Op::zext, Op::sext}) {
    ValueId a = flag_behind(r, r.operand(0), op), b = flag_behind(r, r.operand(1), op);
    if (a.valid() && b.valid()) return r.become(op, {r.make(r.inst().op, Elem::I1, {a, b})});
  }
  return false;
}

// -mask is truth, -truth is mask.
bool negated_flag(RuleContext& r) {
  if (!r.is(r.operand(0), 0)) return false;
  for (Op op : {Op::zext, Op::sext})
    if (ValueId a = flag_behind(r, r.operand(1), op); a.valid())
      return r.become(op == Op::zext ? Op::sext : Op::zext, {a});
  return false;
}

// mask < 0, and 0 <= mask.
bool sign_of_flag(RuleContext& r) {
  bool negative = r.inst().op == Op::slt;
  ValueId mask = r.operand(negative ? 0 : 1);
  ValueId a = flag_behind(r, mask, Op::sext);
  return a.valid() && r.is(r.operand(negative ? 1 : 0), 0) && flag(r, a, negative);
}

}  // namespace kc
