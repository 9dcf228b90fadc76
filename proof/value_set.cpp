// SPDX-License-Identifier: Apache-2.0
#include "proof/value_set.h"

#include <algorithm>

#include "ir/known_bits.h"

namespace kc::proof {

ValueSet::ValueSet(unsigned bits) : largest_(low_ones(bits)), intervals_{{0, largest_}} {}

void ValueSet::remove(uint64_t first, uint64_t last) {
  if (first <= last) return cut(first, last);
  cut(first, largest_);
  cut(0, last);
}

bool ValueSet::meets(uint64_t first, uint64_t last) const {
  return first <= last ? has_one(first, last) : has_one(first, largest_) || has_one(0, last);
}

void ValueSet::cut(uint64_t first, uint64_t last) {
  auto from = std::ranges::lower_bound(intervals_, first, {}, &Interval::last);
  auto to = from;
  std::vector<Interval> rest;  // of the intervals that are cut
  for (; to != intervals_.end() && to->first <= last; ++to) {
    if (to->first < first) rest.push_back({to->first, first - 1});
    if (to->last > last) rest.push_back({last + 1, to->last});
  }
  const auto at = intervals_.erase(from, to);
  intervals_.insert(at, rest.begin(), rest.end());
}

bool ValueSet::has_one(uint64_t first, uint64_t last) const {
  const auto at = std::ranges::lower_bound(intervals_, first, {}, &Interval::last);
  return at != intervals_.end() && at->first <= last;
}

std::optional<uint64_t> ValueSet::only() const {
  if (intervals_.size() != 1 || intervals_[0].first != intervals_[0].last) return std::nullopt;
  return intervals_[0].first;
}

}  // namespace kc::proof
