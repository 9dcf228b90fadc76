// SPDX-License-Identifier: Apache-2.0
// reconverge: adds flow blocks until after every divergent branch all work-items reconverge at one of its
// successors.
//
// A plan (reconverge_plan.h and others) says where flow blocks go and which edges pass them. This file
// redirects the edges: each sets a boolean for each flow block on its path; arguments for its target are
// stored in variables, and values that lost dominance become variables too. SSA construction then makes them
// block parameters, undef on paths that do not use them. The values of a phi web (phi_webs.h) share a
// variable, so a flow block passes each source-level variable once.
//
// Needs ThreadForm, Ssa, NoTraps; gives Reconverging; kills Structured.
//
//   A: br_if %c -> B, C      A: br_if %c -> F(true), C
//   C: br -> D           ==> C: br -> F(false)
//   B: br -> D               F(%b): br_if %b -> B, D
#include "passes/restructure/reconverge.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ir/check.h"
#include "ir/ssa_repair.h"
#include "passes/analysis/block_orders.h"
#include "passes/analysis/phi_webs.h"
#include "passes/ir_util.h"
#include "passes/restructure/frontier_plan.h"
#include "passes/restructure/header_selection.h"
#include "passes/restructure/open_tree.h"
#include "passes/restructure/reconverge_plan.h"
#include "passes/restructure/reconverge_prepare.h"
#include "passes/transform/mem2reg.h"
#include "passes/transform/sccp.h"

namespace kc {
namespace {

using Kind = ReconvergePlan::Kind;

// Redirects the function's edges according to the plan.
class ReconvergeRewriter {
 public:
  ReconvergeRewriter(Function& function, const Cfg& cfg, const ReconvergePlan& plan,
                     const std::vector<bool>& divergent)
      : f(function),
        cfg_(cfg),
        plan_(plan),
        divergent_(divergent),
        original_(static_cast<uint32_t>(function.block_count())),
        webs_(f, cfg, DominatorTree(f, cfg), std::vector<bool>(f.value_count(), true)),
        vars_(webs_.count()),
        own_var_(f.value_count(), 0),
        demoted_(original_),
        chooses_(plan.nodes.size()),
        passes_on_(plan.nodes.size(), 0),
        first_less_second_(plan.nodes.size(), 0),
        edge_blocks_(original_) {}

  void run() {
    make_blocks();
    for (uint32_t n : plan_.order)
      if (n < original_) find_conflicts(BlockId(n));
    for (uint32_t n : plan_.order)
      if (n < original_) study_edges(n);
    for (uint32_t n : plan_.order)
      if (n < original_) redirect(BlockId(n));
    for (uint32_t n : plan_.order)
      if (n >= original_) fill(n);
    read_parameters();
    f.layout = final_layout();
    Cfg cfg(f);
    DominatorTree dom(f, cfg);
    repair_dominance(dom);
    limit_lifetimes(dom);
    mem2reg(f);
  }

 private:
  // Values that variables must hold when an edge is taken.
  using Settings = std::map<VarId, ValueId>;

  BlockId block(uint32_t node) const { return block_[node]; }
  ValueId boolean(bool b) { return f.constant(kI1, b); }
  bool rerouted(uint32_t n, size_t k) const { return plan_.nodes[n].succs[k] >= original_; }

  void make_blocks() {
    block_.resize(plan_.nodes.size());
    for (uint32_t n : plan_.order) {
      if (n < original_) {
        block_[n] = BlockId(n);
        continue;
      }
      bool flow = plan_.nodes[n].kind == Kind::Flow;
      block_[n] = f.add_block(flow ? "flow" : "latch");
      if (!flow) continue;
      f.block(block_[n]).is_flow = true;
      chooses_[n] = f.add_var("flow", kI1);
    }
  }

  // Calls at(node, whether the node is left by its first edge) for the new nodes on the path of edge k of n.
  template <typename At>
  void walk(uint32_t n, size_t k, At&& at) const {
    uint32_t goal = plan_.nodes[n].goals[k];
    for (uint32_t v = plan_.nodes[n].succs[k]; v >= original_; v = plan_.next(v, goal))
      at(v, plan_.nodes[v].succs[0] == goal);
  }

  // The settings of all edges are made before the branch. A parameter that would overwrite a value of the
  // same web that another edge needs gets a variable of its own.
  void find_conflicts(BlockId b) {
    const auto targets = f.successors(b);
    for (const Target& t : targets) {
      const auto& params = f.block(t.block).params;
      for (size_t i = 0; i < params.size(); ++i) {
        uint32_t web = webs_.of(params[i]);
        if (web == kNone || webs_.of(t.args[i]) == web) continue;
        for (const Target& other : targets)
          if (&other != &t && webs_.is_live_in(web, other.block) && !passes(other, web, t.args[i]))
            own_var_[params[i].index] = 1;
      }
    }
  }
  // Whether the edge also passes the value for a parameter of the web: the only live value of the web there.
  bool passes(const Target& t, uint32_t web, ValueId value) const {
    const auto& params = f.block(t.block).params;
    auto at = std::ranges::find(params, web, [&](ValueId p) { return webs_.of(p); });
    return at != params.end() && t.args[static_cast<size_t>(at - params.begin())] == value;
  }

  VarId var_of(ValueId v) {
    uint32_t web = webs_.of(v);
    if (web == kNone || own_var_[v.index]) return f.add_var("param", f.type(v));
    if (!vars_[web]) vars_[web] = f.add_var("web", f.type(v));
    return vars_[web];
  }

  // Notes which targets read their parameters from variables, and what each flow node passes to the next.
  void study_edges(uint32_t n) {
    const auto targets = f.successors(BlockId(n));
    for (size_t k = 0; k < targets.size(); ++k) {
      if (!rerouted(n, k)) continue;
      BlockId to = targets[k].block;
      if (demoted_[to.index].empty())
        for (ValueId p : f.block(to).params) demoted_[to.index].push_back(var_of(p));
      uint32_t before = plan_.nodes.size();
      walk(n, k, [&](uint32_t v, bool first) {
        if (plan_.nodes[v].kind != Kind::Flow) return;
        first_less_second_[v] += first ? 1 : -1;
        if (before != plan_.nodes.size()) passes_on_[before] |= first ? kFirst : kSecond;
        before = v;
      });
    }
  }

  // The boolean by which a flow node chooses its edge. Most edges set false, which is free for lanes: the
  // masks of lanes that set true start empty.
  ValueId chooses(uint32_t flow, bool first) { return boolean(first != (first_less_second_[flow] > 0)); }

  Settings settings_of(uint32_t n, size_t k) {
    Settings set;
    const Target& t = f.successors(BlockId(n))[k];
    for (size_t i = 0; i < demoted_[t.block.index].size(); ++i) set[demoted_[t.block.index][i]] = t.args[i];
    bool told = false;  // the preceding flow node sets it for all items that pass
    walk(n, k, [&](uint32_t v, bool first) {
      if (plan_.nodes[v].kind != Kind::Flow) return;
      if (!told) set[chooses_[v]] = chooses(v, first);
      told = passes_on_[v] != (kFirst | kSecond);
    });
    return set;
  }

  void redirect(BlockId b) {
    const uint32_t n = b.index;
    const Inst end = f.inst(f.terminator(b));
    std::vector<Settings> sets;
    bool any = false;
    for (size_t k = 0; k < end.targets.size(); ++k) {
      sets.push_back(settings_of(n, k));
      any |= rerouted(n, k) || !sets.back().empty();
    }
    if (!any) return;
    f.erase(f.terminator(b));
    Builder build(f);
    build.block = b;
    build.loc = end.loc;
    TargetList targets;
    for (size_t k = 0; k < end.targets.size(); ++k) {
      bool keeps = !rerouted(n, k) && demoted_[end.targets[k].block.index].empty();
      targets.push_back(
          {block(plan_.nodes[n].succs[k]), keeps ? end.targets[k].args : std::vector<ValueId>()});
    }
    if (end.op == Op::br_if)
      redirect_br_if(build, end.operands[0], sets, std::move(targets));
    else
      redirect_others(build, end, sets, std::move(targets));
  }

  void redirect_br_if(Builder& build, ValueId condition, const std::vector<Settings>& sets,
                      TargetList targets) {
    Settings both = sets[0];
    ValueId inverse;
    for (auto [var, no] : sets[1]) {
      auto [it, fresh] = both.try_emplace(var, no);
      if (fresh || it->second == no) continue;
      // Only flow-block booleans are set on both edges; they differ, so one is the condition or its inverse.
      if (no == boolean(false)) {
        it->second = condition;
      } else {
        if (!inverse.valid()) inverse = build.make(Op::xor_, kI1, {condition, boolean(true)});
        it->second = inverse;
      }
    }
    for (auto [var, value] : both) build.set(var, value);
    if (targets[0].block == targets[1].block) {
      build.br(targets[0].block);
      return;
    }
    const BlockId b = build.block;
    for (size_t k = 0; k < 2; ++k)
      if (!rerouted(b.index, k) && cfg_.preds[targets[k].block.index].size() == 1)
        forget(targets[k].block, sets[1 - k], sets[k]);
    build.br_if(condition, std::move(targets[0]), std::move(targets[1]));
  }
  // A constant set for the other edge only is dead in the block that this edge leads to. (Other values stay:
  // likely all edges pass the same one, and dropping it would make it a parameter.)
  void forget(BlockId to, const Settings& others, const Settings& own) {
    for (auto [var, value] : others) {
      if (own.contains(var) || !f.is_const(value)) continue;
      insert_write(f, to, 0, var, f.undef(f.type(value)));
    }
  }

  // A jump has one edge. The edges of a switch that now pass flow blocks get a block each for their settings.
  void redirect_others(Builder& build, const Inst& end, const std::vector<Settings>& sets,
                       TargetList targets) {
    const BlockId b = build.block;
    for (size_t k = 0; k < targets.size(); ++k) {
      bool own_block = end.op == Op::switch_ && rerouted(b.index, k);
      if (own_block) {
        build.block = f.add_block("case");
        edge_blocks_[b.index].push_back(build.block);
      }
      for (auto [var, value] : sets[k]) build.set(var, value);
      if (own_block) {
        build.br(targets[k].block);
        targets[k] = {build.block, {}};
        build.block = b;
      }
    }
    InstId copy = f.create(end.op, end.operands, {}, end.loc);
    f.inst(copy).targets = std::move(targets);
    f.append(b, copy);
  }

  void fill(uint32_t n) {
    const auto& node = plan_.nodes[n];
    Builder build(f);
    build.block = block(n);
    if (node.kind == Kind::Latch) {
      build.br(block(node.succs[0]));
      return;
    }
    ValueId chosen = build.get(chooses_[n]);
    const uint32_t next = node.succs[0], rest = node.succs[1];
    if (passes_on_[n] == kFirst || passes_on_[n] == kSecond)
      build.set(chooses_[rest], chooses(rest, passes_on_[n] == kFirst));
    const bool first = chooses(n, true) == boolean(true);
    build.br_if(chosen, {block(first ? next : rest), {}}, {block(first ? rest : next), {}});
  }

  // Replaces demoted parameters by reads at the top of their blocks.
  void read_parameters() {
    Replacements replaced(f);
    for (uint32_t n = 0; n < original_; ++n) {
      const std::vector<ValueId> params = f.block(BlockId(n)).params;
      const std::vector<ValueId> reads = read_params(f, BlockId(n), demoted_[n]);
      for (size_t i = 0; i < reads.size(); ++i) {
        replaced.set(params[i], reads[i]);
        // A variable of its own is set before branches that may lead elsewhere.
        if (!own_var_[params[i].index]) read_from_.emplace(reads[i], std::pair(params[i], demoted_[n][i]));
      }
    }
    apply_replacements(f, replaced);
  }

  std::vector<BlockId> final_layout() const {
    std::vector<BlockId> layout;
    for (uint32_t n : plan_.order) {
      layout.push_back(block(n));
      if (n < original_) layout.insert(layout.end(), edge_blocks_[n].begin(), edge_blocks_[n].end());
    }
    return layout;
  }

  // Uses no longer dominated by their definition read a variable that is set at the definition. So do the
  // other uses of divergent values whose web has a variable: flow blocks pass the variable in any case, and
  // keeping the value too would lengthen its live range. (Uniform values stay uniform only where they are
  // used directly.) Case tests of a value use the value itself: the cases of a switch, tested in sequence,
  // would otherwise each depend on the variable as the previous case left it.
  void repair_dominance(const DominatorTree& dom) {
    auto out_of_reach = [&](ValueId v, BlockId b) {
      BlockId def = block_of(f, v);
      return def.valid() && !dom.dominates(def, b);
    };
    std::map<ValueId, VarId> kept;
    auto keep_in_var = [&](ValueId v) {
      if (auto it = read_from_.find(v); it != read_from_.end()) return it->second.second;
      auto [it, unseen] = kept.try_emplace(v, VarId());
      if (unseen) it->second = var_of(v);
      return it->second;
    };
    // Which webs have a variable must be known before other uses of their values are visited.
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        auto visit = [&](ValueId v) {
          if (out_of_reach(v, b)) keep_in_var(v);
        };
        std::ranges::for_each(f.inst(i).operands, visit);
        for (const Target& t : f.inst(i).targets) std::ranges::for_each(t.args, visit);
      }
    auto crosses = [&](ValueId v, const Inst& user) {
      const bool test = user.op == Op::eq && f.is_const(user.operands[1]);
      return out_of_reach(v, user.block) || (!test && has_web_var(v, user.block));
    };
    pass_through_variables(f, f.layout, crosses, keep_in_var);
  }
  // Whether v, used in b, is a divergent value of another block that shares a variable.
  bool has_web_var(ValueId v, BlockId b) const {
    if (f.is_inline(v) || block_of(f, v) == b) return false;
    if (auto it = read_from_.find(v); it != read_from_.end()) return divergent_[it->second.first.index];
    uint32_t web = webs_.of(v);
    return web != kNone && vars_[web] && !own_var_[v.index] && divergent_[v.index];
  }

  // Sets each variable to undef in the nearest block that dominates all its definitions and uses, so that SSA
  // construction does not extend its live range to the entry. A work-item that passes this block sets the
  // variable again before reading it: dominators come earlier in the order, and only the last edge of a path
  // through new blocks is a back edge. (Where the order violates this, source blocks are used: a variable
  // that is live on a path past such a block has been set after it.)
  void limit_lifetimes(const DominatorTree& dom) {
    std::vector<BlockId> above = blocks_above_accesses(f, f.layout, dom);
    if (!plan_.dominators_first)
      for (BlockId& b : above)
        while (b.valid() && b.index >= original_) b = dom.idom[b.index];
    for (size_t v = 0; v < f.vars.size(); ++v) {
      if (!above[v].valid() || above[v] == f.entry()) continue;
      const auto& insts = f.block(above[v]).insts;
      size_t position = 0;
      auto sets = [&](const Inst& i) { return i.op == Op::var_set && i.attrs[0] == static_cast<int64_t>(v); };
      while (position + 1 < insts.size() && !sets(f.inst(insts[position]))) ++position;
      insert_write(f, above[v], position, VarId(static_cast<uint32_t>(v)), f.undef(f.vars[v].type));
    }
  }

  static constexpr uint8_t kFirst = 1, kSecond = 2;
  Function& f;
  const Cfg& cfg_;
  const ReconvergePlan& plan_;
  const std::vector<bool>& divergent_;  // by value id
  const uint32_t original_;
  PhiWebs webs_;
  std::vector<VarId> vars_;                                 // by web
  std::vector<uint8_t> own_var_;                            // by value id
  std::map<ValueId, std::pair<ValueId, VarId>> read_from_;  // reads of demoted parameters
  std::vector<BlockId> block_;                              // by node
  std::vector<std::vector<VarId>> demoted_;  // by original block: the variables that replace its parameters
  std::vector<VarId> chooses_;               // by flow node: selects the edge a work-item takes
  std::vector<uint8_t> passes_on_;           // by flow node: how items that go on leave the next flow node
  // by flow node: number of edges that select its first edge, minus the others
  std::vector<int32_t> first_less_second_;
  std::vector<std::vector<BlockId>> edge_blocks_;
};

// Carries out the plan; false if only the layout changed.
bool rewrite(Function& f, const Cfg& cfg, const ReconvergePlan& plan, ReconvergeReport& report) {
  report.flow_blocks += plan.flow_nodes;
  report.latch_blocks += plan.latch_nodes;
  if (plan.flow_nodes == 0 && plan.latch_nodes == 0) {
    f.layout.clear();
    for (uint32_t n : plan.order) f.layout.push_back(BlockId(n));
    return false;
  }
  ++report.rounds;
  ReconvergeRewriter(f, cfg, plan, report.uniformity.divergent).run();
  // On edges through flow blocks where a value is dead, undef is passed; if all other edges pass one
  // constant, the parameter is that constant.
  if (plan.flow_nodes > 0) sccp(f, UndefArguments::Any);
  return true;
}

std::vector<bool> divergent_branches(const Function& f, const Uniformity& u) {
  std::vector<bool> divergent = u.divergent_branch;
  divergent.resize(f.block_count(), false);
  return divergent;
}

// Plans by plan_reconvergence or plan_by_frontiers.
template <typename Planner>
ReconvergePlan make_plan(const Function& f, const Cfg& cfg, const Uniformity& u, Planner planner) {
  return planner(successor_lists(f, cfg), f.entry().index, u.cycles, divergent_branches(f, u));
}

// b: ...; br_if %c -> S, T   ==>   b: ...; br -> n;   n: br_if %c -> S, T
BlockId divide_before_branch(Function& f, BlockId b) {
  const Inst end = f.inst(f.terminator(b));
  f.erase(f.terminator(b));
  Builder build(f);
  build.loc = end.loc;
  build.block = b;
  const BlockId n = f.add_block("branch");
  build.br(n);
  InstId copy = f.create(end.op, end.operands, {}, end.loc);
  f.inst(copy).targets = end.targets;
  f.append(n, copy);
  return n;
}

// The plan of the OpenTree. Divides blocks that have only back edges.
std::optional<ReconvergePlan> plan_in_order(Function& f, const Uniformity& u, BlockOrder order) {
  SuccessorLists succs = successor_lists(f, Cfg(f));
  std::vector<bool> divergent = divergent_branches(f, u);
  std::vector<uint32_t> blocks = block_order(succs, f.entry().index, u.cycles, order), front;
  for (uint32_t b : branches_backward(succs, u.cycles, blocks, divergent)) {
    front.push_back(divide_before_branch(f, BlockId(b)).index);
    divergent[b] = false;
    divergent.push_back(true);
  }
  if (!front.empty()) succs = successor_lists(f, Cfg(f));
  blocks.insert(blocks.begin(), front.begin(), front.end());
  auto plan = plan_by_open_tree(succs, f.entry().index, u.cycles, std::move(blocks), divergent);
  if (plan) plan->dominators_first = front.empty();
  return plan;
}

bool any_divergent_branch(const Function& f, const Uniformity& u) {
  return std::any_of(f.layout.begin(), f.layout.end(),
                     [&](BlockId b) { return u.divergent_branch[b.index]; });
}

void prepare(Function& f, Uniformity& u, UniformityOptions options) {
  const size_t insts = f.inst_count();
  prepare_reconvergence(f, u);
  if (f.inst_count() != insts) u = analyse_uniformity(f, options);
}

// Values that pass flow blocks may become divergent, and branches on them with them. Another iteration
// follows only if one more branch became divergent; flow blocks are never divided again, and constants stay
// constant. The report's uniformity is that of f before and after this function and the next ones.
void reconverge_by_scans(Function& f, UniformityOptions options, ReconvergeReport& report) {
  Uniformity& u = report.uniformity;
  for (;;) {
    prepare(f, u, options);
    Cfg cfg(f);
    if (!rewrite(f, cfg, make_plan(f, cfg, u, plan_reconvergence), report)) return;
    u = analyse_uniformity(f, options);
  }
}

std::optional<ReconvergePlan> plan_as_asked(Function& f, const Uniformity& u, ReconvergeOptions options) {
  if (options.plan == ReconvergeOptions::OpenTree) return plan_in_order(f, u, options.order);
  return make_plan(f, Cfg(f), u, plan_by_frontiers);
}

size_t new_blocks(const ReconvergeReport& report) { return report.flow_blocks + report.latch_blocks; }

// Returns whether it worked: some orders leave a branch without a reconvergence point; a barrier must be
// reached by all items at once; with `fewer_than`, the number of new blocks must be lower. Iterates as above.
bool reconverge_as_asked(Function& f, UniformityOptions options, ReconvergeOptions plans,
                         ReconvergeReport& report, size_t fewer_than = SIZE_MAX) {
  if (plans.order != BlockOrder::CycleContiguous && has_convergent(f)) return false;
  Uniformity& u = report.uniformity;
  for (;;) {
    prepare(f, u, options);
    const size_t insts = f.inst_count();
    auto plan = plan_as_asked(f, u, plans);
    if (!plan || new_blocks(report) + plan->flow_nodes + plan->latch_nodes >= fewer_than) return false;
    Cfg cfg(f);
    if (f.inst_count() != insts) u = analyse_uniformity(f, options);  // u again for the divided blocks
    rewrite(f, cfg, *plan, report);
    const Uniformity before = std::exchange(u, analyse_uniformity(f, options));
    if (check_reconverging(f, u).empty()) return true;
    bool more = false;
    for (uint32_t b = 0; b < before.divergent_branch.size(); ++b)
      more |= u.divergent_branch[b] && !before.divergent_branch[b] && f.successors(BlockId(b)).size() > 1;
    if (!more) return false;
  }
}

// Flow blocks exist if the pass has run before, perhaps with another plan.
bool reconverges_already(const Function& f, const Uniformity& u) {
  return std::ranges::any_of(f.layout, [&](BlockId b) { return f.block(b).is_flow; }) &&
         check_reconverging(f, u).empty();
}

// Without cycles both plans agree, and mostly with cycles, too. Where scans needed a latch or more than one
// iteration, frontiers may need fewer blocks, each of which costs masks in every iteration of its loop.
void reconverge_cheaply(Function& f, UniformityOptions options, ReconvergeReport& report) {
  prepare(f, report.uniformity, options);  // for both plans
  if (report.uniformity.cycles.cycles.empty()) return reconverge_by_scans(f, options, report);
  Function other = f;
  ReconvergeReport otherwise{.uniformity = report.uniformity};
  reconverge_by_scans(f, options, report);
  if (report.rounds < 2 && report.latch_blocks == 0) return;
  if (!reconverge_as_asked(other, options, {ReconvergeOptions::Frontiers}, otherwise, new_blocks(report)))
    return;
  f = std::move(other);
  report = std::move(otherwise);
}

// Also tries other headers for irreducible loops, one header-selecting branch after the other.
void reconverge_by_headers(Function& f, UniformityOptions options, ReconvergeReport& report) {
  const auto choices =
      has_convergent(f) ? std::vector<BlockId>() : header_choices(f, report.uniformity.cycles);
  if (choices.empty()) return reconverge_cheaply(f, options, report);
  Function source = f;
  reconverge_cheaply(f, options, report);
  double cost = cost_of_rounds(f);
  for (BlockId b : choices) {
    Function swapped = source;
    swap_targets(swapped, b);
    Function tried = swapped;
    ReconvergeReport otherwise{.uniformity = analyse_uniformity(tried, options)};
    reconverge_cheaply(tried, options, otherwise);
    const double less = cost_of_rounds(tried);
    if (less >= cost) continue;
    cost = less;
    source = std::move(swapped), f = std::move(tried);
    report = std::move(otherwise);
  }
}

}  // namespace

bool reconverge(Function& f, AnalysisCache& analyses, ReconvergeReport* report, ReconvergeOptions plan) {
  const UniformityOptions options = analyses.ids();
  ReconvergeReport local;
  ReconvergeReport& r = report ? *report : local;
  r = {.uniformity = analyses.uniformity()};
  if (!any_divergent_branch(f, r.uniformity) || reconverges_already(f, r.uniformity)) return false;
  const auto layout_before = f.layout;
  const size_t insts_before = f.inst_count();
  if (plan.plan == ReconvergeOptions::Cheaper) {
    reconverge_by_headers(f, options, r);
  } else if (plan.plan == ReconvergeOptions::Scans) {
    reconverge_by_scans(f, options, r);
  } else {
    Function changed = f;
    ReconvergeReport asked{.uniformity = r.uniformity};
    if (reconverge_as_asked(changed, options, plan, asked)) {
      f = std::move(changed);
      r = std::move(asked);
    } else {
      r.plan_failed = true;
      reconverge_by_scans(f, options, r);
    }
  }
  if (f.inst_count() == insts_before && f.layout == layout_before) return false;
  analyses.keep(NoAnalyses);
  analyses.set(std::move(r.uniformity));
  return true;
}

}  // namespace kc
