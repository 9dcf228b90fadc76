// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/lane_walks.h"

#include <algorithm>
#include <cstdlib>

#include "ir/cfg.h"
#include "passes/analysis/loop_steps.h"

namespace kc {
namespace {

constexpr int64_t kReadTogether = 8;    // bytes of a lane that are read together
constexpr int64_t kMostBytesAStep = 3;  // bytes from iteration to iteration; of more the backend reads words
constexpr int64_t kLanesNear = 16;      // bytes between lanes that are loaded side by side
constexpr size_t kMostUnrolled = 400;   // instructions of all copies
constexpr int64_t kMostCounted = 1 << 16;  // from iteration to iteration
constexpr uint32_t kFewestCopies = 4;

class LaneWalkFinder {
 public:
  LaneWalkFinder(const Function& thread, AnalysisCache& analyses, const Uniformity& uniformity,
                 LaneSteps& lanes)
      : f(thread),
        cfg_(analyses.cfg()),
        tree_(analyses.dominators()),
        cycles_(analyses.cycles()),
        u_(uniformity),
        lanes_(lanes) {}

  std::vector<LaneWalk> run() {
    std::vector<LaneWalk> r;
    for (uint32_t c = 0; c < cycles_.cycles.size(); ++c)
      if (cycles_.is_innermost(c))
        if (auto walk = look_at(c)) r.push_back(std::move(*walk));
    return r;
  }

 private:
  std::optional<LaneWalk> look_at(uint32_t c) {
    const Cycle& cycle = cycles_.cycles[c];
    const BlockId header(cycle.header);
    if (!cycle.reducible() || header == f.entry()) return std::nullopt;
    LaneWalk walk{.cycle = c};
    for (uint32_t n : cycles_.nodes(c)) walk.blocks.push_back(BlockId(n));
    std::ranges::sort(walk.blocks, {}, [&](BlockId b) { return cfg_.number[b.index]; });
    if (!has_one_way(walk)) return std::nullopt;
    LoopSteps steps(f, cfg_, cycles_, c);
    if (!read_test(walk, steps) || !read_accesses(walk, steps) || walk.loads.empty()) return std::nullopt;
    return walk;
  }

  // One edge out, at the header or the latch, and one back to the header.
  bool has_one_way(LaneWalk& walk) {
    const BlockId header = walk.blocks[0];
    size_t exits = 0, back = 0;
    for (BlockId b : walk.blocks) {
      const auto targets = f.successors(b);
      for (size_t k = 0; k < targets.size(); ++k) {
        if (!cycles_.contains(walk.cycle, targets[k].block)) {
          ++exits, walk.test.block = b, walk.test.staying = k == 0 ? 1 : 0;
          continue;
        }
        if (targets[k].block == header) ++back, latch_ = b;
      }
    }
    if (exits != 1 || back != 1) return false;
    const Inst& end = f.inst(f.terminator(walk.test.block));
    return end.op == Op::br_if && (walk.test.block == header || walk.test.block == latch_);
  }

  bool read_test(LaneWalk& walk, LoopSteps& steps) const {
    LoopTest& test = walk.test;
    const InstId d = f.def(f.inst(f.terminator(test.block)).operands[0]);
    if (!d) return false;
    const Inst& compares = f.inst(d);
    if (compares.op != Op::slt && compares.op != Op::sle && compares.op != Op::ult &&
        compares.op != Op::ule && compares.op != Op::ne && compares.op != Op::eq)
      return false;
    for (size_t k : {0, 1}) {
      const auto sum = steps.sum_of(compares.operands[k]);
      const ValueId bound = compares.operands[1 - k];
      const auto step = sum ? steps.of(sum->param) : std::nullopt;
      if (!step || *step == 0 || steps.is_inside(bound)) continue;
      test.param = sum->param, test.first = sum->constant, test.step = *step;
      test.comparison = d, test.bound = 1 - k;
      // The relation in which the number is to the bound while the loop goes on.
      const bool goes_on = test.staying == 0;
      if (compares.op == Op::ne || compares.op == Op::eq) {
        test.not_equal = true;
        return goes_on == (compares.op == Op::ne) && std::abs(test.step) == 1;
      }
      // Several steps may be more than a number of fewer bits holds.
      if (f.type(bound).bits() < 32) return false;
      test.is_signed = compares.op == Op::slt || compares.op == Op::sle;
      const bool with_equal = compares.op == Op::sle || compares.op == Op::ule;
      test.inclusive = with_equal == goes_on;
      const bool below = (k == 0) == goes_on;
      return below == (test.step > 0);
    }
    return false;
  }

  bool read_accesses(LaneWalk& walk, LoopSteps& steps) {
    size_t size = 0, branches = 0;
    int64_t longest = 1;
    for (BlockId b : walk.blocks) size += f.block(b).insts.size();
    if (size * kFewestCopies > kMostUnrolled) return false;
    for (BlockId b : walk.blocks) {
      branches += b != walk.test.block && f.successors(b).size() > 1;
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        const OpInfo& row = info(inst.op);
        if (row.has(Convergent)) return false;
        walk.stores |=
            row.effects != Effects::None && row.effects != Effects::Control && row.effects != Effects::Read;
        if (inst.op != Op::load && inst.op != Op::store) continue;
        // Of accesses that some iterations do without, numbers may wrap around between two that do not.
        const auto grows = tree_.dominates(b, latch_) ? steps.of(inst.operands[0]) : std::nullopt;
        if (!grows || *grows == 0 || *grows < -kMostCounted || *grows > kMostCounted) continue;
        walk.accesses.push_back({i, *grows});
        if (inst.op == Op::load && is_far(i, *grows)) {
          walk.loads.push_back(i);
          longest = std::max(longest, std::abs(*grows));
        }
      }
    }
    walk.factor = longest == 1 ? kReadTogether : kFewestCopies;
    // Between branches and stores loads stay where they are, and what they read is not read together.
    return size * walk.factor <= kMostUnrolled && !(walk.stores && branches);
  }

  // Whether lanes read bytes or shorts far from each other.
  bool is_far(InstId load, int64_t grows) {
    const ValueId address = f.inst(load).operands[0];
    const Type type = f.type(f.inst(load).results[0]);
    if (type.bytes() >= 4 || std::abs(grows) > kMostBytesAStep || f.type(address) == kPtrPrivate)
      return false;
    if (!u_.divergent[address.index]) return false;
    const auto between = lanes_.of(address);
    return !between || *between < -kLanesNear || *between > kLanesNear;
  }

  const Function& f;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  const Cycles& cycles_;
  const Uniformity& u_;
  LaneSteps& lanes_;
  BlockId latch_;  // of the loop that is looked at
};

}  // namespace

std::vector<LaneWalk> find_lane_walks(const Function& thread, AnalysisCache& analyses,
                                      const Uniformity& uniformity, LaneSteps& lanes) {
  return LaneWalkFinder(thread, analyses, uniformity, lanes).run();
}

}  // namespace kc
