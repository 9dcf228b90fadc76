// SPDX-License-Identifier: Apache-2.0
// The checker of `reconverge`. It uses nothing of the pass, only post-dominators and the layout.
#include <fmt/format.h>

#include "ir/cfg.h"
#include "ir/text.h"
#include "passes/analysis/reconvergence_points.h"
#include "passes/restructure/reconverge.h"

namespace kc {
namespace {

class Checker {
 public:
  Checker(const Function& function, const Uniformity& uniformity)
      : f(function),
        u(uniformity),
        cfg_(function),
        post_(function, cfg_),
        position_(f.block_count(), 0),
        seen_(f.block_count(), 0),
        waiting_(f.block_count()),
        meets_(f.block_count()) {
    for (size_t i = 0; i < f.layout.size(); ++i) position_[f.layout[i].index] = i;
  }

  std::vector<std::string> run() {
    for (BlockId b : cfg_.rpo)
      if (u.divergent_branch[b.index]) branch(b);
    for (BlockId s : f.layout) {
      ++epoch_;
      for (BlockId b : waiting_[s.index])
        for (const Target& t : f.successors(b)) follow(t.block, s);
      for (BlockId b : waiting_[s.index]) meets_[b.index] = s;
    }
    return std::move(errors_);
  }

 private:
  std::string name(BlockId b) const {
    return fmt::format("block {} of the layout ({})", position_[b.index], print(f, f.terminator(b)));
  }

  void branch(BlockId b) {
    auto targets = f.successors(b);
    bool two = f.inst(f.terminator(b)).op == Op::br_if && targets[0].block != targets[1].block;
    if (!two) {
      errors_.push_back(fmt::format("{} is no br_if with two different targets", name(b)));
      return;
    }
    int k = secondary_target(f, post_, b);
    if (k < 0) {
      errors_.push_back(fmt::format("no target post-dominates {}", name(b)));
      return;
    }
    BlockId s = targets[static_cast<size_t>(k)].block;
    if (position_[s.index] <= position_[b.index])
      errors_.push_back(fmt::format("work-items of {} meet earlier in the layout", name(b)));
    waiting_[s.index].push_back(b);
  }

  // Visits everything between a primary and the secondary s, for all branches with this secondary at once. A
  // branch with an earlier secondary has been visited before: the blocks up to its secondary lead there.
  void follow(BlockId from, BlockId s) {
    std::vector<BlockId> work;
    auto enter = [&](BlockId b) {
      if (b == s || seen_[b.index] == epoch_) return;
      seen_[b.index] = epoch_;
      if (position_[b.index] > position_[s.index])
        errors_.push_back(fmt::format("{} is reached before {}, which it follows", name(b), name(s)));
      work.push_back(b);
    };
    enter(from);
    while (!work.empty()) {
      BlockId b = work.back();
      work.pop_back();
      if (meets_[b.index].valid())
        enter(meets_[b.index]);
      else
        for (const Target& t : f.successors(b)) enter(t.block);
    }
  }

  const Function& f;
  const Uniformity& u;
  Cfg cfg_;
  PostDominatorTree post_;
  std::vector<size_t> position_, seen_;
  std::vector<std::vector<BlockId>> waiting_;  // by secondary: its branches
  std::vector<BlockId> meets_;                 // by branch: its secondary, once visited
  size_t epoch_ = 0;
  std::vector<std::string> errors_;
};

}  // namespace

std::vector<std::string> check_reconverging(const Function& f, const Uniformity& u) {
  return Checker(f, u).run();
}

}  // namespace kc
