// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/byte_masks.h"

#include <algorithm>

#include "ir/disjoint_sets.h"
#include "ir/op.h"
#include "passes/analysis/cycles.h"

namespace kc::x64 {
namespace {

class MaskFinder {
 public:
  MaskFinder(const Function& wave, const Cfg& cfg, const MaskModel& model)
      : f(wave),
        cfg_(cfg),
        model_(model),
        sets_(wave.value_count()),
        saved_(wave.value_count()),
        of_bytes_(wave.value_count()),
        words_at_(wave.value_count()) {}

  std::vector<bool> run() {
    join_all();
    const Cycles cycles(f, cfg_);
    for (BlockId b : cfg_.rpo) {
      weight_ = cycles.innermost[b.index] == kNone ? 1 : kLoop;
      for (InstId i : f.block(b).insts) weigh(i);
    }
    std::vector<bool> r(f.value_count());
    for (uint32_t v = 0; v < r.size(); ++v) {
      const uint32_t root = sets_.root(v);
      r[v] = in_set(ValueId(v)) && of_bytes_[root] && saved_[root] > 0;
    }
    return r;
  }

 private:
  static constexpr int64_t kLoop = 16;

  bool in_set(ValueId v) const {
    const Type type = f.type(v);
    return !f.is_inline(v) && (type.is_mask() || (type.lane && type.elem == Elem::I1));
  }
  void join(ValueId a, ValueId b) {
    if (in_set(a) && in_set(b)) sets_.join(a.index, b.index);
  }
  void save(ValueId v, int64_t instructions) { saved_[sets_.root(v.index)] += weight_ * instructions; }

  void join_all() {
    for (BlockId b : cfg_.rpo)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        for (const Target& t : inst.targets)
          for (size_t k = 0; k < t.args.size(); ++k) join(t.args[k], f.block(t.block).params[k]);
        if (combines_masks(f, inst))
          for (ValueId v : inst.operands) join(v, inst.results[0]);
      }
  }

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
    const bool combines = combines_masks(f, inst);
    const unsigned size = combines ? 0 : model_.size(i);
    for (ValueId r : inst.results)
      if (in_set(r)) {
        if (size == 1) of_bytes_[sets_.root(r.index)] = true;
        save(r, size == 4                   ? -packing()
                : size == 2                 ? words() - 2 * bytes() - between_small()
                : combines && is_free(inst) ? 0
                                            : words() - bytes());
      }
    if (combines) return;
    for (size_t k = 0; k < inst.operands.size(); ++k)
      if (const ValueId v = inst.operands[k]; in_set(v)) use(v, k == 0 ? size : 4, inst);
  }

  void use(ValueId v, unsigned size, const Inst& inst) {
    if (inst.op == Op::any) return save(v, words() - 2 * bytes());
    if (size == 1) {
      of_bytes_[sets_.root(v.index)] = true;
      return save(v, packing());
    }
    if (size == 2) return save(v, -between_small());
    if (size == 0 || words_at_[v.index] == inst.block) return;
    words_at_[v.index] = inst.block;  // once for each block is near enough
    save(v, -unpacking());
  }

  const Function& f;
  const Cfg& cfg_;
  const MaskModel& model_;
  DisjointSets sets_;
  std::vector<int64_t> saved_;     // by root of a set
  std::vector<bool> of_bytes_;     // by root: whether bytes are compared or chosen
  std::vector<BlockId> words_at_;  // by value: the last block that uses it as words
  int64_t weight_ = 1;
};

}  // namespace

ByteMasks::ByteMasks(const Function& wave, const Cfg& cfg, const MaskModel& model)
    : bytes_(MaskFinder(wave, cfg, model).run()) {}

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
