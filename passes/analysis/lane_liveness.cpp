// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/lane_liveness.h"

#include <algorithm>
#include <map>

namespace kc {
namespace {

using Intervals = std::vector<std::pair<uint32_t, uint32_t>>;

void make_disjoint(Intervals& list) {
  std::ranges::sort(list);
  size_t kept = 0;
  for (auto [from, to] : list) {
    if (kept > 0 && from <= list[kept - 1].second)
      list[kept - 1].second = std::max(list[kept - 1].second, to);
    else
      list[kept++] = {from, to};
  }
  list.resize(kept);
}

bool contains(const Intervals& list, uint32_t position) {
  auto it = std::ranges::upper_bound(list, position, {}, &std::pair<uint32_t, uint32_t>::first);
  return it != list.begin() && position < std::prev(it)->second;
}

}  // namespace

bool LaneVariable::waits_at(uint32_t position) const { return contains(waits, position); }

LaneLiveness::LaneLiveness(const Function& f, const Cfg& cfg, const Uniformity& uniformity,
                           const ReconvergencePlan& waits)
    : variable_(f.value_count(), kNone), kept_(f.value_count(), kNone), seen_for_(f.block_count(), kNone) {
  // In a wave of one lane, say, no lane waits and none has a copy.
  if (std::ranges::find(uniformity.divergent, true) == uniformity.divergent.end()) return;
  webs_.emplace(f, cfg, DominatorTree(f, cfg), uniformity.divergent);
  add_waits(f, uniformity, waits);
  for (LaneVariable& v : variables) make_disjoint(v.waits);
}

void LaneLiveness::add_waits(const Function& f, const Uniformity& uniformity,
                             const ReconvergencePlan& waits) {
  std::vector<Intervals> web_waits(webs_->count());
  std::map<ValueId, std::vector<BlockId>> recomputed;  // uniform values: blocks where lanes wait meanwhile
  for (BlockId b : f.layout) {
    if (!waits.waited_for(b)) continue;
    const std::pair interval{waits.waits_from[b.index], waits.position[b.index]};
    for (ValueId v : webs_->live_in(b)) {
      if (uniformity.divergent[v.index]) {
        web_waits[webs_->of(v)].push_back(interval);
        continue;
      }
      uint32_t at = waits.position[block_of(f, v).index];
      // The interval may include blocks the wave cannot reach; only divergent uses need copies.
      if (interval.first <= at && at < interval.second && uniformity.divergent_use(f, b, v))
        recomputed[v].push_back(b);
    }
  }
  for (uint32_t web = 0; web < webs_->count(); ++web) {
    auto members = webs_->members(web);
    if (!uniformity.divergent[members[0].index]) continue;
    make_disjoint(web_waits[web]);
    bool needed = std::ranges::any_of(members, [&](ValueId v) {
      return f.value(v).kind == ValueKind::Param ||
             contains(web_waits[web], waits.position[block_of(f, v).index]);
    });
    if (!needed) continue;
    for (ValueId v : members) variable_[v.index] = static_cast<uint32_t>(variables.size());
    Type type = f.type(members[0]);
    variables.push_back({.type = type, .mask = type == kI1, .waits = std::move(web_waits[web])});
    web_of_.push_back(web);
    kept_in_.emplace_back();
  }
  for (auto& [v, from] : recomputed) {
    kept_[v.index] = static_cast<uint32_t>(variables.size());
    LaneVariable& kept = variables.emplace_back(LaneVariable{.type = f.type(v)});
    for (BlockId b : from) kept.waits.push_back({waits.waits_from[b.index], waits.position[b.index]});
    web_of_.push_back(kNone);
    kept_in_.emplace_back();
    keep(f, v, from);
  }
}

// Marks the uses that waiting lanes reach: the value's live range from the blocks of `from` on.
void LaneLiveness::keep(const Function& f, ValueId v, std::span<const BlockId> from) {
  auto& kept = kept_in_[kept_[v.index]];
  const uint32_t mark = kept_[v.index];
  std::vector<BlockId> work(from.begin(), from.end());
  while (!work.empty()) {
    BlockId b = work.back();
    work.pop_back();
    if (seen_for_[b.index] == mark || !webs_->is_live_in(v, b)) continue;
    seen_for_[b.index] = mark;
    kept.push_back(b);
    for (const Target& t : f.successors(b)) work.push_back(t.block);
  }
  std::ranges::sort(kept);
}

bool LaneLiveness::uses_kept(ValueId v, BlockId user) const {
  return std::ranges::binary_search(kept_in_[kept_[v.index]], user);
}

bool LaneLiveness::is_live_in(uint32_t variable, BlockId b) const {
  return web_of_[variable] != kNone && webs_->is_live_in(web_of_[variable], b);
}

}  // namespace kc
