// SPDX-License-Identifier: Apache-2.0
#include "passes/costs.h"

#include <algorithm>
#include <iterator>

namespace kc {
namespace {

struct OpCost {
  Op op;
  int cost;
};
// What is not 1.
constexpr OpCost kCosts[] = {
    {Op::mul, 2},
    {Op::sdiv, kNeverSpeculate},
    {Op::udiv, kNeverSpeculate},
    {Op::fptosi, 4},
    {Op::srem, kNeverSpeculate},
    {Op::urem, kNeverSpeculate},
    {Op::fptoui, 4},
    {Op::fdiv, kNeverSpeculate},
    {Op::fsqrt, kNeverSpeculate},
    {Op::uitofp, 3},
    {Op::popcount, kNeverSpeculate},
    {Op::clz, kNeverSpeculate},
    {Op::fptrunc, 2},
    {Op::fpext, 2},
};

}  // namespace

int speculation_cost(const Function& f, const Inst& inst) {
  if (info(inst.op).effects != Effects::None || inst.results.size() != 1) return kNeverSpeculate;
  auto row = std::ranges::find(kCosts, inst.op, &OpCost::op);
  int cost = row == std::end(kCosts) ? 1 : row->cost;
  return f.type(inst.results[0]).bits() > 32 ? 2 * cost : cost;
}

uint32_t skip_cost(const Function& f, const Inst& inst, const SkipCosts& costs) {
  const OpInfo& row = info(inst.op);
  if (row.has(Terminator)) return 0;
  if (row.effects != Effects::None) return costs.memory;
  int cost = speculation_cost(f, inst);
  return cost >= kNeverSpeculate ? costs.slow : static_cast<uint32_t>(cost);
}

}  // namespace kc
