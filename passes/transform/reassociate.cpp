// SPDX-License-Identifier: Apache-2.0
// reassociate: orders sums so that few of their operations run in inner loops or per lane.
//
// A tree of one associative operation whose inner results have no other use is split into its leaves. They
// are combined again from the outermost loop inwards, within one loop level uniform leaves first, constants
// last, where addresses absorb them. Addresses are sums of a pointer and scaled indices; an index that is a
// sum is included if it has the address's width. A tree is rewritten if that makes it cheaper: an operation
// costs ten times as much as one of the enclosing loop, and a lane operation more than a uniform one. All
// operations are on integers modulo a power of two, so every order gives the same result.
//
// Needs ThreadForm, Ssa; kills nothing.
//
//   %1 = global_id dim=0
//   %2 = add %1, %u            ==>    %3 = add %u, %v
//   %4 = add %2, %v                   %4 = add %3, %1
#include "passes/transform/reassociate.h"

#include <algorithm>

#include "ir/cfg.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr Op kOps[] = {Op::add, Op::mul, Op::and_, Op::or_, Op::xor_, Op::smin, Op::smax, Op::umin, Op::umax};
constexpr uint64_t kLaneCost = 3, kUniformCost = 2;  // of an operation outside of loops
constexpr uint32_t kMostLoopLevels = 6;              // deeper loops count alike

// How often a value is computed, and whether per lane.
struct Frequency {
  uint32_t level = 0;  // the loops around the root in which it varies
  bool divergent = false;
  Frequency operator|(const Frequency& other) const {
    return {std::max(level, other.level), divergent || other.divergent};
  }
  uint64_t cost() const {
    uint64_t c = divergent ? kLaneCost : kUniformCost;
    for (uint32_t k = 0; k < std::min(level, kMostLoopLevels); ++k) c *= 10;
    return c;
  }
};

// A leaf or an intermediate result of a tree.
struct SumTerm {
  ValueId value;    // of a leaf
  size_t node = 0;  // of an intermediate result
  Frequency place;
  int64_t scale = 1;  // of an index
  bool valid() const { return value.valid() || node != 0; }
};

class Reassociator {
 public:
  Reassociator(Function& function, AnalysisCache& analyses, RewriteCounts* counts)
      : f(function), counts_(counts), analyses_(analyses), cfg_(analyses.cfg()), user_(f.value_count()) {
    std::vector<bool> used(f.value_count());
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        for (ValueId v : f.inst(i).operands) {
          user_[v.index] = used[v.index] ? InstId() : i;
          used[v.index] = true;
        }
        for (const Target& t : f.inst(i).targets)
          for (ValueId v : t.args) user_[v.index] = InstId(), used[v.index] = true;
      }
  }

  bool run() {
    if (!any_tree()) return false;
    uniformity_ = &analyses_.uniformity();
    for (BlockId b : cfg_.rpo) {
      auto old = std::move(f.block(b).insts);
      f.block(b).insts.clear();
      for (InstId i : old) {
        Op op = f.inst(i).op;
        root_ = i;
        if (is_reordered(op) && !is_inner(f.result(i), op) && !is_index(i)) sum(op);
        if (op == Op::ptr_add && !is_base(f.result(i))) address();
        f.append(b, i);
      }
    }
    sweep_erased(f);
    return changed_;
  }

 private:
  static bool is_reordered(Op op) { return std::ranges::find(kOps, op) != std::end(kOps); }
  // Whether any operation has an operand of the same kind; without one there is nothing to reorder.
  bool any_tree() const {
    for (BlockId b : cfg_.rpo)
      for (InstId i : f.block(b).insts) {
        const Op op = f.inst(i).op;
        if ((is_reordered(op) || op == Op::ptr_add) && (is_inner(f.result(i), op) || is_index(i)))
          return true;
      }
    return false;
  }
  // Whether v is used only as an operand of the same operation.
  bool is_inner(ValueId v, Op op) const {
    InstId d = f.def(v), user = v.index < user_.size() ? user_[v.index] : InstId();
    return d.valid() && f.inst(d).op == op && user.valid() && f.inst(user).op == op;
  }
  // Whether v is an address used only as the base of another address.
  bool is_base(ValueId v) const {
    return is_inner(v, Op::ptr_add) && f.inst(user_[v.index]).operands[0] == v;
  }

  // Whether an instruction is a sum used only as the index of an address.
  bool is_index(InstId i) const {
    InstId user = user_[f.result(i).index];
    if (f.inst(i).op != Op::add || !user.valid() || f.inst(user).op != Op::ptr_add) return false;
    return f.type(f.result(i)).bits() >= f.type(f.result(user)).bits();
  }

  Frequency place_of(ValueId v) const {
    BlockId at = f.inst(root_).block, def = block_of(f, v);
    if (!def.valid()) return {};
    uint32_t c = uniformity_->cycles.smallest_with(def.index, at.index);
    return {c == kNone ? 0 : uniformity_->cycles.cycles[c].depth, uniformity_->divergent_use(f, at, v)};
  }
  SumTerm leaf(ValueId v, int64_t scale = 1) const {
    return {.value = v, .place = place_of(v), .scale = scale};
  }

  // Appends the leaves below v, from left to right; returns the cost of the operations in between.
  std::pair<Frequency, uint64_t> take_apart(ValueId top, Op op, int64_t scale, std::vector<SumTerm>& leaves) {
    // A value is visited again after everything below it.
    std::vector<std::pair<ValueId, bool>> stack{{top, false}};
    std::vector<Frequency> done;
    uint64_t cost = 0;
    while (!stack.empty()) {
      auto [v, again] = stack.back();
      stack.pop_back();
      if (again) {
        Frequency right = done.back();
        done.pop_back();
        done.back() = done.back() | right;
        cost += done.back().cost();
        inner_.push_back(f.def(v));
      } else if (v == top || is_inner(v, op)) {
        const Inst& inst = f.inst(f.def(v));
        stack.push_back({v, true});
        stack.push_back({inst.operands[1], false});
        stack.push_back({inst.operands[0], false});
      } else {
        leaves.push_back(leaf(v, scale));
        done.push_back(leaves.back().place);
      }
    }
    return {done.back(), cost};
  }

  // The values below the root have no other users.
  void replace_inner() {
    changed_ = true;
    count_rule(counts_, f.inst(root_).op, "reorder");
    for (InstId i : inner_) f.inst(i).erased = i != root_;
  }

  // --- one operation

  void sum(Op op) {
    std::vector<SumTerm> leaves;
    inner_.clear();
    uint64_t old_cost = take_apart(f.result(root_), op, 1, leaves).second;
    if (leaves.size() < 3) return;
    std::ranges::stable_sort(leaves, {}, [&](const SumTerm& t) {
      return std::tuple(f.is_const(t.value), t.place.level, t.place.divergent);
    });
    nodes_.assign(1, {});
    new_cost_ = 0;
    SumTerm all;
    for (size_t k = 0; k < leaves.size();) {
      // The uniform leaves of a level, its divergent ones, or the constants.
      SumTerm group;
      size_t first = k;
      auto same = [&](const SumTerm& t) {
        return f.is_const(t.value) == f.is_const(leaves[first].value) &&
               t.place.level == leaves[first].place.level &&
               t.place.divergent == leaves[first].place.divergent;
      };
      for (; k < leaves.size() && same(leaves[k]); ++k) group = combine(group, leaves[k]);
      all = combine(all, group);
    }
    if (new_cost_ >= old_cost) return;
    replace_inner();
    // The last node is the root.
    for (size_t k = 1; k < nodes_.size(); ++k) {
      Node& n = nodes_[k];
      std::vector<ValueId> operands{value_of(n.left), value_of(n.right)};
      if (k + 1 < nodes_.size())
        n.value = emit(op, f.type(f.result(root_)), std::move(operands), {});
      else
        f.inst(root_).operands = std::move(operands);
    }
  }

  struct Node {
    SumTerm left, right;
    ValueId value;
  };
  SumTerm combine(const SumTerm& a, const SumTerm& b) {
    if (!a.valid()) return b;
    if (!b.valid()) return a;
    nodes_.push_back({a, b, ValueId()});
    SumTerm t{.node = nodes_.size() - 1, .place = a.place | b.place};
    new_cost_ += t.place.cost();
    return t;
  }
  ValueId value_of(const SumTerm& t) const { return t.node ? nodes_[t.node].value : t.value; }

  ValueId emit(Op op, Type type, std::vector<ValueId> operands, std::array<int64_t, kMaxAttrs> attrs) {
    BlockId b = f.inst(root_).block;
    InstId i = f.create(op, std::move(operands), std::span(&type, 1), f.inst(root_).loc);
    if (op == Op::ptr_add) f.inst(i).attrs = attrs;
    f.append(b, i);
    return f.result(i);
  }

  // --- addresses

  void address() {
    std::vector<InstId> steps;  // from the root to the innermost
    for (ValueId v = f.result(root_);;) {
      steps.push_back(f.def(v));
      v = f.inst(steps.back()).operands[0];
      if (!is_base(v)) break;
    }
    ValueId base = f.inst(steps.back()).operands[0];
    Frequency at = place_of(base);
    uint64_t old_cost = 0, new_cost = 0, offset = 0;
    std::vector<SumTerm> indices;
    inner_.clear();
    for (auto s = steps.rbegin(); s != steps.rend(); ++s) {
      const Inst& step = f.inst(*s);
      ValueId index = step.operands[1];
      offset += static_cast<uint64_t>(step.attrs[1]);
      InstId sum = f.def(index);
      Frequency place;
      if (sum.valid() && is_index(sum)) {
        auto [below, cost] = take_apart(index, Op::add, step.attrs[0], indices);
        place = below;
        old_cost += cost;
      } else {
        if (!f.is_const(index) || f.value(index).bits) indices.push_back(leaf(index, step.attrs[0]));
        place = place_of(index);
      }
      at = at | place;
      old_cost += at.cost();
    }
    if (indices.size() < 2) return;
    std::ranges::stable_sort(indices, {}, [&](const SumTerm& t) {
      return std::tuple(f.is_const(t.value), t.place.level, t.place.divergent);
    });
    at = place_of(base);
    for (const SumTerm& t : indices) new_cost += (at = at | t.place).cost();
    inner_.insert(inner_.end(), steps.begin(), steps.end());
    if (new_cost >= old_cost) return;
    replace_inner();
    for (size_t k = 0; k + 1 < indices.size(); ++k)
      base = emit(Op::ptr_add, f.type(base), {base, indices[k].value}, {indices[k].scale, 0});
    Inst& root = f.inst(root_);
    root.operands = {base, indices.back().value};
    root.attrs[0] = indices.back().scale;
    root.attrs[1] = static_cast<int64_t>(offset);
  }

  Function& f;
  RewriteCounts* counts_;
  AnalysisCache& analyses_;
  const Cfg& cfg_;
  const Uniformity* uniformity_ = nullptr;
  std::vector<InstId> user_;  // by value: its only use, if that is an operand
  InstId root_;
  std::vector<InstId> inner_;  // instructions of the tree, the root included
  std::vector<Node> nodes_;    // of the new tree; the first is none
  uint64_t new_cost_ = 0;
  bool changed_ = false;
};

}  // namespace

bool reassociate(Function& f, AnalysisCache& analyses) {
  bool changed = remove_unreachable_blocks(f, analyses);
  return Reassociator(f, analyses, nullptr).run() || changed;
}
bool reassociate(Function& f, AnalysisCache& analyses, RewriteCounts& counts) {
  return Reassociator(f, analyses, &counts).run();
}

std::vector<std::string> reassociate_rules() {
  std::vector<std::string> names{rule_name(Op::ptr_add, "reorder")};
  for (Op op : kOps) names.push_back(rule_name(op, "reorder"));
  return names;
}

}  // namespace kc
