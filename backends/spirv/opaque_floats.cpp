// SPDX-License-Identifier: Apache-2.0
#include "backends/spirv/opaque_floats.h"

#include <algorithm>

namespace kc::spirv {
namespace {

bool is_arithmetic(Op op) {
  return op == Op::fadd || op == Op::fsub || op == Op::fmul || op == Op::fdiv || op == Op::ffma;
}

// The bits of the float 1 of this width; 0 if there is no such type.
uint64_t one(unsigned bits) {
  return bits == 16 ? 0x3c00 : bits == 32 ? 0x3f800000 : bits == 64 ? 0x3ff0000000000000 : 0;
}

uint64_t sign_bit(const Function& f, ValueId v) { return uint64_t{1} << (width(f.type(v).elem) - 1); }
bool has_sign(const Function& f, ValueId constant) {
  return (f.value(constant).bits & sign_bit(f, constant)) != 0;
}
// Whether the bits are those of a float 0 or -0.
bool is_zero(const Function& f, ValueId v) {
  return f.is_const(v) && !f.type(v).is_pointer() && one(width(f.type(v).elem)) &&
         (f.value(v).bits & ~sign_bit(f, v)) == 0;
}
// Whether the bits are those of 1 or -1.
bool is_one(const Function& f, ValueId v) {
  const uint64_t bits = one(width(f.type(v).elem));
  return f.is_const(v) && bits && (f.value(v).bits & ~sign_bit(f, v)) == bits;
}

bool is_float_constant(const Function& f, ValueId v) { return f.is_const(v) && f.type(v).is_float(); }

// Whether drivers mishandle this operand: a zero in arithmetic, or a zero as the alternative to 1 or -1. They
// also fold functions of constants to zeros, and know what was stored. Integers in memory may be read as
// floats.
bool must_hide_operand(const Function& f, const Inst& inst, ValueId v) {
  if (is_arithmetic(inst.op) && is_zero(f, v)) return true;
  if (inst.op == Op::store) return v == inst.operands[1] && (is_float_constant(f, v) || is_zero(f, v));
  if (info(inst.op).has(Elementwise) && inst.op != Op::select)
    return is_float_constant(f, v) &&
           std::ranges::all_of(inst.operands, [&](ValueId o) { return f.is_const(o); });
  if (inst.op != Op::select || v == inst.operands[0]) return false;
  if (is_float_constant(f, v)) return true;
  const ValueId other = inst.operands[inst.operands[1] == v ? 2 : 1];
  return is_zero(f, v) && is_one(f, other) && has_sign(f, other) != has_sign(f, v);
}

// Whether a float is computed of integers.
bool is_made_of_integers(const Function& f, const Inst& inst) {
  return f.type(inst.results[0]).is_float() && info(inst.op).has(Elementwise) && inst.op != Op::select &&
         std::ranges::any_of(inst.operands, [&](ValueId v) { return !f.type(v).is_float(); });
}

}  // namespace

void OpaqueFloats::emit(const Function& f, Code& c, LaunchCode& launch) {
  bool has_private = std::any_of(f.objects.begin(), f.objects.end(),
                                 [](const MemoryObject& o) { return o.type == kPtrPrivate; });
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      for (const Target& t : inst.targets) note_ones(f, t);
      const bool arithmetic = is_arithmetic(inst.op);
      // Drivers propagate constants through private memory as well.
      if (arithmetic && has_private) c.hide_private(zero32(launch)), has_private = false;
      for (ValueId operand : inst.operands)
        if (must_hide_operand(f, inst, operand)) hide(f, operand, c, launch);
      if (!inst.results.empty() && is_made_of_integers(f, inst)) zero32(launch);
    }
  for (BlockId b : f.layout)
    for (const Target& t : f.successors(b))
      for (size_t k = 0; k < t.args.size(); ++k)
        if (must_hide_argument(f, t, k)) hide(f, t.args[k], c, launch);
}

Word OpaqueFloats::result(const Function& f, const Inst& inst, Word value, Code& c) const {
  if (!is_made_of_integers(f, inst)) return value;
  const Elem e = f.type(inst.results[0]).elem, whole = integer_of(e);
  Word zero = whole == Elem::I32 ? zero32_ : c.make(spv::Op::OpUConvert, whole, {zero32_});
  Word bits = c.make(spv::Op::OpBitcast, whole, {value});
  return c.make(spv::Op::OpBitcast, e, {c.make(spv::Op::OpBitwiseOr, whole, {bits, zero})});
}

Word OpaqueFloats::stored(ValueId v, Word value) const {
  const auto it = opaque_.find(v);
  return it == opaque_.end() ? value : it->second;
}

Word OpaqueFloats::zero32(LaunchCode& launch) {
  if (!zero32_) zero32_ = launch.zero();
  return zero32_;
}

void OpaqueFloats::hide(const Function& f, ValueId constant, Code& c, LaunchCode& launch) {
  if (opaque_.contains(constant)) return;
  const Elem e = f.type(constant).elem, whole = integer_of(e);
  const uint64_t bits = f.value(constant).bits;
  Word zero = zero32(launch);
  if (whole != Elem::I32) zero = c.make(spv::Op::OpUConvert, whole, {zero});
  if (bits) zero = c.make(spv::Op::OpBitwiseOr, whole, {zero, c.constant(whole, bits)});
  opaque_[constant] = is_float(e) ? c.make(spv::Op::OpBitcast, e, {zero}) : zero;
}

void OpaqueFloats::note_ones(const Function& f, const Target& t) {
  for (size_t k = 0; k < t.args.size(); ++k)
    if (is_one(f, t.args[k])) ones_[f.block(t.block).params[k]].insert(has_sign(f, t.args[k]));
}

bool OpaqueFloats::must_hide_argument(const Function& f, const Target& t, size_t k) const {
  if (is_float_constant(f, t.args[k])) return true;
  if (!is_zero(f, t.args[k])) return false;
  auto ones = ones_.find(f.block(t.block).params[k]);
  return ones != ones_.end() && ones->second.contains(!has_sign(f, t.args[k]));
}

void OpaqueFloats::replace(const Function& f, const Inst& inst, Words& operands) const {
  for (size_t k = 0; k < operands.size(); ++k)
    if (must_hide_operand(f, inst, inst.operands[k])) operands[k] = opaque_.at(inst.operands[k]);
}

void OpaqueFloats::replace(const Function& f, const Target& t, Words& args) const {
  for (size_t k = 0; k < args.size(); ++k)
    if (must_hide_argument(f, t, k)) args[k] = opaque_.at(t.args[k]);
}

}  // namespace kc::spirv
