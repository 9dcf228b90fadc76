// SPDX-License-Identifier: Apache-2.0
// linearize: turns an unstructured region into a predicate chain, each block after a guard.
// A variable next_block selects the next block. A block sets it to the successor it chose and goes on to the
// next guard, which runs its block if selected and else falls through. After a block with back edges a back
// guard repeats an interval of the chain that begins at the target; intervals nest or are disjoint. Regions
// are the smallest with one entry and one exit edge; structured parts of a region are one block of the chain.
// Then guards with one possible result go, known results become booleans (o4), edges bypass guards they never
// select (o1), the guard of a block with one predecessor becomes its branch (o3), a loop has one back guard,
// at its end (late). (J. Anantpur, R. Govindarajan, "Taming Control Divergence in GPUs through Control Flow
// Linearization", 2014; booleans and `late` are new here.)
// Needs ThreadForm, Ssa, NoTraps; gives Structured; kills Reconverging.
//
//   a: br_if %1 -> s, b               a: br_if %1 -> g(true), b
//   b: br_if %2 -> s, t               b: br -> g(%2)
//   s: ...; br -> e               ==> g(%v): br_if %v -> s, h(true)
//   t: ...; br -> e                   s: ...; br -> h(false);  h(%w): br_if %w -> t, e;  t: ...; br -> e
#include "passes/restructure/linearize.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <span>

#include "passes/analysis/block_orders.h"
#include "passes/analysis/convergent_operations.h"
#include "passes/analysis/uniformity.h"
#include "passes/ir_util.h"
#include "passes/restructure/latency_block_order.h"
#include "passes/restructure/predicate_chain.h"
#include "passes/restructure/predicate_tests.h"
#include "passes/restructure/structure_walk.h"
#include "passes/restructure/structurize.h"

namespace kc {
namespace {

constexpr uint32_t kMostTried = 200;  // blocks of a chain where bypassing guards is tried

class Linearizer : public StructureWalk {
 public:
  Linearizer(const Function& f, const LinearizeOptions& options) : StructureWalk(f), options_(options) {
    options_.skip |= options.past;
    options_.known |= options.skip || options.nest || options.fold;
    options_.late |= options.merge;
    if (options.max_stack > 0) deepest_ = options.max_stack;
    if (options.interleave) distances_.emplace(f);
  }
  LinearizeReport report;

  /// Whether the halves are in one chain with other blocks between them.
  bool apart(const SplitBlock& part) const {
    auto in_front = in_front_.find(part.second.index);
    return in_front != in_front_.end() && in_front->second != part.first.index;
  }

  /// All blocks but the entry and the last one become one chain.
  RestructurePlan run_whole(const Function& f) {
    Cfg cfg(f);
    SuccessorLists succs = successor_lists(f, cfg);
    if (succs[g_.entry].empty()) return g_.finish();  // only one block
    Cycles cycles(f, cfg);
    std::vector<uint32_t> nodes = cycle_contiguous_order(succs, g_.entry, cycles), source;
    for (BlockId b : f.layout) source.push_back(b.index);
    // Any order is correct; source order is kept if it has no more back edges.
    if (edges_back(source, succs) <= edges_back(nodes, succs)) nodes = source;
    auto last = std::ranges::find_if(nodes, [&](uint32_t n) { return succs[n].empty(); });
    const uint32_t end = *last;
    nodes.erase(last);
    nodes.erase(nodes.begin());
    if (options_.interleave) interleave_within(nodes, cycles);
    std::vector<uint32_t> back_targets;
    if (options_.merge) back_targets = merged_back_targets(nodes, succs, cycles);
    auto out = g_.out(g_.entry);
    if (!nodes.empty()) row(nodes, end, {out.begin(), out.end()}, kNone, back_targets);
    return g_.finish();
  }

 private:
  void nest(uint32_t from, uint32_t end) override {
    if (!branches_nest(g_, from, end)) region_row(from, end);
  }

  // Without nesting optimisations: the chain must be flat.
  void flatten(uint32_t from, uint32_t end) override {
    const LinearizeOptions options = options_;
    options_.skip = options_.nest = options_.past = options_.fold = false;
    region_row(from, end);
    options_ = options;
  }

  void region_row(uint32_t from, uint32_t end) {
    std::vector<uint32_t> nodes =
        g_.topological_order(std::span(&from, 1), [&](uint32_t e) { return g_.to(e) != end; });
    nodes.erase(nodes.begin());
    if (options_.interleave) interleave(nodes);
    std::vector<uint32_t> entries;
    for (uint32_t e : g_.out(from))
      if (g_.to(e) != end) entries.push_back(e);
    // Edges straight to the exit can bypass the chain, unless the other edges diverge before they enter it.
    if (entries.size() > 1) entries.assign(g_.out(from).begin(), g_.out(from).end());
    row(nodes, end, entries, g_.home(from), {});
  }

  void join_entries(uint32_t, const LoopEdges&) override {}

  void interleave(std::span<uint32_t> nodes) {
    distances_->order(nodes, [&](uint32_t node, const std::function<void(uint32_t)>& act) {
      for (uint32_t e : g_.out(node)) act(g_.to(e));
    });
  }

  // The chosen block must not enter or leave a loop.
  void interleave_within(std::vector<uint32_t>& nodes, const Cycles& cycles) {
    for (size_t from = 0, to = 0; from < nodes.size(); from = to) {
      while (to < nodes.size() && cycles.innermost[nodes[to]] == cycles.innermost[nodes[from]]) ++to;
      interleave(std::span(nodes).subspan(from, to - from));
    }
  }

  ClosedLoop close_loop(uint32_t l, const LoopEdges& edges) override {
    const uint32_t after = g_.gather(edges.exit, around(l), "leave");
    const auto& heads = g_.tree.loops[l].entries;
    auto inside = [&](uint32_t e) {
      return g_.tree.encloses(l, g_.home(g_.to(e))) && !std::ranges::binary_search(heads, g_.to(e));
    };
    regions_among(heads, inside);
    std::vector<uint32_t> nodes = g_.topological_order(heads, inside);
    // Loop headers come first for edges from outside.
    const auto first =
        std::ranges::find_if(nodes, [&](uint32_t n) { return !std::ranges::binary_search(heads, n); });
    if (options_.interleave) interleave(std::span(first, nodes.end()));
    row(nodes, after, edges.entry, l, {});
    std::vector<uint32_t> exits;
    for (uint32_t e : g_.incoming(after))
      if (g_.home(g_.from(e)) == l) exits.push_back(e);
    return {g_.to(edges.entry[0]), exits[0]};
  }

  static size_t edges_back(const std::vector<uint32_t>& order, const SuccessorLists& succs) {
    std::vector<size_t> place(succs.size());
    for (size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    size_t count = 0;
    for (uint32_t n : order)
      for (uint32_t s : succs[n]) count += place[s] <= place[n];
    return count;
  }

  // In a loop nest all back edges go to the header of the outermost loop.
  std::vector<uint32_t> merged_back_targets(const std::vector<uint32_t>& nodes, const SuccessorLists& succs,
                                            const Cycles& cycles) {
    std::vector<uint32_t> place(succs.size(), kNone), back_targets;
    for (uint32_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
    std::vector<uint32_t> outermost(cycles.cycles.size());
    for (uint32_t c = 0; c < outermost.size(); ++c)
      outermost[c] = cycles.cycles[c].parent == kNone ? c : outermost[cycles.cycles[c].parent];
    for (uint32_t n : nodes) {
      uint32_t c = cycles.innermost[n];
      back_targets.push_back(c == kNone ? kNone : place[cycles.cycles[outermost[c]].header]);
    }
    return back_targets;
  }

  void row(const std::vector<uint32_t>& nodes, uint32_t end, const std::vector<uint32_t>& entries,
           uint32_t home, const std::vector<uint32_t>& back_targets) {
    const auto count = static_cast<uint32_t>(nodes.size());
    for (uint32_t i = 0; i < count; ++i) g_.note(nodes[i]).count = i;
    for (uint32_t i = 1; i < count; ++i) in_front_[nodes[i]] = nodes[i - 1];
    auto next_block = [&](uint32_t e) { return g_.to(e) == end ? count : g_.note(g_.to(e)).count; };
    SuccessorLists succs(count);
    for (uint32_t i = 0; i < count; ++i)
      for (uint32_t e : g_.out(nodes[i])) succs[i].push_back(next_block(e));
    std::vector<uint32_t> wanted;
    for (uint32_t e : entries) wanted.push_back(next_block(e));
    PredicateChain guards(succs, wanted, back_targets, options_.late);
    ++report.regions;
    if (!guards.unknown()) optimise(guards, wanted, succs);
    const std::vector<PredicateTests::Incoming> incoming = incoming_edges(guards, wanted, succs);
    PredicateTests tests(guards, {.fold = options_.fold, .known = options_.known}, incoming);
    ChainPlan r{.nodes = nodes, .end = end, .guards = guards, .tests = tests};
    add_tests(r, home);
    // Edges are added last: the numbers above are those of their targets.
    std::vector<uint32_t> edges = entries;
    for (uint32_t n : nodes) edges.insert(edges.end(), g_.out(n).begin(), g_.out(n).end());
    for (size_t k = 0; k < edges.size(); ++k) lead(r, edges[k], incoming[k]);
  }

  std::vector<PredicateTests::Incoming> incoming_edges(const PredicateChain& guards,
                                                       const std::vector<uint32_t>& wanted,
                                                       const SuccessorLists& succs) const {
    std::vector<PredicateTests::Incoming> incoming;
    for (uint32_t next_block : wanted)
      incoming.push_back({guards.blocks(), guards.entry_guard(), next_block});
    for (uint32_t i = 0; i < succs.size(); ++i)
      for (uint32_t next_block : succs[i]) incoming.push_back({i, guards.after_block(i), next_block});
    return incoming;
  }

  // Whether the chain by itself is structured.
  bool is_structured(const PredicateChain& guards,
                     const std::vector<PredicateTests::Incoming>& incoming) const {
    PredicateTests tests(guards, {.fold = options_.fold, .known = options_.known}, incoming);
    // Node 0 is the common source of entry edges; blocks, the exit and guards follow.
    const uint32_t count = guards.blocks();
    SuccessorLists graph(count + 2 + guards.guards().size());
    auto number = [&](PredicateTests::Stop p) { return p.is_test ? count + 2 + p.index : p.index + 1; };
    for (const PredicateTests::Incoming& in : incoming)
      graph[in.from == count ? 0 : in.from + 1].push_back(number(tests.land(in.guard, in.next_block)));
    for (uint32_t s = 0; s < guards.guards().size(); ++s)
      if (tests.kind(s) != PredicateTests::Kind::None)
        for (bool yes : {true, false}) graph[count + 2 + s].push_back(number(tests.next(s, yes)));
    return check_structured(graph);
  }

  // nest() and bypass() each keep the chain structured; together they may not.
  void optimise(PredicateChain& guards, const std::vector<uint32_t>& wanted, const SuccessorLists& succs) {
    const bool tries = guards.blocks() <= kMostTried;
    const PredicateChain plain = guards;
    const bool nests = options_.nest && (tries || !options_.skip);
    if (nests) guards.nest();
    if (options_.skip) guards.skip();
    if (nests && options_.skip && !is_structured(guards, incoming_edges(guards, wanted, succs))) {
      guards = plain;
      guards.skip();
    }
    if (options_.past && tries) bypass(guards, wanted, succs);
  }

  // The second half of the paper's O1, edge by edge while the chain stays structured.
  void bypass(PredicateChain& guards, const std::vector<uint32_t>& wanted, const SuccessorLists& succs) {
    for (uint32_t b = 0; b < guards.blocks(); ++b) {
      const uint32_t guard = guards.guard_of(b), edge = guards.dead_incoming(guard);
      if (edge == kNone) continue;
      PredicateChain before = guards;
      guards.bypass(edge, guard);
      bool good = is_structured(guards, incoming_edges(guards, wanted, succs));
      ++(good ? report.led_past : report.refused);
      if (!good) guards = std::move(before);
    }
  }

  struct ChainPlan {
    const std::vector<uint32_t>& nodes;
    uint32_t end = 0;
    const PredicateChain& guards;
    const PredicateTests& tests;
    uint32_t next_block = 0;       // the selecting variable
    std::vector<uint32_t> node{};  // by guard: the node of its test, or kNone
    std::vector<uint32_t> flag{};  // by guard: the flag that it tests, or kNone if it tests next_block
  };

  uint32_t node_at(const ChainPlan& r, PredicateTests::Stop place) const {
    if (place.is_test) return r.node[place.index];
    return place.index == r.nodes.size() ? r.end : r.nodes[place.index];
  }

  // The flag has two values; value 0 is true.
  void set_flag(const ChainPlan& r, uint32_t edge, uint32_t guard, bool yes) {
    g_.set(edge, r.flag[guard], yes == r.tests.inverted(guard) ? 1 : 0);
  }

  void add_tests(ChainPlan& r, uint32_t home) {
    r.next_block = g_.add_var(static_cast<uint32_t>(r.nodes.size()) + 1);
    const auto& guards = r.guards.guards();
    for (uint32_t i = 0; i < guards.size(); ++i) {
      const PredicateChain::Guard& s = guards[i];
      ++(s.back ? report.back_guards : report.guards);
      report.live_guards += !s.back && s.incoming > 0 && (s.values.size() != 1 || s.values[0] != s.block);
      r.node.push_back(kNone);
      r.flag.push_back(kNone);
      if (r.tests.kind(i) == PredicateTests::Kind::None) continue;
      std::string_view hint = s.back ? "back_guard" : "guard";
      if (r.tests.kind(i) == PredicateTests::Kind::Flag) {
        r.flag[i] = g_.add_var(2);
        r.node[i] = g_.add_test(r.flag[i], 0, 0, home, hint);
        continue;
      }
      // No smaller value arrives: one comparison suffices.
      bool from_low = s.back && !r.guards.unknown() && s.values[0] >= s.low;
      r.node[i] = g_.add_test(r.next_block, !s.back ? s.block : from_low ? 0 : s.low, s.block, home, hint);
    }
    for (uint32_t i = 0; i < guards.size(); ++i)
      if (r.node[i] != kNone) connect_test(r, i);
  }

  void connect_test(const ChainPlan& r, uint32_t guard) {
    // The first edge is taken if the variable is true.
    const bool first = r.flag[guard] == kNone || !r.tests.inverted(guard);
    const PredicateTests::Stop places[] = {r.tests.next(guard, first), r.tests.next(guard, !first)};
    g_.connect(r.node[guard], node_at(r, places[0]), node_at(r, places[1]));
    for (size_t k : {0, 1}) {
      const PredicateTests::Stop to = places[k];
      if (!to.is_test || r.flag[to.index] == kNone) continue;
      bool yes = r.tests.result_after(to.index, guard, first == (k == 0));
      set_flag(r, g_.out(r.node[guard])[k], to.index, yes);
    }
  }

  void lead(const ChainPlan& r, uint32_t edge, const PredicateTests::Incoming& in) {
    const PredicateTests::Stop to = r.tests.land(in.guard, in.next_block);
    g_.lead(edge, node_at(r, to));
    if (!to.is_test) return;
    if (r.tests.reads_next_block(to.index)) g_.set(edge, r.next_block, in.next_block);
    if (r.flag[to.index] != kNone) set_flag(r, edge, to.index, r.tests.result(to.index, in.next_block));
  }

  LinearizeOptions options_;
  std::optional<LoadDistances> distances_;
  std::map<uint32_t, uint32_t> in_front_;  // by node of a chain: the node before it
};

}  // namespace

bool linearize(Function& f, const LinearizeOptions& options, LinearizeReport* report) {
  bool changed = remove_unreachable_blocks(f);
  // Two back edges of a block share a guard, so items that leave the inner loop do not wait after it.
  const bool whole = (options.whole || options.merge) && !has_convergent_operations(f);
  if (whole) changed |= normalise_for_plan(f);
  std::vector<SplitBlock> useless;
  auto plan = [&](std::span<const SplitBlock> parts) {
    Linearizer linearizer(f, options);
    RestructurePlan made = whole ? linearizer.run_whole(f) : linearizer.run();
    if (report) *report = linearizer.report;
    useless.clear();
    for (const SplitBlock& part : parts)
      if (!linearizer.apart(part)) useless.push_back(part);
    return made;
  };
  RestructurePlan made = plan({});
  if (!whole && made.nodes.size() > f.block_count() && normalise_for_plan(f)) made = plan({});
  if (made.nodes.size() == f.block_count()) return changed;
  if (options.interleave)
    if (const std::vector<SplitBlock> parts = split_at_first_uses(f); !parts.empty()) {
      plan(parts);
      join_splits(f, useless);
      made = plan({});
    }
  apply_plan(f, made);
  return true;
}

}  // namespace kc
