// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/restructure_plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "ir/cfg.h"
#include "ir/check.h"
#include "ir/ssa_repair.h"
#include "passes/analysis/uniformity.h"
#include "passes/ir_util.h"
#include "passes/restructure/reconverge_prepare.h"
#include "passes/transform/mem2reg.h"

namespace kc {
namespace {

constexpr size_t kMaxCases = 255;  // limit on targets of a `switch`

class Applier {
 public:
  Applier(Function& function, const RestructurePlan& plan, SwitchForm form)
      : f(function),
        plan_(plan),
        form_(form),
        original_(f.block_count()),
        vars_(plan.value_counts.size()),
        demoted_(original_) {}

  void run() {
    for (size_t n = 0; n < plan_.nodes.size(); ++n)
      block_.push_back(n < original_ ? BlockId(n) : f.add_block(std::string(plan_.nodes[n].hint)));
    demote_parameters();
    read_parameters();
    copy_instructions();
    for (size_t n = 0; n < plan_.nodes.size(); ++n)
      if (is_block(n)) redirect(n);
    for (size_t n = original_; n < plan_.nodes.size(); ++n)
      if (!is_block(n)) fill(n);
    remove_unreachable_blocks(f);
    Cfg cfg(f);
    f.layout = cfg.rpo;
    DominatorTree dom(f, cfg);
    restore_dominance(f, cfg.rpo, dom, "kept");
    limit_lifetimes(dom, cfg.rpo);
    mem2reg(f);
  }

 private:
  using Settings = std::map<VarId, ValueId>;

  // A variable with two values is a boolean that is true for value 0.
  VarId var(uint32_t v) {
    if (!vars_[v].valid()) vars_[v] = f.add_var("path", plan_.value_counts[v] <= 2 ? kI1 : kI32);
    return vars_[v];
  }
  ValueId value(RestructurePlan::Setting s) {
    return plan_.value_counts[s.var] <= 2 ? f.constant(kI1, s.value == 0) : f.constant(kI32, s.value);
  }

  using Kind = RestructurePlan::Kind;
  /// The block whose instructions the node has; invalid for new nodes and removed blocks.
  BlockId source(size_t n) const {
    const auto& node = plan_.nodes[n];
    BlockId b = node.kind == Kind::Original ? BlockId(n)
                : node.kind == Kind::Copy   ? BlockId(node.var)
                                            : BlockId();
    return b.valid() && f.block(b).insts.empty() ? BlockId() : b;
  }
  bool is_block(size_t n) const { return source(n).valid(); }

  bool moved(size_t n, size_t k) const {
    return plan_.nodes[n].edges[k].to != f.successors(source(n))[k].block.index;
  }

  // Turns parameters into variables for blocks that new nodes lead to, or that lose an edge.
  void demote_parameters(BlockId to) {
    if (!demoted_[to.index].empty()) return;
    for (size_t i = 0; i < f.block(to).params.size(); ++i)
      demoted_[to.index].push_back(f.add_var("param", f.type(f.block(to).params[i])));
  }
  void demote_parameters() {
    for (size_t n = 0; n < plan_.nodes.size(); ++n)
      for (size_t k = 0; k < plan_.nodes[n].edges.size(); ++k) {
        const uint32_t to = plan_.nodes[n].edges[k].to;
        if (is_block(n) && moved(n, k)) demote_parameters(f.successors(source(n))[k].block);
        if (n >= original_ && is_block(to)) demote_parameters(source(to));
      }
  }

  // Values defined in copied blocks reach other blocks through variables.
  void copy_instructions() {
    std::vector<bool> copied(original_);
    bool any = false;
    for (const auto& node : plan_.nodes)
      if (node.kind == Kind::Copy) any = copied[node.var] = true;
    if (!any) return;
    pass_through_variables(
        f,
        std::vector<BlockId>(f.layout.begin(),
                             std::ranges::find_if(f.layout, [&](BlockId b) { return b.index >= original_; })),
        "split", [&](ValueId v, BlockId b) {
          BlockId def = block_of(f, v);
          return def.valid() && def != b && copied[def.index];
        });
    for (size_t n = original_; n < plan_.nodes.size(); ++n)
      if (plan_.nodes[n].kind == Kind::Copy) {
        BlockId from(plan_.nodes[n].var);
        copy_blocks(f, {&from, 1}, {&block_[n], 1});
      }
  }

  Settings settings(const RestructurePlan::Edge& edge) {
    Settings sets;
    for (RestructurePlan::Setting s : edge.sets) sets[var(s.var)] = value(s);
    return sets;
  }

  void redirect(size_t n) {
    const BlockId b = block_[n];
    const Inst end = f.inst(f.terminator(b));
    std::vector<Settings> sets;
    TargetList targets;
    bool any = false;
    for (size_t k = 0; k < end.targets.size(); ++k) {
      const auto& edge = plan_.nodes[n].edges[k];
      const bool away = edge.to != end.targets[k].block.index;
      const auto& params = demoted_[end.targets[k].block.index];
      sets.push_back(settings(edge));
      for (size_t i = 0; i < params.size(); ++i) sets.back()[params[i]] = end.targets[k].args[i];
      bool keeps = !away && params.empty();
      targets.push_back({block_[edge.to], keeps ? end.targets[k].args : std::vector<ValueId>()});
      any |= away || !sets.back().empty();
    }
    if (!any) return;
    f.erase(f.terminator(b));
    Builder build(f);
    build.block = b;
    build.loc = end.loc;
    leave(build, end.op, end.operands, sets, std::move(targets));
  }

  void set_all(Builder& build, const Settings& sets) {
    for (auto [v, x] : sets) build.set(v, x);
  }

  void leave(Builder& build, Op op, const ValueList& operands, const std::vector<Settings>& sets,
             TargetList targets) {
    if (op == Op::br_if) return leave_by_condition(build, operands[0], sets, std::move(targets));
    if (op == Op::br) {
      set_all(build, sets[0]);
      build.br(targets[0].block, std::move(targets[0].args));
      return;
    }
    const BlockId from = build.block;
    std::map<std::pair<BlockId, Settings>, BlockId> cases;  // edges with equal settings share a block
    for (size_t k = 0; k < targets.size(); ++k) {
      if (sets[k].empty()) continue;
      auto [it, fresh] = cases.try_emplace({targets[k].block, sets[k]});
      if (fresh) {
        it->second = build.block = f.add_block("case");
        set_all(build, sets[k]);
        build.br(targets[k].block, std::move(targets[k].args));
      }
      targets[k] = {it->second, {}};
    }
    InstId end = f.create(op, operands, {}, build.loc);
    f.inst(end).targets = std::move(targets);
    f.append(from, end);
  }

  // A variable set for one edge is set again before any read on the other.
  void leave_by_condition(Builder& build, ValueId condition, const std::vector<Settings>& sets,
                          TargetList targets) {
    Settings both = sets[0];
    ValueId inverse;
    for (auto [v, no] : sets[1]) {
      auto [it, fresh] = both.try_emplace(v, no);
      if (fresh || it->second == no) continue;
      ValueId yes = it->second;
      if (yes == f.constant(kI1, 1) && no == f.constant(kI1, 0)) {
        it->second = condition;
      } else if (yes == f.constant(kI1, 0) && no == f.constant(kI1, 1)) {
        if (!inverse.valid()) inverse = build.make(Op::xor_, kI1, {condition, f.constant(kI1, 1)});
        it->second = inverse;
      } else {
        it->second = build.make(Op::select, f.type(yes), {condition, yes, no});
      }
    }
    set_all(build, both);
    if (targets[0] == targets[1])
      build.br(targets[0].block, std::move(targets[0].args));
    else
      build.br_if(condition, std::move(targets[0]), std::move(targets[1]));
  }

  void fill(size_t n) {
    const auto& node = plan_.nodes[n];
    Builder build(f);
    build.block = block_[n];
    std::vector<Settings> sets;
    TargetList targets;
    for (const auto& edge : node.edges) {
      sets.push_back(settings(edge));
      targets.push_back({block_[edge.to], {}});
    }
    if (targets.size() == 1) return leave(build, Op::br, {}, sets, std::move(targets));
    ValueId v = build.get(var(node.var));
    if (node.kind == RestructurePlan::Kind::Test)
      leave(build, Op::br_if, {test(build, v, node)}, sets, std::move(targets));
    else if (targets.size() == 2)
      leave(build, Op::br_if, {f.type(v) == kI1 ? v : build.make(Op::eq, kI1, {v, build.i32(0)})}, sets,
            std::move(targets));
    else
      dispatch(build, v, sets, std::move(targets));
  }

  ValueId test(Builder& build, ValueId v, const RestructurePlan::Node& node) {
    auto number = [&](uint32_t x) { return f.constant(kI32, x); };
    if (f.type(v) == kI1) {
      KC_CHECK(node.low == node.high, "a test of a boolean for two values");
      return node.low == 0 ? v : build.make(Op::xor_, kI1, {v, f.constant(kI1, 1)});
    }
    if (node.low == node.high) return build.make(Op::eq, kI1, {v, number(node.low)});
    if (node.low == 0) return build.make(Op::ule, kI1, {v, number(node.high)});
    ValueId above = build.make(Op::sub, kI32, {v, number(node.low)});
    return build.make(Op::ule, kI1, {above, number(node.high - node.low)});
  }

  void dispatch(Builder& build, ValueId v, const std::vector<Settings>& sets, TargetList targets) {
    if (form_ == SwitchForm::Native && targets.size() <= kMaxCases) {
      std::vector<ValueId> operands{v};
      for (size_t k = 1; k < targets.size(); ++k) operands.push_back(build.i32(static_cast<int32_t>(k)));
      return leave(build, Op::switch_, operands, sets, std::move(targets));
    }
    struct Range {
      BlockId block;
      size_t first, count;
    };
    std::vector<Range> ranges{{build.block, 0, targets.size()}};
    while (!ranges.empty()) {
      auto [block, first, count] = ranges.back();
      ranges.pop_back();
      const size_t left = form_ == SwitchForm::Chain ? 1 : count / 2;
      build.block = block;
      auto half = [&](size_t from, size_t n) {
        if (n == 1) return std::pair(targets[from], sets[from]);
        BlockId next = f.add_block("case");
        ranges.push_back({next, from, n});
        return std::pair(Target{next, {}}, Settings());
      };
      auto yes = half(first, left), no = half(first + left, count - left);
      ValueId middle = f.constant(kI32, first + left);
      ValueId below = left == 1 ? build.make(Op::eq, kI1, {v, f.constant(kI32, first)})
                                : build.make(Op::ult, kI1, {v, middle});
      leave_by_condition(build, below, {yes.second, no.second}, {yes.first, no.first});
    }
  }

  void read_parameters() {
    Replacements replaced(f);
    for (uint32_t n = 0; n < original_; ++n) {
      const std::vector<ValueId> params = f.block(BlockId(n)).params;
      const std::vector<ValueId> reads = read_params(f, BlockId(n), demoted_[n]);
      for (size_t i = 0; i < reads.size(); ++i) replaced.set(params[i], reads[i]);
    }
    apply_replacements(f, replaced);
  }

  // Sets each variable to undef in the nearest original block that dominates all its definitions and uses, so
  // that SSA construction does not extend its live range to the entry. An item that passes this block sets
  // the variable again before reading it: the sequence of original blocks is unchanged, each definition still
  // comes before its uses there, and no block between the two dominates both. (A new block may lie between.)
  void limit_lifetimes(const DominatorTree& dom, std::span<const BlockId> rpo) {
    std::vector<BlockId> nearest(f.block_count());  // nearest original dominator, or the block itself
    for (BlockId b : rpo) nearest[b.index] = b.index < original_ ? b : nearest[dom.idom[b.index].index];
    const std::vector<BlockId> above = blocks_above_accesses(f, f.layout, dom);
    std::vector<std::vector<uint32_t>> start(original_);
    for (uint32_t v = 0; v < f.vars.size(); ++v)
      if (above[v].valid() && nearest[above[v].index] != f.entry())
        start[nearest[above[v].index].index].push_back(v);
    for (size_t b = 0; b < original_; ++b)
      if (!start[b].empty()) start_variables(BlockId(b), start[b]);
  }

  void start_variables(BlockId b, const std::vector<uint32_t>& vars) {
    std::set<int64_t> set_here;
    std::vector<InstId> list = f.block(b).insts;
    for (InstId i : list)
      if (f.inst(i).op == Op::var_set) set_here.insert(f.inst(i).attrs[0]);
    const InstId end = list.back();
    f.block(b).insts.pop_back();
    for (uint32_t v : vars) {
      if (set_here.contains(v)) continue;
      InstId set = f.create(Op::var_set, {f.undef(f.vars[v].type)}, {});
      f.inst(set).attrs[0] = v;
      f.append(b, set);
    }
    f.append(b, end);
  }

  Function& f;
  const RestructurePlan& plan_;
  const SwitchForm form_;
  const size_t original_;
  std::vector<BlockId> block_;               // by node
  std::vector<VarId> vars_;                  // by variable of the plan
  std::vector<std::vector<VarId>> demoted_;  // by original block: the variables that replace its parameters
};

}  // namespace

size_t RestructurePlan::assignments() const {
  size_t count = 0;
  for (const Node& n : nodes)
    for (const Edge& e : n.edges) count += e.sets.size();
  return count;
}

bool normalise_for_plan(Function& f) {
  bool changed = give_one_exit(f);
  return separate_cases(f) || changed;
}

void apply_plan(Function& f, const RestructurePlan& plan, SwitchForm form) { Applier(f, plan, form).run(); }

}  // namespace kc
