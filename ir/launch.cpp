// SPDX-License-Identifier: Apache-2.0
#include "ir/launch.h"

namespace kc {

std::optional<TrapReport> find_trap(std::span<const TrapSlot> slots, const LaunchSpec& spec,
                                    std::span<const TrapSite> sites) {
  std::optional<TrapReport> report;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!slots[i].site_plus_one) continue;
    if (!report) {
      report.emplace();
      if (slots[i].site_plus_one <= sites.size()) report->site = sites[slots[i].site_plus_one - 1];
      report->value = slots[i].value;
      report->global_id = {i % spec.global[0] + spec.offset[0],
                           i / spec.global[0] % spec.global[1] + spec.offset[1],
                           i / (spec.global[0] * spec.global[1]) + spec.offset[2]};
    }
    ++report->count;
  }
  return report;
}

}  // namespace kc
