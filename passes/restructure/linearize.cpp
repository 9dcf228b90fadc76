// SPDX-License-Identifier: Apache-2.0
// linearize: the blocks of an unstructured region in a row, each behind a guard.
//
// A variable says whose next_block it is. Blocks set it to the number of the block that they led to, and go
// on to the next guard; a guard lets in those whose next_block it is and sends the others on. Behind a block
// with ways back another guard sends those round whose next_block lies in an interval that begins at the
// target; intervals are within each other or apart. Regions are the smallest with one way in and one way out;
// what is structured within them is one block of the row. Then guards that only one answer comes to go, and
// those for which the answer is known on the way there have it from a boolean (o4); ways that never bring
// somebody whose next_block it is lead past a guard (o1), and a guard behind one block only becomes that
// block's branch (o3); a loop has one guard that leads back, at its end (late). (J. Anantpur and R.
// Govindarajan, "Taming Control Divergence in GPUs through Control Flow Linearization", 2014; booleans and
// `late` are ours.)
//
// Needs: ThreadForm, Ssa, NoTraps. Gives: Structured. Kills: Reconverging.
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

constexpr uint32_t kMostTried = 200;  // blocks of a row in which ways are led past guards by trial

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

  /// Whether the two stand in one row, others in between.
  bool apart(const SplitBlock& part) const {
    auto in_front = in_front_.find(part.second.index);
    return in_front != in_front_.end() && in_front->second != part.first.index;
  }

  /// All blocks but the entry and the last one in a row.
  RestructurePlan run_whole(const Function& f) {
    Cfg cfg(f);
    SuccessorLists succs = successor_lists(f, cfg);
    if (succs[g_.entry].empty()) return g_.finish();  // there is one block
    Cycles cycles(f, cfg);
    std::vector<uint32_t> nodes = cycle_contiguous_order(succs, g_.entry, cycles), source;
    for (BlockId b : f.layout) source.push_back(b.index);
    // Any order is right; the author's is kept if it goes back no more often.
    if (edges_back(source, succs) <= edges_back(nodes, succs)) nodes = source;
    auto last = std::ranges::find_if(nodes, [&](uint32_t n) { return succs[n].empty(); });
    const uint32_t end = *last;
    nodes.erase(last);
    nodes.erase(nodes.begin());
    if (options_.interleave) interleave_within(nodes, cycles);
    std::vector<uint32_t> back_targets;
    if (options_.merge) back_targets = merged_back_targets(nodes, succs, cycles);
    auto out = g_.out(g_.entry);
    if (!nodes.empty()) row(nodes, end, {out.begin(), out.end()}, LoopTree::kNone, back_targets);
    return g_.finish();
  }

 private:
  void nest(uint32_t from, uint32_t end) override {
    if (!branches_nest(g_, from, end)) region_row(from, end);
  }

  // What makes branches nest is off: the row is to be flat.
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
    // Who goes straight to the end need not come along, unless the others part on their way into the row.
    if (entries.size() > 1) entries.assign(g_.out(from).begin(), g_.out(from).end());
    row(nodes, end, entries, g_.home(from), {});
  }

  void join_entries(uint32_t, const LoopEdges&) override {}

  void interleave(std::span<uint32_t> nodes) {
    distances_->order(nodes, [&](uint32_t node, const std::function<void(uint32_t)>& act) {
      for (uint32_t e : g_.out(node)) act(g_.to(e));
    });
  }

  // No block of a loop leaves it, and none comes in.
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
    // Who comes from outside finds the heads first.
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

  // In a nest of loops everybody goes back to the head of the outermost.
  std::vector<uint32_t> merged_back_targets(const std::vector<uint32_t>& nodes, const SuccessorLists& succs,
                                            const Cycles& cycles) {
    std::vector<uint32_t> place(succs.size(), PredicateChain::kNone), back_targets;
    for (uint32_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
    std::vector<uint32_t> outermost(cycles.cycles.size());
    for (uint32_t c = 0; c < outermost.size(); ++c)
      outermost[c] = cycles.cycles[c].parent == Cycles::kNone ? c : outermost[cycles.cycles[c].parent];
    for (uint32_t n : nodes) {
      uint32_t c = cycles.innermost[n];
      back_targets.push_back(c == Cycles::kNone ? PredicateChain::kNone
                                                : place[cycles.cycles[outermost[c]].header]);
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
    const std::vector<PredicateTests::Way> ways = ways_of(guards, wanted, succs);
    PredicateTests tests(guards, {.fold = options_.fold, .known = options_.known}, ways);
    Row r{.nodes = nodes, .end = end, .guards = guards, .tests = tests};
    add_tests(r, home);
    // Edges last: the numbers above are of the places where they lead.
    std::vector<uint32_t> edges = entries;
    for (uint32_t n : nodes) edges.insert(edges.end(), g_.out(n).begin(), g_.out(n).end());
    for (size_t k = 0; k < edges.size(); ++k) lead(r, edges[k], ways[k]);
  }

  std::vector<PredicateTests::Way> ways_of(const PredicateChain& guards, const std::vector<uint32_t>& wanted,
                                           const SuccessorLists& succs) const {
    std::vector<PredicateTests::Way> ways;
    for (uint32_t next_block : wanted) ways.push_back({guards.blocks(), guards.entry_guard(), next_block});
    for (uint32_t i = 0; i < succs.size(); ++i)
      for (uint32_t next_block : succs[i]) ways.push_back({i, guards.after_block(i), next_block});
    return ways;
  }

  // Whether the row by itself is structured.
  bool is_structured(const PredicateChain& guards, const std::vector<PredicateTests::Way>& ways) const {
    PredicateTests tests(guards, {.fold = options_.fold, .known = options_.known}, ways);
    // Node 0 is where all come from; blocks, the end, and guards follow.
    const uint32_t count = guards.blocks();
    SuccessorLists graph(count + 2 + guards.guards().size());
    auto number = [&](PredicateTests::Place p) { return p.is_test ? count + 2 + p.index : p.index + 1; };
    for (const PredicateTests::Way& way : ways)
      graph[way.from == count ? 0 : way.from + 1].push_back(number(tests.land(way.guard, way.next_block)));
    for (uint32_t s = 0; s < guards.guards().size(); ++s)
      if (tests.kind(s) != PredicateTests::Kind::None)
        for (bool yes : {true, false}) graph[count + 2 + s].push_back(number(tests.behind(s, yes)));
    return check_structured(graph);
  }

  // Nested guards and ways past guards are each structured, but not always both.
  void optimise(PredicateChain& guards, const std::vector<uint32_t>& wanted, const SuccessorLists& succs) {
    const bool tries = guards.blocks() <= kMostTried;
    const PredicateChain plain = guards;
    const bool nests = options_.nest && (tries || !options_.skip);
    if (nests) guards.nest();
    if (options_.skip) guards.skip();
    if (nests && options_.skip && !is_structured(guards, ways_of(guards, wanted, succs))) {
      guards = plain;
      guards.skip();
    }
    if (options_.past && tries) bypass(guards, wanted, succs);
  }

  // What the paper's second half of O1 does, one way after the other as long as that leaves the row
  // structured.
  void bypass(PredicateChain& guards, const std::vector<uint32_t>& wanted, const SuccessorLists& succs) {
    for (uint32_t b = 0; b < guards.blocks(); ++b) {
      const uint32_t guard = guards.guard_of(b), way = guards.dead_incoming(guard);
      if (way == PredicateChain::kNone) continue;
      PredicateChain before = guards;
      guards.bypass(way, guard);
      bool good = is_structured(guards, ways_of(guards, wanted, succs));
      ++(good ? report.led_past : report.refused);
      if (!good) guards = std::move(before);
    }
  }

  struct Row {
    const std::vector<uint32_t>& nodes;
    uint32_t end = 0;
    const PredicateChain& guards;
    const PredicateTests& tests;
    uint32_t next_block = 0;       // the variable that says whose it is
    std::vector<uint32_t> node{};  // by guard: its test, or kNone
    std::vector<uint32_t> flag{};  // by guard: the variable that it asks for, if not the next_block
  };

  uint32_t node_at(const Row& r, PredicateTests::Place place) const {
    if (place.is_test) return r.node[place.index];
    return place.index == r.nodes.size() ? r.end : r.nodes[place.index];
  }

  // Two values, of which the first is true.
  void set_flag(const Row& r, uint32_t edge, uint32_t guard, bool yes) {
    g_.set(edge, r.flag[guard], yes == r.tests.inverted(guard) ? 1 : 0);
  }

  void add_tests(Row& r, uint32_t home) {
    r.next_block = g_.add_var(static_cast<uint32_t>(r.nodes.size()) + 1);
    const auto& guards = r.guards.guards();
    for (uint32_t i = 0; i < guards.size(); ++i) {
      const PredicateChain::Guard& s = guards[i];
      ++(s.back ? report.back_guards : report.guards);
      report.live_guards += !s.back && s.ways_in > 0 && (s.values.size() != 1 || s.values[0] != s.block);
      r.node.push_back(PredicateChain::kNone);
      r.flag.push_back(PredicateChain::kNone);
      if (r.tests.kind(i) == PredicateTests::Kind::None) continue;
      std::string_view hint = s.back ? "round" : "guard";
      if (r.tests.kind(i) == PredicateTests::Kind::Flag) {
        r.flag[i] = g_.add_var(2);
        r.node[i] = g_.add_test(r.flag[i], 0, 0, home, hint);
        continue;
      }
      // Nothing below arrives: one comparison is enough.
      bool from_low = s.back && !r.guards.unknown() && s.values[0] >= s.low;
      r.node[i] = g_.add_test(r.next_block, !s.back ? s.block : from_low ? 0 : s.low, s.block, home, hint);
    }
    for (uint32_t i = 0; i < guards.size(); ++i)
      if (r.node[i] != PredicateChain::kNone) connect_test(r, i);
  }

  void connect_test(const Row& r, uint32_t guard) {
    // The first edge is for those for whom the variable is true.
    const bool first = r.flag[guard] == PredicateChain::kNone || !r.tests.inverted(guard);
    const PredicateTests::Place places[] = {r.tests.behind(guard, first), r.tests.behind(guard, !first)};
    g_.connect(r.node[guard], node_at(r, places[0]), node_at(r, places[1]));
    for (size_t k : {0, 1}) {
      const PredicateTests::Place to = places[k];
      if (!to.is_test || r.flag[to.index] == PredicateChain::kNone) continue;
      bool yes = r.tests.lets_in_from(to.index, guard, first == (k == 0));
      set_flag(r, g_.out(r.node[guard])[k], to.index, yes);
    }
  }

  void lead(const Row& r, uint32_t edge, const PredicateTests::Way& way) {
    const PredicateTests::Place to = r.tests.land(way.guard, way.next_block);
    g_.lead(edge, node_at(r, to));
    if (!to.is_test) return;
    if (r.tests.reads_next_block(to.index)) g_.set(edge, r.next_block, way.next_block);
    if (r.flag[to.index] != PredicateChain::kNone)
      set_flag(r, edge, to.index, r.tests.lets_in(to.index, way.next_block));
  }

  LinearizeOptions options_;
  std::optional<LoadDistances> distances_;
  std::map<uint32_t, uint32_t> in_front_;  // by node of a row: the node in front of it
};

}  // namespace

bool linearize(Function& f, const LinearizeOptions& options, LinearizeReport* report) {
  bool changed = remove_unreachable_blocks(f);
  // A block with two ways back has one guard for both, and who is done with a loop would not wait behind it.
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
