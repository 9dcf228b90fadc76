// SPDX-License-Identifier: Apache-2.0
#include "backends/regalloc/liveness.h"

#include <algorithm>
#include <utility>

namespace kc::regalloc {

Loops::Loops(const Function& f, const Cfg& cfg) : Cycles(f, cfg) {
  auto with_one_entry = [&](uint32_t c) {
    while (c != kNone && !cycles[c].reducible()) c = cycles[c].parent;
    return c;
  };
  for (Cycle& c : cycles) {
    c.parent = with_one_entry(c.parent);
    c.depth = c.parent == kNone ? 1 : cycles[c.parent].depth + 1;
  }
  for (uint32_t& c : innermost) c = with_one_entry(c);
}

Liveness::Liveness(const Function& f, const std::vector<Shape>& shapes, const Cfg& cfg, Loops& loops,
                   size_t classes)
    : in(f.block_count()) {
  collect(f, shapes, cfg);
  measure(f, shapes, cfg, loops);
  pressures(f, shapes, cfg, loops, classes);
}

const LiveValue* Liveness::find(BlockId b, ValueId v) const {
  const auto& list = in[b.index];
  auto it = std::lower_bound(list.begin(), list.end(), v,
                             [](const LiveValue& a, ValueId value) { return a.value < value; });
  return it != list.end() && it->value == v ? &*it : nullptr;
}

namespace {

template <typename Visit>
void for_each_use(const Function& f, InstId i, const std::vector<Shape>& shapes, Visit visit) {
  for (ValueId v : f.inst(i).operands)
    if (shapes[v.index].cls != kNoClass) visit(v);
}
template <typename Visit>
void for_each_argument(const Function& f, BlockId b, const std::vector<Shape>& shapes, Visit visit) {
  for (const Target& t : f.successors(b))
    for (ValueId v : t.args)
      if (shapes[v.index].cls != kNoClass) visit(v);
}

}  // namespace

// For each value, walks from its uses back to its definition. Linear in the size of the result.
void Liveness::collect(const Function& f, const std::vector<Shape>& shapes, const Cfg& cfg) {
  std::vector<uint32_t> first(f.value_count() + 1, 0);
  auto count = [&](ValueId v) { ++first[v.index + 1]; };
  for (BlockId b : cfg.rpo) {
    for (InstId i : f.block(b).insts) for_each_use(f, i, shapes, count);
    for_each_argument(f, b, shapes, count);
  }
  for (size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
  std::vector<BlockId> uses(first.back());
  std::vector<uint32_t> next(first.begin(), first.end() - 1);
  for (BlockId b : cfg.rpo) {
    auto put = [&](ValueId v) { uses[next[v.index]++] = b; };
    for (InstId i : f.block(b).insts) for_each_use(f, i, shapes, put);
    for_each_argument(f, b, shapes, put);
  }
  std::vector<BlockId> work;
  for (uint32_t v = 0; v + 1 < first.size(); ++v) {
    if (first[v] == first[v + 1]) continue;
    BlockId assigned = block_of(f, ValueId(v));
    auto reach = [&](BlockId b) {
      auto& list = in[b.index];
      if (b == assigned || (!list.empty() && list.back().value == ValueId(v))) return;
      list.push_back({ValueId(v)});
      work.push_back(b);
    };
    for (uint32_t k = first[v]; k < first[v + 1]; ++k) reach(uses[k]);
    while (!work.empty()) {
      BlockId b = work.back();
      work.pop_back();
      for (BlockId p : cfg.preds[b.index])
        if (cfg.reachable(p)) reach(p);
    }
  }
}

// Distances are heuristic: three iterations propagate them well enough through loop nests. Without loops the
// first is exact.
void Liveness::measure(const Function& f, const std::vector<Shape>& shapes, const Cfg& cfg,
                       const Loops& loops) {
  std::vector<uint32_t> local(f.value_count(), kDead), beyond(f.value_count(), kDead);
  // distance of the first use in the block, or kDead
  std::vector<uint32_t> inside;
  std::vector<size_t> first(f.block_count());
  size_t total = 0;
  for (BlockId b : cfg.rpo) first[b.index] = std::exchange(total, total + in[b.index].size());
  inside.reserve(total);
  for (BlockId b : cfg.rpo) {
    const auto& insts = f.block(b).insts;
    auto size = static_cast<uint32_t>(insts.size());
    auto set = [&](uint32_t at) {
      return [&local, at](ValueId v) { local[v.index] = std::min(local[v.index], at); };
    };
    for (uint32_t k = 0; k < size; ++k) for_each_use(f, insts[k], shapes, set(k));
    for_each_argument(f, b, shapes, set(size));
    for (const LiveValue& l : in[b.index]) inside.push_back(local[l.value.index]);
    auto clear = [&](ValueId v) { local[v.index] = kDead; };
    for (InstId i : insts) for_each_use(f, i, shapes, clear);
    for_each_argument(f, b, shapes, clear);
  }
  std::vector<bool> stale(f.block_count(), true);  // a successor has changed since the block was measured
  for (int round = 0; round < 3; ++round)
    for (auto it = cfg.rpo.rbegin(); it != cfg.rpo.rend(); ++it) {
      BlockId b = *it;
      if (!stale[b.index]) continue;
      stale[b.index] = false;
      auto size = static_cast<uint32_t>(f.block(b).insts.size());
      for (const Target& t : f.successors(b)) {
        uint32_t cost = kLoopExit * std::min(loops.exits(b, t.block), 1000u);
        for (const LiveValue& l : in[t.block.index])
          beyond[l.value.index] = std::min(beyond[l.value.index], farther(l.distance, cost));
      }
      bool changed = false;
      for (size_t k = 0; k < in[b.index].size(); ++k) {
        LiveValue& l = in[b.index][k];
        uint32_t distance = inside[first[b.index] + k];
        if (distance == kDead) {
          const uint32_t there = beyond[l.value.index];
          distance = there == kDead ? kFarthest : farther(there, size);
        }
        changed |= std::exchange(l.distance, distance) != distance;
      }
      for (const Target& t : f.successors(b))
        for (const LiveValue& l : in[t.block.index]) beyond[l.value.index] = kDead;
      if (changed)
        for (BlockId p : cfg.preds[b.index]) stale[p.index] = true;
    }
}

void Liveness::pressures(const Function& f, const std::vector<Shape>& shapes, const Cfg& cfg, Loops& loops,
                         size_t classes) const {
  loops.pressure.assign(loops.cycles.size(), std::vector<uint32_t>(classes, 0));
  loops.header_pressure = loops.pressure;
  std::vector<char> live(f.value_count(), 0);
  std::vector<uint32_t> units, most;
  std::vector<ValueId> touched;
  for (BlockId b : cfg.rpo) {
    if (loops.innermost[b.index] == kNone) continue;
    units.assign(classes, 0);
    auto enter = [&](ValueId v) {
      if (live[v.index]) return;
      live[v.index] = 1, touched.push_back(v);
      units[shapes[v.index].cls] += shapes[v.index].size;
    };
    auto leave = [&](ValueId v) {
      if (shapes[v.index].cls != kNoClass && live[v.index])
        live[v.index] = 0, units[shapes[v.index].cls] -= shapes[v.index].size;
    };
    const auto walk = [&](auto enter_behind) {
      for (const Target& t : f.successors(b))
        for (const LiveValue& l : in[t.block.index]) enter_behind(l.value);
      for_each_argument(f, b, shapes, enter_behind);
      most = units;
      const auto& insts = f.block(b).insts;
      for (size_t k = insts.size(); k-- > 0;) {
        for (ValueId r : f.inst(insts[k]).results) leave(r);
        for_each_use(f, insts[k], shapes, enter);
        for (size_t c = 0; c < classes; ++c) most[c] = std::max(most[c], units[c]);
      }
      for (ValueId v : touched) live[v.index] = 0;
      touched.clear();
    };
    // What the header itself computes for blocks behind it is used soon, and needs its register as well.
    if (loops.is_header(b)) {
      walk([&](ValueId v) {
        if (InstId d = f.def(v); d.valid() && f.inst(d).block == b) enter(v);
      });
      loops.header_pressure[loops.innermost[b.index]] = most;
      units.assign(classes, 0);
    }
    walk(enter);
    for (uint32_t l = loops.innermost[b.index]; l != kNone; l = loops.cycles[l].parent)
      for (size_t c = 0; c < classes; ++c) loops.pressure[l][c] = std::max(loops.pressure[l][c], most[c]);
  }
}

}  // namespace kc::regalloc
