// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

#include "backends/x64/cleanup.h"
#include "ir/cfg.h"
#include "passes/analysis/cycles.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

bool is_pure(const Inst& inst) {
  return inst.results.size() == 1 && info(inst.op).effects == Effects::None && !info(inst.op).has(Terminator);
}

// Of the block, what only this edge passes on, or what only the block behind it needs, if nothing else leads
// there; and what only that needs, in order.
std::vector<InstId> needed_only_by(const Function& f, BlockId b, const Target& edge, bool only_edge,
                                   const std::vector<uint32_t>& uses) {
  std::map<uint32_t, uint32_t> here;  // uses behind the edge, and by what moves there
  auto use = [&](ValueId v) {
    const InstId d = f.is_inline(v) ? InstId() : f.def(v);
    if (d && f.inst(d).block == b && is_pure(f.inst(d))) ++here[v.index];
  };
  for (ValueId v : edge.args) use(v);
  if (only_edge)
    for (InstId i : f.block(edge.block).insts) {
      for (ValueId v : f.inst(i).operands) use(v);
      for (const Target& t : f.inst(i).targets)
        for (ValueId v : t.args) use(v);
    }
  // Most exits need nothing that the block computes for them.
  if (here.empty()) return {};
  std::vector<InstId> moved;
  for (InstId i : std::views::reverse(f.block(b).insts)) {
    const Inst& inst = f.inst(i);
    if (!is_pure(inst)) continue;
    const auto of = here.find(inst.results[0].index);
    if (of == here.end() || of->second != uses[inst.results[0].index]) continue;
    moved.push_back(i);
    for (ValueId v : inst.operands) ++here[v.index];
  }
  std::ranges::reverse(moved);
  return moved;
}

}  // namespace

void sink_into(Function& f, const std::vector<BlockId>& rare) {
  if (rare.empty()) return;
  const Cfg cfg(f);
  const Cycles cycles(f, cfg);
  std::vector<bool> is_rare(f.block_count());
  for (BlockId b : rare) is_rare[b.index] = true;
  // The block that uses a value, the entry for more than one: nothing is sunk into it.
  std::vector<BlockId> user(f.value_count());
  auto use = [&](ValueId v, BlockId b) {
    if (!f.is_inline(v)) user[v.index] = !user[v.index].valid() || user[v.index] == b ? b : f.entry();
  };
  std::vector<std::vector<InstId>> sunk(f.block_count());  // the last one first
  // Users come after what they use, so one sweep upwards knows where they are in the end.
  for (BlockId b : std::views::reverse(cfg.rpo)) {
    std::vector<InstId> kept;
    for (InstId i : std::views::reverse(f.block(b).insts)) {
      Inst& inst = f.inst(i);
      BlockId to = b;
      const bool pure = is_pure(inst);
      const BlockId only = pure ? user[inst.results[0].index] : BlockId();
      if (pure && !only.valid()) continue;  // dead: it must not keep its operands here
      if (only.valid() && only != b && is_rare[only.index] &&
          cycles.innermost[only.index] == cycles.innermost[b.index])
        to = only;
      for (ValueId v : inst.operands) use(v, to);
      for (const Target& t : inst.targets)
        for (ValueId v : t.args) use(v, to);
      if (to == b) {
        kept.push_back(i);
      } else {
        inst.block = to;
        sunk[to.index].push_back(i);
      }
    }
    std::ranges::reverse(kept);
    f.block(b).insts = std::move(kept);
  }
  for (BlockId b : rare) {  // several branches may lead to one of them
    const std::vector<InstId> list = std::exchange(sunk[b.index], {});
    auto& insts = f.block(b).insts;
    insts.insert(insts.begin(), list.rbegin(), list.rend());
  }
}

void sink_to_exits(Function& f) {
  const Cfg cfg(f);
  const Cycles cycles(f, cfg);
  if (cycles.cycles.empty()) return;
  const std::vector<uint32_t> uses = count_uses(f);
  std::vector<BlockId> layout;
  const std::vector<BlockId> before = f.layout;
  std::vector<BlockId> last;  // on edges that no block falls through to
  for (size_t n = 0; n < before.size(); ++n) {
    const BlockId b = before[n];
    layout.push_back(b);
    const InstId end = f.terminator(b);
    const uint32_t loop = cycles.innermost[b.index];
    if (loop == kNone || f.inst(end).targets.size() < 2) continue;
    for (size_t k = 0; k < f.inst(end).targets.size(); ++k) {
      Target edge = f.inst(end).targets[k];
      if (cycles.contains(loop, edge.block)) continue;
      const bool only_edge = cfg.preds[edge.block.index].size() == 1;
      const std::vector<InstId> moved = needed_only_by(f, b, edge, only_edge, uses);
      if (moved.empty()) continue;
      const BlockId exit = f.add_block("exit");
      (n + 1 < before.size() && before[n + 1] == edge.block ? layout : last).push_back(exit);
      for (InstId i : moved) f.append(exit, i);
      std::erase_if(f.block(b).insts, [&](InstId i) { return f.inst(i).block != b; });
      const InstId jump = f.create(Op::x64_jmp, {}, {}, f.inst(end).loc);
      f.append(exit, jump);
      f.inst(jump).targets.push_back(std::move(edge));
      f.inst(end).targets[k] = {exit, {}};
    }
  }
  layout.insert(layout.end(), last.begin(), last.end());
  f.layout = std::move(layout);
}

}  // namespace kc::x64
