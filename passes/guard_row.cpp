// SPDX-License-Identifier: Apache-2.0
#include "passes/guard_row.h"

#include <algorithm>

namespace kc {
namespace {

constexpr size_t kMostWork = 20'000'000;  // values moved before giving up

void sort_unique(std::vector<uint32_t>& v) {
  std::ranges::sort(v);
  v.erase(std::ranges::unique(v).begin(), v.end());
}

}  // namespace

GuardRow::GuardRow(const SuccessorLists& succs, const std::vector<uint32_t>& entries,
                   const std::vector<uint32_t>& lows, bool late)
    : count_(static_cast<uint32_t>(succs.size())) {
  flows_.push_back({.from_block = true, .to = 0, .values = entries, .edges = entries.size()});
  sort_unique(flows_[0].values);
  place(succs, ways_back(succs, lows, late));
  settle();
  arrive();
}

// By block: how far its back guard leads, or kNone. Intervals of back guards must be within each other or
// apart: one that would overlap begins earlier.
std::vector<uint32_t> GuardRow::ways_back(const SuccessorLists& succs, const std::vector<uint32_t>& lows,
                                          bool late) const {
  std::vector<uint32_t> backs(count_, kNone);
  std::vector<std::pair<uint32_t, uint32_t>> intervals;  // the largest so far, apart from each other
  for (uint32_t b = 0; b < count_; ++b) {
    uint32_t& low = backs[b];
    for (uint32_t s : succs[b])
      if (s <= b) low = std::min({low, s, lows.empty() ? s : lows[b]});
    if (low == kNone) continue;
    while (!intervals.empty() && intervals.back().second >= low) {
      auto [first, last] = intervals.back();
      intervals.pop_back();
      low = std::min(low, first);
      if (late && first == low) backs[last] = kNone;
    }
    intervals.push_back({low, b});
  }
  return backs;
}

void GuardRow::place(const SuccessorLists& succs, const std::vector<uint32_t>& backs) {
  for (uint32_t b = 0; b < count_; ++b) {
    guard_.push_back(static_cast<uint32_t>(stations_.size()));
    stations_.push_back({.block = b});
    if (backs[b] != kNone) stations_.push_back({.back = true, .block = b, .low = backs[b]});
  }
  for (uint32_t b = 0; b < count_; ++b) {
    block_flow_.push_back(static_cast<uint32_t>(flows_.size()));
    flows_.push_back({.from_block = true,
                      .to = guard_[b] + 1,
                      .values{succs[b].begin(), succs[b].end()},
                      .edges = succs[b].size()});
    sort_unique(flows_.back().values);
  }
  for (uint32_t s = 0; s < stations_.size(); ++s) {
    no_flow_.push_back(static_cast<uint32_t>(flows_.size()));
    flows_.push_back({.to = s + 1});
    yes_flow_.push_back(static_cast<uint32_t>(flows_.size()));
    flows_.push_back({.to = stations_[s].back ? guard_[stations_[s].low] : end()});
  }
}

// Moves values along until no more arrive anywhere.
void GuardRow::settle() {
  size_t work = 0;
  std::vector<std::vector<uint32_t>> arriving(stations_.size() + 1);
  for (uint32_t k = 0; k < flows_.size(); ++k) arriving[flows_[k].to].push_back(k);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t s = 0; s < stations_.size(); ++s) {
      const Station& at = stations_[s];
      std::vector<uint32_t> in;
      for (uint32_t k : arriving[s]) in.insert(in.end(), flows_[k].values.begin(), flows_[k].values.end());
      work += in.size();
      if (work > kMostWork) {
        unknown_ = true;
        return;
      }
      sort_unique(in);
      std::vector<uint32_t> yes, no;
      for (uint32_t v : in) {
        bool here = at.back ? at.low <= v && v <= at.block : v == at.block;
        if (!here)
          no.push_back(v);
        else if (at.back)
          yes.push_back(v);
      }
      auto& old_no = flows_[no_flow_[s]].values;
      auto& old_yes = flows_[yes_flow_[s]].values;
      changed |= at.back && yes != old_yes;
      old_no = std::move(no), old_yes = std::move(yes);
    }
  }
}

void GuardRow::arrive() {
  for (Station& s : stations_) s.values.clear(), s.ways_in = 0, s.from_block_only = true;
  for (const Flow& f : flows_) {
    if (f.values.empty() || f.to == end()) continue;
    Station& s = stations_[f.to];
    ++s.ways_in;
    s.from_block_only &= f.from_block && f.edges == 2;
    s.values.insert(s.values.end(), f.values.begin(), f.values.end());
  }
  for (Station& s : stations_) {
    sort_unique(s.values);
    s.from_block_only &= s.ways_in == 1;
  }
}

void GuardRow::settle_again() {
  for (uint32_t s = 0; s < stations_.size(); ++s)
    flows_[no_flow_[s]].values.clear(), flows_[yes_flow_[s]].values.clear();
  settle();
  arrive();
}

// The first station behind a guard that those who are not let in may need, or that others come to from
// behind.
uint32_t GuardRow::end_of_nest(uint32_t guard, const std::vector<uint32_t>& backs) const {
  const uint32_t first = stations_[guard].block;
  std::vector<uint32_t> others = stations_[guard].values;
  std::erase(others, first);
  uint32_t to = guard + 1;
  for (; to < end(); ++to) {
    const Station& s = stations_[to];
    if (s.back ? s.low <= first : std::ranges::binary_search(others, s.block)) break;
  }
  for (uint32_t s = guard + 1; s < to; ++s)
    if (!stations_[s].back && backs[stations_[s].block] != kNone && backs[stations_[s].block] >= to) return s;
  return to;
}

void GuardRow::nest() {
  std::vector<uint32_t> backs(count_, kNone);  // by block: the last back guard that leads to it
  for (uint32_t s = 0; s < stations_.size(); ++s)
    if (stations_[s].back) backs[stations_[s].low] = s;
  for (uint32_t b = 0; b < count_; ++b) flows_[no_flow_[guard_[b]]].to = end_of_nest(guard_[b], backs);
  settle_again();
}

uint32_t GuardRow::lone_stranger(uint32_t station) const {
  const uint32_t block = stations_[station].block;
  uint32_t stranger = kNone, others = 0;
  for (uint32_t k = 0; k < flows_.size(); ++k) {
    if (flows_[k].to != station || flows_[k].values.empty()) continue;
    if (std::ranges::binary_search(flows_[k].values, block))
      ++others;
    else if (stranger != kNone)
      return kNone;
    else
      stranger = k;
  }
  return others > 0 ? stranger : kNone;
}

void GuardRow::lead_past(uint32_t way, uint32_t station) {
  flows_[way].to = if_no(station);
  settle_again();
}

void GuardRow::skip() {
  std::vector<std::vector<uint32_t>> arriving(stations_.size() + 1), carriers(count_ + 1);
  for (uint32_t k = 0; k < flows_.size(); ++k) arriving[flows_[k].to].push_back(k);
  std::vector<char> head(stations_.size() + 1, 0);
  for (const Station& s : stations_)
    if (s.back) head[guard_[s.low]] = 1;
  // Those on their way stop where more than one of them is wanted, and at heads and back guards.
  std::vector<uint32_t> on_way;
  std::vector<char> stopped(flows_.size(), 0);
  auto stop = [&](uint32_t k, uint32_t s, std::vector<uint32_t>& in) {
    stopped[k] = 1;
    flows_[k].to = s;
    in.insert(in.end(), flows_[k].values.begin(), flows_[k].values.end());
  };
  for (uint32_t s = 0; s < stations_.size(); ++s) {
    const Station& at = stations_[s];
    for (uint32_t k : arriving[s]) {
      on_way.push_back(k);
      for (uint32_t v : flows_[k].values) carriers[v].push_back(k);
    }
    std::vector<uint32_t> in, wanted;
    if (!at.back)
      for (uint32_t k : carriers[at.block])
        if (!stopped[k]) wanted.push_back(k);
    if (!at.back && !head[s] && wanted.size() <= 1) {
      for (uint32_t k : wanted) stop(k, s, in);
    } else {
      for (uint32_t k : on_way)
        if (!stopped[k]) stop(k, s, in);
      on_way.clear();
    }
    sort_unique(in);
    // Those who go back come from stations behind: what they bring is known already.
    std::erase_if(in, [&](uint32_t v) { return at.back ? at.low <= v && v <= at.block : v == at.block; });
    flows_[no_flow_[s]].values = std::move(in);
  }
  for (uint32_t k : on_way)
    if (!stopped[k]) flows_[k].to = end();
  arrive();
}

}  // namespace kc
