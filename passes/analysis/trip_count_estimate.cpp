// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/trip_count_estimate.h"

#include <algorithm>
#include <vector>

#include "passes/ir_util.h"

namespace kc {
namespace {

class TripCountEstimator {
 public:
  TripCountEstimator(const Function& f, const Cfg& cfg, const Cycles& cycles, uint32_t cycle)
      : f_(f), cfg_(cfg), cycles_(cycles), cycle_(cycle), header_(cycles.cycles[cycle].header) {}

  std::optional<TripCountEstimate> find() {
    size_t exits = 0;
    for (uint32_t n : cycles_.nodes(cycle_)) {
      const Inst& end = f_.inst(f_.terminator(BlockId(n)));
      const bool leaves = std::ranges::any_of(
          end.targets, [&](const Target& t) { return !cycles_.contains(cycle_, t.block); });
      if (!leaves) continue;
      ++exits;
      if (end.op == Op::br_if) look_at(end.operands[0], true, kDepth);
    }
    if (least_ && exits > 1) least_->ends_earlier = true;
    return least_;
  }

 private:
  static constexpr int kDepth = 3;  // of conjunctions

  void look_at(ValueId condition, bool alone, int depth) {
    const InstId d = f_.def(condition);
    if (!d || depth == 0) return;
    const Inst& inst = f_.inst(d);
    if (inst.op == Op::and_ || inst.op == Op::or_)
      for (ValueId v : inst.operands) look_at(v, false, depth - 1);
    if (class_of(inst.op) != OpClass::IntCompare) return;
    for (size_t k = 0; k < 2; ++k)
      if (const auto n = iterations(inst.operands[k], inst.operands[1 - k]);
          n && (!least_ || n->most < least_->most))
        least_ = {n->iterations, n->most, !alone};
  }

  // Until a counter comes to `bound`, if that is a constant.
  std::optional<TripCountEstimate> iterations(ValueId counter, ValueId bound) const {
    if (!f_.is_const(bound)) return std::nullopt;
    ValueId variable = counter;
    if (const auto sum = sum_of(counter)) variable = sum->first;
    const auto& params = f_.block(header_).params;
    const auto at = std::ranges::find(params, variable);
    if (at == params.end()) return std::nullopt;
    const auto k = static_cast<size_t>(at - params.begin());
    std::optional<int64_t> step, start;
    bool one_start = true;
    const bool known = every_edge_into(f_, cfg_, header_, [&](BlockId from, const Target& t) {
      const ValueId passed = t.args[k];
      if (!cycles_.contains(cycle_, from.index)) {
        if (!f_.is_const(passed) || (start && *start != number(passed))) one_start = false;
        if (f_.is_const(passed)) start = number(passed);
        return true;
      }
      const auto sum = sum_of(passed);
      if (!sum || sum->first != variable || sum->second == 0 || (step && *step != sum->second)) return false;
      step = sum->second;
      return true;
    });
    if (!known || !step) return std::nullopt;
    const double end = static_cast<double>(number(bound)), by = static_cast<double>(*step);
    constexpr double kPart = 0.5;  // of the way, where the start is not known
    const bool same = one_start && start;
    const double most = same ? (end - static_cast<double>(*start)) / by : by > 0 ? end / by : 0;
    const double mean = same ? most : std::max(1.0, kPart * most);
    return most >= 1 ? std::optional(TripCountEstimate{mean, most}) : std::nullopt;
  }

  // The value and the constant that are added.
  std::optional<std::pair<ValueId, int64_t>> sum_of(ValueId v) const {
    const InstId d = f_.is_inline(v) ? InstId() : f_.def(v);
    if (!d || f_.inst(d).op != Op::add || !f_.is_const(f_.inst(d).operands[1])) return std::nullopt;
    return std::pair(f_.inst(d).operands[0], number(f_.inst(d).operands[1]));
  }

  int64_t number(ValueId v) const {
    const unsigned unused = 64 - f_.type(v).bits();
    return static_cast<int64_t>(f_.value(v).bits << unused) >> unused;
  }

  const Function& f_;
  const Cfg& cfg_;
  const Cycles& cycles_;
  uint32_t cycle_;
  BlockId header_;
  std::optional<TripCountEstimate> least_;
};

}  // namespace

std::optional<TripCountEstimate> estimate_trip_count(const Function& thread, const Cfg& cfg,
                                                     const Cycles& cycles, uint32_t cycle) {
  return TripCountEstimator(thread, cfg, cycles, cycle).find();
}

}  // namespace kc
