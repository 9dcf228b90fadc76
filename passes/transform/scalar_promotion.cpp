// SPDX-License-Identifier: Apache-2.0
// scalar_promotion: what a loop loads and stores at one place of memory becomes a value; the place is loaded
// before the loop and stored behind it.
//
// The place must be the same in all iterations, and nothing else in the loop may access a byte of it. Every
// first iteration must access it, and a store must come before each way out: then no access is added that a
// work-item did not make. Loops with barriers, atomic or volatile accesses stay as they are. Others may see
// the place change less often; only racing programs can tell. Inner loops come first, and then what has
// become an access of the loop around them.
//
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   b1(%i):                                      b0: %0 = load %p
//     %1: f32 = load %p                              br -> b1(0, %0)
//     %2: f32 = fadd %1, %i            ==>       b1(%i, %1):
//     store %p, %2                                 %2: f32 = fadd %1, %i
//     br_if %c -> b1(%3), b2                       br_if %c -> b1(%3, %2), b3
//                                                b3: store %p, %2
#include "passes/transform/scalar_promotion.h"

#include <algorithm>
#include <map>
#include <vector>

#include "ir/cfg.h"
#include "passes/analysis/alias.h"
#include "passes/analysis/cycles.h"
#include "passes/ir_util.h"
#include "passes/transform/mem2reg.h"
#include "passes/transform/preheader.h"

namespace kc {
namespace {

// Of one loop; more are left alone.
constexpr size_t kMostAccesses = 256, kMostPlaces = 8, kMostExits = 8;
constexpr int kMostRounds = 4;  // loops around loops

bool is_load(const Inst& inst) { return inst.op == Op::load; }
bool is_store(const Inst& inst) { return inst.op == Op::store; }

// Blocks that were made after the analysis are in no cycle.
bool is_outside(const Function& f, const Cycles& cycles, uint32_t c, ValueId v) {
  if (!v.valid() || f.is_inline(v)) return true;
  const BlockId b = block_of(f, v);
  return b.index >= cycles.innermost.size() || !cycles.contains(c, b);
}
// Whether the place is the same in all iterations of the cycle.
bool is_invariant(const Function& f, const Cycles& cycles, uint32_t c, const Access& at) {
  return is_outside(f, cycles, c, at.base) && is_outside(f, cycles, c, at.index);
}

class ScalarPromotion {
 public:
  ScalarPromotion(Function& function, AnalysisCache& analyses, Remarks* remarks)
      : f(function),
        remarks_(remarks),
        cfg_(analyses.cfg()),
        tree_(analyses.dominators()),
        cycles_(analyses.cycles()),
        touched_(cycles_.cycles.size()),
        moved_(f.block_count()) {}

  // One round: of loops that are in each other, one.
  bool run() {
    bool changed = false;
    for (auto c = static_cast<uint32_t>(cycles_.cycles.size()); c-- > 0;) {
      if (touched_[c]) continue;
      const Cycle& cycle = cycles_.cycles[c];
      if (!cycle.reducible() || BlockId(cycle.header) == f.entry() || moved_[cycle.header]) continue;
      if (!collect(c)) continue;
      const std::vector<Place> places = promoted(c);
      if (places.empty()) continue;
      changed = true;
      for (uint32_t around = c; around != kNone; around = cycles_.cycles[around].parent)
        touched_[around] = true;
      promote(c, places);
    }
    if (changed) place_in_layout();
    return changed;
  }

 private:
  struct Place {
    Access at;
    ValueId pointer;
    Type type;
    std::vector<InstId> loads, stores;
  };

  // The accesses of the loop and the ways out of it; whether there is nothing else of effect.
  bool collect(uint32_t c) {
    accesses_.clear(), exits_.clear();
    bool stores = false;
    for (uint32_t n : cycles_.nodes(c)) {
      const BlockId b(n);
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        const bool branch = inst.op == Op::br || inst.op == Op::br_if || inst.op == Op::switch_;
        if (is_load(inst) || is_store(inst))
          accesses_.push_back(i), stores |= is_store(inst);
        else if (!branch && info(inst.op).effects != Effects::None)
          return false;
      }
      const auto& targets = f.inst(f.terminator(b)).targets;
      for (size_t t = 0; t < targets.size(); ++t)
        if (!contains(c, targets[t].block)) exits_.emplace_back(b, t);
    }
    return stores && accesses_.size() <= kMostAccesses && !exits_.empty() && exits_.size() <= kMostExits;
  }

  // Blocks that this round has made are in no loop.
  bool contains(uint32_t c, BlockId b) const {
    return b.index < cycles_.innermost.size() && cycles_.contains(c, b);
  }
  Type type_of(const Inst& access) const {
    return f.type(is_load(access) ? access.results[0] : access.operands[1]);
  }
  Access access_at(const Inst& access) const {
    return access_of(f, access.operands[0], type_of(access).bytes());
  }
  std::vector<Place> promoted(uint32_t c) const {
    std::vector<Place> places;
    for (InstId i : accesses_) {
      const Inst& inst = f.inst(i);
      if (!is_store(inst)) continue;
      const Access at = access_at(inst);
      const bool known = std::ranges::any_of(places, [&](const Place& p) { return same_bytes(p.at, at); });
      if (!known && is_invariant(f, cycles_, c, at) && places.size() < kMostPlaces)
        places.push_back({at, inst.operands[0], type_of(inst), {}, {}});
    }
    std::erase_if(places, [&](Place& p) { return !owns(p) || !is_safe(c, p); });
    return places;
  }

  // Whether all accesses that may meet the place are to exactly it, which fills in what they are.
  bool owns(Place& p) const {
    return std::ranges::all_of(accesses_, [&](InstId i) {
      const Inst& inst = f.inst(i);
      const Access at = access_at(inst);
      if (!same_bytes(p.at, at)) return !may_overlap(f, p.at, at);
      (is_load(inst) ? p.loads : p.stores).push_back(i);
      return type_of(inst) == p.type;
    });
  }

  // Whether the first iteration accesses the place for certain, and each way out comes behind a store.
  bool is_safe(uint32_t c, const Place& p) const {
    BlockId passed;  // by every first iteration, before it leaves or goes back
    auto meet = [&](BlockId b) { passed = passed.valid() ? tree_.nearest_common(passed, b) : b; };
    for (BlockId latch : cfg_.preds[cycles_.cycles[c].header])
      if (cycles_.contains(c, latch)) meet(latch);
    for (const auto& exit : exits_) meet(exit.first);
    auto comes_before = [&](InstId i, BlockId b) { return tree_.dominates(f.inst(i).block, b); };
    auto first = [&](InstId i) { return comes_before(i, passed); };
    if (std::ranges::none_of(p.loads, first) && std::ranges::none_of(p.stores, first)) return false;
    return std::ranges::all_of(exits_, [&](const auto& exit) {
      return std::ranges::any_of(p.stores, [&](InstId i) { return comes_before(i, exit.first); });
    });
  }

  void promote(uint32_t c, const std::vector<Place>& places) {
    const BlockId header(cycles_.cycles[c].header), front = preheader(f, cfg_, cycles_, c);
    if (front.index >= cycles_.innermost.size()) before_[header.index].push_back(front);
    std::vector<BlockId> behind;  // by way out
    for (auto [b, t] : exits_) {
      const BlockId made = f.add_block("left");
      const InstId jump = f.create(Op::br, {}, {}, f.inst(f.terminator(b)).loc);
      Target& out = f.inst(f.terminator(b)).targets[t];
      if (out.block.index < moved_.size()) moved_[out.block.index] = true;
      f.inst(jump).targets = {std::move(out)};
      out = {made, {}};
      f.append(made, jump);
      behind.push_back(made);
      after_[b.index].push_back(made);
    }
    for (const Place& p : places) {
      const VarId var = f.add_var("promoted", p.type);
      const ValueId pointer = place_pointer(front, c, p);
      const Inst store = f.inst(p.stores[0]);
      if (remarks_)
        remarks_->add({"scalar_promotion", store.loc, "is kept in a register while the loop runs"});
      if (!p.loads.empty()) {
        const Inst load = f.inst(p.loads[0]);
        const InstId first = add(front, Op::load, {pointer}, {&p.type, 1}, load);
        set(var, add(front, Op::var_set, {f.result(first)}, {}, load));
      }
      for (BlockId b : behind) {
        const InstId last = add(b, Op::var_get, {}, {&p.type, 1}, store);
        set(var, last);
        add(b, Op::store, {pointer, f.result(last)}, {}, store);
      }
      for (InstId i : p.loads) {
        f.inst(i).op = Op::var_get, f.inst(i).operands = {};
        set(var, i);
      }
      for (InstId i : p.stores) {
        f.inst(i).op = Op::var_set, f.inst(i).operands = {f.inst(i).operands[1]};
        set(var, i);
      }
    }
  }

  void set(VarId var, InstId access) { f.inst(access).attrs = {static_cast<int64_t>(var.index)}; }

  // Before the jump at the end of the block; with the place in the source and, of an access, the attributes.
  InstId add(BlockId b, Op op, ValueList operands, std::span<const Type> results, const Inst& like) {
    const InstId made = f.create(op, std::move(operands), results, like.loc);
    if (op == like.op) f.inst(made).attrs = like.attrs;
    f.insert(b, f.block(b).insts.size() - 1, made);
    return made;
  }

  // The address before the loop.
  ValueId place_pointer(BlockId front, uint32_t c, const Place& p) {
    if (is_outside(f, cycles_, c, p.pointer)) return p.pointer;
    const Type type = f.type(p.at.base);
    const ValueId index = p.at.index ? p.at.index : f.constant(kI32, 0);
    const InstId sum = add(front, Op::ptr_add, {p.at.base, index}, {&type, 1}, f.inst(f.def(p.pointer)));
    f.inst(sum).attrs = {p.at.index ? p.at.scale : 1, p.at.offset};
    return f.result(sum);
  }

  void place_in_layout() {
    std::vector<BlockId> layout;
    for (BlockId b : f.layout) {
      if (b.index >= cycles_.innermost.size()) continue;
      if (auto front = before_.find(b.index); front != before_.end())
        layout.insert(layout.end(), front->second.begin(), front->second.end());
      layout.push_back(b);
      if (auto left = after_.find(b.index); left != after_.end())
        layout.insert(layout.end(), left->second.begin(), left->second.end());
    }
    f.layout = std::move(layout);
  }

  Function& f;
  Remarks* remarks_;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  const Cycles& cycles_;
  std::vector<bool> touched_;  // by cycle: it or a cycle in it has changed
  std::vector<bool> moved_;    // by block: an edge to it comes from a new block
  std::vector<InstId> accesses_;
  std::vector<std::pair<BlockId, size_t>> exits_;            // blocks and which of their targets
  std::map<uint32_t, std::vector<BlockId>> before_, after_;  // by block: new ones
};

}  // namespace

bool scalar_promotion(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  bool changed = remove_unreachable_blocks(f, analyses);
  for (int round = 0; round < kMostRounds && ScalarPromotion(f, analyses, remarks).run(); ++round) {
    changed = true;
    analyses.keep(NoAnalyses);
    mem2reg(f, analyses);
  }
  return changed;
}

bool has_invariant_store(const Function& f, AnalysisCache& analyses) {
  const Cycles& cycles = analyses.cycles();
  return std::ranges::any_of(f.layout, [&](BlockId b) {
    const uint32_t c = cycles.innermost[b.index];
    if (c == kNone) return false;
    return std::ranges::any_of(f.block(b).insts, [&](InstId i) {
      const Inst& inst = f.inst(i);
      return is_store(inst) &&
             is_invariant(f, cycles, c, access_of(f, inst.operands[0], f.type(inst.operands[1]).bytes()));
    });
  });
}

}  // namespace kc
