// SPDX-License-Identifier: Apache-2.0
// Critical-edge splitting. The moves of an edge go to the end of its source, before a jump that reads
// nothing; every other edge into a join or into a block with parameters gets a block of its own. Blocks that
// stay empty are removed afterwards.
//   before  jcc %1 -> b1(%2), b2      after  jcc %1 -> b3, b2      b3: jmp -> b1(%2)
#include <algorithm>

#include "backends/regalloc/allocator.h"

namespace kc::regalloc {
namespace {

// The cheapest position for the block on an edge: before its target if the source falls through to it or
// nothing else does, directly after the source on a back edge, else at the end.
size_t position_for(const Function& f, BlockId from, BlockId to, const std::vector<size_t>& index) {
  size_t source = index[from.index], target = index[to.index];
  if (target <= source) return source + 1;
  if (target == source + 1) return target;
  auto into = f.successors(f.layout[target - 1]);
  bool falls = std::any_of(into.begin(), into.end(), [&](const Target& t) { return t.block == to; });
  return falls ? f.layout.size() : target;
}

bool needs_block(const Function& f, const RegTarget& target, const Cfg& cfg, InstId end, BlockId to) {
  const Inst& inst = f.inst(end);
  bool holds_moves = inst.targets.size() == 1;
  for (ValueId v : inst.operands) holds_moves &= shape_of(target, f.type(v)).cls == kNoClass;
  return !holds_moves && (cfg.preds[to.index].size() > 1 || !f.block(to).params.empty());
}

}  // namespace

void split_edges(Function& f, const RegTarget& target) {
  Cfg cfg(f);
  std::vector<BlockId> unreachable;
  for (BlockId b : f.layout)
    if (!cfg.reachable(b)) unreachable.push_back(b);
  if (!unreachable.empty()) {
    f.erase_blocks(unreachable);
    cfg = Cfg(f);
  }
  std::vector<size_t> index(f.block_count());
  for (size_t n = 0; n < f.layout.size(); ++n) index[f.layout[n].index] = n;
  const std::vector<BlockId> layout = f.layout;
  std::vector<std::vector<BlockId>> added(layout.size() + 1);  // to insert before each position
  for (BlockId b : layout) {
    InstId end = f.terminator(b);
    for (size_t k = 0; k < f.inst(end).targets.size(); ++k) {
      Target edge = f.inst(end).targets[k];
      if (!needs_block(f, target, cfg, end, edge.block)) continue;
      size_t at = position_for(f, b, edge.block, index);
      BlockId middle = f.add_block("edge");
      f.layout.pop_back();
      added[std::min(at, layout.size())].push_back(middle);
      InstId jump = f.create(target.jump, {}, {}, f.inst(end).loc);
      f.append(middle, jump);
      f.inst(jump).targets.push_back(edge);
      f.inst(end).targets[k] = {middle, {}};
    }
  }
  f.layout.clear();
  for (size_t n = 0; n <= layout.size(); ++n) {
    f.layout.insert(f.layout.end(), added[n].begin(), added[n].end());
    if (n < layout.size()) f.layout.push_back(layout[n]);
  }
}

void remove_empty_blocks(Function& f, const RegTarget& target, size_t first) {
  std::vector<BlockId> empty;
  for (BlockId b : f.layout)
    if (b.index >= first && f.block(b).insts.size() == 1 && f.inst(f.terminator(b)).op == target.jump)
      empty.push_back(b);
  if (empty.empty()) return;
  std::vector<char> gone(f.block_count(), 0);
  for (BlockId b : empty) gone[b.index] = 1;
  for (BlockId b : f.layout)
    for (Target& t : f.inst(f.terminator(b)).targets)
      if (gone[t.block.index]) t = Target(f.successors(t.block)[0]);
  f.erase_blocks(empty);
}

}  // namespace kc::regalloc
