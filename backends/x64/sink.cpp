// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ranges>
#include <utility>

#include "backends/x64/cleanup.h"
#include "ir/cfg.h"
#include "passes/analysis/cycles.h"

namespace kc::x64 {

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
      const bool pure = inst.results.size() == 1 && info(inst.op).effects == Effects::None &&
                        !info(inst.op).has(Terminator);
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

}  // namespace kc::x64
