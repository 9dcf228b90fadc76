// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/costs.h"

namespace kc {

int speculation_cost(const Function& f, const Inst& inst) {
  const OpInfo& row = info(inst.op);
  if (row.effects != Effects::None || inst.results.size() != 1 || row.cost == kSlow) return kNeverSpeculate;
  return f.type(inst.results[0]).bits() > 32 ? 2 * row.cost : row.cost;
}

uint32_t masked_cost(const Function& f, const Inst& inst, const TargetCosts& costs) {
  const OpInfo& row = info(inst.op);
  if (row.has(Terminator)) return 0;
  if (row.effects != Effects::None) return costs.memory;
  int cost = speculation_cost(f, inst);
  return cost >= kNeverSpeculate ? costs.slow : static_cast<uint32_t>(cost);
}

}  // namespace kc
