// SPDX-License-Identifier: Apache-2.0
#include "tests/mutants/sample.h"

#include <algorithm>
#include <map>
#include <random>

namespace kc::mutants {
namespace {

size_t lines_of(const Source& s) {
  return static_cast<size_t>(std::count(s.text.begin(), s.text.end(), '\n'));
}

// One for each file, the rest by lines; what rounding leaves goes to the files that lost most by it.
std::vector<size_t> shares(const std::vector<Source>& sources, size_t count) {
  std::vector<size_t> share(sources.size());
  size_t lines = 0, given = 0;
  for (size_t k = 0; k < sources.size(); ++k)
    if (!sources[k].sites.empty()) lines += lines_of(sources[k]), share[k] = 1, ++given;
  const size_t rest = count > given ? count - given : 0;
  std::vector<std::pair<size_t, size_t>> lost;  // remainder, file
  for (size_t k = 0; k < sources.size(); ++k) {
    if (!share[k]) continue;
    const size_t parts = rest * lines_of(sources[k]);
    share[k] += parts / lines;
    lost.emplace_back(parts % lines, k);
  }
  std::stable_sort(lost.begin(), lost.end(), [](auto& a, auto& b) { return a.first > b.first; });
  size_t sum = 0;
  for (size_t& n : share) sum += n;
  for (size_t k = 0; sum < count && k < lost.size(); ++k, ++sum) ++share[lost[k].second];
  return share;
}

std::vector<Site> some(const std::vector<Site>& sites, size_t count, std::mt19937_64& random) {
  std::map<Kind, std::vector<Site>> kinds;
  for (const Site& s : sites) kinds[s.kind].push_back(s);
  std::vector<Site> out;
  while (out.size() < count && !kinds.empty()) {
    auto kind = kinds.begin();
    std::advance(kind, random() % kinds.size());
    std::vector<Site>& of_kind = kind->second;
    const auto one = of_kind.begin() + static_cast<std::ptrdiff_t>(random() % of_kind.size());
    out.push_back(*one);
    of_kind.erase(one);
    if (of_kind.empty()) kinds.erase(kind);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const Site& a, const Site& b) { return a.span.begin < b.span.begin; });
  return out;
}

}  // namespace

void choose(std::vector<Source>& sources, size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<size_t> share = shares(sources, count);
  unsigned id = 0;
  for (size_t k = 0; k < sources.size() && id < count; ++k)
    for (Site& s : some(sources[k].sites, share[k], random))
      if (id < count) sources[k].chosen.push_back({std::move(s), ++id});
}

}  // namespace kc::mutants
