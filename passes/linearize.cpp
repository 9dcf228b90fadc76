// SPDX-License-Identifier: Apache-2.0
// linearize: the blocks of an unstructured region in a row, each behind a guard.
//
// A variable says whose turn it is. Blocks set it to the number of the block that they led to, and go on to
// the next guard; a guard lets in those whose turn it is and sends the others on. Behind a block with ways
// back another guard sends those round whose turn lies in an interval that begins at the target; intervals
// are within each other or apart. Regions are the smallest with one way in and one way out; what is
// structured within them is one block of the row. Then guards that only one answer comes to go, ways that
// never bring somebody whose turn it is lead past a guard (o1), and a guard behind one block only becomes
// that block's branch (o3). (J. Anantpur and R. Govindarajan, "Taming Control Divergence in GPUs through
// Control Flow Linearization", 2014.)
//
// Needs: ThreadForm, Ssa, NoTraps. Gives: Structured. Kills: Reconverging.
//
//   a: br_if %1 -> s, b               a: br_if %1 -> g(1), b
//   b: br_if %2 -> s, t               b: br -> g(select %2, 1, 2)
//   s: ...; br -> e               ==> g(%v): br_if (eq %v, 1) -> s, h(%v)
//   t: ...; br -> e                   s: ...; br -> h(3);  h(%w): br_if (eq %w, 2) -> t, e;  t: ...; br -> e
#include "passes/linearize.h"

#include <algorithm>

#include "passes/block_orders.h"
#include "passes/guard_row.h"
#include "passes/rewrite.h"
#include "passes/structure_walk.h"

namespace kc {
namespace {

class Linearizer : public StructureWalk {
 public:
  Linearizer(const Function& f, const LinearizeOptions& options) : StructureWalk(f), options_(options) {
    options_.known |= options.skip || options.fold;
  }
  LinearizeReport report;

  /// All blocks but the entry and the last one in a row.
  RestructurePlan run_whole(const Function& f) {
    Cfg cfg(f);
    SuccessorLists succs = successor_lists(f, cfg);
    Cycles cycles(f, cfg);
    std::vector<uint32_t> nodes = cycle_contiguous_order(succs, g_.entry, cycles), source;
    for (BlockId b : f.layout) source.push_back(b.index);
    // Any order is right; the author's is kept if it goes back no more often.
    if (edges_back(source, succs) <= edges_back(nodes, succs)) nodes = source;
    auto last = std::ranges::find_if(nodes, [&](uint32_t n) { return succs[n].empty(); });
    const uint32_t end = *last;
    nodes.erase(last);
    nodes.erase(nodes.begin());
    std::vector<uint32_t> lows;
    if (options_.merge) lows = merged_lows(nodes, succs, cycles);
    auto out = g_.out(g_.entry);
    if (!nodes.empty()) row(nodes, end, {out.begin(), out.end()}, LoopTree::kNone, lows);
    return g_.finish();
  }

 private:
  void nest(uint32_t from, uint32_t end) override {
    if (branches_nest(g_, from, end)) return;
    std::vector<uint32_t> nodes =
        g_.topological_order(std::span(&from, 1), [&](uint32_t e) { return g_.to(e) != end; });
    nodes.erase(nodes.begin());
    std::vector<uint32_t> entries;
    for (uint32_t e : g_.out(from))
      if (g_.to(e) != end) entries.push_back(e);
    // Who goes straight to the end need not come along, unless the others part on their way into the row.
    if (entries.size() > 1) entries.assign(g_.out(from).begin(), g_.out(from).end());
    row(nodes, end, entries, g_.home(from), {});
  }

  void join_entries(uint32_t, const LoopEdges&) override {}

  ClosedLoop close_loop(uint32_t l, const LoopEdges& edges) override {
    const uint32_t after = g_.gather(edges.exit, around(l), "leave");
    const auto& heads = g_.tree.loops[l].entries;
    auto inside = [&](uint32_t e) {
      return g_.tree.encloses(l, g_.home(g_.to(e))) && !std::ranges::binary_search(heads, g_.to(e));
    };
    regions_among(heads, inside);
    row(g_.topological_order(heads, inside), after, edges.entry, l, {});
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
  std::vector<uint32_t> merged_lows(const std::vector<uint32_t>& nodes, const SuccessorLists& succs,
                                    const Cycles& cycles) {
    std::vector<uint32_t> place(succs.size(), GuardRow::kNone), lows;
    for (uint32_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = i;
    std::vector<uint32_t> outermost(cycles.cycles.size());
    for (uint32_t c = 0; c < outermost.size(); ++c)
      outermost[c] = cycles.cycles[c].parent == Cycles::kNone ? c : outermost[cycles.cycles[c].parent];
    for (uint32_t n : nodes) {
      uint32_t c = cycles.innermost[n];
      lows.push_back(c == Cycles::kNone ? GuardRow::kNone : place[cycles.cycles[outermost[c]].header]);
    }
    return lows;
  }

  void row(const std::vector<uint32_t>& nodes, uint32_t end, const std::vector<uint32_t>& entries,
           uint32_t home, const std::vector<uint32_t>& lows) {
    const auto count = static_cast<uint32_t>(nodes.size());
    for (uint32_t i = 0; i < count; ++i) g_.note(nodes[i]).count = i;
    auto turn = [&](uint32_t e) { return g_.to(e) == end ? count : g_.note(g_.to(e)).count; };
    SuccessorLists succs(count);
    for (uint32_t i = 0; i < count; ++i)
      for (uint32_t e : g_.out(nodes[i])) succs[i].push_back(turn(e));
    std::vector<uint32_t> wanted;
    for (uint32_t e : entries) wanted.push_back(turn(e));
    GuardRow guards(succs, wanted, lows);
    ++report.regions;
    if (options_.skip && !guards.unknown()) guards.skip();
    Row r{.nodes = nodes, .end = end, .guards = guards, .node = {}};
    const uint32_t var = add_tests(r, home);
    connect_tests(r);
    // Edges last: the numbers above are of the places where they lead.
    auto lead = [&](uint32_t e, uint32_t station, uint32_t value) {
      uint32_t to = land(r, station, value);
      bool asks = to != end && g_.note(to).count == GuardRow::kNone;
      g_.lead(e, to);
      if (asks) g_.set(e, var, value);
    };
    for (size_t k = 0; k < entries.size(); ++k) lead(entries[k], guards.entry_station(), wanted[k]);
    for (uint32_t i = 0; i < count; ++i) {
      auto out = g_.out(nodes[i]);
      const std::vector<uint32_t> leaving(out.begin(), out.end());
      for (size_t k = 0; k < leaving.size(); ++k) lead(leaving[k], guards.after_block(i), succs[i][k]);
    }
  }

  struct Row {
    const std::vector<uint32_t>& nodes;
    uint32_t end = 0;
    const GuardRow& guards;
    std::vector<uint32_t> node;  // by station: its test, or kNone
  };
  enum class Answer : uint8_t { Both, Yes, No };

  // What a station says to all that arrive.
  Answer answer(const Row& r, const GuardRow::Station& s) const {
    if (!options_.known || r.guards.unknown()) return Answer::Both;
    auto yes = [&](uint32_t v) { return s.back ? s.low <= v && v <= s.block : v == s.block; };
    if (std::ranges::all_of(s.values, yes)) return Answer::Yes;
    return std::ranges::none_of(s.values, yes) ? Answer::No : Answer::Both;
  }
  bool folds(const Row& r, const GuardRow::Station& s) const {
    return options_.fold && !r.guards.unknown() && !s.back && s.from_block_only;
  }

  uint32_t add_tests(Row& r, uint32_t home) {
    const uint32_t var = g_.add_var(static_cast<uint32_t>(r.nodes.size()) + 1);
    for (const GuardRow::Station& s : r.guards.stations()) {
      ++(s.back ? report.back_guards : report.guards);
      report.live_guards += !s.back && s.ways_in > 0 && (s.values.size() != 1 || s.values[0] != s.block);
      bool asks = s.ways_in > 0 && answer(r, s) == Answer::Both && !folds(r, s);
      r.node.push_back(GuardRow::kNone);
      if (!asks) continue;
      // Nothing below arrives: one comparison is enough.
      bool from_low = s.back && !r.guards.unknown() && s.values[0] >= s.low;
      uint32_t low = !s.back ? s.block : from_low ? 0 : s.low;
      r.node.back() = g_.add_test(var, low, s.block, home, s.back ? "round" : "guard");
      g_.note(r.node.back()).count = GuardRow::kNone;
    }
    return var;
  }

  void connect_tests(const Row& r) {
    for (uint32_t s = 0; s < r.node.size(); ++s) {
      if (r.node[s] == GuardRow::kNone) continue;
      const GuardRow::Station& at = r.guards.stations()[s];
      uint32_t yes = at.back ? land(r, r.guards.guard_of(at.low), GuardRow::kNone) : r.nodes[at.block];
      g_.connect(r.node[s], yes, land(r, r.guards.if_no(s), GuardRow::kNone));
    }
  }

  // Where somebody who comes to a station first has to do something. The turn need be known only to those who
  // come from blocks.
  uint32_t land(const Row& r, uint32_t station, uint32_t value) const {
    while (station != r.guards.end()) {
      if (r.node[station] != GuardRow::kNone) return r.node[station];
      const GuardRow::Station& s = r.guards.stations()[station];
      bool yes = answer(r, s) == Answer::Yes || (folds(r, s) && value == s.block);
      if (!yes)
        station = r.guards.if_no(station);
      else if (s.back)
        station = r.guards.guard_of(s.low);
      else
        return r.nodes[s.block];
    }
    return r.end;
  }

  LinearizeOptions options_;
};

}  // namespace

bool linearize(Function& f, const LinearizeOptions& options, LinearizeReport* report) {
  bool changed = remove_unreachable_blocks(f);
  const bool whole = options.whole || options.merge;
  if (whole) changed |= normalise_for_plan(f);
  auto plan = [&] {
    Linearizer linearizer(f, options);
    RestructurePlan made = whole ? linearizer.run_whole(f) : linearizer.run();
    if (report) *report = linearizer.report;
    return made;
  };
  RestructurePlan made = plan();
  if (!whole && made.nodes.size() > f.block_count() && normalise_for_plan(f)) made = plan();
  if (made.nodes.size() == f.block_count()) return changed;
  apply_plan(f, made);
  return true;
}

}  // namespace kc
