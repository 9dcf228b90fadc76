// SPDX-License-Identifier: Apache-2.0
// simplify: constants, identities, and values that are computed twice.
//
// Parameters that are copies go first. Then one walk over the dominator tree, so that operands are simplified
// before their users: each pure instruction is folded by its row's evaluation function (or read from a
// constant object), rewritten by the rules of instcombine_rules.cpp until none fits, then looked up among the
// values that dominating blocks compute (a hash table with scopes). Another round follows when more
// parameters have become copies, or when an instruction got another spelling that rules have not seen: a walk
// sees all else that it changes. In wave IR a lane value is shared only with blocks whose mask is provably
// part of the mask it was computed under.
// Needs: nothing; sees little before Ssa. Gives: nothing. Kills: Reconverging, Structured.
//
//   %2: i32 = add %1, 0:i32
//   %3: i32 = mul %2, 8:i32    ==>   %3: i32 = shl %1, 3:i32
#include "passes/transform/instcombine.h"

#include <algorithm>
#include <bit>

#include "ir/cfg.h"
#include "passes/analysis/cycles.h"
#include "passes/ir_util.h"
#include "passes/transform/instcombine_rules.h"

namespace kc {
namespace {

constexpr int kMaxRounds = 8;
constexpr int kMaxRewrites = 16;  // of one instruction in one round
constexpr int kMaxUnusable = 8;   // equal instructions to look at for one that may be shared

// Pure instructions by content; leaving a scope forgets what was entered since.
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
  /// An equal instruction that `usable` accepts; enters `inst` when there is none.
  template <typename Usable>
  InstId find_or_enter(InstId i, Usable usable) {
    const Inst& inst = f.inst(i);
    const uint64_t hash = hash_of(inst);
    auto bucket = static_cast<uint32_t>(hash & (heads_.size() - 1));
    // Equal ones that are not usable may be many: one in each side of many branches.
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

// The graph does not change between rounds.
struct Graph {
  explicit Graph(const Function& f) : cfg(f), tree(f, cfg) {
    if (f.dialect == Dialect::Thread) cycles = Cycles(f, cfg);
  }
  Cfg cfg;
  DominatorTree tree;
  Cycles cycles;
};

class Combiner {
 public:
  Combiner(Function& function, const Graph& graph)
      : f(function), graph_(graph), replaced_(f), table_(f, f.inst_count()) {}

  // Whether anything changed.
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
      const auto children = graph_.tree.children[top.block.index];
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
  /// Whether an edge passes another value than before, so that parameters may have become copies.
  bool passes_other() const { return passes_other_; }

 private:
  // What an instruction uses, arguments of edges that lead back included, is defined in front of it or in a
  // block that dominates its own: all of it has been replaced already. Masks follow at the end.
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

  // Whether anything was replaced.
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
      Rewriter r(f, i);
      bool did = fold(r) || swap_constant(inst) || apply_rules(r) || canonical(inst);
      if (r.replacement.valid()) return replace(inst, r.replacement);
      if (!did) break;
      changed_ = true;
      unseen_ |= n + 1 == kMaxRewrites;
      for (InstId id : r.made) {
        Inst& made = f.inst(id);
        made.block = inst.block;
        resolve(made.operands);  // of those that were made before it
        instcombine(id, made);
        keep(id, made);
      }
      resolve(inst.operands);
    }
    InstId leader = table_.find_or_enter(i, [&](const Inst& other) { return may_share(other, inst); });
    if (leader != i) replace(inst, f.result(leader));
  }

  void replace(Inst& inst, ValueId v) {
    replaced_.set(inst.results[0], v);
    inst.erased = changed_ = true;
  }

  // By the row's evaluation function, when all operands are constants.
  bool fold(Rewriter& r) {
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

  // A load at a known place of a constant object.
  void read_constant(Inst& load) {
    InstId at = f.def(load.operands[0]);
    uint64_t offset = 0;
    if (at.valid() && f.inst(at).op == Op::ptr_add) {
      const Inst& sum = f.inst(at);
      // Sums with constants have their whole distance in the offset.
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

  // Rules look for constants on the right.
  bool swap_constant(Inst& inst) {
    if (!info(inst.op).has(Commutes) || !f.is_const(inst.operands[0]) || f.is_const(inst.operands[1]))
      return false;
    std::swap(inst.operands[0], inst.operands[1]);
    return true;
  }

  // One spelling for equal instructions: ordered operands, and uniform constants beside lane values. Whether
  // it had another one.
  bool canonical(Inst& inst) {
    const OpInfo& row = info(inst.op);
    bool changed = row.has(Commutes) && !f.is_const(inst.operands[1]) && inst.operands[1] < inst.operands[0];
    if (changed) std::swap(inst.operands[0], inst.operands[1]);
    if (!row.has(Elementwise) || !f.type(inst.results[0]).lane) return changed;
    bool other =
        std::ranges::any_of(inst.operands, [&](ValueId v) { return f.type(v).lane && !f.is_const(v); });
    for (ValueId& v : inst.operands)
      if (other && f.is_const(v) && f.type(v).lane)
        v = f.constant(f.type(v).scalar(), f.value(v).bits), changed = true;
    return changed;
  }

  bool may_share(const Inst& a, const Inst& b) {
    if (a.block == b.block) return true;
    // What is computed in a cycle may differ between work-items that leave it in different iterations; the
    // same computation behind the cycle may be uniform.
    if (f.dialect == Dialect::Thread)
      return graph_.cycles.largest_between(a.block.index, b.block.index) == Cycles::kNone;
    if (!f.type(a.results[0]).lane || info(a.op).has(BlendLanes)) return true;
    ValueId wide = f.block(a.block).mask, narrow = f.block(b.block).mask;
    return wide.valid() && narrow.valid() && is_subset(f, replaced_.resolve(narrow), replaced_.resolve(wide));
  }

  Function& f;
  const Graph& graph_;
  Replacements replaced_;
  ScopedTable table_;
  std::vector<InstId> old_;              // what the block had that is visited
  std::vector<InstId>* kept_ = nullptr;  // what it has so far
  bool changed_ = false, unseen_ = false, passes_other_ = false;
};

}  // namespace

bool instcombine(Function& f) {
  bool changed = remove_unreachable_blocks(f);
  changed |= remove_trivial_params(f);
  const Graph graph(f);
  for (int round = 0; round < kMaxRounds; ++round) {
    Combiner simplifier(f, graph);
    const bool rewritten = simplifier.run();
    const bool copies = simplifier.passes_other() && remove_trivial_params(f);
    changed |= rewritten || copies;
    if (!copies && !(rewritten && simplifier.unseen())) break;
  }
  return changed;
}

}  // namespace kc
