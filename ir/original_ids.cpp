// SPDX-License-Identifier: Apache-2.0
#include "ir/original_ids.h"

#include <algorithm>

namespace kc {
namespace {

constexpr uint32_t kMostBlocks = 1u << 20;  // that ids in a text may ask for
// Values that a text may ask for, each of the others with so many that are gone.
constexpr uint64_t kMostValues = 1u << 20, kGoneForEach = 16;

class Renumbering {
 public:
  Renumbering(const Function& from, const std::vector<uint32_t>& values, const std::vector<uint32_t>& blocks)
      : f_(from),
        to_(std::make_unique<Function>()),
        value_numbers_(values),
        block_numbers_(blocks),
        values_(from.value_count()),
        insts_(from.inst_count()),
        blocks_(from.block_count()) {}

  // Null if the numbers of values are to be `exact` and cannot be.
  std::unique_ptr<Function> run(bool exact) {
    exact_ = exact;
    to_->name = f_.name, to_->dialect = f_.dialect, to_->is_kernel = f_.is_kernel, to_->width = f_.width;
    to_->reqd_local = f_.reqd_local, to_->reqd_sub_group = f_.reqd_sub_group;
    to_->params = f_.params, to_->vars = f_.vars, to_->objects = f_.objects, to_->traps = f_.traps;
    to_->files = f_.files, to_->target = f_.target;
    make_blocks();
    make_values();
    if (exact && !exact_) return nullptr;
    for (BlockId b : f_.layout) fill(b);
    if (to_->target)
      for (ValueId& v : to_->target->same_in_lanes) v = value(v);
    return std::move(to_);
  }

 private:
  void make_blocks() {
    std::vector<BlockId> order = f_.layout;
    std::ranges::stable_sort(order, {}, [&](BlockId b) { return block_numbers_[b.index]; });
    bool exact = block_numbers_[order.back().index] < kMostBlocks;
    for (size_t i = 1; i < order.size(); ++i)
      exact &= block_numbers_[order[i - 1].index] != block_numbers_[order[i].index];
    for (BlockId b : order) {
      while (exact && to_->block_count() < block_numbers_[b.index])
        to_->block(to_->add_block()).erased = true;
      blocks_[b.index] = to_->add_block(f_.block(b).hint);
      to_->block(blocks_[b.index]).is_flow = f_.block(b).is_flow;
      to_->block(blocks_[b.index]).is_rare = f_.block(b).is_rare;
    }
    to_->layout.clear();
    for (BlockId b : f_.layout) to_->layout.push_back(blocks_[b.index]);
  }

  // Parameters of one block and results of one instruction are made in their own order.
  void make_values() {
    struct Made {
      uint32_t number;
      BlockId block;  // of parameters from this one on
      InstId inst;    // or the instruction of results
    };
    std::vector<Made> all;
    for (BlockId b : f_.layout) {
      for (ValueId p : f_.block(b).params) all.push_back({value_numbers_[p.index], b, {}});
      for (InstId i : f_.block(b).insts)
        if (!f_.inst(i).results.empty()) all.push_back({value_numbers_[f_.inst(i).results[0].index], {}, i});
    }
    std::ranges::stable_sort(all, {}, &Made::number);
    exact_ &= all.empty() || all.back().number < std::max(kMostValues, kGoneForEach * f_.value_count());
    std::vector<size_t> next(f_.block_count(), 0);
    for (const Made& m : all) {
      while (exact_ && to_->value_count() < m.number) skip_value();
      if (m.inst.valid()) {
        make(m.inst);
        continue;
      }
      const ValueId p = f_.block(m.block).params[next[m.block.index]++];
      keep(p, to_->add_param(blocks_[m.block.index], f_.type(p)));
    }
  }

  // Takes an id that belonged to a value which is gone, or to a constant.
  void skip_value() {
    if (!gone_.valid()) {
      gone_ = to_->create(f_.inst(f_.terminator(f_.entry())).op, {}, {});
      to_->inst(gone_).erased = true;
    }
    to_->add_result(gone_, kI32);
  }

  void make(InstId id) {
    const Inst& inst = f_.inst(id);
    std::vector<Type> types;
    for (ValueId r : inst.results) types.push_back(f_.type(r));
    insts_[id.index] = to_->create(inst.op, {}, types, inst.loc);
    for (size_t k = 0; k < inst.results.size(); ++k) keep(inst.results[k], to_->result(insts_[id.index], k));
  }

  void keep(ValueId old, ValueId made) {
    values_[old.index] = made;
    exact_ &= made.index == value_numbers_[old.index];
    to_->value(made).location = f_.value(old).location;
  }

  ValueId value(ValueId v) {
    if (!v.valid()) return v;
    if (f_.is_const(v)) return to_->constant(f_.type(v), f_.value(v).bits);
    if (f_.is_undef(v)) return to_->undef(f_.type(v));
    return values_[v.index];
  }

  void fill(BlockId b) {
    const Block& block = f_.block(b);
    Block& made = to_->block(blocks_[b.index]);
    made.unroll = block.unroll;
    made.mask = value(block.mask);
    for (InstId i : block.insts) {
      if (!insts_[i.index].valid()) make(i);
      const Inst& inst = f_.inst(i);
      ValueList operands;
      for (ValueId v : inst.operands) operands.push_back(value(v));
      TargetList targets;
      for (const Target& t : inst.targets) {
        Target target{blocks_[t.block.index], {}};
        for (ValueId v : t.args) target.args.push_back(value(v));
        targets.push_back(std::move(target));
      }
      Inst& copy = to_->inst(insts_[i.index]);
      copy.operands = std::move(operands), copy.targets = std::move(targets), copy.attrs = inst.attrs;
      to_->append(blocks_[b.index], insts_[i.index]);
    }
  }

  const Function& f_;
  std::unique_ptr<Function> to_;
  const std::vector<uint32_t>&value_numbers_, &block_numbers_;
  std::vector<ValueId> values_;
  std::vector<InstId> insts_;
  std::vector<BlockId> blocks_;
  InstId gone_;  // has values that are gone as its results, and lies in no block
  bool exact_ = false;
};

}  // namespace

bool keeps_ids(const Function& f) { return f.target && !f.target->after.empty(); }

std::unique_ptr<Function> with_ids(const Function& f, const std::vector<uint32_t>& values,
                                   const std::vector<uint32_t>& blocks) {
  if (auto same = Renumbering(f, values, blocks).run(true)) return same;
  return Renumbering(f, values, blocks).run(false);
}

}  // namespace kc
