// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/costs.h"

#include <array>
#include <initializer_list>

namespace kc {
namespace {

// By opcode. Most cost 1.
constexpr auto kCosts = [] {
  std::array<int, kOpCount> costs{};
  costs.fill(1);
  auto set = [&](int cost, std::initializer_list<Op> ops) {
    for (Op op : ops) costs[static_cast<size_t>(op)] = cost;
  };
  set(2, {Op::mul, Op::fptrunc, Op::fpext});
  set(3, {Op::uitofp});
  set(4, {Op::fptosi, Op::fptoui});
  set(kNeverSpeculate, {Op::sdiv, Op::udiv, Op::srem, Op::urem, Op::fdiv, Op::fsqrt, Op::popcount, Op::clz});
  return costs;
}();

}  // namespace

int speculation_cost(const Function& f, const Inst& inst) {
  if (info(inst.op).effects != Effects::None || inst.results.size() != 1) return kNeverSpeculate;
  const int cost = kCosts[static_cast<size_t>(inst.op)];
  return f.type(inst.results[0]).bits() > 32 ? 2 * cost : cost;
}

uint32_t masked_cost(const Function& f, const Inst& inst, const TargetCosts& costs) {
  const OpInfo& row = info(inst.op);
  if (row.has(Terminator)) return 0;
  if (row.effects != Effects::None) return costs.memory;
  int cost = speculation_cost(f, inst);
  return cost >= kNeverSpeculate ? costs.slow : static_cast<uint32_t>(cost);
}

}  // namespace kc
