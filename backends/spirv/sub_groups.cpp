// SPDX-License-Identifier: Apache-2.0
#include "backends/spirv/sub_groups.h"

#include "ir/check.h"

namespace kc::spirv {

bool SubGroupCode::handles(Op op) {
  return op == Op::sub_group_local_id || op == Op::ballot || op == Op::shuffle || op == Op::broadcast_first ||
         op == Op::opaque_false;
}

Word SubGroupCode::emit(const Inst& inst, const Words& operands) {
  const Elem e = f.type(inst.results[0]).elem;
  switch (inst.op) {
    case Op::sub_group_local_id:
      return lane();
    case Op::ballot:
      return ballot(operands[0]);
    case Op::shuffle:
      return shuffle(e, operands[0], operands[1]);
    case Op::broadcast_first:
      return broadcast_first(e, operands[0]);
    case Op::opaque_false:
      return launch_.never();
    default:
      KC_CHECK(false, "spirv: no sub-group operation {}", name_of(inst.op));
  }
}

Word SubGroupCode::lane() {
  if (!lane_) {
    c.m.capability(spv::Capability::GroupNonUniform);
    lane_ =
        c.m.variable(c.m.type_pointer(spv::StorageClass::Input, c.type(Elem::I32)), spv::StorageClass::Input);
    const Word operand[] = {static_cast<Word>(spv::BuiltIn::SubgroupLocalInvocationId)};
    c.m.decorate(lane_, spv::Decoration::BuiltIn, operand);
    interface_.push_back(lane_);
  }
  return c.make(spv::Op::OpLoad, Elem::I32, {lane_});
}

Word SubGroupCode::ballot(Word condition) {
  c.m.capability(spv::Capability::GroupNonUniformBallot);
  const Word type = c.m.type_vector(c.type(Elem::I32), 4), bits = c.m.id();
  c.m.code(spv::Op::OpGroupNonUniformBallot, {type, bits, scope(), condition});
  return join(Elem::I64, {c.make(spv::Op::OpCompositeExtract, Elem::I32, {bits, 0}),
                          c.make(spv::Op::OpCompositeExtract, Elem::I32, {bits, 1})});
}

// Inactive lanes, and lanes that do not exist, hold 0. Reading from them is undefined, so they are excluded.
Word SubGroupCode::shuffle(Elem e, Word value, Word from) {
  c.m.capability(spv::Capability::GroupNonUniformShuffle);
  const Elem q = Elem::I64;
  Word low = c.make(spv::Op::OpULessThan, Elem::I1, {from, c.constant(Elem::I32, 64)});
  Word number = c.select(Elem::I32, low, from, lane());
  Word shifted = c.make(spv::Op::OpShiftRightLogical, q, {ballot(c.constant(Elem::I1, 1)), number});
  Word bit = c.make(spv::Op::OpBitwiseAnd, q, {shifted, c.constant(q, 1)});
  Word here = c.make(spv::Op::OpINotEqual, Elem::I1, {bit, c.zero(q)});
  here = c.make(spv::Op::OpLogicalAnd, Elem::I1, {here, low});
  Word asked = c.select(Elem::I32, here, number, lane());
  Words words = split(e, value);
  for (Word& word : words)
    word = c.make(spv::Op::OpGroupNonUniformShuffle, Elem::I32, {scope(), word, asked});
  return c.select(e, here, join(e, words), c.zero(e));
}

Word SubGroupCode::broadcast_first(Elem e, Word value) {
  c.m.capability(spv::Capability::GroupNonUniformBallot);
  Words words = split(e, value);
  for (Word& word : words)
    word = c.make(spv::Op::OpGroupNonUniformBroadcastFirst, Elem::I32, {scope(), word});
  return join(e, words);
}

Words SubGroupCode::split(Elem e, Word value) {
  if (e == Elem::I1) return {c.select(Elem::I32, value, c.constant(Elem::I32, 1), c.zero(Elem::I32))};
  const Elem bits = integer_of(e);
  if (is_float(e)) value = c.make(spv::Op::OpBitcast, bits, {value});
  if (width(bits) == 32) return {value};
  if (width(bits) < 32) return {c.make(spv::Op::OpUConvert, Elem::I32, {value})};
  Word high = c.make(spv::Op::OpShiftRightLogical, bits, {value, c.constant(bits, 32)});
  return {c.make(spv::Op::OpUConvert, Elem::I32, {value}), c.make(spv::Op::OpUConvert, Elem::I32, {high})};
}

Word SubGroupCode::join(Elem e, const Words& words) {
  if (e == Elem::I1) return c.make(spv::Op::OpINotEqual, e, {words[0], c.zero(Elem::I32)});
  const Elem bits = integer_of(e);
  Word value = words[0];
  if (width(bits) < 32) value = c.make(spv::Op::OpUConvert, bits, {value});
  if (width(bits) == 64) {
    Word high = c.make(spv::Op::OpUConvert, bits, {words[1]});
    high = c.make(spv::Op::OpShiftLeftLogical, bits, {high, c.constant(bits, 32)});
    value = c.make(spv::Op::OpBitwiseOr, bits, {c.make(spv::Op::OpUConvert, bits, {value}), high});
  }
  return is_float(e) ? c.make(spv::Op::OpBitcast, e, {value}) : value;
}

}  // namespace kc::spirv
