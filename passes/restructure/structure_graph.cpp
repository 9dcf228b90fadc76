// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/structure_graph.h"

#include <algorithm>

#include "ir/cfg.h"

namespace kc {
namespace {

// Successors by block, with the exit as an additional node.
SuccessorLists with_exit(const Function& f) {
  Cfg cfg(f);
  SuccessorLists succs = successor_lists(f, cfg), preds(f.block_count() + 1);
  succs.emplace_back();
  const auto exit = static_cast<uint32_t>(f.block_count());
  for (BlockId b : cfg.rpo) {
    if (succs[b.index].empty()) succs[b.index].push_back(exit);
    for (uint32_t s : succs[b.index]) preds[s].push_back(b.index);
  }
  std::vector<char> reaches(succs.size(), 0);
  auto flood = [&](uint32_t from) {
    std::vector<uint32_t> work{from};
    reaches[from] = 1;
    while (!work.empty()) {
      uint32_t n = work.back();
      work.pop_back();
      for (uint32_t p : preds[n])
        if (!reaches[p]) reaches[p] = 1, work.push_back(p);
    }
  };
  flood(exit);
  for (auto it = cfg.rpo.rbegin(); it != cfg.rpo.rend(); ++it)
    if (!reaches[it->index]) succs[it->index].push_back(exit), flood(it->index);
  return succs;
}

}  // namespace

StructureGraph::StructureGraph(const Function& f) : StructureGraph(f, with_exit(f)) {}

StructureGraph::StructureGraph(const Function& f, const SuccessorLists& succs)
    : tree(succs, f.entry().index), entry(f.entry().index), exit(static_cast<uint32_t>(f.block_count())) {
  for (uint32_t n = 0; n <= exit; ++n) {
    add_node(n == exit ? Kind::Exit : Kind::Block, tree.home[n], {});
    nodes_[n].block = n;
  }
  std::vector<uint32_t> edge_to(exit + 1, kNone);
  for (BlockId b : f.layout) {
    const size_t targets = f.successors(b).size();
    for (uint32_t k = 0; k < succs[b.index].size(); ++k) {
      uint32_t to = succs[b.index][k];
      // Several edges to one block become one.
      if (edge_to[to] == kNone || edges_[edge_to[to]].from != b.index) {
        edge_to[to] = add_edge(b.index, to);
        nodes_[b.index].made.push_back(edge_to[to]);
      }
      if (k < targets) edges_[edge_to[to]].slots.push_back(k);
    }
    nodes_[b.index].out = nodes_[b.index].made;
  }
}

std::vector<uint32_t> StructureGraph::incoming(uint32_t n) const {
  std::vector<uint32_t> list;
  for (uint32_t e : nodes_[n].in)
    if (edges_[e].to == n) list.push_back(e);
  return list;
}

uint32_t StructureGraph::add_node(Kind kind, uint32_t home, std::string_view hint) {
  nodes_.push_back({.kind = kind, .home = home, .hint = hint});
  marks_.push_back(0);
  places_.push_back(0);
  return static_cast<uint32_t>(nodes_.size() - 1);
}

uint32_t StructureGraph::add_edge(uint32_t from, uint32_t to) {
  edges_.push_back({.from = from, .to = to});
  auto e = static_cast<uint32_t>(edges_.size() - 1);
  nodes_[to].in.push_back(e);
  ++nodes_[to].in_degree;
  return e;
}

void StructureGraph::redirect(uint32_t e, uint32_t to) {
  --nodes_[edges_[e].to].in_degree;
  edges_[e].to = to;
  nodes_[to].in.push_back(e);
  ++nodes_[to].in_degree;
}

uint32_t StructureGraph::index_of(uint32_t n, std::vector<uint32_t>& list) {
  if (mark(n)) {
    places_[n] = static_cast<uint32_t>(list.size());
    list.push_back(n);
  }
  return places_[n];
}

uint32_t StructureGraph::gather(std::span<const uint32_t> edges, uint32_t home, std::string_view hint) {
  std::vector<uint32_t> targets, way;
  begin_marks();
  for (uint32_t e : edges) way.push_back(index_of(edges_[e].to, targets));
  if (targets.size() == 1) return targets[0];
  const uint32_t var = add_var(static_cast<uint32_t>(targets.size()));
  uint32_t n = add_node(Kind::Switch, home, hint);
  nodes_[n].var = var;
  for (size_t k = 0; k < edges.size(); ++k) {
    edges_[edges[k]].sets.push_back({var, way[k]});
    redirect(edges[k], n);
  }
  for (uint32_t t : targets) nodes_[n].made.push_back(add_edge(n, t));
  nodes_[n].out = nodes_[n].made;
  return n;
}

uint32_t StructureGraph::add_choice(std::span<const uint32_t> first, uint32_t a,
                                    std::span<const uint32_t> second, uint32_t b, uint32_t home,
                                    std::string_view hint) {
  const uint32_t var = add_var(2);
  uint32_t n = add_node(Kind::Switch, home, hint);
  nodes_[n].var = var;
  for (uint32_t value : {0u, 1u})
    for (uint32_t e : value == 0 ? first : second) {
      edges_[e].sets.push_back({var, value});
      redirect(e, n);
    }
  for (uint32_t t : {a, b}) nodes_[n].made.push_back(add_edge(n, t));
  nodes_[n].out = nodes_[n].made;
  return n;
}

uint32_t StructureGraph::add_var(uint32_t values) {
  value_counts_.push_back(values);
  return static_cast<uint32_t>(value_counts_.size() - 1);
}

uint32_t StructureGraph::add_test(uint32_t var, uint32_t low, uint32_t high, uint32_t home,
                                  std::string_view hint) {
  uint32_t n = add_node(Kind::Test, home, hint);
  nodes_[n].var = var, nodes_[n].low = low, nodes_[n].high = high;
  return n;
}

void StructureGraph::connect(uint32_t test, uint32_t yes, uint32_t no) {
  for (uint32_t to : {yes, no}) {
    uint32_t e = add_edge(test, to);  // reallocates edges_
    nodes_[test].made.push_back(e);
  }
  nodes_[test].out = nodes_[test].made;
}

uint32_t StructureGraph::add_alias(std::span<const uint32_t> edges, uint32_t to, uint32_t home) {
  uint32_t n = add_node(Kind::Alias, home, {});
  for (uint32_t e : edges) redirect(e, n);
  nodes_[n].made.push_back(add_edge(n, to));
  nodes_[n].out = nodes_[n].made;
  return n;
}

uint32_t StructureGraph::copy(uint32_t n, std::span<const uint32_t> edges, size_t& blocks) {
  std::vector<uint32_t> inside{n};
  begin_marks();
  mark(n);
  for (size_t i = 0; i < inside.size(); ++i)
    for (uint32_t e : nodes_[inside[i]].made) {
      bool leaves = std::ranges::find(nodes_[n].out, e) != nodes_[n].out.end();
      if (!leaves && mark(edges_[e].to)) inside.push_back(edges_[e].to);
    }
  const auto first = static_cast<uint32_t>(nodes_.size());
  for (uint32_t i = 0; i < inside.size(); ++i) {
    const Node& old = nodes_[inside[i]];
    Node copy{.kind = old.kind, .home = old.home, .var = old.var, .low = old.low, .high = old.high};
    copy.hint = old.hint, copy.block = old.block;
    blocks += old.kind == Kind::Block;
    places_[inside[i]] = first + i;
    nodes_.push_back(std::move(copy));
    marks_.push_back(0), places_.push_back(0);
  }
  std::vector<uint32_t> out;
  for (uint32_t i = 0; i < inside.size(); ++i)
    for (uint32_t e : std::vector<uint32_t>(nodes_[inside[i]].made)) {
      bool leaves = std::ranges::find(nodes_[n].out, e) != nodes_[n].out.end();
      uint32_t made = add_edge(first + i, leaves ? edges_[e].to : places_[edges_[e].to]);
      edges_[made].slots = edges_[e].slots, edges_[made].sets = edges_[e].sets;
      nodes_[first + i].made.push_back(made);
      if (leaves) out.push_back(made);
    }
  for (uint32_t i = 1; i < inside.size(); ++i) nodes_[first + i].out = nodes_[first + i].made;
  leave_by(first, std::move(out));
  for (uint32_t e : edges) redirect(e, first);
  return first;
}

void StructureGraph::leave_by(uint32_t n, std::vector<uint32_t> edges) {
  for (uint32_t e : edges) edges_[e].from = n;
  nodes_[n].out = std::move(edges);
}

void StructureGraph::close_region(uint32_t n, uint32_t end) {
  std::vector<uint32_t> work{n}, last;
  begin_marks();
  mark(n);
  while (!work.empty()) {
    uint32_t at = work.back();
    work.pop_back();
    for (uint32_t e : nodes_[at].out)
      if (edges_[e].to == end)
        last.push_back(e);
      else if (mark(edges_[e].to))
        work.push_back(edges_[e].to);
  }
  uint32_t alias = add_alias(last, end, home(n));
  leave_by(n, nodes_[alias].made);
}

void StructureGraph::begin_marks() { ++epoch_; }

bool StructureGraph::mark(uint32_t n) {
  if (marks_[n] == epoch_) return false;
  marks_[n] = epoch_;
  return true;
}

// Follows aliases with path compression.
RestructurePlan::Edge StructureGraph::resolve(uint32_t e) {
  std::vector<uint32_t> passed;
  for (uint32_t at = edges_[e].to; nodes_[at].kind == Kind::Alias; at = edges_[passed.back()].to)
    passed.push_back(nodes_[at].made[0]);
  for (size_t k = passed.size(); k-- > 1;) {
    Edge &before = edges_[passed[k - 1]], &after = edges_[passed[k]];
    before.to = after.to;
    before.sets.insert(before.sets.end(), after.sets.begin(), after.sets.end());
  }
  RestructurePlan::Edge edge{.to = edges_[e].to, .sets = edges_[e].sets};
  if (!passed.empty()) {
    const Edge& alias = edges_[passed[0]];
    edge.to = alias.to;
    edge.sets.insert(edge.sets.end(), alias.sets.begin(), alias.sets.end());
  }
  return edge;
}

RestructurePlan StructureGraph::finish() {
  RestructurePlan plan;
  plan.value_counts = value_counts_;
  std::vector<uint32_t> number(nodes_.size());
  for (uint32_t n = 0, next = 0; n < nodes_.size(); ++n)
    if (is_real(n)) number[n] = next++;
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    const Node& node = nodes_[n];
    if (!is_real(n)) continue;
    const bool block = node.kind == Kind::Block;
    auto& made = plan.nodes.emplace_back();
    const bool copied = n > exit && block;
    made.kind = copied                    ? RestructurePlan::Kind::Copy
                : block                   ? RestructurePlan::Kind::Original
                : node.kind == Kind::Test ? RestructurePlan::Kind::Test
                                          : RestructurePlan::Kind::Switch;
    made.low = node.low, made.high = node.high;
    made.var = copied ? node.block : node.var;
    made.hint = node.hint;
    for (uint32_t e : node.made) {
      RestructurePlan::Edge edge = resolve(e);
      edge.to = number[edge.to];
      if (!block) made.edges.push_back(std::move(edge));
      if (!block) continue;
      for (uint32_t slot : edges_[e].slots) {
        if (made.edges.size() <= slot) made.edges.resize(slot + 1);
        made.edges[slot] = edge;
      }
    }
  }
  return plan;
}

}  // namespace kc
