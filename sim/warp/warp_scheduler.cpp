// SPDX-License-Identifier: Apache-2.0
#include "sim/warp/warp_scheduler.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <ranges>

namespace kc {
namespace {

void join(LaneSet& into, const LaneSet& more) {
  auto middle = static_cast<std::ptrdiff_t>(into.size());
  into.insert(into.end(), more.begin(), more.end());
  std::inplace_merge(into.begin(), into.begin() + middle, into.end());
}

class IpdomScheduler : public WarpScheduler {
 public:
  explicit IpdomScheduler(const PostDominatorTree& post) : post_(post) {}

  void start(BlockId entry, LaneSet lanes) override {
    stack_.push_back({entry, BlockId(), std::move(lanes)});
  }
  BlockId block() const override { return stack_.empty() ? BlockId() : stack_.back().at; }
  const LaneSet& lanes() const override { return stack_.back().lanes; }
  size_t depth() const override { return stack_.size(); }
  std::vector<WarpExit> waiting() const override {
    // An entry has the lanes of the entries above it, too.
    std::vector<WarpExit> all;
    LaneSet above;
    for (const Entry& e : stack_ | std::views::reverse) {
      LaneSet own;
      std::ranges::set_difference(e.lanes, above, std::back_inserter(own));
      if (&e != &stack_.back() && !own.empty()) all.push_back({e.at, own});
      join(above, own);
    }
    return all;
  }

  bool leave(std::span<WarpExit> exits) override {
    drop_ended(exits);
    if (stack_.empty() || exits.empty()) return true;
    if (exits.size() == 1) {
      stack_.back().at = exits[0].to;
      arrive();
      return true;
    }
    BlockId meeting = post_.ipdom[stack_.back().at.index];
    stack_.back().at = meeting;
    // This entry would only wait for the arms, and others already do.
    if (meeting == stack_.back().meet) stack_.pop_back();
    for (size_t i = exits.size(); i-- > 0;)
      if (exits[i].to != meeting) stack_.push_back({exits[i].to, meeting, std::move(exits[i].lanes)});
    arrive();
    return true;
  }

 private:
  struct Entry {
    BlockId at;
    // reconvergence block, where the lanes leave the entry for the one below; invalid: at their end
    BlockId meet;
    LaneSet lanes;
  };

  // Lanes that ended in the block of the top entry end in all entries.
  void drop_ended(std::span<const WarpExit> exits) {
    size_t left = 0;
    for (const WarpExit& e : exits) left += e.lanes.size();
    if (left == stack_.back().lanes.size()) return;
    LaneSet gone = stack_.back().lanes;
    for (const WarpExit& e : exits)
      std::erase_if(gone, [&](uint32_t l) { return std::binary_search(e.lanes.begin(), e.lanes.end(), l); });
    for (Entry& e : stack_)
      std::erase_if(e.lanes, [&](uint32_t l) { return std::binary_search(gone.begin(), gone.end(), l); });
    std::erase_if(stack_, [](const Entry& e) { return e.lanes.empty(); });
  }

  // An entry at its reconvergence block is done: the one below contains its lanes.
  void arrive() {
    while (!stack_.empty() && stack_.back().at == stack_.back().meet) {
      if (stack_.back().at.valid()) ++merges;
      stack_.pop_back();
    }
  }

  const PostDominatorTree& post_;
  std::vector<Entry> stack_;
};

class StackScheduler : public WarpScheduler {
 public:
  explicit StackScheduler(const BlockPriorities& priorities) : order_(priorities) {}

  void start(BlockId entry, LaneSet lanes) override {
    waiting_[order_.position[entry.index]] = {entry, std::move(lanes)};
  }
  BlockId block() const override { return waiting_.empty() ? BlockId() : waiting_.begin()->second.to; }
  const LaneSet& lanes() const override { return waiting_.begin()->second.lanes; }
  size_t depth() const override { return waiting_.size(); }
  std::vector<WarpExit> waiting() const override {
    std::vector<WarpExit> all;
    for (const auto& [position, lanes] : waiting_)
      if (lanes.to != block()) all.push_back(lanes);
    return all;
  }

  bool leave(std::span<WarpExit> exits) override {
    waiting_.erase(waiting_.begin());
    for (WarpExit& e : exits) wait(e);
    return true;
  }

 protected:
  void wait(WarpExit& e) {
    auto [place, fresh] = waiting_.try_emplace(order_.position[e.to.index], WarpExit{e.to, {}});
    if (!fresh) ++merges;
    join(place->second.lanes, e.lanes);
  }

  const BlockPriorities& order_;
  std::map<uint32_t, WarpExit> waiting_;  // by position
};

class SandyScheduler : public StackScheduler {
 public:
  using StackScheduler::StackScheduler;

  void start(BlockId entry, LaneSet lanes) override {
    at_ = entry;
    StackScheduler::start(entry, std::move(lanes));
  }
  BlockId block() const override { return waiting_.empty() ? BlockId() : at_; }
  const LaneSet& lanes() const override {
    static const LaneSet none;
    auto here = waiting_.find(order_.position[at_.index]);
    return here == waiting_.end() ? none : here->second.lanes;
  }
  size_t depth() const override { return 0; }

  bool leave(std::span<WarpExit> exits) override {
    waiting_.erase(order_.position[at_.index]);
    bool all_together = waiting_.empty() && exits.size() == 1;
    for (WarpExit& e : exits) wait(e);
    if (waiting_.empty()) return true;
    BlockId next = all_together ? exits[0].to : BlockId();
    if (!all_together) {
      if (order_.top[at_.index] != kNone) next = BlockId(order_.top[at_.index]);
      for (const WarpExit& e : exits)
        if (!next.valid() || order_.position[e.to.index] < order_.position[next.index]) next = e.to;
    }
    at_ = next;
    // Waiting lanes are never before the current block.
    return next.valid() && order_.position[next.index] <= waiting_.begin()->first;
  }

 private:
  BlockId at_;
};

}  // namespace

std::string_view to_string(WarpScheme scheme) {
  constexpr std::array<std::string_view, static_cast<size_t>(WarpScheme::Count_)> names{"ipdom", "tf-stack",
                                                                                        "tf-sandy"};
  return names[static_cast<size_t>(scheme)];
}

std::unique_ptr<WarpScheduler> make_scheduler(WarpScheme scheme, const PostDominatorTree& post,
                                              const BlockPriorities& priorities) {
  switch (scheme) {
    case WarpScheme::TfStack:
      return std::make_unique<StackScheduler>(priorities);
    case WarpScheme::TfSandy:
      return std::make_unique<SandyScheduler>(priorities);
    default:
      return std::make_unique<IpdomScheduler>(post);
  }
}

}  // namespace kc
