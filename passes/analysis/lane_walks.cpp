// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/lane_walks.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "ir/cfg.h"
#include "passes/analysis/steps.h"

namespace kc {
namespace {

constexpr int64_t kReadTogether = 8;    // bytes of a lane that are read together
constexpr int64_t kMostBytesAStep = 3;  // bytes from iteration to iteration; of more the backend reads words
constexpr int64_t kLanesNear = 16;      // bytes between lanes that are loaded side by side
constexpr size_t kMostUnrolled = 400;   // instructions of all copies
constexpr int64_t kMostCounted = 1 << 16;  // from iteration to iteration
constexpr uint32_t kFewestCopies = 4;
constexpr int kDeepestStep = 24;

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
    steps_of_params(walk);
    if (!read_test(walk) || !read_accesses(walk) || walk.loads.empty()) return std::nullopt;
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
        if (targets[k].block == header) ++back, latch_ = b, back_ = &targets[k];
      }
    }
    if (exits != 1 || back != 1) return false;
    const Inst& end = f.inst(f.terminator(walk.test.block));
    return end.op == Op::br_if && (walk.test.block == header || walk.test.block == latch_);
  }

  // Which parameters of the header grow evenly: what comes back is a sum of the parameter and a constant.
  void steps_of_params(const LaneWalk& walk) {
    header_ = walk.blocks[0], cycle_ = walk.cycle;
    known_steps_.clear();
    const auto& params = f.block(header_).params;
    step_.assign(params.size(), std::nullopt);
    for (size_t k = 0; k < params.size(); ++k) {
      const auto sum = from_param(back_->args[k]);
      if (sum && sum->param == params[k] && std::abs(sum->constant) <= kMostCounted) step_[k] = sum->constant;
    }
  }

  // A parameter of the header plus a constant.
  struct Sum {
    ValueId param;
    int64_t constant = 0;
  };
  std::optional<Sum> from_param(ValueId v) const {
    int64_t constant = 0;
    for (int depth = 0; depth < kDeepestStep; ++depth) {
      if (f.is_inline(v)) return std::nullopt;
      if (f.value(v).kind == ValueKind::Param)
        return BlockId(f.value(v).owner) == header_ ? std::optional(Sum{v, constant}) : std::nullopt;
      const Inst& inst = f.inst(f.def(v));
      if (!cycles_.contains(cycle_, inst.block) || (inst.op != Op::add && inst.op != Op::ptr_add))
        return std::nullopt;
      const auto more = signed_constant(f, inst.operands[1]);
      if (!more || std::abs(*more) > kMostCounted) return std::nullopt;
      constant += inst.op == Op::add ? *more : *more * inst.attrs[0] + inst.attrs[1];
      v = inst.operands[0];
    }
    return std::nullopt;
  }

  std::optional<int64_t> step_of_param(ValueId param) const {
    const auto& params = f.block(header_).params;
    return step_[static_cast<size_t>(std::ranges::find(params, param) - params.begin())];
  }

  bool read_test(LaneWalk& walk) const {
    LoopTest& test = walk.test;
    const InstId d = f.def(f.inst(f.terminator(test.block)).operands[0]);
    if (!d) return false;
    const Inst& compares = f.inst(d);
    if (compares.op != Op::slt && compares.op != Op::sle && compares.op != Op::ult &&
        compares.op != Op::ule && compares.op != Op::ne && compares.op != Op::eq)
      return false;
    for (size_t k : {0, 1}) {
      const auto sum = from_param(compares.operands[k]);
      const ValueId bound = compares.operands[1 - k];
      const auto step = sum ? step_of_param(sum->param) : std::nullopt;
      if (!step || *step == 0 || is_inside(bound)) continue;
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

  bool is_inside(ValueId v) const {
    if (f.is_inline(v)) return false;
    const BlockId b = block_of(f, v);
    return b.valid() && cycles_.contains(cycle_, b);
  }

  // By how much a value grows with each iteration.
  std::optional<int64_t> step(ValueId v, int depth = kDeepestStep) {
    if (!is_inside(v)) return 0;
    if (depth == 0) return std::nullopt;
    if (const auto known = known_steps_.find(v.index); known != known_steps_.end()) return known->second;
    const auto found = find_step(v, depth);
    known_steps_.emplace(v.index, found);
    return found;
  }
  std::optional<int64_t> find_step(ValueId v, int depth) {
    if (f.value(v).kind == ValueKind::Param)
      return BlockId(f.value(v).owner) == header_ ? step_of_param(v) : std::nullopt;
    const Inst& inst = f.inst(f.def(v));
    // Small numbers wrap around while an array lasts.
    if (inst.operands.empty() || f.type(v).bits() < 32 || f.type(inst.operands[0]).bits() < 32)
      return std::nullopt;
    return step_of_result(f, inst, [&](ValueId o) { return step(o, depth - 1); });
  }

  bool read_accesses(LaneWalk& walk) {
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
        const auto grows = tree_.dominates(b, latch_) ? step(inst.operands[0]) : std::nullopt;
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
  // Of the loop that is looked at.
  BlockId header_, latch_;
  uint32_t cycle_ = 0;
  const Target* back_ = nullptr;
  std::vector<std::optional<int64_t>> step_;  // by parameter of the header
  std::unordered_map<uint32_t, std::optional<int64_t>> known_steps_;
};

}  // namespace

std::vector<LaneWalk> find_lane_walks(const Function& thread, AnalysisCache& analyses,
                                      const Uniformity& uniformity, LaneSteps& lanes) {
  return LaneWalkFinder(thread, analyses, uniformity, lanes).run();
}

}  // namespace kc
