// SPDX-License-Identifier: Apache-2.0
#include "backends/spirv/loop_live_outs.h"

#include <algorithm>

namespace kc::spirv {

LoopLiveOuts::LoopLiveOuts(const Function& function, const RegionTree& region_tree,
                           const SpirvOptions& options)
    : demoted(function.value_count(), 0),
      kept(region_tree.joins.size()),
      f(function),
      tree_(region_tree),
      options_(options) {
  visit(tree_.body);
}

void LoopLiveOuts::visit(const RegionList& regions) {
  for (const Region& r : regions) {
    for (const RegionList& arm : r.arms) visit(arm);
    if (r.kind != RegionKind::Loop) continue;
    std::vector<BlockId> blocks;
    const bool inner_several = collect(r.arms[0], blocks);
    if (options_.guard_loop_values)
      kept[r.join] = demote(blocks, r.block);
    else if (inner_several || tree_.joins[r.join].targets.size() > 1)
      demote(blocks);
  }
}

// Collects the blocks of a loop. Returns whether an inner loop has several exit targets.
bool LoopLiveOuts::collect(const RegionList& regions, std::vector<BlockId>& blocks) const {
  bool several = false;
  for (const Region& r : regions) {
    if (r.kind == RegionKind::Block) blocks.push_back(r.block);
    if (r.kind == RegionKind::Loop) several |= tree_.joins[r.join].targets.size() > 1;
    for (const RegionList& arm : r.arms) several |= collect(arm, blocks);
  }
  return several;
}

// Header parameters are excluded: they already have a phi, and the header dominates the code after the loop.
std::vector<ValueId> LoopLiveOuts::demote(const std::vector<BlockId>& blocks, BlockId head) {
  std::vector<char> inside(f.block_count(), 0), defined(f.value_count(), 0);
  for (BlockId b : blocks) {
    inside[b.index] = 1;
    if (b != head)
      for (ValueId p : f.block(b).params) defined[p.index] = 1;
    for (InstId i : f.block(b).insts)
      for (ValueId v : f.inst(i).results) defined[v.index] = 1;
  }
  std::vector<ValueId> leaving;
  auto use = [&](ValueId v) {
    if (!defined[v.index]) return;
    defined[v.index] = 0;
    demoted[v.index] = 1;
    leaving.push_back(v);
  };
  for (BlockId b : f.layout) {
    if (inside[b.index]) continue;
    for (InstId i : f.block(b).insts) {
      std::ranges::for_each(f.inst(i).operands, use);
      for (const Target& t : f.inst(i).targets) std::ranges::for_each(t.args, use);
    }
  }
  return leaving;
}

}  // namespace kc::spirv
