// SPDX-License-Identifier: Apache-2.0
#include "ir/case_clusters.h"

#include <algorithm>

namespace kc {

std::vector<CaseCluster> case_clusters(const Function& f, const Inst& switch_inst) {
  const TargetList& targets = switch_inst.targets;
  std::vector<CaseCluster> cases;
  for (size_t k = 1; k < targets.size(); ++k) {
    const uint64_t bits = f.value(switch_inst.operands[k]).bits;
    cases.push_back({bits, bits, k});
  }
  // Of equal cases the first one counts.
  std::ranges::stable_sort(cases, {}, &CaseCluster::first);
  std::vector<CaseCluster> clusters;
  for (const CaseCluster& c : cases) {
    CaseCluster* before = clusters.empty() ? nullptr : &clusters.back();
    if (before && before->last == c.first) continue;
    if (before && before->last + 1 == c.first && targets[before->target] == targets[c.target])
      before->last = c.last;
    else
      clusters.push_back(c);
  }
  std::erase_if(clusters, [&](const CaseCluster& c) { return targets[c.target] == targets[0]; });
  return clusters;
}

}  // namespace kc
