// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/lane_runs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "ir/cfg.h"
#include "passes/analysis/costs.h"
#include "passes/analysis/lane_steps.h"
#include "passes/analysis/steps.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

// A product of a matrix of 1024 columns with a vector, a row for each work-item, takes 0.24 ms with 8 or 16
// lanes, 0.44 with 32 and 0.93 with 64; with 1025 columns 0.22 to 0.26. Sums along the rows of a picture that
// are written take 0.6 ms with 8 lanes and 4 to 6 with more: a line that is pushed out is written back, and
// read again.
constexpr unsigned kMostRead = 16, kMostWritten = 8;
// Of what the loop computes, for each access to a run: where it is more, more lanes hide that, and lost lines
// matter less.
constexpr uint32_t kMostCost = 24;

constexpr int64_t kFarLanes = 512;  // bytes from lane to lane
constexpr int64_t kCacheLine = 64;  // bytes

// By how much integers and addresses grow from one iteration of a loop to the next.
class LoopSteps {
 public:
  LoopSteps(const Function& thread, const Cfg& cfg, const Cycles& cycles, uint32_t loop)
      : f_(thread), cfg_(cfg), cycles_(cycles), loop_(loop) {}

  std::optional<int64_t> of(ValueId v, int depth = kDeepest) {
    if (f_.is_inline(v) || !cycles_.contains(loop_, block_of(f_, v))) return 0;
    if (depth == 0) return {};
    const auto known = known_.find(v.index);
    if (known != known_.end()) return known->second;
    const auto step = f_.def(v) ? of_result(f_.inst(f_.def(v)), depth) : of_parameter(v);
    known_.emplace(v.index, step);
    return step;
  }

 private:
  static constexpr int kDeepest = 24;

  std::optional<int64_t> of_result(const Inst& inst, int depth) {
    const auto operand = [&](ValueId o) { return of(o, depth - 1); };
    if (const auto step = step_of_result(f_, inst, operand)) return step;
    // What is computed from values that stay the same stays, too.
    const bool stays = std::ranges::all_of(inst.operands, [&](ValueId o) { return operand(o) == 0; });
    return stays && !loads(inst.op) ? std::optional<int64_t>(0) : std::nullopt;
  }

  // A parameter of the loop's header to which every edge from inside adds the same constant.
  std::optional<int64_t> of_parameter(ValueId v) const {
    const Value& value = f_.value(v);
    const BlockId b(value.owner);
    if (b.index != cycles_.cycles[loop_].header) return {};
    std::optional<int64_t> step;
    const bool same = every_edge_into(f_, cfg_, b, [&](BlockId p, const Target& t) {
      if (!cycles_.contains(loop_, p)) return true;
      const InstId d = f_.def(t.args[value.index]);
      if (!d) return false;
      const Inst& next = f_.inst(d);
      const bool adds = (next.op == Op::add || next.op == Op::ptr_add) && next.operands[0] == v;
      const auto growth =
          adds ? step_of_result(
                     f_, next,
                     [&](ValueId o) { return o == v ? std::optional<int64_t>(0) : signed_constant(f_, o); })
               : std::nullopt;
      if (!growth || (step && step != growth)) return false;
      step = growth;
      return true;
    });
    return same ? step : std::nullopt;
  }

  const Function& f_;
  const Cfg& cfg_;
  const Cycles& cycles_;
  uint32_t loop_;
  std::unordered_map<uint32_t, std::optional<int64_t>> known_;  // by value id
};

}  // namespace

unsigned most_lanes_for_runs(const Function& thread, AnalysisCache& analyses) {
  const Uniformity& u = analyses.uniformity();
  LaneSteps lanes(thread, analyses.cfg(), u);
  struct Loop {
    LoopSteps steps;
    uint32_t cost = 0, reads = 0, writes = 0;
    bool others = false;
    bool counts() const { return !others && reads + writes > 0 && cost <= kMostCost * (reads + writes); }
  };
  std::map<uint32_t, Loop> loops;
  for (BlockId b : analyses.cfg().rpo) {
    const uint32_t number = u.cycles.innermost[b.index];
    if (number == kNone || !u.cycles.is_innermost(number) || u.divergent_exit[number]) continue;
    Loop& loop = loops.try_emplace(number, Loop{{thread, analyses.cfg(), u.cycles, number}}).first->second;
    for (InstId i : thread.block(b).insts) {
      const Inst& inst = thread.inst(i);
      if (!loads(inst.op) && !stores(inst.op)) {
        loop.cost += masked_cost(thread, inst, kCpuCosts);
        continue;
      }
      if (!u.divergent[inst.operands[0].index]) continue;
      const auto forward = loop.steps.of(inst.operands[0]);
      if (!forward && loads(inst.op)) loop.others = true;
      if (thread.type(inst.operands[0]).elem == Elem::PtrPrivate) continue;
      if (!forward || *forward == 0 || *forward <= -kCacheLine || *forward >= kCacheLine) continue;
      const auto apart = lanes.of(inst.operands[0]);
      if (!apart || *apart <= -kFarLanes || *apart >= kFarLanes)
        ++(loads(inst.op) ? loop.reads : loop.writes);
    }
  }
  unsigned most = kAnyLanes;
  for (const auto& [number, loop] : loops)
    if (loop.counts()) most = std::min(most, loop.writes ? kMostWritten : kMostRead);
  return most;
}

}  // namespace kc
