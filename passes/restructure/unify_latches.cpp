// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/unify_latches.h"

#include <utility>
#include <vector>

#include "passes/analysis/cycles.h"

namespace kc {
namespace {

// The blocks that go back to the header of a reducible cycle.
std::vector<BlockId> latches_of(const Cfg& cfg, const Cycles& cycles, uint32_t c) {
  std::vector<BlockId> latches;
  if (!cycles.cycles[c].reducible()) return latches;
  for (BlockId p : cfg.preds[cycles.cycles[c].header])
    if (cfg.reachable(p) && cycles.contains(c, p)) latches.push_back(p);
  return latches;
}

}  // namespace

bool has_several_latches(AnalysisCache& analyses) {
  const Cycles& cycles = analyses.cycles();
  for (uint32_t c = 0; c < cycles.cycles.size(); ++c)
    if (latches_of(analyses.cfg(), cycles, c).size() > 1) return true;
  return false;
}

bool unify_latches(Function& f) {
  const Cfg cfg(f);
  const Cycles cycles(f, cfg);
  bool changed = false;
  for (uint32_t c = 0; c < cycles.cycles.size(); ++c) {
    const BlockId header(cycles.cycles[c].header);
    const std::vector<BlockId> latches = latches_of(cfg, cycles, c);
    if (latches.size() < 2) continue;
    Builder b(f);
    b.block = f.add_block("latch");
    std::vector<ValueId> values;
    const std::vector<ValueId> params = f.block(header).params;
    for (ValueId p : params) values.push_back(f.add_param(b.block, f.type(p)));
    b.br(header, std::move(values));
    for (BlockId from : latches)
      for (Target& t : f.inst(f.terminator(from)).targets)
        if (t.block == header) t.block = b.block;
    changed = true;
  }
  return changed;
}

}  // namespace kc
