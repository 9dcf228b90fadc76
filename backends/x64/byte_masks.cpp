// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/byte_masks.h"

#include <algorithm>

#include "backends/x64/value_sets.h"
#include "ir/op.h"

namespace kc::x64 {
namespace {

bool is_mask(const Function& f, ValueId v) {
  const Type type = f.type(v);
  return !f.is_inline(v) && (type.is_mask() || type == kI1.lanes());
}

class MaskFinder {
 public:
  MaskFinder(const Function& wave, const Cfg& cfg, const MaskModel& model)
      : f(wave),
        cfg_(cfg),
        model_(model),
        sets_(wave, cfg, [&](ValueId v) { return is_mask(f, v); }),
        of_bytes_(wave.value_count()) {}

  std::vector<bool> run() {
    for (BlockId b : cfg_.rpo)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        sets_.join_edges(inst);
        if (combines_masks(f, inst))
          for (ValueId v : inst.operands) sets_.join(v, inst.results[0]);
      }
    for (BlockId b : cfg_.rpo) {
      sets_.enter(b);
      for (InstId i : f.block(b).insts) weigh(i);
    }
    std::vector<bool> r(f.value_count());
    for (uint32_t n = 0; n < r.size(); ++n)
      if (const ValueId v(n); sets_.belongs(v)) r[n] = of_bytes_[sets_.set_of(v)] && sets_.saved(v) > 0;
    return r;
  }

 private:
  // Costs in instructions, four times: of an operation on words, of one on bytes, and of making masks of
  // bytes of those of words, these of those, and masks of shorts of those of bytes or the other way round.
  // What is made for words is waited for, too.
  int64_t words() const { return int64_t{4} * model_.parts; }
  int64_t bytes() const { return model_.parts; }
  int64_t packing() const { return words(); }
  int64_t unpacking() const { return 3 * words(); }
  int64_t between_small() const { return 3 * bytes(); }

  // A mask of all lanes, or a negation that becomes a part of what uses it.
  bool is_free(const Inst& inst) const {
    return std::ranges::any_of(inst.operands, [&](ValueId v) { return f.is_const(v); });
  }

  void weigh(InstId i) {
    const Inst& inst = f.inst(i);
    if (combines_masks(f, inst)) return sets_.save(inst.results[0], is_free(inst) ? 0 : words() - bytes());
    const unsigned size = model_.size(i);
    for (ValueId r : inst.results) make(r, size);
    for (size_t k = 0; k < inst.operands.size(); ++k) use(inst.operands[k], k == 0 ? size : 4, inst);
  }

  void make(ValueId v, unsigned size) {
    if (size == 1) note_bytes(v);
    sets_.save(v, size == 4   ? -packing()
                  : size == 2 ? words() - 2 * bytes() - between_small()
                              : words() - bytes());
  }

  void use(ValueId v, unsigned size, const Inst& inst) {
    if (inst.op == Op::any) return sets_.save(v, words() - 2 * bytes());
    if (size == 1) note_bytes(v);
    if (size == 4)
      sets_.spend_on_words(v, inst, unpacking());
    else
      sets_.save(v, size == 1 ? packing() : size == 2 ? -between_small() : 0);
  }

  void note_bytes(ValueId v) { of_bytes_[sets_.set_of(v)] = true; }

  const Function& f;
  const Cfg& cfg_;
  const MaskModel& model_;
  ValueSets sets_;
  std::vector<bool> of_bytes_;  // by set: whether bytes are compared or chosen
};

}  // namespace

ByteMasks::ByteMasks(const Function& wave, const Cfg& cfg, const MaskModel& model)
    : bytes_(MaskFinder(wave, cfg, model).run()) {}

bool is_truth_as_number(const Function& wave, const Inst& inst) {
  return inst.op == Op::zext && wave.type(inst.operands[0]) == kI1.lanes();
}

bool combines_masks(const Function& wave, const Inst& inst) {
  switch (inst.op) {
    case Op::mask_and:
    case Op::mask_or:
    case Op::mask_andnot:
    case Op::mask_cond:
    case Op::mask_if:
      return true;
    case Op::and_:
    case Op::or_:
    case Op::xor_:
      return wave.type(inst.results[0]) == kI1.lanes();
    case Op::select:
    case Op::blend: {
      const Type condition = wave.type(inst.operands[0]);
      return wave.type(inst.results[0]) == kI1.lanes() && (condition.is_mask() || condition.lane);
    }
    default:
      return false;
  }
}

}  // namespace kc::x64
