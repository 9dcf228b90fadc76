// SPDX-License-Identifier: Apache-2.0
#include "frontend/source/nearest_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace kc::front {

std::string did_you_mean(std::string_view near) {
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

// Edit distance in which a transposition of neighbours counts once.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  if (name.size() > 64) return {};
  size_t best = (name.size() + 2) / 3;
  std::string_view found;
  std::vector<size_t> row, previous, before;
  for (std::string_view c : candidates) {
    if (c == name || c.size() > name.size() + best || name.size() > c.size() + best) continue;
    previous.assign(c.size() + 1, 0);
    before = previous;
    for (size_t j = 0; j <= c.size(); ++j) previous[j] = j;
    for (size_t i = 1; i <= name.size(); ++i) {
      row.assign(c.size() + 1, i);
      for (size_t j = 1; j <= c.size(); ++j) {
        row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (name[i - 1] != c[j - 1])});
        bool swapped = i > 1 && j > 1 && name[i - 1] == c[j - 2] && name[i - 2] == c[j - 1];
        if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
      }
      before.swap(previous);
      previous.swap(row);
    }
    size_t distance = previous[c.size()];
    if (distance >= std::min(c.size(), name.size())) continue;  // nothing in common
    // Among equally near candidates, prefers one that is a prefix of the name or has the name as a prefix.
    auto begins = [&](std::string_view other) { return name.starts_with(other) || other.starts_with(name); };
    bool better = distance == best && (found.empty() || (begins(c) && !begins(found)));
    if (distance < best || better) best = distance, found = c;
  }
  return found;
}

}  // namespace kc::front
