// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/predicate_chain.h"

#include <algorithm>

namespace kc {
namespace {

constexpr size_t kMostMoves = 20'000'000;  // values moved before giving up

void sort_unique(std::vector<uint32_t>& v) {
  std::ranges::sort(v);
  v.erase(std::ranges::unique(v).begin(), v.end());
}

}  // namespace

PredicateChain::PredicateChain(const SuccessorLists& succs, const std::vector<uint32_t>& entries,
                               const std::vector<uint32_t>& back_targets, bool late)
    : count_(static_cast<uint32_t>(succs.size())) {
  flows_.push_back({.from_block = true, .to = 0, .values = entries, .edges = entries.size()});
  sort_unique(flows_[0].values);
  place(succs, ways_back(succs, back_targets, late));
  settle();
  arrive();
}

// By block: the target of its back guard, or kNone. Intervals of back guards nest or are disjoint: an
// interval that would overlap another is extended downwards.
std::vector<uint32_t> PredicateChain::ways_back(const SuccessorLists& succs,
                                                const std::vector<uint32_t>& back_targets, bool late) const {
  std::vector<uint32_t> backs(count_, kNone);
  std::vector<std::pair<uint32_t, uint32_t>> intervals;  // maximal so far, pairwise disjoint
  for (uint32_t b = 0; b < count_; ++b) {
    uint32_t& low = backs[b];
    for (uint32_t s : succs[b])
      if (s <= b) low = std::min({low, s, back_targets.empty() ? s : back_targets[b]});
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

void PredicateChain::place(const SuccessorLists& succs, const std::vector<uint32_t>& backs) {
  for (uint32_t b = 0; b < count_; ++b) {
    guard_.push_back(static_cast<uint32_t>(guards_.size()));
    guards_.push_back({.block = b});
    if (backs[b] != kNone) guards_.push_back({.back = true, .block = b, .low = backs[b]});
  }
  for (uint32_t b = 0; b < count_; ++b) {
    block_flow_.push_back(static_cast<uint32_t>(flows_.size()));
    flows_.push_back({.from_block = true,
                      .to = guard_[b] + 1,
                      .values{succs[b].begin(), succs[b].end()},
                      .edges = succs[b].size()});
    sort_unique(flows_.back().values);
  }
  for (uint32_t s = 0; s < guards_.size(); ++s) {
    no_flow_.push_back(static_cast<uint32_t>(flows_.size()));
    flows_.push_back({.to = s + 1});
    yes_flow_.push_back(static_cast<uint32_t>(flows_.size()));
    flows_.push_back({.to = guards_[s].back ? guard_[guards_[s].low] : end()});
  }
}

// Propagates values to a fixed point.
void PredicateChain::settle() {
  size_t work = 0;
  std::vector<std::vector<uint32_t>> arriving(guards_.size() + 1);
  for (uint32_t k = 0; k < flows_.size(); ++k) arriving[flows_[k].to].push_back(k);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t s = 0; s < guards_.size(); ++s) {
      const Guard& at = guards_[s];
      std::vector<uint32_t> in;
      for (uint32_t k : arriving[s]) in.insert(in.end(), flows_[k].values.begin(), flows_[k].values.end());
      work += in.size();
      if (work > kMostMoves) {
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

void PredicateChain::arrive() {
  for (Guard& s : guards_) s.values.clear(), s.incoming = 0, s.from_block_only = true;
  for (const Flow& f : flows_) {
    if (f.values.empty() || f.to == end()) continue;
    Guard& s = guards_[f.to];
    ++s.incoming;
    s.from_block_only &= f.from_block && f.edges == 2;
    s.values.insert(s.values.end(), f.values.begin(), f.values.end());
  }
  for (Guard& s : guards_) {
    sort_unique(s.values);
    s.from_block_only &= s.incoming == 1;
  }
}

void PredicateChain::settle_again() {
  for (uint32_t s = 0; s < guards_.size(); ++s)
    flows_[no_flow_[s]].values.clear(), flows_[yes_flow_[s]].values.clear();
  settle();
  arrive();
}

// The first later guard that items rejected at this guard may need, or that other edges reach from later in
// the chain.
uint32_t PredicateChain::end_of_nest(uint32_t guard, const std::vector<uint32_t>& backs) const {
  const uint32_t first = guards_[guard].block;
  std::vector<uint32_t> others = guards_[guard].values;
  std::erase(others, first);
  uint32_t to = guard + 1;
  for (; to < end(); ++to) {
    const Guard& s = guards_[to];
    if (s.back ? s.low <= first : std::ranges::binary_search(others, s.block)) break;
  }
  for (uint32_t s = guard + 1; s < to; ++s)
    if (!guards_[s].back && backs[guards_[s].block] != kNone && backs[guards_[s].block] >= to) return s;
  return to;
}

void PredicateChain::nest() {
  std::vector<uint32_t> backs(count_, kNone);  // by block: the last back guard with that target
  for (uint32_t s = 0; s < guards_.size(); ++s)
    if (guards_[s].back) backs[guards_[s].low] = s;
  for (uint32_t b = 0; b < count_; ++b) flows_[no_flow_[guard_[b]]].to = end_of_nest(guard_[b], backs);
  settle_again();
}

uint32_t PredicateChain::dead_incoming(uint32_t guard) const {
  const uint32_t block = guards_[guard].block;
  uint32_t dead = kNone, others = 0;
  for (uint32_t k = 0; k < flows_.size(); ++k) {
    if (flows_[k].to != guard || flows_[k].values.empty()) continue;
    if (std::ranges::binary_search(flows_[k].values, block))
      ++others;
    else if (dead != kNone)
      return kNone;
    else
      dead = k;
  }
  return others > 0 ? dead : kNone;
}

void PredicateChain::bypass(uint32_t edge, uint32_t guard) {
  flows_[edge].to = if_no(guard);
  settle_again();
}

void PredicateChain::skip() {
  std::vector<std::vector<uint32_t>> arriving(guards_.size() + 1), carriers(count_ + 1);
  for (uint32_t k = 0; k < flows_.size(); ++k) arriving[flows_[k].to].push_back(k);
  std::vector<char> head(guards_.size() + 1, 0);
  for (const Guard& s : guards_)
    if (s.back) head[guard_[s.low]] = 1;
  // Arriving edges stop where more than one of them is needed, and at loop headers and back guards.
  std::vector<uint32_t> on_way;
  std::vector<char> stopped(flows_.size(), 0);
  auto stop = [&](uint32_t k, uint32_t s, std::vector<uint32_t>& in) {
    stopped[k] = 1;
    flows_[k].to = s;
    in.insert(in.end(), flows_[k].values.begin(), flows_[k].values.end());
  };
  for (uint32_t s = 0; s < guards_.size(); ++s) {
    const Guard& at = guards_[s];
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
    // Back edges come from later guards: their values are known already.
    std::erase_if(in, [&](uint32_t v) { return at.back ? at.low <= v && v <= at.block : v == at.block; });
    flows_[no_flow_[s]].values = std::move(in);
  }
  for (uint32_t k : on_way)
    if (!stopped[k]) flows_[k].to = end();
  arrive();
}

}  // namespace kc
