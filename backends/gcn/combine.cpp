// SPDX-License-Identifier: Apache-2.0
// Instruction combining: three-operand sums, shifts with sums, rotations, bit fields, and float signs that an
// operand modifier encodes.
//
//   v_lshlrev_b32 %1, 2, %a            v_lshl_add_u32 %2, %a, 2, %b
//   v_add_u32 %2, %1, %b          ==>
//   v_xor_b32 %3, 0x80000000, %c       v_fma_f32 %4, -%c, %d, %e
//   v_fma_f32 %4, %3, %d, %e
//
// Only an operation in the same block with a single user is absorbed; signs cost nothing for any number of
// users. Three-operand instructions read at most one scalar register and no literals.
#include <bit>
#include <optional>
#include <utility>

#include "backends/gcn/rewrites.h"
#include "backends/gcn/selector.h"
#include "passes/ir_util.h"

namespace kc::gcn {
namespace {

constexpr uint32_t kSign = 0x80000000, kMagnitude = 0x7fffffff;
enum Attr : size_t { kNeg = 0, kAbs = 1 };  // of opcodes with float operands

class Combiner {
 public:
  explicit Combiner(Function& function) : f(function), uses_(function.value_count()) {
    for_each_use(f, [&](ValueId v) { ++uses_[v.index]; });
  }

  void run() {
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        Inst& inst = f.inst(i);
        if (takes_signs(inst)) take_signs(inst);
        integers(inst);
      }
  }

 private:
  // --- integers

  void integers(Inst& inst) {
    switch (inst.op) {
      case Op::gcn_v_add_u32:
        if (!sum_with(inst, 0)) sum_with(inst, 1);
        return;
      case Op::gcn_v_or_b32:
        if (!rotation(inst, 0) && !rotation(inst, 1) && !or_with(inst, 0)) or_with(inst, 1);
        return;
      case Op::gcn_v_lshlrev_b32:
        if (const Inst* sum = only_user(inst, 1, Op::gcn_v_add_u32))
          become(inst, Op::gcn_v_add_lshl_u32, {sum->operands[0], sum->operands[1], inst.operands[0]},
                 inst.operands[1]);
        return;
      case Op::gcn_v_and_b32:
        bit_field(inst);
        return;
      default:
        return;
    }
  }

  bool sum_with(Inst& inst, size_t k) {
    ValueId other = inst.operands[1 - k];
    if (const Inst* sum = only_user(inst, k, Op::gcn_v_add_u32))
      return become(inst, Op::gcn_v_add3_u32, {sum->operands[0], sum->operands[1], other}, inst.operands[k]);
    if (const Inst* shift = only_user(inst, k, Op::gcn_v_lshlrev_b32))
      return become(inst, Op::gcn_v_lshl_add_u32, {shift->operands[1], shift->operands[0], other},
                    inst.operands[k]);
    return false;
  }

  // x << n | x >> 32 - n
  bool rotation(Inst& inst, size_t k) {
    const Inst* left = only_user(inst, k, Op::gcn_v_lshlrev_b32);
    const Inst* right = only_user(inst, 1 - k, Op::gcn_v_lshrrev_b32);
    if (!left || !right || left->operands[1] != right->operands[1]) return false;
    const auto by = constant(left->operands[0]), rest = constant(right->operands[0]);
    if (!by || !rest || *by + *rest != 32) return false;
    const ValueId x = left->operands[1];
    return become(inst, Op::gcn_v_alignbit_b32, {x, x, right->operands[0]}, inst.operands[k]);
  }

  bool or_with(Inst& inst, size_t k) {
    ValueId other = inst.operands[1 - k];
    if (const Inst* more = only_user(inst, k, Op::gcn_v_or_b32))
      return become(inst, Op::gcn_v_or3_b32, {more->operands[0], more->operands[1], other}, inst.operands[k]);
    if (const Inst* shift = only_user(inst, k, Op::gcn_v_lshlrev_b32))
      return become(inst, Op::gcn_v_lshl_or_b32, {shift->operands[1], shift->operands[0], other},
                    inst.operands[k]);
    if (const Inst* mask = only_user(inst, k, Op::gcn_v_and_b32))
      return become(inst, Op::gcn_v_and_or_b32, {mask->operands[0], mask->operands[1], other},
                    inst.operands[k]);
    return false;
  }

  // (x >> k) & (2^n - 1)
  void bit_field(Inst& inst) {
    for (size_t k : {0, 1}) {
      auto mask = constant(inst.operands[1 - k]);
      if (!mask || *mask == 0 || (*mask & (*mask + 1)) != 0) continue;
      const Inst* shift = only_user(inst, k, Op::gcn_v_lshrrev_b32);
      if (!shift) continue;
      auto by = constant(shift->operands[0]);
      int width = std::popcount(*mask);
      if (!by || *by + static_cast<uint32_t>(width) > 32) continue;
      ValueId bits = f.constant(kI32, static_cast<uint64_t>(width));
      become(inst, Op::gcn_v_bfe_u32, {shift->operands[1], shift->operands[0], bits}, inst.operands[k]);
      return;
    }
  }

  std::optional<uint32_t> constant(ValueId v) const {
    if (!f.is_const(v)) return std::nullopt;
    return static_cast<uint32_t>(f.value(v).bits);
  }

  // The definition of an operand without other uses, in the same block, if it is this operation.
  const Inst* only_user(const Inst& inst, size_t operand, Op op) const {
    ValueId v = inst.operands[operand];
    InstId def = f.def(v);
    if (!def || uses_[v.index] != 1) return nullptr;
    const Inst& made = f.inst(def);
    return made.op == op && made.block == inst.block ? &made : nullptr;
  }

  bool become(Inst& inst, Op op, std::vector<ValueId> operands, ValueId taken_in) {
    if (!fits_three(operands)) return false;
    --uses_[taken_in.index];
    // Constants may be new, and their use counts are never read.
    for (ValueId v : operands)
      if (!f.is_inline(v)) ++uses_[v.index];
    for (ValueId v : inst.operands)
      if (!f.is_inline(v)) --uses_[v.index];
    inst.op = op, inst.operands = std::move(operands);
    return true;
  }

  bool fits_three(std::span<const ValueId> operands) const {
    ValueId scalar;
    for (ValueId v : operands) {
      if (f.is_inline(v)) {
        if (f.is_const(v) && !is_inline_constant(static_cast<uint32_t>(f.value(v).bits))) return false;
        continue;
      }
      if (f.type(v).elem == Elem::Vgpr) continue;
      if (scalar && scalar != v) return false;
      scalar = v;
    }
    return true;
  }

  // --- signs

  bool takes_signs(const Inst& inst) const {
    switch (inst.op) {
      case Op::gcn_v_add_f32:
      case Op::gcn_v_sub_f32:
      case Op::gcn_v_mul_f32:
      case Op::gcn_v_fma_f32:
      case Op::gcn_v_cmp_lt_f32:
      case Op::gcn_v_cmp_le_f32:
      case Op::gcn_v_cmp_eq_f32:
      case Op::gcn_v_cmp_neq_f32:
        return true;
      default:
        return false;
    }
  }

  void take_signs(Inst& inst) {
    for (size_t k = 0; k < inst.operands.size(); ++k)
      while (take_sign(inst, k)) {
      }
  }

  bool take_sign(Inst& inst, size_t k) {
    ValueList operands = inst.operands;
    InstId def = f.def(operands[k]);
    if (!def) return false;
    const Inst& sign = f.inst(def);
    bool flips = sign.op == Op::gcn_v_xor_b32 && constant(sign.operands[0]) == kSign;
    bool clears = sign.op == Op::gcn_v_and_b32 && constant(sign.operands[0]) == kMagnitude;
    if (!flips && !clears) return false;
    operands[k] = sign.operands[1];
    if (!fits_three(operands)) return false;
    const int64_t bit = int64_t{1} << k;
    if (!(inst.attrs[kAbs] & bit)) {  // the sign below a magnitude is irrelevant
      if (clears)
        inst.attrs[kAbs] |= bit;
      else
        inst.attrs[kNeg] ^= bit;
    }
    --uses_[inst.operands[k].index], ++uses_[operands[k].index];
    inst.operands = std::move(operands);
    return true;
  }

  Function& f;
  std::vector<uint32_t> uses_;
};

}  // namespace

void combine_instructions(Function& f) { Combiner(f).run(); }

}  // namespace kc::gcn
