// SPDX-License-Identifier: Apache-2.0
// demanded_lanes: removes blends and masks whose unselected lanes are dead.
//
// A backward analysis from the effects: the lanes in which each lane value and each mask is demanded, as a
// few masks available at the use. A store demands its operands in the lanes of its mask, a blend the new
// value in the lanes of its mask and the old one in the others, other operations their operands in the lanes
// of the result. Across an edge a parameter mask becomes the argument, or a mask that contains it: masks of
// the current iteration say nothing about the previous one, but are subsets of the mask at its start. A blend
// with only one value demanded is that value, and so on.
//
// Needs WaveForm; gives and kills nothing.
//
//   %3: lane<i32> = blend %m, %1, %2      ==>      lane_store %m, %p, %1
//   lane_store %m, %p, %3
#include "passes/transform/demanded_lanes.h"

#include <algorithm>

#include "ir/cfg.h"
#include "passes/analysis/uniformity.h"
#include "passes/ir_util.h"
#include "passes/transform/instcombine_rules.h"

namespace kc {
namespace {

constexpr size_t kMostMasks = 8;       // per value; more means all lanes
constexpr uint32_t kMostChanges = 24;  // changes of one value's demand; more means all lanes
constexpr size_t kMostRaised = 32;     // masks examined per edge

// The union of the lanes of these masks, or all lanes.
struct Lanes {
  ValueList masks;
  bool all = false;
  uint32_t changes = 0;
  bool none() const { return !all && masks.empty(); }
};

bool disjoint(const Function& f, ValueId a, ValueId b, int depth = 4) {
  if (depth == 0) return false;
  for (auto [x, y] : {std::pair(a, b), std::pair(b, a)}) {
    InstId def = f.def(x);
    if (!def.valid()) continue;
    const auto& operands = f.inst(def).operands;
    switch (f.inst(def).op) {
      case Op::mask_andnot:
        if (is_subset(f, y, operands[1])) return true;
        [[fallthrough]];
      case Op::mask_cond:
      case Op::mask_if:
        if (disjoint(f, operands[0], y, depth - 1)) return true;
        break;
      case Op::mask_and:
        if (disjoint(f, operands[0], y, depth - 1) || disjoint(f, operands[1], y, depth - 1)) return true;
        break;
      default:
        break;
    }
  }
  return false;
}

class Demand {
 public:
  Demand(Function& function, AnalysisCache& analyses)
      : f(function),
        cfg_(analyses.cfg()),
        tree_(analyses.dominators()),
        lanes_(f.value_count()),
        queued_(f.value_count()) {}

  // One sweep in reverse block order, users first, and then a worklist for loops.
  bool run() {
    for (auto b = cfg_.rpo.rbegin(); b != cfg_.rpo.rend(); ++b) {
      const Block& block = f.block(*b);
      if (block.mask.valid()) ask_all(block.mask);
      for (auto i = block.insts.rbegin(); i != block.insts.rend(); ++i) {
        const Inst& inst = f.inst(*i);
        roots(inst);
        for (ValueId v : inst.results) visit(v);
      }
      for (ValueId p : block.params) visit(p);
    }
    while (!work_.empty()) {
      ValueId v = work_.back();
      work_.pop_back();
      visit(v);
    }
    return rewrite();
  }

 private:
  bool tracked(ValueId v) const { return !f.is_inline(v) && (f.type(v).lane || f.type(v).is_mask()); }
  void queue(ValueId v) {
    if (!queued_[v.index]) queued_[v.index] = true, work_.push_back(v);
  }
  // Propagates the grown demand of v to its operands.
  void visit(ValueId v) {
    if (!queued_[v.index]) return;
    queued_[v.index] = false;
    const Value& value = f.value(v);
    if (value.kind == ValueKind::Param)
      pass(v);
    else
      operands(f.inst(InstId(value.owner)), lanes_[v.index]);
  }
  void ask_all(ValueId v) {
    if (!tracked(v) || lanes_[v.index].all) return;
    lanes_[v.index].masks.clear();
    lanes_[v.index].all = true;
    queue(v);
  }
  void ask(ValueId v, ValueId mask) {
    if (!tracked(v) || lanes_[v.index].all) return;
    if (f.is_const(mask)) return f.value(mask).bits ? ask_all(v) : void();
    auto& masks = lanes_[v.index].masks;
    for (ValueId m : masks)
      if (is_subset(f, mask, m)) return;
    masks.erase(std::ranges::remove_if(masks, [&](ValueId m) { return is_subset(f, m, mask); }).begin(),
                masks.end());
    masks.push_back(mask);
    if (masks.size() > kMostMasks || ++lanes_[v.index].changes > kMostChanges) return ask_all(v);
    queue(v);
  }
  void ask(ValueId v, const Lanes& lanes) {
    if (lanes.all) return ask_all(v);
    for (ValueId m : lanes.masks) ask(v, m);
  }
  // Demands v in the intersection of the lanes with the mask, or a superset of it.
  void ask_within(ValueId v, const Lanes& lanes, ValueId mask) {
    if (lanes.all) return ask(v, mask);
    for (ValueId m : lanes.masks)
      if (!disjoint(f, m, mask)) ask(v, is_subset(f, m, mask) ? m : mask);
  }
  void ask_without(ValueId v, const Lanes& lanes, ValueId mask) {
    if (lanes.all) return ask_all(v);
    for (ValueId m : lanes.masks)
      if (!is_subset(f, m, mask)) ask(v, m);
  }

  // Instructions with an effect, or with a result that is the same for all lanes.
  void roots(const Inst& inst) {
    const OpInfo& row = info(inst.op);
    const bool kept = row.effects == Effects::Write || inst.results.empty() || !tracked(inst.results[0]);
    if (kept && !row.has(Terminator)) of_all(inst);
  }
  // Demands all operands in the lanes of the instruction's mask.
  void of_all(const Inst& inst) {
    const bool masked =
        !inst.operands.empty() && f.type(inst.operands[0]).is_mask() && inst.op != Op::lane_shuffle;
    for (size_t k = 0; k < inst.operands.size(); ++k) {
      if (masked && k > 0 && f.type(inst.operands[k]).lane)
        ask(inst.operands[k], inst.operands[0]);
      else
        ask_all(inst.operands[k]);
    }
  }

  void operands(const Inst& inst, const Lanes lanes) {
    const auto& v = inst.operands;
    switch (inst.op) {
      case Op::blend:
        ask(v[0], lanes);
        ask_within(v[1], lanes, v[0]);
        ask_without(v[2], lanes, v[0]);
        break;
      case Op::mask_cond:
      case Op::mask_and:  // in lanes where one mask is 0 the other is dead, but not both at once
      case Op::mask_andnot:
        ask(v[0], lanes);
        ask_within(v[1], lanes, v[0]);
        break;
      case Op::mask_or:
        ask(v[0], lanes);
        ask(v[1], lanes);
        break;
      case Op::mask_if:
        ask(v[0], lanes);
        break;
      case Op::select:
        for (ValueId x : v) ask(x, lanes);
        break;
      default:
        if (!info(inst.op).has(Elementwise)) return of_all(inst);
        for (ValueId x : v) ask(x, lanes);
    }
  }

  // A parameter's arguments are demanded where the parameter is.
  void pass(ValueId p) {
    const BlockId b(f.value(p).owner);
    if (b == f.entry()) return;
    Lanes raised;
    if (lanes_[p.index].all) raised.all = true;
    std::vector<ValueId> seen;
    for (ValueId m : ValueList(lanes_[p.index].masks))
      if (!raise(m, b, raised, seen)) raised = {.masks = {}, .all = true};
    every_edge_into(f, cfg_, b, [&](BlockId from, const Target& t) {
      if (!cfg_.reachable(from)) return true;
      ValueId argument = t.args[f.value(p).index];
      if (raised.all) ask_all(argument);
      for (ValueId m : raised.masks)
        ask(argument, f.value(m).kind == ValueKind::Param && f.value(m).owner == b.index
                          ? t.args[f.value(m).index]
                          : m);
      return true;
    });
  }

  // Masks available above b, or parameters of b, that contain all lanes of a mask from b or below.
  bool raise(ValueId mask, BlockId b, Lanes& out, std::vector<ValueId>& seen) {
    if (f.is_inline(mask)) return f.is_const(mask) && f.value(mask).bits == 0;
    if (std::ranges::find(seen, mask) != seen.end()) return true;
    seen.push_back(mask);
    if (seen.size() > kMostRaised) return false;
    const BlockId def = block_of(f, mask);
    const bool param = f.value(mask).kind == ValueKind::Param;
    if (def == b ? param : tree_.dominates(def, b)) {
      out.masks.push_back(mask);
      return true;
    }
    if (param)
      return every_edge_into(f, cfg_, def, [&](BlockId, const Target& t) {
        return raise(t.args[f.value(mask).index], b, out, seen);
      });
    const Inst& inst = f.inst(f.def(mask));
    switch (inst.op) {
      case Op::mask_and:
      case Op::mask_andnot:
      case Op::mask_cond:
      case Op::mask_if:
        return raise(inst.operands[0], b, out, seen);
      case Op::mask_or:
        return raise(inst.operands[0], b, out, seen) && raise(inst.operands[1], b, out, seen);
      case Op::select:
        return raise(inst.operands[1], b, out, seen) && raise(inst.operands[2], b, out, seen);
      default:
        return false;
    }
  }

  bool only_within(const Lanes& lanes, ValueId mask) const {
    return !lanes.all && std::ranges::all_of(lanes.masks, [&](ValueId m) { return is_subset(f, m, mask); });
  }
  bool only_without(const Lanes& lanes, ValueId mask) const {
    return !lanes.all && std::ranges::all_of(lanes.masks, [&](ValueId m) { return disjoint(f, m, mask); });
  }

  ValueId instead(const Inst& inst, const Lanes& lanes) const {
    const auto& v = inst.operands;
    switch (inst.op) {
      case Op::blend:
        if (only_within(lanes, v[0])) return v[1];
        return only_without(lanes, v[0]) ? v[2] : ValueId();
      case Op::mask_and:
        if (only_within(lanes, v[1])) return v[0];
        return only_within(lanes, v[0]) ? v[1] : ValueId();
      case Op::mask_andnot:
        return only_without(lanes, v[1]) ? v[0] : ValueId();
      case Op::mask_or:
        if (only_without(lanes, v[1])) return v[0];
        return only_without(lanes, v[0]) ? v[1] : ValueId();
      default:
        return {};
    }
  }

  bool rewrite() {
    Replacements replaced(f);
    for (BlockId b : cfg_.rpo)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        if (inst.results.size() != 1 || !tracked(inst.results[0])) continue;
        if (lanes_[inst.results[0].index].none()) continue;  // left to dce
        ValueId by = instead(inst, lanes_[inst.results[0].index]);
        if (!by.valid()) continue;
        replaced.set(inst.results[0], by);
        f.inst(i).erased = true;
      }
    if (replaced.empty()) return false;
    apply_replacements(f, replaced);
    sweep_erased(f);
    return true;
  }

  Function& f;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  std::vector<Lanes> lanes_;  // by value: demanded lanes
  std::vector<bool> queued_;
  std::vector<ValueId> work_;
};

}  // namespace

bool demanded_lanes(Function& f, AnalysisCache& analyses) {
  return has_any(f, {Op::blend, Op::mask_and, Op::mask_or, Op::mask_andnot}) && Demand(f, analyses).run();
}

}  // namespace kc
