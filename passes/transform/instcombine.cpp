// SPDX-License-Identifier: Apache-2.0
// instcombine: constant folding, algebraic identities, and value numbering (gvn).
//
// Parameters that are copies are removed first. One walk over the dominator tree then visits operands before
// users: each pure instruction is folded by its opcode's evaluation function (or read from a constant
// object), rewritten by the rules of instcombine_rules.cpp until none applies, then looked up among the
// values of dominating blocks (a scoped hash table). It is repeated if more parameters have become copies, or
// if an instruction got a canonical form that the rules have not seen; one walk covers all other effects of
// its changes. In wave IR a lane value is shared only with blocks whose mask is provably a subset of that of
// its definition.
//
// Needs nothing, but is weak before Ssa; kills Reconverging, Structured.
//
//   %2: i32 = add %1, 0:i32
//   %3: i32 = mul %2, 8:i32    ==>   %3: i32 = shl %1, 3:i32
#include "passes/transform/instcombine.h"

#include <algorithm>
#include <bit>
#include <set>

#include "passes/ir_util.h"
#include "passes/transform/instcombine_rules.h"

namespace kc {
namespace {

constexpr int kMostCombineIterations = 8;
constexpr int kMaxRewrites = 16;  // of one instruction in one walk
constexpr int kMaxUnusable = 8;   // equal instructions examined for one that may be shared

// Pure instructions by content; leaving a scope removes its entries.
class ScopedTable {
 public:
  ScopedTable(const Function& function, size_t capacity) : f(function) {
    size_t size = 16;
    while (size < capacity) size *= 2;
    heads_.assign(size, kEnd);
  }
  size_t mark() const { return entries_.size(); }
  void leave(size_t mark) {
    for (; entries_.size() > mark; entries_.pop_back()) heads_[entries_.back().bucket] = entries_.back().next;
  }
  /// An equal instruction that `usable` accepts; enters `inst` if there is none.
  template <typename Usable>
  InstId find_or_enter(InstId i, Usable usable) {
    const Inst& inst = f.inst(i);
    const uint64_t hash = hash_of(inst);
    auto bucket = static_cast<uint32_t>(hash & (heads_.size() - 1));
    // Many equal instructions may be unusable: one in each arm of many branches.
    int unusable = 0;
    for (uint32_t e = heads_[bucket]; e != kEnd && unusable < kMaxUnusable; e = entries_[e].next) {
      if (entries_[e].hash != hash) continue;
      const Inst& other = f.inst(entries_[e].inst);
      if (!same(other, inst)) continue;
      if (usable(other)) return entries_[e].inst;
      ++unusable;
    }
    entries_.push_back({hash, i, bucket, heads_[bucket]});
    heads_[bucket] = static_cast<uint32_t>(entries_.size() - 1);
    return i;
  }

 private:
  static constexpr uint32_t kEnd = 0xffffffffu;
  struct Entry {
    uint64_t hash;
    InstId inst;
    uint32_t bucket, next;
  };
  uint64_t hash_of(const Inst& inst) const {
    const Type t = f.type(inst.results[0]);
    uint64_t h = static_cast<uint64_t>(inst.op) << 32 | static_cast<uint64_t>(t.elem) << 1 | t.lane;
    auto mix = [&](uint64_t v) { h = (std::rotl(h, 23) ^ v) * 0x9e3779b97f4a7c15u; };
    for (ValueId v : inst.operands) mix(v.index);
    for (int64_t a : inst.attrs) mix(static_cast<uint64_t>(a));
    return h ^ h >> 32;
  }
  bool same(const Inst& a, const Inst& b) const {
    return a.op == b.op && a.operands == b.operands && a.attrs == b.attrs &&
           f.type(a.results[0]) == f.type(b.results[0]);
  }

  const Function& f;
  std::vector<uint32_t> heads_;
  std::vector<Entry> entries_;
};

class Combiner {
 public:
  Combiner(Function& function, AnalysisCache& analyses, RewriteCounts* counts, bool orders)
      : f(function),
        counts_(counts),
        orders_(orders),
        tree_(analyses.dominators()),
        cycles_(f.dialect == Dialect::Thread ? &analyses.cycles() : nullptr),
        wave_loops_(f.dialect == Dialect::Wave && has_any(f, {Op::move_wave}) ? &analyses.cycles() : nullptr),
        replaced_(f),
        table_(f, f.inst_count()) {
    if (wave_loops_) find_moves();
  }

  // Returns whether anything changed.
  bool run() {
    struct Frame {
      BlockId block;
      size_t next, mark;
    };
    std::vector<Frame> stack;
    auto enter = [&](BlockId b) {
      stack.push_back({b, 0, table_.mark()});
      visit(b);
    };
    enter(f.entry());
    while (!stack.empty()) {
      Frame& top = stack.back();
      const auto children = tree_.children[top.block.index];
      if (top.next < children.size()) {
        enter(children[top.next++]);
        continue;
      }
      table_.leave(top.mark);
      stack.pop_back();
    }
    // Last, since a block may compute its mask itself.
    for (BlockId b : f.layout)
      if (f.block(b).mask.valid()) f.block(b).mask = replaced_.resolve(f.block(b).mask);
    return changed_;
  }
  /// Whether there is something that the rules have not seen.
  bool unseen() const { return unseen_; }
  /// Whether an edge has a new argument, so that parameters may have become copies.
  bool passes_other() const { return passes_other_; }

 private:
  // Everything that an instruction uses, arguments of back edges included, is defined before it or in a
  // dominating block, and has been replaced already. Masks follow at the end.
  void visit(BlockId b) {
    kept_ = &f.block(b).insts;
    old_ = *kept_;
    kept_->clear();
    for (InstId i : old_) {
      Inst& inst = f.inst(i);
      resolve(inst.operands);
      for (Target& t : inst.targets) passes_other_ |= resolve(t.args);
      if (info(inst.op).effects == Effects::None && inst.results.size() == 1) instcombine(i, inst);
      if (inst.op == Op::load) read_constant(inst);
      keep(i, inst);
    }
  }

  // Returns whether anything was replaced.
  bool resolve(ValueList& list) {
    bool any = false;
    for (ValueId& v : list)
      if (replaced_.replaced(v)) v = replaced_.resolve(v), any = true;
    return any;
  }

  void keep(InstId i, Inst& inst) {
    if (inst.erased)
      inst.block = BlockId();
    else
      kept_->push_back(i);
  }

  void instcombine(InstId i, Inst& inst) {
    for (int n = 0; n < kMaxRewrites; ++n) {
      RuleContext r(f, i);
      const Op op = inst.op;
      bool did = named(r, fold(r), "fold") || named(r, swap_constant(inst), "swap_constant") ||
                 apply_rules(r) || named(r, canonical(inst), "canonical");
      if (did) count_rule(counts_, op, r.applied);
      if (r.replacement.valid()) return replace(inst, r.replacement);
      if (!did) break;
      changed_ = true;
      unseen_ |= n + 1 == kMaxRewrites;
      for (InstId id : r.made) {
        Inst& made = f.inst(id);
        made.block = inst.block;
        resolve(made.operands);  // they may use values made before them
        instcombine(id, made);
        keep(id, made);
      }
      resolve(inst.operands);
    }
    InstId leader = table_.find_or_enter(i, [&](const Inst& other) { return may_share(other, inst); });
    if (leader == i) return;
    count_rule(counts_, inst.op, "value_numbering");
    replace(inst, f.result(leader));
  }

  static bool named(RuleContext& r, bool did, const char* rule) {
    if (did) r.applied = rule;
    return did;
  }

  void replace(Inst& inst, ValueId v) {
    replaced_.set(inst.results[0], v);
    inst.erased = changed_ = true;
  }

  // By the opcode's evaluation function, if all operands are constants.
  bool fold(RuleContext& r) {
    const Inst& inst = r.inst();
    if (inst.operands.empty() || inst.operands.size() > 3) return false;
    uint64_t bits[3] = {};
    for (size_t k = 0; k < inst.operands.size(); ++k) {
      auto c = r.bits(inst.operands[k]);
      if (!c) return false;
      bits[k] = *c;
    }
    const OpInfo& row = info(inst.op);
    EvalFn eval = row.eval ? row.eval(r.type(inst.operands[0]).elem, r.type().elem) : nullptr;
    return eval && r.constant(eval(bits));
  }

  // A load from a known offset in a constant object.
  void read_constant(Inst& load) {
    InstId at = f.def(load.operands[0]);
    uint64_t offset = 0;
    if (at.valid() && f.inst(at).op == Op::ptr_add) {
      const Inst& sum = f.inst(at);
      // Sums with constants have all of the constant in the offset.
      if (!f.is_const(sum.operands[1]) || f.value(sum.operands[1]).bits) return;
      offset = static_cast<uint64_t>(sum.attrs[1]);
      at = f.def(sum.operands[0]);
    }
    if (!at.valid() || f.inst(at).op != Op::object_address) return;
    const MemoryObject& object = f.objects[static_cast<size_t>(f.inst(at).attrs[0])];
    Type type = f.type(load.results[0]);
    if (object.type != kPtrConstant || type.is_pointer() || offset > object.init.size() ||
        type.bytes() > object.init.size() - offset)
      return;
    uint64_t bits = 0;
    for (unsigned k = type.bytes(); k-- > 0;) bits = bits << 8 | object.init[offset + k];
    replace(load, f.constant(type, bits));
  }

  // The rules expect constants on the right.
  bool swap_constant(Inst& inst) {
    if (!info(inst.op).has(Commutes) || !f.is_const(inst.operands[0]) || f.is_const(inst.operands[1]))
      return false;
    std::swap(inst.operands[0], inst.operands[1]);
    return true;
  }

  // The canonical form: ordered operands, and uniform constants beside lane values. Returns whether the form
  // changed.
  bool canonical(Inst& inst) {
    const OpInfo& row = info(inst.op);
    bool changed =
        orders_ && row.has(Commutes) && !f.is_const(inst.operands[1]) && inst.operands[1] < inst.operands[0];
    if (changed) std::swap(inst.operands[0], inst.operands[1]);
    if (!row.has(Elementwise) || !f.type(inst.results[0]).lane) return changed;
    bool other =
        std::ranges::any_of(inst.operands, [&](ValueId v) { return f.type(v).lane && !f.is_const(v); });
    for (ValueId& v : inst.operands)
      if (other && f.is_const(v) && f.type(v).lane)
        v = f.constant(f.type(v).scalar(), f.value(v).bits), changed = true;
    return changed;
  }

  void find_moves() {
    for (BlockId b : f.layout) {
      if (std::ranges::none_of(f.block(b).insts, [&](InstId i) { return f.inst(i).op == Op::move_wave; }))
        continue;
      const uint32_t loop = wave_loops_->innermost[b.index];
      const bool latch = loop != kNone && std::ranges::any_of(f.successors(b), [&](const Target& t) {
                           return t.block.index == wave_loops_->cycles[loop].header;
                         });
      if (!latch) moves_inside_.insert(loop);
    }
  }

  bool may_share(const Inst& a, const Inst& b) {
    if (a.block == b.block) return true;
    // Another block may be of another wave, also where both are in the same loop or in none: what leaves a
    // loop over waves still is of one of them.
    if (wave_loops_ && info(a.op).has(LaneSource)) {
      const uint32_t loop = wave_loops_->innermost[a.block.index];
      if (loop != wave_loops_->innermost[b.block.index] || moves_inside_.contains(loop)) return false;
    }
    // A value computed in a cycle may differ between work-items that leave in different iterations; the same
    // computation after the cycle may be uniform.
    if (cycles_) return cycles_->largest_between(a.block.index, b.block.index) == kNone;
    if (!f.type(a.results[0]).lane || info(a.op).has(BlendLanes)) return true;
    ValueId wide = f.block(a.block).mask, narrow = f.block(b.block).mask;
    return wide.valid() && narrow.valid() && is_subset(f, replaced_.resolve(narrow), replaced_.resolve(wide));
  }

  Function& f;
  RewriteCounts* counts_;
  const bool orders_;  // operands that commute, by their ids
  const DominatorTree& tree_;
  const Cycles* cycles_;      // of thread IR
  const Cycles* wave_loops_;  // of code that moves from wave to wave
  // Loops, or kNone, with a `move_wave` elsewhere than at a latch: one iteration is of several waves.
  std::set<uint32_t> moves_inside_;
  Replacements replaced_;
  ScopedTable table_;
  std::vector<InstId> old_;              // original instructions of the current block
  std::vector<InstId>* kept_ = nullptr;  // its instructions so far
  bool changed_ = false, unseen_ = false, passes_other_ = false;
};

bool combine(Function& f, AnalysisCache& analyses, RewriteCounts* counts, bool orders = true) {
  bool changed = remove_unreachable_blocks(f, analyses);
  changed |= remove_trivial_params(f);
  for (int round = 0; round < kMostCombineIterations; ++round) {
    Combiner simplifier(f, analyses, counts, orders);
    const bool rewritten = simplifier.run();
    const bool copies = simplifier.passes_other() && remove_trivial_params(f);
    changed |= rewritten || copies;
    if (!copies && !(rewritten && simplifier.unseen())) break;
  }
  return changed;
}

}  // namespace

bool instcombine(Function& f, AnalysisCache& analyses) { return combine(f, analyses, nullptr); }
bool instcombine(Function& f, AnalysisCache& analyses, RewriteCounts& counts) {
  return combine(f, analyses, &counts);
}
bool instcombine_keeping_order(Function& f) {
  AnalysisCache analyses(f);
  return combine(f, analyses, nullptr, false);
}

std::vector<std::string> instcombine_rules() {
  auto names = table_of_rules();
  for (size_t n = 0; n < kOpCount; ++n) {
    const Op op = static_cast<Op>(n);
    const OpInfo& row = info(op);
    if (!row.has(Elementwise)) continue;
    if (row.eval) names.push_back(rule_name(op, "fold"));
    if (row.has(Commutes)) names.push_back(rule_name(op, "swap_constant"));
    if (row.has(Commutes)) names.push_back(rule_name(op, "canonical"));
    names.push_back(rule_name(op, "value_numbering"));
  }
  return names;
}

}  // namespace kc
