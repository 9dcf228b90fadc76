// SPDX-License-Identifier: Apache-2.0
// licm: loop-invariant code motion to before the loop.
//
// One walk in reverse post-order finds for each pure instruction the outermost cycle that defines none of its
// operands, given where those have moved. Cheap ones are hoisted speculatively. Divisions and roots are
// hoisted only from blocks on every path of an iteration that goes back: a loop is assumed to have one such
// iteration. Loads are hoisted only from blocks on every path of the first iteration, so no access is added,
// and only out of loops that do not write what they read. Address arithmetic and conversions, which other
// instructions absorb, are hoisted if a hoisted instruction uses them. Irreducible cycles stay.
//
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   b1(%i: i32):                          b0: %1 = mul %a, %b
//     %1: i32 = mul %a, %b      ==>           br -> b1(0:i32)
//     %2: i32 = add %1, %i                b1(%i: i32): %2 = add %1, %i
#include "passes/transform/licm.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "ir/cfg.h"
#include "ir/text.h"
#include "passes/analysis/alias.h"
#include "passes/analysis/costs.h"
#include "passes/analysis/cycles.h"
#include "passes/ir_util.h"
#include "passes/transform/preheader.h"

namespace kc {
namespace {

// Buffers whose kernel parameters promise that they are not written.
class ReadOnly {
 public:
  explicit ReadOnly(const Function& function) : f(function) {
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        if (info(inst.op).effects != Effects::Write || inst.operands.empty()) continue;
        if (Elem e = f.type(inst.operands[0]).elem; e == Elem::PtrLocal || e == Elem::PtrPrivate) continue;
        ValueId root = buffer_of(f, inst.operands[0]);
        if (root.valid())
          written_.push_back(root);
        else
          anything_ = true;
      }
  }
  bool contains(ValueId pointer) const {
    if (f.type(pointer).elem == Elem::PtrConstant) return true;
    if (f.type(pointer).elem != Elem::PtrGlobal || anything_) return false;
    ValueId root = buffer_of(f, pointer);
    if (!root.valid() || std::ranges::find(written_, root) != written_.end()) return false;
    return f.params[f.value(root).index].is_restrict;
  }

 private:
  const Function& f;
  std::vector<ValueId> written_;
  bool anything_ = false;
};

// What may change memory in each cycle.
class Writes {
 public:
  Writes(const Function& function, const Cfg& cfg, const Cycles& cycles)
      : f(function), of_(cycles.cycles.size()) {
    for (BlockId b : cfg.rpo)
      for (uint32_t c = cycles.innermost[b.index]; c != kNone; c = cycles.cycles[c].parent)
        for (InstId i : f.block(b).insts) {
          if (info(f.inst(i).op).effects != Effects::Write) continue;
          Cycle& all = of_[c];
          all.unknown |= f.inst(i).op != Op::store || all.stores.size() == kMostStores;
          if (!all.unknown) all.stores.push_back(i);
        }
  }
  /// Whether a work-item may change in the cycle what this load reads.
  bool may_meet(uint32_t c, const Inst& load) const {
    const Access read = access_of(f, load.operands[0], f.type(load.results[0]).bytes());
    return of_[c].unknown ||
           std::ranges::any_of(of_[c].stores, [&](InstId i) { return may_change(f, f.inst(i), read); });
  }

 private:
  static constexpr size_t kMostStores = 16;
  struct Cycle {
    std::vector<InstId> stores;
    bool unknown = false;  // barriers, atomic and volatile accesses; or many stores
  };
  const Function& f;
  std::vector<Cycle> of_;
};

// Instructions that others absorb, or that cost nothing; not addresses for which an index is multiplied by
// a number that is no power of two.
bool is_free(const Function& f, const Inst& inst) {
  static constexpr Op kFree[] = {Op::ptr_add, Op::bitcast, Op::trunc, Op::zext, Op::sext, Op::object_address};
  if (inst.op == Op::ptr_add && !f.is_const(inst.operands[1]) &&
      !std::has_single_bit(static_cast<uint64_t>(inst.attrs[0])))
    return false;
  return std::ranges::find(kFree, inst.op) != std::end(kFree);
}

class Mover {
 public:
  Mover(Function& function, AnalysisCache& analyses, Remarks* remarks)
      : f(function),
        remarks_(remarks),
        cfg_(analyses.cfg()),
        tree_(analyses.dominators()),
        cycles_(analyses.cycles()),
        read_only_(f),
        writes_(f, cfg_, cycles_),
        target_(f.inst_count(), kNone) {}

  bool run() {
    if (cycles_.cycles.empty()) return false;
    find_passed();
    for (BlockId b : cfg_.rpo)
      if (cycles_.innermost[b.index] != kNone)
        for (InstId i : f.block(b).insts) target_[i.index] = find_target(i);
    if (!choose()) return false;
    move();
    place_in_layout();
    return true;
  }
  bool makes_blocks() const { return !made_.empty(); }

 private:
  // passed_[c]: a block that every first iteration of c passes before it leaves or goes back; repeated_[c]:
  // one that every iteration passes that goes back. Their dominators are passed, too.
  void find_passed() {
    passed_.resize(cycles_.cycles.size());
    repeated_.resize(cycles_.cycles.size());
    auto meet = [&](BlockId& at, BlockId b) { at = at.valid() ? tree_.nearest_common(at, b) : b; };
    for (BlockId b : cfg_.rpo)
      for (const Target& t : f.successors(b))
        for (uint32_t c = cycles_.innermost[b.index];
             c != kNone && (!cycles_.contains(c, t.block) || cycles_.cycles[c].header == t.block.index);
             c = cycles_.cycles[c].parent) {
          meet(passed_[c], b);
          if (cycles_.cycles[c].header == t.block.index) meet(repeated_[c], b);
        }
  }

  // The cycle of a value once its definition has moved.
  uint32_t home(ValueId v) const {
    if (f.is_inline(v)) return kNone;
    if (InstId d = f.def(v); d.valid()) {
      if (uint32_t c = target_[d.index]; c != kNone) return cycles_.cycles[c].parent;
      return cycles_.innermost[f.inst(d).block.index];
    }
    return cycles_.innermost[f.value(v).owner];
  }

  // The outermost cycle that the instruction can leave, or kNone.
  uint32_t find_target(InstId i) const {
    const Inst& inst = f.inst(i);
    Effects effects = info(inst.op).effects;
    const bool load = inst.op == Op::load, constant = load && read_only_.contains(inst.operands[0]);
    if ((effects != Effects::None && !load) || inst.results.size() != 1) return kNone;
    const bool slow = speculation_cost(f, inst) >= kNeverSpeculate;
    uint32_t best = kNone;
    for (uint32_t c = cycles_.innermost[inst.block.index]; c != kNone; c = cycles_.cycles[c].parent) {
      if (!cycles_.cycles[c].reducible() || BlockId(cycles_.cycles[c].header) == f.entry()) break;
      if (load && !tree_.dominates(inst.block, passed_[c])) break;
      if (load && !constant && writes_.may_meet(c, inst)) break;
      if (slow && !load && !tree_.dominates(inst.block, repeated_[c])) break;
      bool inside = std::ranges::any_of(inst.operands, [&](ValueId v) {
        uint32_t h = home(v);
        return h != kNone && cycles_.encloses(c, h);
      });
      if (inside) break;
      best = c;
    }
    return best;
  }

  // Keeps the targets of profitable instructions, and of their operands. Returns whether any are left.
  bool choose() {
    std::vector<bool> wanted(f.inst_count());
    bool any = false;
    for (auto b = cfg_.rpo.rbegin(); b != cfg_.rpo.rend(); ++b)
      for (auto i = f.block(*b).insts.rbegin(); i != f.block(*b).insts.rend(); ++i) {
        uint32_t& target = target_[i->index];
        if (target == kNone) continue;
        if (is_free(f, f.inst(*i)) && !wanted[i->index]) {
          target = kNone;
          continue;
        }
        any = true;
        for (ValueId v : f.inst(*i).operands)
          if (InstId d = f.def(v); d.valid()) wanted[d.index] = true;
      }
    return any;
  }

  // The preheader of cycle c, a new block if necessary.
  BlockId front_of(uint32_t c) {
    const BlockId block = preheader(f, cfg_, cycles_, c);
    if (block.index >= cycles_.innermost.size()) made_[cycles_.cycles[c].header] = block;
    return block;
  }

  void move() {
    std::vector<std::vector<InstId>> leaving(cycles_.cycles.size());  // in operand order
    for (BlockId b : cfg_.rpo)
      std::erase_if(f.block(b).insts, [&](InstId i) {
        uint32_t c = target_[i.index];
        if (c != kNone) leaving[c].push_back(i);
        return c != kNone;
      });
    for (uint32_t c = 0; c < leaving.size(); ++c) {
      if (leaving[c].empty()) continue;
      if (remarks_) say(c, leaving[c]);
      BlockId front = front_of(c);
      for (InstId i : leaving[c]) f.inst(i).block = front;
      auto& list = f.block(front).insts;
      list.insert(list.end() - 1, leaving[c].begin(), leaving[c].end());
    }
  }

  void say(uint32_t c, const std::vector<InstId>& moved) {
    Loc test;  // the first condition that is hoisted; the header may be the body by now
    for (uint32_t n : cycles_.nodes(c))
      for (const Target& t : f.successors(BlockId(n)))
        if (Loc at = f.inst(f.terminator(BlockId(n))).loc;
            at.line && !cycles_.contains(c, t.block) &&
            (test.line == 0 || std::tie(at.file, at.line) < std::tie(test.file, test.line)))
          test = at;
    std::string loop = test.line ? "the loop at " + describe_line(f, test) : "its loop";
    for (InstId i : moved)
      if (!is_free(f, f.inst(i)))
        remarks_->add({"licm", f.inst(i).loc,
                       fmt::format("{} is hoisted out of {}",
                                   f.inst(i).op == Op::load ? "load" : "computation", loop)});
  }

  void place_in_layout() {
    std::vector<BlockId> layout;
    layout.reserve(f.layout.size());
    for (BlockId b : f.layout) {
      if (b.index >= cycles_.innermost.size()) continue;
      if (auto front = made_.find(b.index); front != made_.end()) layout.push_back(front->second);
      layout.push_back(b);
    }
    f.layout = std::move(layout);
  }

  Function& f;
  Remarks* remarks_;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  const Cycles& cycles_;
  ReadOnly read_only_;
  Writes writes_;
  std::vector<BlockId> passed_, repeated_;  // by cycle
  std::vector<uint32_t> target_;            // by instruction: the cycle it leaves
  std::map<uint32_t, BlockId> made_;        // by header: its new preheader
};

}  // namespace

bool licm(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  bool changed = remove_unreachable_blocks(f, analyses);
  Mover mover(f, analyses, remarks);
  changed |= mover.run();
  if (mover.makes_blocks()) analyses.keep(NoAnalyses);
  return changed;
}

}  // namespace kc
