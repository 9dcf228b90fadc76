// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/loop_steps.h"

#include <algorithm>

#include "passes/analysis/steps.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr int64_t kMostGrowth = 1 << 16;  // bytes, or as a number

bool is_small(int64_t n) { return n >= -kMostGrowth && n <= kMostGrowth; }

}  // namespace

std::optional<int64_t> LoopSteps::of(ValueId v, int depth) {
  if (!is_inside(v)) return 0;
  if (depth == 0) return std::nullopt;
  if (const auto known = known_.find(v.index); known != known_.end()) return known->second;
  const auto step = f_.def(v) ? of_result(f_.inst(f_.def(v)), depth) : of_parameter(v);
  known_.emplace(v.index, step);
  return step;
}

std::optional<int64_t> LoopSteps::of_result(const Inst& inst, int depth) {
  const auto operand = [&](ValueId o) { return of(o, depth - 1); };
  const bool small = f_.type(inst.results[0]).bits() < 32 ||
                     (!inst.operands.empty() && f_.type(inst.operands[0]).bits() < 32);
  if (!small)
    if (const auto step = step_of_result(f_, inst, operand)) return step;
  // What is computed from values that stay the same stays, too.
  const bool stays = info(inst.op).effects == Effects::None &&
                     std::ranges::all_of(inst.operands, [&](ValueId o) { return operand(o) == 0; });
  return stays ? std::optional<int64_t>(0) : std::nullopt;
}

// A parameter of the header to which every edge from inside adds the same constant.
std::optional<int64_t> LoopSteps::of_parameter(ValueId v) const {
  if (BlockId(f_.value(v).owner) != header_ || f_.type(v).bits() < 32) return std::nullopt;
  std::optional<int64_t> step;
  const bool same = every_edge_into(f_, cfg_, header_, [&](BlockId from, const Target& t) {
    if (!cycles_.contains(cycle_, from)) return true;
    const auto sum = sum_of(t.args[f_.value(v).index]);
    if (!sum || sum->param != v || (step && *step != sum->constant)) return false;
    step = sum->constant;
    return true;
  });
  return same ? step : std::nullopt;
}

std::optional<LoopSteps::Sum> LoopSteps::sum_of(ValueId v) const {
  int64_t constant = 0;
  for (int depth = 0; depth < kDeepest; ++depth) {
    if (!is_inside(v)) return std::nullopt;
    if (!f_.def(v))
      return BlockId(f_.value(v).owner) == header_ ? std::optional(Sum{v, constant}) : std::nullopt;
    const Inst& inst = f_.inst(f_.def(v));
    if (inst.op != Op::add && inst.op != Op::ptr_add) return std::nullopt;
    const auto more = signed_constant(f_, inst.operands[1]);
    if (!more || !is_small(*more) || !is_small(inst.attrs[0]) || !is_small(inst.attrs[1]))
      return std::nullopt;
    constant += inst.op == Op::add ? *more : *more * inst.attrs[0] + inst.attrs[1];
    if (!is_small(constant)) return std::nullopt;
    v = inst.operands[0];
  }
  return std::nullopt;
}

}  // namespace kc
