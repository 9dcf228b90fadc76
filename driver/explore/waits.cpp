// SPDX-License-Identifier: Apache-2.0
#include "driver/explore/waits.h"

#include <algorithm>
#include <map>

#include "ir/cfg.h"
#include "passes/analysis/cycles.h"

namespace kc {
namespace {

using WaitJson = nlohmann::ordered_json;

// Those where most slots are lost.
constexpr size_t kMostPlaces = 64, kMostOthers = 32;

// What executing lanes have to do with those that wait.
class Encounters {
 public:
  explicit Encounters(const Function& f) : f_(f), cfg_(f), post_(f, cfg_), cycles_(f, cfg_) {}

  std::string_view of(BlockId executing, BlockId waiting) const {
    if (executing == waiting) return "turn";
    if (post_.post_dominates(waiting, executing)) return "comes";
    return reaches(executing, waiting) ? "may" : "turn";
  }

 private:
  // Within one iteration of the loops around both.
  bool reaches(BlockId from, BlockId to) const {
    const uint32_t around = cycles_.smallest_with(from.index, to.index);
    const BlockId header = around == kNone ? BlockId() : BlockId(cycles_.cycles[around].header);
    std::vector<bool> seen(f_.block_count());
    std::vector<BlockId> pending{from};
    while (!pending.empty()) {
      const BlockId at = pending.back();
      pending.pop_back();
      for (const Target& t : f_.successors(at)) {
        if (t.block == to) return true;
        if (t.block == header || seen[t.block.index]) continue;
        seen[t.block.index] = true;
        pending.push_back(t.block);
      }
    }
    return false;
  }

  const Function& f_;
  const Cfg cfg_;
  const PostDominatorTree post_;
  const Cycles cycles_;
};

using Slots = WaitCounts::Idle;
void most_first(std::vector<Slots>& all) {
  std::ranges::sort(all, [](const Slots& a, const Slots& b) {
    return a.slots != b.slots ? a.slots > b.slots : a.block.index < b.block.index;
  });
}

}  // namespace

void WaitCounts::add(BlockId executing, size_t active, uint32_t width, const std::vector<WarpExit>& waiting) {
  const uint64_t length = f_.block(executing).insts.size();
  size_t known = active;
  for (const WarpExit& w : waiting) {
    if (w.lanes.empty() || !w.to.valid()) continue;
    slots_[uint64_t{w.to.index} << 32 | executing.index] += length * w.lanes.size();
    known += w.lanes.size();
  }
  if (known < width) ended_[executing.index] += length * (width - known);
}

std::vector<WaitCounts::Idle> WaitCounts::during(BlockId executing) const {
  std::vector<Idle> all;
  for (const auto& [pair, slots] : slots_)
    if (static_cast<uint32_t>(pair) == executing.index)
      all.push_back({BlockId(static_cast<uint32_t>(pair >> 32)), slots});
  if (const auto it = ended_.find(executing.index); it != ended_.end())
    all.push_back({BlockId(), it->second});
  most_first(all);
  return all;
}

void WaitCounts::write(WaitJson& trace, const std::vector<size_t>& number) const {
  std::map<uint32_t, std::vector<Slots>> at;  // by the block where lanes wait
  for (const auto& [pair, slots] : slots_)
    at[static_cast<uint32_t>(pair >> 32)].push_back({BlockId(static_cast<uint32_t>(pair)), slots});
  std::vector<Slots> places;
  for (auto& [block, others] : at) {
    most_first(others);
    uint64_t sum = 0;
    for (const Slots& o : others) sum += o.slots;
    places.push_back({BlockId(block), sum});
  }
  most_first(places);
  if (places.size() > kMostPlaces) places.resize(kMostPlaces);
  const Encounters encounters(f_);
  WaitJson all = WaitJson::array();
  for (const Slots& place : places) {
    std::vector<Slots>& others = at[place.block.index];
    if (others.size() > kMostOthers) others.resize(kMostOthers);
    WaitJson list = WaitJson::array();
    for (const Slots& o : others)
      list.push_back({{"block", number[o.block.index]},
                      {"slots", o.slots},
                      {"how", encounters.of(o.block, place.block)}});
    all.push_back({{"block", number[place.block.index]}, {"slots", place.slots}, {"for", std::move(list)}});
  }
  trace["waits"] = std::move(all);
  uint64_t ended = 0;
  for (const auto& [block, slots] : ended_) ended += slots;
  trace["ended"] = ended;
}

}  // namespace kc
