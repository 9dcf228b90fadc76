// SPDX-License-Identifier: Apache-2.0
// node_split: copies blocks until branches are nested.
//
// The older method, for comparison; its growth is exponential, so it is bounded.
//
// A loop with several entries keeps one; an edge to another entry leads to a copy of the loop for the first
// iteration, which continues to that entry (backward copy). Where the arms of a branch end at several blocks,
// the first of these is copied for each arm, until the arms end at one block (forward copy). Several exits of
// a loop are unified by a variable, as in structurize (cut). (F. Zhang and E. D'Hollander, "Using Hammock
// Graphs to Structure Programs", 2004.) Needs ThreadForm, Ssa, NoTraps; gives Structured; kills Reconverging.
//
//   a: br_if %1 -> s, b               a: br_if %1 -> s, b
//   b: br_if %2 -> s, t               b: br_if %2 -> s', t
//   s: ...; br -> e               ==> s: ...; br -> e
//   t: ...; br -> e                   s': ...; br -> e;  t: ...; br -> e
#include "passes/restructure/node_split.h"

#include <algorithm>

#include "ir/ssa_repair.h"
#include "passes/analysis/uniformity.h"
#include "passes/ir_util.h"
#include "passes/restructure/structure_walk.h"
#include "passes/restructure/structurize.h"
#include "passes/transform/mem2reg.h"

namespace kc {
namespace {

constexpr size_t kMostGrowth = 8;
constexpr size_t kMostEdges = 20'000'000;  // edges visited

class Splitter : public StructureWalk {
 public:
  Splitter(const Function& f, size_t most) : StructureWalk(f), most_(most) {}
  size_t copies = 0;
  bool given_up = false;

 private:
  void nest(uint32_t from, uint32_t end) override {
    if (given_up || branches_nest(g_, from, end)) return;
    const std::vector<uint32_t> order =
        g_.topological_order(std::span(&from, 1), [&](uint32_t e) { return g_.to(e) != end; });
    std::vector<uint32_t> place(g_.node_count(), 0);
    for (uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    SplitPlaces split = [&](const std::vector<std::vector<uint32_t>>& ends, uint32_t exit) {
      return copy_first(ends, exit, place);
    };
    given_up |= !split_branches(g_, from, end, split);
  }

  // The first of the blocks where arms end is reached from arms only: each arm gets a copy.
  bool copy_first(const std::vector<std::vector<uint32_t>>& ends, uint32_t exit,
                  std::vector<uint32_t>& place) {
    uint32_t first = exit;
    for (const auto& side : ends)
      for (uint32_t e : side) {
        uint32_t to = g_.to(e);
        if (to != exit && (first == exit || place[to] < place[first])) first = to;
        ++work_;
      }
    bool kept = false;
    for (const auto& side : ends) {
      std::vector<uint32_t> here;
      for (uint32_t e : side)
        if (g_.to(e) == first) here.push_back(e);
      if (here.empty()) continue;
      if (kept) {
        uint32_t copied = g_.copy(first, here, copies);
        place.resize(g_.node_count(), place[first]);
        place[copied] = place[first];
      }
      kept = true;
    }
    work_ += place.size() / 64;  // for the search that follows
    return copies <= most_ && work_ <= kMostEdges;
  }

  void join_entries(uint32_t, const LoopEdges&) override {}

  ClosedLoop close_loop(uint32_t l, const LoopEdges& edges) override {
    const uint32_t head = g_.to(edges.entry[0]);
    const uint32_t after = g_.gather(edges.exit, around(l), "leave");
    const uint32_t again = g_.add_choice(edges.exit, after, edges.repeat, head, l, "again");
    regions(head, again);
    return {head, g_.out(again)[0]};
  }

  const size_t most_;
  size_t work_ = 0;
};

// The outermost irreducible cycles.
std::vector<uint32_t> entered_twice(const Cycles& cycles) {
  std::vector<uint32_t> list;
  for (uint32_t c = 0; c < cycles.cycles.size(); ++c)
    if (!cycles.cycles[c].reducible() && (list.empty() || !cycles.encloses(list.back(), c)))
      list.push_back(c);
  return list;
}

// Copies a cycle: edges to entries other than its header enter the copy, which leads back to the header.
void copy_cycle(Function& f, const Cfg& cfg, const Cycles& cycles, uint32_t c,
                std::vector<uint32_t>& copy_of) {
  std::vector<BlockId> blocks, copies;
  for (uint32_t n : cycles.nodes(c)) {
    blocks.push_back(BlockId(n));
    copies.push_back(f.add_block(f.block(BlockId(n)).hint));
    copy_of[n] = copies.back().index;
  }
  copy_blocks(f, blocks, copies);
  auto lead = [&](BlockId b) {
    for (Target& t : f.inst(f.terminator(b)).targets)
      if (t.block.index < copy_of.size() && cycles.contains(c, t.block) &&
          t.block.index != cycles.cycles[c].header)
        t.block = BlockId(copy_of[t.block.index]);
  };
  for (BlockId b : blocks)
    for (BlockId p : cfg.preds[b.index]) {
      if (cycles.contains(c, p)) continue;
      lead(p);
      if (copy_of[p.index] != kNone) lead(BlockId(copy_of[p.index]));
    }
  for (BlockId b : copies) lead(b);
}

// False if there would be too many blocks.
bool copy_cycles(Function& f, size_t most) {
  for (;;) {
    Cfg cfg(f);
    Cycles cycles(f, cfg);
    const std::vector<uint32_t> chosen = entered_twice(cycles);
    if (chosen.empty()) return true;
    std::vector<bool> copied(f.block_count());
    size_t size = f.layout.size();
    for (uint32_t c : chosen)
      for (uint32_t n : cycles.nodes(c)) copied[n] = true, ++size;
    if (size > most) return false;
    pass_through_variables(f, cfg.rpo, "split", [&](ValueId v, BlockId b) {
      BlockId def = block_of(f, v);
      return def.valid() && def != b && copied[def.index];
    });
    std::vector<uint32_t> copy_of(f.block_count(), kNone);
    for (uint32_t c : chosen) copy_cycle(f, cfg, cycles, c, copy_of);
    remove_unreachable_blocks(f);
    f.layout = Cfg(f).rpo;
    mem2reg(f);
  }
}

bool split(Function& f, NodeSplitReport& report) {
  const size_t before = f.layout.size(), most = kMostGrowth * (before + 8);
  if (!copy_cycles(f, most)) return false;
  auto plan = [&](RestructurePlan& made) {
    Splitter splitter(f, most);
    made = splitter.run();
    return !splitter.given_up;
  };
  RestructurePlan made;
  if (!plan(made)) return false;
  if (made.nodes.size() > f.block_count() && normalise_for_plan(f) && !plan(made)) return false;
  if (made.nodes.size() > f.block_count()) apply_plan(f, made);
  report.copies = static_cast<uint32_t>(f.layout.size() - std::min(f.layout.size(), before));
  return true;
}

}  // namespace

bool node_split(Function& f, Remarks* remarks, NodeSplitReport* report) {
  NodeSplitReport local;
  NodeSplitReport& r = report ? *report : local;
  r = {};
  bool changed = remove_unreachable_blocks(f);
  RestructurePlan plan = plan_structure(f, {});
  if (plan.nodes.size() == f.block_count()) return changed;
  Function tried = f;
  if (!has_convergent(f) && split(tried, r)) {
    f = std::move(tried);
    return true;
  }
  r.given_up = true;
  if (remarks)
    for (BlockId b : f.layout)
      if (Loc loc = f.inst(f.terminator(b)).loc; loc.line) {
        remarks->add(
            {"node_split", loc, "blocks are not copied: there would be too many, or a barrier among them"});
        break;
      }
  return structurize(f) || changed;
}

}  // namespace kc
