// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/trip_count_estimate.h"

#include <algorithm>
#include <vector>

#include "passes/analysis/loop_steps.h"
#include "passes/analysis/steps.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

class TripCountEstimator {
 public:
  TripCountEstimator(const Function& f, const Cfg& cfg, const DominatorTree& tree, const Cycles& cycles,
                     uint32_t cycle)
      : f_(f),
        cfg_(cfg),
        tree_(tree),
        cycles_(cycles),
        cycle_(cycle),
        header_(cycles.cycles[cycle].header),
        steps_(f, cfg, cycles, cycle) {}

  std::optional<TripCountEstimate> find() {
    size_t exits = 0;
    for (uint32_t n : cycles_.nodes(cycle_)) {
      const Inst& end = f_.inst(f_.terminator(BlockId(n)));
      const auto leaving = std::ranges::count_if(
          end.targets, [&](const Target& t) { return !cycles_.contains(cycle_, t.block); });
      exits += static_cast<size_t>(leaving);
      if (leaving == 1 && end.op == Op::br_if && is_in_every_iteration(BlockId(n)))
        look_at(end.operands[0], cycles_.contains(cycle_, end.targets[0].block), true, kDepth);
    }
    if (least_ && exits > 1) least_->ends_earlier = true;
    return least_;
  }

 private:
  static constexpr int kDepth = 4;  // of conjunctions and negations

  bool is_in_every_iteration(BlockId b) const {
    return std::ranges::all_of(cfg_.preds[header_.index], [&](BlockId p) {
      return !cycles_.contains(cycle_, p.index) || tree_.dominates(b, p);
    });
  }

  // `stays`: the loop may go on only where the condition is true, else only where it is false. `alone`: and
  // then does so.
  void look_at(ValueId condition, bool stays, bool alone, int depth) {
    const InstId d = f_.is_inline(condition) ? InstId() : f_.def(condition);
    if (!d || depth == 0) return;
    const Inst& inst = f_.inst(d);
    if (inst.op == (stays ? Op::and_ : Op::or_))
      for (ValueId v : inst.operands) look_at(v, stays, false, depth - 1);
    if (inst.op == Op::xor_ && signed_constant(f_, inst.operands[1]) == -1)
      return look_at(inst.operands[0], !stays, alone, depth - 1);
    const bool orders = inst.op == Op::slt || inst.op == Op::sle || inst.op == Op::ult || inst.op == Op::ule;
    if (!orders && inst.op != (stays ? Op::ne : Op::eq)) return;
    const bool equal = orders && (inst.op == Op::sle || inst.op == Op::ule) == stays;
    for (size_t k = 0; k < 2; ++k) {
      std::optional<bool> up;
      if (orders) up = (k == 0) == stays;
      if (const auto n = iterations(inst.operands[k], inst.operands[1 - k], up, equal);
          n && (!least_ || n->most < least_->most))
        least_ = {n->iterations, n->most, !alone};
    }
  }

  // Until a counter comes to `bound`, if that is a constant, or passes it if it is still in the loop at
  // `equal`. `up`: the way it must count.
  std::optional<TripCountEstimate> iterations(ValueId counter, ValueId bound, std::optional<bool> up,
                                              bool equal) const {
    const auto last = signed_constant(f_, bound);
    if (!last) return std::nullopt;
    const auto counted = steps_.sum_of(counter);
    if (!counted) return std::nullopt;
    const uint32_t k = f_.value(counted->param).index;
    std::optional<int64_t> step, start;
    bool one_start = true;
    const bool known = every_edge_into(f_, cfg_, header_, [&](BlockId from, const Target& t) {
      const ValueId passed = t.args[k];
      if (!cycles_.contains(cycle_, from.index)) {
        const auto first = signed_constant(f_, passed);
        if (!first || (start && start != first)) one_start = false;
        if (first) start = first;
        return true;
      }
      const auto sum = steps_.sum_of(passed);
      if (!sum || sum->param != counted->param || sum->constant == 0 || (step && *step != sum->constant))
        return false;
      step = sum->constant;
      return true;
    });
    if (!known || !step || (up && *up != (*step > 0))) return std::nullopt;
    const double by = static_cast<double>(*step), end = static_cast<double>(*last) + (equal ? by : 0);
    constexpr double kPart = 0.5;  // of the way, where the start is not known
    const bool same = one_start && start;
    const double most = same ? (end - static_cast<double>(*start)) / by : by > 0 ? end / by : 0;
    const double mean = same ? most : std::max(1.0, kPart * most);
    return most >= 1 ? std::optional(TripCountEstimate{mean, most}) : std::nullopt;
  }

  const Function& f_;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  const Cycles& cycles_;
  uint32_t cycle_;
  BlockId header_;
  LoopSteps steps_;
  std::optional<TripCountEstimate> least_;
};

}  // namespace

std::optional<TripCountEstimate> estimate_trip_count(const Function& thread, const Cfg& cfg,
                                                     const DominatorTree& tree, const Cycles& cycles,
                                                     uint32_t cycle) {
  return TripCountEstimator(thread, cfg, tree, cycles, cycle).find();
}

}  // namespace kc
