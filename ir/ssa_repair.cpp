// SPDX-License-Identifier: Apache-2.0
#include "ir/ssa_repair.h"

#include <string>

namespace kc {
namespace {

InstId make_read(Function& f, VarId var, Loc loc) {
  const Type type = f.vars[var.index].type;
  const InstId get = f.create(Op::var_get, {}, std::span(&type, 1), loc);
  f.inst(get).attrs[0] = var.index;
  return get;
}

InstId make_write(Function& f, VarId var, ValueId value) {
  const InstId set = f.create(Op::var_set, {value}, {});
  f.inst(set).attrs[0] = var.index;
  return set;
}

class Repair {
 public:
  Repair(Function& function, const std::function<bool(ValueId, const Inst&)>& crosses,
         const std::function<VarId(ValueId)>& var_of)
      : f(function), crosses_(crosses), var_of_(var_of), carried_(f.value_count()) {}

  void run(std::span<const BlockId> blocks) {
    for (BlockId b : blocks) read(b);
    if (!any_) return;
    for (BlockId b : blocks) write(b);
  }

 private:
  // Of a value: its variable, and what a block has read from it.
  struct Carried {
    VarId var;
    BlockId block;
    ValueId read;
  };

  template <typename Visit>
  void each_use(BlockId b, Visit visit) {
    for (InstId i : f.block(b).insts) {
      Inst& inst = f.inst(i);
      for (ValueId& v : inst.operands) visit(v, inst);
      for (Target& t : inst.targets)
        for (ValueId& v : t.args) visit(v, inst);
    }
  }

  void read(BlockId b) {
    crossing_.clear();
    each_use(b, [&](ValueId v, const Inst& user) {
      if (f.is_inline(v) || carried_[v.index].block == b || !crosses_(v, user)) return;
      carried_[v.index].block = b;
      crossing_.push_back({v, user.loc});
    });
    if (crossing_.empty()) return;
    any_ = true;
    list_.clear();
    for (auto [v, loc] : crossing_) {
      Carried& c = carried_[v.index];
      if (!c.var.valid()) c.var = var_of_(v);
      list_.push_back(make_read(f, c.var, loc));
      f.inst(list_.back()).block = b;
      c.read = f.result(list_.back());
    }
    each_use(b, [&](ValueId& v, const Inst&) {
      if (!f.is_inline(v) && carried_[v.index].block == b) v = carried_[v.index].read;
    });
    auto& insts = f.block(b).insts;
    insts.insert(insts.begin(), list_.begin(), list_.end());
  }

  void write(BlockId b) {
    list_.clear();
    bool any = false;
    auto keep = [&](ValueId v) {
      if (v.index >= carried_.size() || !carried_[v.index].var.valid() || is_read_of(v)) return;
      list_.push_back(make_write(f, carried_[v.index].var, v));
      f.inst(list_.back()).block = b;
      any = true;
    };
    for (ValueId p : f.block(b).params) keep(p);
    for (InstId i : f.block(b).insts) {
      list_.push_back(i);
      for (size_t k = 0; k < f.inst(i).results.size(); ++k) keep(f.inst(i).results[k]);
    }
    if (any) f.block(b).insts.assign(list_.begin(), list_.end());
  }
  // Whether v was read from its variable.
  bool is_read_of(ValueId v) const {
    const InstId def = f.def(v);
    return def.valid() && f.inst(def).op == Op::var_get &&
           f.inst(def).attrs[0] == carried_[v.index].var.index;
  }

  Function& f;
  const std::function<bool(ValueId, const Inst&)>& crosses_;
  const std::function<VarId(ValueId)>& var_of_;
  std::vector<Carried> carried_;                   // by value
  std::vector<std::pair<ValueId, Loc>> crossing_;  // of the current block, with the first user
  std::vector<InstId> list_;
  bool any_ = false;
};

}  // namespace

void pass_through_variables(Function& f, std::span<const BlockId> blocks,
                            const std::function<bool(ValueId, const Inst&)>& crosses,
                            const std::function<VarId(ValueId)>& var_of) {
  Repair(f, crosses, var_of).run(blocks);
}

void pass_through_variables(Function& f, std::span<const BlockId> blocks, std::string_view name,
                            const std::function<bool(ValueId, BlockId)>& crosses) {
  pass_through_variables(
      f, blocks, [&](ValueId v, const Inst& user) { return crosses(v, user.block); },
      [&](ValueId v) { return f.add_var(std::string(name), f.type(v)); });
}

void restore_dominance(Function& f, std::span<const BlockId> blocks, const DominatorTree& dom,
                       std::string_view name) {
  pass_through_variables(f, blocks, name, [&](ValueId v, BlockId b) {
    const BlockId def = block_of(f, v);
    return def.valid() && !dom.dominates(def, b);
  });
}

std::vector<ValueId> read_params(Function& f, BlockId b, std::span<const VarId> vars) {
  std::vector<ValueId> reads;
  for (size_t k = 0; k < vars.size(); ++k) {
    const InstId get = make_read(f, vars[k], {});
    f.insert(b, k, get);
    reads.push_back(f.result(get));
  }
  for (size_t k = vars.size(); k-- > 0;) f.remove_param(b, k);
  return reads;
}

void insert_write(Function& f, BlockId b, size_t position, VarId var, ValueId value) {
  f.insert(b, position, make_write(f, var, value));
}

std::vector<BlockId> blocks_above_accesses(const Function& f, std::span<const BlockId> blocks,
                                           const DominatorTree& dom) {
  std::vector<BlockId> above(f.vars.size());
  for (BlockId b : blocks)
    for (InstId i : f.block(b).insts) {
      if (!info(f.inst(i).op).has(VarAccess)) continue;
      BlockId& d = above[static_cast<size_t>(f.inst(i).attrs[0])];
      d = d.valid() ? dom.nearest_common(d, b) : b;
    }
  return above;
}

}  // namespace kc
