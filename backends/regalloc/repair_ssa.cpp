// SPDX-License-Identifier: Apache-2.0
// Restores SSA form: rewrites uses to the reaching name after the scan has moved values.
// Algorithm: iterated dominance frontiers (Cytron et al. 1991) of the blocks that rename a value, limited to
// blocks where it starts in a register; then one walk over the dominator tree. Spills go directly after
// definitions. Inserted instructions that no original instruction depends on are dropped.
// Result: a parameter added for a value has the value's location on every edge.
// It is not `ir/ssa_repair.h` with `mem2reg`, which knows nothing of registers: here the scan has decided
// which name reaches the end of a block in which register, and a parameter may be added only where it says
// so.
#include <algorithm>

#include "backends/regalloc/allocator.h"

namespace kc::regalloc {
namespace {

class Repair {
 public:
  Repair(Function& f, const Cfg& cfg, const DominatorTree& dom, Scan& scan, Inserter& inserter,
         const std::vector<Shape>& shapes)
      : f_(f),
        cfg_(cfg),
        dom_(dom),
        scan_(scan),
        inserter_(inserter),
        shapes_(shapes),
        added_(f.block_count()),
        current_(inserter.originals()) {
    for (uint32_t v = 0; v < current_.size(); ++v) current_[v] = ValueId(v);
  }

  void run(size_t original_insts) {
    place_params();
    walk();
    drop_unused(original_insts);
  }

 private:
  struct Added {
    ValueId value, name;
  };

  bool tracked(ValueId v) const {
    return v.index < shapes_.size() && shapes_[v.index].cls != kNoClass && inserter_.original(v);
  }

  void place_params() {
    std::vector<std::vector<BlockId>> renamed(current_.size());
    std::vector<ValueId> values;
    for (BlockId b : cfg_.rpo)
      for (InstId i : f_.block(b).insts)
        for (ValueId r : f_.inst(i).results) {
          if (inserter_.original(r)) continue;
          ValueId v = inserter_.redefined(r);
          if (!v.valid()) continue;
          if (renamed[v.index].empty()) values.push_back(v);
          if (renamed[v.index].empty() || renamed[v.index].back() != b) renamed[v.index].push_back(b);
        }
    if (values.empty()) return;
    std::sort(values.begin(), values.end());
    std::vector<std::vector<BlockId>> frontier(f_.block_count());
    for (BlockId b : cfg_.rpo) {
      if (cfg_.preds[b.index].size() < 2) continue;
      for (BlockId p : cfg_.preds[b.index])
        for (BlockId r = p; r != dom_.idom[b.index]; r = dom_.idom[r.index])
          if (frontier[r.index].empty() || frontier[r.index].back() != b) frontier[r.index].push_back(b);
    }
    std::vector<uint32_t> mark(f_.block_count(), kNone);
    for (ValueId v : values) {
      std::vector<BlockId> work = renamed[v.index];
      while (!work.empty()) {
        BlockId b = work.back();
        work.pop_back();
        for (BlockId join : frontier[b.index]) {
          if (mark[join.index] == v.index) continue;
          mark[join.index] = v.index;
          if (add_param(join, v)) work.push_back(join);
        }
      }
    }
  }

  bool add_param(BlockId b, ValueId v) {
    const auto& entry = scan_.plans[b.index].entry;
    auto it = std::lower_bound(entry.begin(), entry.end(), v,
                               [](const Placed& a, ValueId value) { return a.value < value; });
    if (it == entry.end() || it->value != v) return false;
    ValueId name = f_.add_param(b, f_.type(v));
    f_.value(name).location = {Location::Register, it->unit};
    added_[b.index].push_back({v, name});
    return true;
  }

  void walk() {
    struct Frame {
      BlockId block;
      size_t child, undo;
    };
    std::vector<Frame> stack;
    auto enter = [&](BlockId b) {
      stack.push_back({b, 0, undo_.size()});
      block(b);
    };
    enter(f_.entry());
    while (!stack.empty()) {
      Frame& top = stack.back();
      const auto& children = dom_.children[top.block.index];
      if (top.child < children.size()) {
        enter(children[top.child++]);
        continue;
      }
      for (; undo_.size() > top.undo; undo_.pop_back())
        current_[undo_.back().value.index] = undo_.back().name;
      stack.pop_back();
    }
  }

  ValueId& operand(const Pin& p) {
    Inst& inst = f_.inst(p.inst);
    return p.target < 0 ? inst.operands[p.index] : inst.targets[static_cast<size_t>(p.target)].args[p.index];
  }
  void rename(ValueId v, ValueId name) {
    undo_.push_back({v, current_[v.index]});
    current_[v.index] = name;
  }
  void resolve(ValueId& v) {
    if (tracked(v)) v = current_[v.index];
  }

  void block(BlockId b) {
    const BlockPlan& plan = scan_.plans[b.index];
    for (const Added& a : added_[b.index]) rename(a.value, a.name);
    std::vector<InstId> list;
    for (ValueId p : f_.block(b).params)
      if (tracked(p) && f_.value(p).location.kind == Location::Register) spill(b, p, list);
    const std::vector<InstId> old = f_.block(b).insts;
    size_t pin = 0;
    for (uint32_t at = 0; at < old.size(); ++at) {
      for (; pin < plan.pins.size() && plan.pins[pin].position == at; ++pin) {
        const Pin& p = plan.pins[pin];
        pinned_.push_back({p, operand(p)});
        resolve(pinned_.back().second);
      }
      list.push_back(old[at]);
      f_.inst(old[at]).block = b;
      for (ValueId& v : f_.inst(old[at]).operands) resolve(v);
      for (size_t r = 0; r < f_.inst(old[at]).results.size(); ++r) {
        ValueId result = f_.inst(old[at]).results[r];
        if (tracked(result)) {
          spill(b, result, list);
        } else if (!inserter_.original(result)) {
          ValueId v = inserter_.redefined(result);
          if (v.valid()) rename(v, result);
        }
      }
    }
    for (Target& t : f_.inst(old.back()).targets)
      for (ValueId& v : t.args) resolve(v);
    for (auto& [p, name] : pinned_) operand(p) = name;
    pinned_.clear();
    for (Target& t : f_.inst(old.back()).targets) {
      for (const Added& a : added_[t.block.index]) t.args.push_back(current_[a.value.index]);
    }
    f_.block(b).insts = std::move(list);
  }

  void spill(BlockId b, ValueId v, std::vector<InstId>& list) {
    uint32_t slot = scan_.slot_of[v.index];
    if (slot == kNone) return;
    list.push_back(inserter_.spill(v, slot));
    f_.inst(list.back()).block = b;
  }

  // Marks from the operands of original instructions and the arguments of original parameters.
  void drop_unused(size_t original_insts) {
    std::vector<char> needed(f_.value_count(), 0), slot_read(inserter_.slots.size(), 0);
    std::vector<std::vector<InstId>> writers(inserter_.slots.size());
    std::vector<size_t> old_params(f_.block_count());
    std::vector<ValueId> work;
    auto need = [&](ValueId v) {
      if (v.index < needed.size() && !needed[v.index]) needed[v.index] = 1, work.push_back(v);
    };
    for (BlockId b : cfg_.rpo) old_params[b.index] = f_.block(b).params.size() - added_[b.index].size();
    for (BlockId b : cfg_.rpo)
      for (InstId i : f_.block(b).insts) {
        const Inst& inst = f_.inst(i);
        for (const Target& t : inst.targets)
          for (size_t k = 0; k < old_params[t.block.index]; ++k) need(t.args[k]);
        if (i.index < original_insts)
          for (ValueId v : inst.operands) need(v);
        else if (inst.results.empty() && !inst.operands.empty())
          writers[static_cast<size_t>(inst.attrs[0])].push_back(i);
      }
    while (!work.empty()) {
      ValueId v = work.back();
      work.pop_back();
      if (inserter_.original(v)) continue;
      const Value& value = f_.value(v);
      if (value.kind == ValueKind::Param) {
        every_edge_into(f_, cfg_, BlockId(value.owner), [&](BlockId, const Target& t) {
          need(t.args[value.index]);
          return true;
        });
        continue;
      }
      const Inst& inst = f_.inst(InstId(value.owner));
      for (ValueId o : inst.operands) need(o);
      if (!inst.operands.empty() || slot_read[static_cast<size_t>(inst.attrs[0])]) continue;
      slot_read[static_cast<size_t>(inst.attrs[0])] = 1;
      for (InstId w : writers[static_cast<size_t>(inst.attrs[0])]) need(f_.inst(w).operands[0]);
    }
    sweep(original_insts, needed, slot_read);
  }

  void sweep(size_t original_insts, const std::vector<char>& needed, const std::vector<char>& slot_read) {
    for (BlockId b : cfg_.rpo) {
      std::vector<InstId> kept;
      for (InstId i : f_.block(b).insts) {
        Inst& inst = f_.inst(i);
        bool used = i.index < original_insts || !inst.targets.empty() ||
                    (inst.results.empty() ? slot_read[static_cast<size_t>(inst.attrs[0])]
                                          : needed[inst.results[0].index]);
        if (used)
          kept.push_back(i);
        else
          inst.erased = true, inst.block = BlockId();
      }
      f_.block(b).insts = std::move(kept);
      for (size_t k = f_.block(b).params.size(); k-- > 0;) {
        ValueId p = f_.block(b).params[k];
        if (inserter_.original(p) || needed[p.index]) continue;
        f_.remove_param(b, k);
        for (BlockId pred : cfg_.preds[b.index])
          for (Target& t : f_.inst(f_.terminator(pred)).targets)
            if (t.block == b) t.args.erase(t.args.begin() + static_cast<ptrdiff_t>(k));
      }
    }
  }

  Function& f_;
  const Cfg& cfg_;
  const DominatorTree& dom_;
  Scan& scan_;
  Inserter& inserter_;
  const std::vector<Shape>& shapes_;
  std::vector<std::vector<Added>> added_;
  std::vector<ValueId> current_;
  std::vector<Added> undo_;
  std::vector<std::pair<Pin, ValueId>> pinned_;  // of the current block, with the names found
};

}  // namespace

void repair_ssa(Function& f, const Cfg& cfg, const DominatorTree& dom, const std::vector<Shape>& shapes,
                size_t original_insts, Scan& scan, Inserter& inserter) {
  Repair(f, cfg, dom, scan, inserter, shapes).run(original_insts);
}

}  // namespace kc::regalloc
