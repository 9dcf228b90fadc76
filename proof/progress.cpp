// SPDX-License-Identifier: Apache-2.0
#include "proof/progress.h"

#include "ir/ids.h"
#include "ir/lists.h"

namespace kc::proof {

// Takes away states without edges into them until none is left, or only cycles.
uint32_t Progress::waits_for_ever(size_t states, bool new_function) const {
  const std::vector<Edge>& edges = new_function ? new_waits_ : old_waits_;
  if (edges.empty()) return kNone;
  const Lists<uint32_t> next(states, [&](auto add) {
    for (const Edge& e : edges) add(e.from, e.to);
  });
  std::vector<uint32_t> into(states, 0), work;
  for (const Edge& e : edges) ++into[e.to];
  for (uint32_t s = 0; s < states; ++s)
    if (into[s] == 0) work.push_back(s);
  while (!work.empty()) {
    const uint32_t s = work.back();
    work.pop_back();
    for (uint32_t t : next[s])
      if (--into[t] == 0) work.push_back(t);
  }
  for (const Edge& e : edges)
    if (into[e.from] != 0 && into[e.to] != 0) return e.from;
  return kNone;
}

}  // namespace kc::proof
