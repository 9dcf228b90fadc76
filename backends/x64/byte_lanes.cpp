// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/byte_lanes.h"

#include "backends/x64/byte_masks.h"
#include "backends/x64/elements.h"
#include "passes/analysis/cycles.h"

namespace kc::x64 {
namespace {

constexpr uint64_t kMostByte = 255;
// Sweeps until the fixed point; a function that needs more keeps no values as bytes.
constexpr unsigned kMaxSweeps = 16;

bool is_comparison(Op op) { return class_of(op) == OpClass::IntCompare; }
bool is_bitwise(Op op) { return op == Op::and_ || op == Op::or_ || op == Op::xor_; }
// Signed and unsigned minima of words below 256 are the same.
bool is_least_or_greatest(Op op) {
  return op == Op::umin || op == Op::umax || op == Op::smin || op == Op::smax;
}
bool is_shift(Op op) { return op == Op::shl || op == Op::lshr || op == Op::ashr; }
bool is_choice(Op op) { return class_of(op) == OpClass::Choice; }

}  // namespace

ByteLanes::ByteLanes(const Function& wave, const Cfg& cfg, const ByteModel& model)
    : f_(&wave), cfg_(&cfg), is_byte_(wave.value_count()) {
  find_candidates();
  unsigned sweeps = 0;
  while (sweep())
    if (++sweeps == kMaxSweeps) return;
  weigh(model);
}

bool ByteLanes::is_word(ValueId v) const { return f_->type(v).lane && f_->type(v).elem == Elem::I32; }

// A sum that is negative as a word and wraps as a byte.
bool ByteLanes::wraps(ValueId v) const {
  InstId d = f_->def(v);
  return d && f_->inst(d).op == Op::add && is_word(v);
}

// Whether the bytes of a value are available or can be computed.
bool ByteLanes::ready(ValueId v) const {
  if (f_->is_const(v)) return f_->value(v).bits <= kMostByte;
  return f_->is_undef(v) || f_->type(v).elem == Elem::I8 || (has(v) && !wraps(v));
}

bool ByteLanes::may_make(const Inst& inst) const {
  Type type = f_->type(inst.results[0]);
  if (!type.lane || (type.elem != Elem::I8 && type.elem != Elem::I32)) return false;
  if (is_choice(inst.op) || is_bitwise(inst.op) || is_least_or_greatest(inst.op)) return true;
  if (inst.op == Op::zext) return f_->type(inst.operands[0]).bits() <= 8;
  // A word that is a byte is still one when its bits move down.
  if (is_shift(inst.op))
    return f_->is_const(inst.operands[1]) && (type.elem == Elem::I8 || inst.op == Op::lshr);
  if (type.elem == Elem::I8)
    return inst.op == Op::add || inst.op == Op::sub || inst.op == Op::lane_load ||
           (inst.op == Op::trunc && is_word(inst.operands[0]));
  return inst.op == Op::add && f_->is_const(inst.operands[1]);
}

void ByteLanes::find_candidates() {
  for (BlockId b : cfg_->rpo) {
    for (ValueId p : f_->block(b).params) {
      Type type = f_->type(p);
      is_byte_[p.index] = type.lane && (type.elem == Elem::I8 || type.elem == Elem::I32);
    }
    for (InstId i : f_->block(b).insts)
      if (const Inst& inst = f_->inst(i); inst.results.size() == 1)
        is_byte_[inst.results[0].index] = may_make(inst);
  }
}

void ByteLanes::drop(ValueId v) {
  if (!has(v)) return;
  is_byte_[v.index] = false;
  dropped_ = true;
}

bool ByteLanes::made_of_bytes(const Inst& inst) const {
  if (inst.op == Op::lane_load || is_truth_as_number(*f_, inst)) return true;
  for (size_t k = is_choice(inst.op) ? 1 : 0; k < inst.operands.size(); ++k)
    if (!(k == 1 && wraps(inst.results[0])) && !ready(inst.operands[k])) return false;
  return true;
}

// x - low <= span on bytes: a negative difference becomes 256 - low or more.
bool ByteLanes::survives_wrapping(const Inst& inst) const {
  const bool strict = inst.op == Op::ult;
  if (!strict && inst.op != Op::ule) return false;
  const bool sum_first = wraps(inst.operands[0]) && has(inst.operands[0]);
  ValueId sum = inst.operands[sum_first ? 0 : 1], limit = inst.operands[sum_first ? 1 : 0];
  if (!f_->is_const(limit)) return false;
  // Below the limit, or equal to it: `limit < sum` is the negation of `sum <= limit`.
  const uint64_t above = f_->value(limit).bits + (strict == sum_first ? 0 : 1);
  const uint64_t low = 0x100000000u - f_->value(f_->inst(f_->def(sum)).operands[1]).bits;
  return low <= kMostByte && above >= 1 && low + above - 1 <= kMostByte;
}

bool ByteLanes::compares(const Inst& inst) const {
  if (!is_comparison(inst.op)) return false;
  ValueId a = inst.operands[0], b = inst.operands[1];
  if (!has(a) && !has(b)) return false;
  if ((has(a) && wraps(a)) || (has(b) && wraps(b))) return survives_wrapping(inst);
  return ready(a) && ready(b);
}

// Whether a user of a byte-sized word can use the byte.
bool ByteLanes::reads_bytes(const Inst& inst, size_t operand) const {
  if (is_comparison(inst.op)) return compares(inst);
  if (inst.results.size() != 1 || !has(inst.results[0])) return false;
  if (wraps(inst.operands[operand])) return false;
  if (is_choice(inst.op)) return operand > 0;
  return is_bitwise(inst.op) || is_least_or_greatest(inst.op) || is_shift(inst.op) || inst.op == Op::trunc ||
         wraps(inst.results[0]);
}

// Drops values not computed from bytes, and words with a user that needs more. Returns whether any was
// dropped.
bool ByteLanes::sweep() {
  dropped_ = false;
  for (ValueId p : f_->block(f_->entry()).params) drop(p);
  for (BlockId b : cfg_->rpo)
    for (InstId i : f_->block(b).insts) {
      const Inst& inst = f_->inst(i);
      if (inst.results.size() == 1 && has(inst.results[0]) && !made_of_bytes(inst)) drop(inst.results[0]);
      for (size_t k = 0; k < inst.operands.size(); ++k)
        if (ValueId v = inst.operands[k]; has(v) && is_word(v) && !reads_bytes(inst, k)) drop(v);
      for (const Target& t : inst.targets)
        for (size_t k = 0; k < t.args.size(); ++k) {
          ValueId p = f_->block(t.block).params[k], a = t.args[k];
          if (has(p) && !ready(a)) drop(p);
          if (has(a) && is_word(a) && !has(p)) drop(a);
        }
    }
  return dropped_;
}

// In units of three instructions: a vector of bytes has the lanes of four vectors of words, so each operation
// on bytes saves as many, and each mask that is joined for bytes or split for words costs as many. So does
// each operation on other bytes and shorts, for these are words then (else, small_lanes.h). The factors are
// fitted to 15 kernels compiled in both ways; of 43, the other way is faster for ten, by up to 1.27.
void ByteLanes::weigh(const ByteModel& model) {
  constexpr double kLoop = 16;
  constexpr double kMask = 1.0 / 3;  // most masks are write masks of comparisons
  constexpr double kGathered = 3;    // words become bytes
  constexpr double kShifted = 0.5;   // bytes are shifted as shorts, and cut
  const Cycles cycles(*f_, *cfg_);
  double saved = 0, spent = 0;
  std::vector<bool> split(f_->value_count());
  bool steers = false;
  for (BlockId b : cfg_->rpo) {
    const double weight = cycles.innermost[b.index] == kNone ? 1 : kLoop;
    for (InstId i : f_->block(b).insts) {
      const Inst& inst = f_->inst(i);
      const bool chooses = is_choice(inst.op),
                 joins = is_comparison(inst.op) || class_of(inst.op) == OpClass::FloatCompare;
      if (!chooses)
        for (ValueId v : inst.operands)
          if (InstId d = f_->is_inline(v) ? InstId() : f_->def(v)) steers |= compares(f_->inst(d));
      const Type type = inst.results.size() == 1 ? f_->type(inst.results[0]) : kVoid;
      const bool loads = inst.op == Op::lane_load,
                 of_bytes = inst.results.size() == 1 && has(inst.results[0]);
      const ValueId value = inst.op == Op::lane_store ? inst.operands[2]
                            : type.lane               ? inst.results[0]
                                                      : ValueId();
      if (value.valid() && !f_->is_inline(value) && is_small(f_->type(value).elem) && !has(value))
        spent += weight;
      if (inst.op == Op::any || type.is_mask())
        saved += kMask * weight;
      else if (loads && of_bytes)
        spent += model.gathers(inst.operands[1]) ? kGathered * weight : 0;
      else if (compares(inst) ||
               (of_bytes && inst.op != Op::trunc && (inst.op != Op::zext || is_truth_as_number(*f_, inst))))
        saved += is_shift(inst.op) ? kShifted * weight : weight;
      else if (joins && type.lane)
        spent += weight;
      else if (type.lane && type.elem == Elem::I1 && !chooses)
        saved += weight;
      else if (inst.op == Op::lane_store && is_vector(value) && model.is_run(i))
        saved += weight;
      else if ((chooses && type.lane) || loads || inst.op == Op::lane_store || info(inst.op).has(Atomic)) {
        if (!split[inst.operands[0].index]) spent += weight;
        split[inst.operands[0].index] = true;
      }
    }
  }
  // Choices alone are as well off with vectors of bytes (small_lanes.h).
  worthwhile_ = steers && saved > spent;
}

}  // namespace kc::x64
