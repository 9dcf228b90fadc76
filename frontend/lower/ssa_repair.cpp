// SPDX-License-Identifier: Apache-2.0
// SSA repair for values that are live across a call of a shared region. In the CFG, paths from the other
// calls also lead to the block after the call, so the definition does not dominate the use.
#include "frontend/lower/ssa_repair.h"

#include "ir/cfg.h"

namespace kc::front {

namespace {

class SsaRepair {
 public:
  explicit SsaRepair(Function& function)
      : f(function), cfg_(f), tree_(f, cfg_), vars_(f.value_count()), got_(f.value_count()) {}

  void run() {
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) each_use(i, [&](ValueId& v) { find(v, b); });
    if (!any_) return;
    for (BlockId b : f.layout) rewrite(b);
  }

 private:
  template <class Visit>
  void each_use(InstId id, Visit visit) {
    Inst& inst = f.inst(id);
    for (ValueId& v : inst.operands) visit(v);
    for (Target& t : inst.targets)
      for (ValueId& v : t.args) visit(v);
  }

  bool is_carried(ValueId v, BlockId to) const {
    if (f.is_inline(v)) return false;
    InstId def = f.def(v);
    BlockId from = def.valid() ? f.inst(def).block : BlockId(f.value(v).owner);
    return !tree_.dominates(from, to);
  }

  void find(ValueId v, BlockId to) {
    if (!is_carried(v, to) || vars_[v.index].valid()) return;
    vars_[v.index] = f.add_var("carried", f.type(v));
    any_ = true;
  }

  void rewrite(BlockId b) {
    std::vector<InstId> old = std::move(f.block(b).insts);
    f.block(b).insts.clear();
    Builder build(f);
    build.block = b;
    auto keep = [&](ValueId v) {
      if (v.index < vars_.size() && vars_[v.index].valid()) build.set(vars_[v.index], v);
    };
    for (ValueId p : f.block(b).params) keep(p);
    for (InstId id : old) {
      each_use(id, [&](ValueId& v) {
        if (v.index < vars_.size() && vars_[v.index].valid() && is_carried(v, b)) pending_.push_back(v);
      });
      for (ValueId v : pending_) {
        if (got_[v.index].block == b) continue;
        got_[v.index] = {b, build.get(vars_[v.index])};
      }
      pending_.clear();
      each_use(id, [&](ValueId& v) {
        if (v.index < vars_.size() && vars_[v.index].valid() && is_carried(v, b)) v = got_[v.index].value;
      });
      f.append(b, id);
      for (ValueId r : f.inst(id).results) keep(r);
    }
  }

  struct Got {
    BlockId block;
    ValueId value;
  };
  Function& f;
  Cfg cfg_;
  DominatorTree tree_;
  std::vector<VarId> vars_;  // by value; invalid for values that need no variable
  std::vector<Got> got_;     // by value: the last read
  std::vector<ValueId> pending_;
  bool any_ = false;
};

}  // namespace

void ssa_repair(Function& f) { SsaRepair(f).run(); }

}  // namespace kc::front
