// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/latency_block_order.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "passes/analysis/uniformity.h"

namespace kc {
namespace {

bool is_load(const Function& f, InstId i) { return info(f.inst(i).op).effects == Effects::Read; }

// Index of the first instruction from `at` on that uses a value loaded before it within the block; the size
// of the block if there is none.
size_t first_use(const Function& f, const std::vector<InstId>& insts) {
  std::set<InstId> loads;
  for (size_t i = 0; i < insts.size(); ++i) {
    for (ValueId v : f.inst(insts[i]).operands)
      if (const InstId def = f.def(v); def.valid() && loads.contains(def)) return i;
    for (const Target& t : f.inst(insts[i]).targets)
      for (ValueId v : t.args)
        if (const InstId def = f.def(v); def.valid() && loads.contains(def)) return i;
    if (is_load(f, insts[i])) loads.insert(insts[i]);
  }
  return insts.size();
}

}  // namespace

std::vector<SplitBlock> split_at_first_uses(Function& f) {
  std::vector<SplitBlock> splits;
  std::vector<BlockId> layout;
  const std::vector<BlockId> before = f.layout;
  for (BlockId b : before) {
    layout.push_back(b);
    for (;;) {
      // A copy: adding blocks reallocates the lists.
      const std::vector<InstId> insts = f.block(b).insts;
      const size_t at = first_use(f, insts);
      if (at == insts.size()) break;
      const BlockId rest = f.add_block(f.block(b).hint);
      f.block(b).insts.resize(at);
      for (size_t i = at; i < insts.size(); ++i) f.append(rest, insts[i]);
      Builder build(f);
      build.block = b;
      build.loc = f.inst(insts[at]).loc;
      build.br(rest);
      splits.push_back({b, rest});
      layout.push_back(rest);
      b = rest;
    }
  }
  f.layout = std::move(layout);
  return splits;
}

void join_splits(Function& f, std::span<const SplitBlock> splits) {
  // Backwards: instructions that a second block took back from a third move on with it.
  std::vector<BlockId> emptied;
  for (size_t k = splits.size(); k-- > 0;) {
    const auto [first, second] = splits[k];
    f.erase(f.terminator(first));
    const std::vector<InstId> insts = std::exchange(f.block(second).insts, {});
    for (InstId i : insts) f.append(first, i);
    emptied.push_back(second);
  }
  f.erase_blocks(emptied);
}

LoadDistances::LoadDistances(const Function& f) : loads_(f.block_count()) {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      for (ValueId v : f.inst(i).operands) {
        const InstId def = f.def(v);
        if (!def.valid() || !is_load(f, def)) continue;
        if (const BlockId home = f.inst(def).block; home != b) loads_[b.index].push_back(home.index);
      }
}

void LoadDistances::order(std::span<uint32_t> nodes, const Follow& follow) const {
  constexpr uint32_t kFar = 0;
  const std::vector<uint32_t> before(nodes.begin(), nodes.end());
  std::map<uint32_t, uint32_t> place;  // by node: position in the old order
  for (uint32_t i = 0; i < before.size(); ++i) place[before[i]] = i;
  // `now`: position in the new order, from 1
  std::vector<uint32_t> waits(before.size(), 0), now(before.size(), kFar);
  auto for_each_behind = [&](uint32_t i, auto act) {
    follow(before[i], [&](uint32_t node) {
      if (auto it = place.find(node); it != place.end() && it->second > i) act(it->second);
    });
  };
  for (uint32_t i = 0; i < before.size(); ++i) for_each_behind(i, [&](uint32_t k) { ++waits[k]; });
  std::set<std::pair<uint32_t, uint32_t>> ready;  // the nearest load, the old position
  auto offer = [&](uint32_t i) {
    uint32_t nearest = kFar;
    if (before[i] < loads_.size())
      for (uint32_t from : loads_[before[i]])
        if (auto it = place.find(from); it != place.end()) nearest = std::max(nearest, now[it->second]);
    ready.insert({nearest, i});
  };
  for (uint32_t i = 0; i < before.size(); ++i)
    if (waits[i] == 0) offer(i);
  for (uint32_t next = 0; !ready.empty(); ++next) {
    const uint32_t i = ready.begin()->second;
    ready.erase(ready.begin());
    nodes[next] = before[i];
    now[i] = next + 1;
    for_each_behind(i, [&](uint32_t k) {
      if (--waits[k] == 0) offer(k);
    });
  }
}

}  // namespace kc
