// SPDX-License-Identifier: Apache-2.0
// if_convert: short pure arms of branches become selects, chains of conditions become one branch.
//
// A divergent branch costs a wave masks, waiting and a blend per differing value, so both arms are computed
// where that is cheaper; a uniform branch is well predicted and goes only for nearly free arms. Blocks are
// visited after their successors, each to a fixed point of:
// - both edges lead to one block: the differing arguments become selects;
// - an arm is pure, short, has one predecessor and joins where the other arm leads: it is computed here;
// - an arm is pure, short and branches to the other arm's target: `and` or `or` of the conditions;
// - a jump to a short block with one predecessor: it is appended, so that enclosing ifs match.
// Before that, of `a < 0 || b < 0 || a > 4 || b > 4` the comparisons of one value come together, for these
// become one (instcombine_ranges.cpp). Uniformity is computed once. An arm is in the same cycle as its
// branch. Needs ThreadForm, Ssa; kills Reconverging, Structured.
//   b0: br_if %c -> b1, b2(%x)
//   b1: %y = add %x, 1:i32       ==>   b0: %y = add %x, 1:i32
//       br -> b2(%y)                       %z = select %c, %y, %x
//   b2(%z: i32):
#include "passes/transform/if_convert.h"

#include <algorithm>
#include <optional>

#include "ir/cfg.h"
#include "passes/analysis/costs.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

// The number of simple operations that may be executed speculatively to remove a branch.
struct Limits {
  int side;   // of a two-armed if, selects included
  int chain;  // for a condition that is not always evaluated
};
constexpr Limits kDivergent{8, 16}, kUniform{2, 2};
constexpr size_t kMostTests = 8;  // that are looked at together
// Longer blocks are never arms; appending them would only take time.
constexpr size_t kLongestAppended = 32;

class Converter {
 public:
  Converter(Function& function, AnalysisCache& analyses, Remarks* remarks)
      : f(function), remarks_(remarks), cfg_(analyses.cfg()), edges_in_(f.block_count()), replaced_(f) {
    divergent_ = analyses.uniformity().divergent_branch;
    for (BlockId b : cfg_.rpo)
      for (const Target& t : f.successors(b)) ++edges_in_[t.block.index];
  }

  bool run() {
    for (BlockId b : cfg_.rpo) changed_ |= sort_tests(b);
    for (auto b = cfg_.rpo.rbegin(); b != cfg_.rpo.rend(); ++b)
      while (merge_targets(*b) || take_sides(*b) || join_conditions(*b) || append_next(*b)) changed_ = true;
    apply_replacements(f, replaced_);
    f.erase_blocks(emptied_);
    if (remarks_) say_what_stays();
    return changed_;
  }

 private:
  Inst& end(BlockId b) { return f.inst(f.terminator(b)); }
  const Limits& limits(BlockId b) const { return divergent_[b.index] ? kDivergent : kUniform; }
  bool same(ValueId a, ValueId b) { return replaced_.resolve(a) == replaced_.resolve(b); }
  int differing(const Target& a, const Target& b) {
    int n = 0;
    for (size_t k = 0; k < a.args.size(); ++k) n += !same(a.args[k], b.args[k]);
    return n;
  }

  // The cost of a block that its only predecessor may compute; nothing if it may not, or the cost exceeds
  // `limit`.
  std::optional<int> side_cost(BlockId b, int limit) {
    if (b == f.entry() || edges_in_[b.index] != 1 || !f.block(b).params.empty()) return std::nullopt;
    int cost = 0;
    const auto& insts = f.block(b).insts;
    for (size_t k = 0; k + 1 < insts.size() && cost <= limit; ++k)
      cost += speculation_cost(f, f.inst(insts[k]));
    return cost <= limit ? std::optional(cost) : std::nullopt;
  }

  ValueId insert(BlockId b, Op op, Type type, std::vector<ValueId> operands) {
    InstId i = f.create(op, std::move(operands), std::span(&type, 1), end(b).loc);
    f.insert(b, f.block(b).insts.size() - 1, i);
    return f.result(i);
  }
  void select_args(BlockId b, ValueId condition, Target& yes, const Target& no) {
    for (size_t k = 0; k < yes.args.size(); ++k)
      if (!same(yes.args[k], no.args[k]))
        yes.args[k] = insert(b, Op::select, f.type(yes.args[k]), {condition, yes.args[k], no.args[k]});
  }
  // Moves the instructions of `side` to the end of b, except the terminator.
  void compute_here(BlockId b, BlockId side) {
    auto &to = f.block(b).insts, &from = f.block(side).insts;
    for (InstId i : from) f.inst(i).block = b;
    to.insert(to.end() - 1, from.begin(), from.end() - 1);
    f.inst(from.back()).block = side;
    from = {from.back()};
    emptied_.push_back(side);
  }

  bool merge_targets(BlockId b) {
    Inst& branch = end(b);
    if (branch.op != Op::br_if || branch.targets[0].block != branch.targets[1].block) return false;
    if (differing(branch.targets[0], branch.targets[1]) > limits(b).side) return false;
    say(b, "branch becomes a selection");
    Target yes = branch.targets[0], no = branch.targets[1];
    select_args(b, branch.operands[0], yes, no);
    --edges_in_[yes.block.index];
    make_jump(end(b), std::move(yes));
    return true;
  }

  // br_if c -> A, X; A: br X  ==>  br_if c -> X, X; the same with a second arm.
  bool take_sides(BlockId b) {
    Inst& branch = end(b);
    if (branch.op != Op::br_if) return false;
    int limit = limits(b).side;
    Target way[2];
    std::optional<int> cost[2];
    for (size_t k = 0; k < 2; ++k) {
      BlockId side = branch.targets[k].block;
      cost[k] = side_cost(side, limit);
      if (cost[k] && end(side).op != Op::br) cost[k].reset();
      way[k] = cost[k] ? end(side).targets[0] : branch.targets[k];
    }
    if ((!cost[0] && !cost[1]) || way[0].block != way[1].block) return false;
    if (std::max(cost[0].value_or(0), cost[1].value_or(0)) + differing(way[0], way[1]) > limit) return false;
    for (size_t k = 0; k < 2; ++k)
      if (cost[k]) {
        compute_here(b, branch.targets[k].block);
        end(b).targets[k] = way[k];
      }
    return true;
  }

  // br_if c -> A, X; A: br_if d -> Y, X  ==>  br_if (c and d) -> Y, X
  bool join_conditions(BlockId b) {
    if (end(b).op != Op::br_if) return false;
    for (size_t k = 0; k < 2; ++k) {
      BlockId side = end(b).targets[k].block;
      const Target& other = end(b).targets[1 - k];
      int limit = limits(b).chain;
      auto cost = side_cost(side, limit);
      if (!cost || end(side).op != Op::br_if) continue;
      const auto& next = end(side).targets;
      if ((next[0].block == other.block) == (next[1].block == other.block)) continue;
      size_t shared = next[0].block == other.block ? 0 : 1;
      if (*cost + differing(next[shared], other) > limit) continue;
      join(b, k, side, shared);
      return true;
    }
    return false;
  }
  void join(BlockId b, size_t k, BlockId side, size_t shared) {
    say(b, "two conditions become one branch");
    compute_here(b, side);
    ValueId c = end(b).operands[0], d = end(side).operands[0];
    Target direct = end(b).targets[1 - k], around = end(side).targets[shared];
    Target last = end(side).targets[1 - shared];
    if (k == 0) {
      select_args(b, c, around, direct);
      direct = std::move(around);
    } else {
      select_args(b, c, direct, around);
    }
    auto negated = [&](ValueId v) { return insert(b, Op::xor_, kI1, {v, f.constant(kI1, 1)}); };
    // The last target is reached if c is (k == 0) and d is (shared == 1).
    bool either = k == 1 && shared == 0;
    if (!either && k == 1) c = negated(c);
    if (!either && shared == 0) d = negated(d);
    ValueId both = insert(b, either ? Op::or_ : Op::and_, kI1, {c, d});
    --edges_in_[direct.block.index];
    Inst& branch = end(b);
    branch.operands[0] = both;
    branch.targets = {std::move(last), std::move(direct)};
    if (either) std::swap(branch.targets[0], branch.targets[1]);
    divergent_[b.index] = divergent_[b.index] || divergent_[side.index];
  }

  // One of the tests of `a || b || ...` or `a && b && ...`.
  struct Test {
    BlockId block;
    size_t shared;  // the target that all tests have
  };
  // The comparison with a constant that only the branch at the end of the block uses.
  const Inst* bound_at(BlockId b) {
    const Inst& last = end(b);
    const InstId d = last.op == Op::br_if ? f.def(last.operands[0]) : InstId();
    if (!d || f.inst(d).block != b) return nullptr;
    const Inst& test = f.inst(d);
    const bool orders = test.op == Op::slt || test.op == Op::sle || test.op == Op::ult || test.op == Op::ule;
    return orders && f.is_const(test.operands[0]) != f.is_const(test.operands[1]) &&
                   uses_of(test.results[0]) == 1
               ? &test
               : nullptr;
  }
  // The number that it compares.
  ValueId bounded(BlockId b) {
    const Inst* test = bound_at(b);
    return test ? test->operands[f.is_const(test->operands[0])] : ValueId();
  }
  // By what is not dead.
  uint32_t uses_of(ValueId v) {
    if (uses_.empty()) {
      uses_ = count_uses(f);
      for (auto b = cfg_.rpo.rbegin(); b != cfg_.rpo.rend(); ++b)
        for (size_t k = f.block(*b).insts.size(); k-- > 0;)
          if (const Inst& inst = f.inst(f.block(*b).insts[k]); is_dead(inst))
            for (ValueId o : inst.operands) --uses_[o.index];
    }
    return uses_[v.index];
  }
  bool is_dead(const Inst& inst) const {
    return info(inst.op).effects == Effects::None && !info(inst.op).has(Terminator) &&
           std::ranges::all_of(inst.results, [&](ValueId v) { return uses_[v.index] == 0; });
  }
  // Whether there is nothing but a comparison with a constant and a branch, except for what is dead.
  bool only_tests(BlockId b) {
    return f.block(b).params.empty() && bound_at(b) &&
           std::ranges::count_if(f.block(b).insts, [&](InstId i) { return !is_dead(f.inst(i)); }) == 2;
  }
  // What is dead may use a test that moves behind it.
  void remove_dead() {
    for (BlockId b : cfg_.rpo) {
      const std::vector<InstId> old(f.block(b).insts.begin(), f.block(b).insts.end());
      for (InstId i : old)
        if (is_dead(f.inst(i))) f.erase(i);
    }
    removed_dead_ = true;
  }
  // The tests that begin here; all but the first are nothing else.
  std::vector<Test> tests_from(BlockId b, size_t shared) {
    std::vector<Test> tests{{b, shared}};
    const Target& out = end(b).targets[shared];
    while (tests.size() < kMostTests) {
      const BlockId next = end(tests.back().block).targets[1 - tests.back().shared].block;
      if (edges_in_[next.index] != 1 || !only_tests(next)) break;
      const auto& to = end(next).targets;
      if ((to[0] == out) == (to[1] == out)) break;
      tests.push_back({next, to[0] == out ? size_t{0} : size_t{1}});
    }
    return tests;
  }
  // Brings the second test of a number behind its first.
  bool sort_tests(BlockId b) {
    if (!bounded(b)) return false;
    bool changed = false;
    for (size_t shared = 0; shared < 2; ++shared) {
      std::vector<Test> tests = tests_from(b, shared);
      for (size_t i = 0; i + 2 < tests.size(); ++i) {
        const ValueId number = bounded(tests[i].block);
        if (bounded(tests[i + 1].block) == number) {
          ++i;
          continue;
        }
        for (size_t j = i + 2; j < tests.size(); ++j)
          if (bounded(tests[j].block) == number) {
            exchange(tests[i + 1], tests[j]);
            changed = true;
            ++i;
            break;
          }
      }
    }
    return changed;
  }
  // The blocks exchange their tests.
  void exchange(Test& a, Test& b) {
    if (!removed_dead_) remove_dead();
    auto &in_a = f.block(a.block).insts, &in_b = f.block(b.block).insts;
    std::swap(in_a[0], in_b[0]);
    f.inst(in_a[0]).block = a.block, f.inst(in_b[0]).block = b.block;
    Inst &to_a = end(a.block), &to_b = end(b.block);
    std::swap(to_a.operands[0], to_b.operands[0]);
    std::swap(to_a.loc, to_b.loc);
    const bool divergent = divergent_[a.block.index];
    divergent_[a.block.index] = divergent_[b.block.index], divergent_[b.block.index] = divergent;
    if (a.shared == b.shared) return;
    std::swap(to_a.targets[0], to_a.targets[1]);
    std::swap(to_b.targets[0], to_b.targets[1]);
    std::swap(a.shared, b.shared);
  }

  void say(BlockId b, const char* text) {
    if (remarks_) remarks_->add({"if_convert", end(b).loc, text});
  }
  // Remarks for divergent branches with an arm that is too expensive.
  void say_what_stays() {
    for (BlockId b : cfg_.rpo) {
      if (f.block(b).erased || end(b).op != Op::br_if || !divergent_[b.index]) continue;
      for (size_t k = 0; k < 2; ++k) {
        BlockId side = end(b).targets[k].block, other = end(b).targets[1 - k].block;
        if (edges_in_[side.index] != 1 || end(side).op != Op::br) continue;
        BlockId next = end(side).targets[0].block;
        bool meets = next == other || (end(other).op == Op::br && end(other).targets[0].block == next);
        if (meets) say_why(b, side);
      }
    }
  }
  void say_why(BlockId b, BlockId side) {
    int cost = 0;
    bool effects = false;
    for (InstId i : f.block(side).insts) {
      if (info(f.inst(i).op).has(Terminator)) continue;
      effects |= info(f.inst(i).op).effects != Effects::None;
      cost += speculation_cost(f, f.inst(i));
    }
    if (effects)
      say(b, "branch stays: one of its arms reads or writes memory");
    else if (cost > limits(b).side)
      say(b, "branch stays: computing both arms would cost more than it does");
  }

  bool append_next(BlockId b) {
    if (end(b).op != Op::br) return false;
    Target to = end(b).targets[0];
    BlockId next = to.block;
    if (next == b || next == f.entry() || edges_in_[next.index] != 1) return false;
    auto &insts = f.block(b).insts, &tail = f.block(next).insts;
    if (tail.size() > kLongestAppended) return false;
    const auto& params = f.block(next).params;
    for (size_t k = 0; k < params.size(); ++k) replaced_.set(params[k], replaced_.resolve(to.args[k]));
    f.erase(f.terminator(b));
    for (InstId i : tail) f.inst(i).block = b;
    insts.insert(insts.end(), tail.begin(), tail.end());
    tail.clear();
    emptied_.push_back(next);
    divergent_[b.index] = divergent_[next.index];
    return true;
  }

  Function& f;
  Remarks* remarks_;
  const Cfg& cfg_;
  std::vector<bool> divergent_;     // by block: work-items may leave it by different edges
  std::vector<uint32_t> edges_in_;  // by block
  std::vector<uint32_t> uses_;      // by value, before all changes; empty if unknown
  std::vector<BlockId> emptied_;
  Replacements replaced_;
  bool removed_dead_ = false;
  bool changed_ = false;
};

}  // namespace

bool if_convert(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  bool changed = remove_unreachable_blocks(f, analyses);
  return Converter(f, analyses, remarks).run() || changed;
}

}  // namespace kc
