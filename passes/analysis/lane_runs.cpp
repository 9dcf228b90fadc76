// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/lane_runs.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "ir/cfg.h"
#include "passes/analysis/costs.h"
#include "passes/analysis/lane_steps.h"
#include "passes/analysis/lane_walks.h"
#include "passes/analysis/loop_steps.h"

namespace kc {
namespace {

// A product of a matrix of 1024 columns with a vector, a row for each work-item, takes 0.24 ms with 8 or 16
// lanes, 0.44 with 32 and 0.93 with 64; with 1025 columns 0.22 to 0.26. Sums along the rows of a picture that
// are written take 0.6 ms with 8 lanes and 4 to 6 with more: a line that is pushed out is written back, and
// read again.
constexpr unsigned kMostRead = 16, kMostWritten = 8;
// Of what the loop computes, for each run: where it is more, more lanes hide that, and lost lines matter
// less.
constexpr uint32_t kMostCost = 24;

constexpr int64_t kFarLanes = 512;  // bytes from lane to lane
constexpr int64_t kCacheLine = 64;  // bytes
// Loads that move by less from iteration to iteration use a line for so long that it matters little: parsers
// of text, a string for each work-item, take 1.3 to 2 times as long with 16 lanes as with 32 or 64.
constexpr int64_t kShortStep = 4;

// Accesses whose addresses differ by a constant are to the same run.
using Run = std::pair<ValueId, ValueId>;  // a pointer and what is added to it
Run run_of(const Function& f, ValueId address) {
  for (;;) {
    const InstId d = f.def(address);
    if (!d || f.inst(d).op != Op::ptr_add) return {address, ValueId()};
    const ValueList& operands = f.inst(d).operands;
    if (!f.is_const(operands[1])) return {operands[0], operands[1]};
    address = operands[0];
  }
}

// What a loop, or the function, computes from what it loads.
class Loaded {
 public:
  /// Of the function: kNone.
  Loaded(const Function& thread, const Cfg& cfg, const Cycles& cycles, uint32_t loop)
      : f_(thread), cfg_(cfg), cycles_(cycles), loop_(loop) {}

  /// Also where so many steps lead to the value that they are not followed.
  bool decides(ValueId v, int depth = kDeepest) {
    if (f_.is_inline(v) || (loop_ != kNone && !cycles_.defines(loop_, f_, v))) return false;
    const auto [at, fresh] = known_.try_emplace(v.index, false);
    if (!fresh) return at->second;
    const bool r = depth == 0 || (f_.def(v) ? decides_result(f_.inst(f_.def(v)), depth - 1)
                                            : decides_parameter(v, depth - 1));
    return known_[v.index] = r;
  }

 private:
  static constexpr int kDeepest = 48;

  bool decides_result(const Inst& inst, int depth) {
    return loads(inst.op) || std::ranges::any_of(inst.operands, [&](ValueId o) { return decides(o, depth); });
  }
  bool decides_parameter(ValueId v, int depth) {
    const Value& value = f_.value(v);
    return !every_edge_into(f_, cfg_, BlockId(value.owner),
                            [&](BlockId, const Target& t) { return !decides(t.args[value.index], depth); });
  }

  const Function& f_;
  const Cfg& cfg_;
  const Cycles& cycles_;
  uint32_t loop_;
  std::unordered_map<uint32_t, bool> known_;  // by value; false while it is looked at
};

struct Loop {
  Loop(const Function& thread, const Cfg& cfg, const Cycles& cycles, uint32_t number)
      : steps(thread, cfg, cycles, number), loaded(thread, cfg, cycles, number) {}
  LoopSteps steps;
  Loaded loaded;
  uint32_t cost = 0;
  std::set<Run> read, written;
  bool others = false;  // loads at addresses that come from loads

  bool has_runs() const {
    return !others && !(read.empty() && written.empty()) &&
           cost <= kMostCost * (read.size() + written.size());
  }
};

}  // namespace

unsigned most_lanes_for_runs(const Function& thread, AnalysisCache& analyses) {
  const Uniformity& u = analyses.uniformity();
  LaneSteps lanes(thread, analyses.cfg(), u);
  std::map<uint32_t, Loop> loops;
  Loaded anywhere(thread, analyses.cfg(), u.cycles, kNone);
  // Bytes and shorts are read in words of several iterations: each line is used up soon.
  std::unordered_set<uint32_t> in_words;
  for (const LaneWalk& walk : find_lane_walks(thread, analyses, u, lanes))
    for (InstId load : walk.loads) in_words.insert(load.index);
  for (BlockId b : analyses.cfg().rpo) {
    const uint32_t number = u.cycles.innermost[b.index];
    if (number == kNone || !u.cycles.is_innermost(number)) continue;
    Loop& loop = loops.try_emplace(number, thread, analyses.cfg(), u.cycles, number).first->second;
    for (InstId i : thread.block(b).insts) {
      const Inst& inst = thread.inst(i);
      if (!loads(inst.op) && !stores(inst.op)) {
        loop.cost += masked_cost(thread, inst, kCpuCosts);
        continue;
      }
      if (!u.divergent[inst.operands[0].index] || in_words.contains(i.index)) continue;
      const auto forward = loop.steps.of(inst.operands[0]);
      loop.others |= !forward && loads(inst.op) && loop.loaded.decides(inst.operands[0]);
      if (thread.type(inst.operands[0]).elem == Elem::PtrPrivate) continue;
      if (!forward || *forward == 0 || *forward <= -kCacheLine || *forward >= kCacheLine) continue;
      if (loads(inst.op) && *forward > -kShortStep && *forward < kShortStep) continue;
      // Rows whose starts are in memory, as those of sparse matrices, tend to be short.
      if (u.divergent_exit[number] && anywhere.decides(inst.operands[0])) continue;
      const auto apart = lanes.of(inst.operands[0]);
      if (!apart || *apart <= -kFarLanes || *apart >= kFarLanes)
        (loads(inst.op) ? loop.read : loop.written).insert(run_of(thread, inst.operands[0]));
    }
  }
  unsigned most = kAnyLanes;
  for (const auto& [number, loop] : loops)
    if (loop.has_runs()) most = std::min(most, loop.written.empty() ? kMostRead : kMostWritten);
  return most;
}

}  // namespace kc
