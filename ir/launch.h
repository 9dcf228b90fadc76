// SPDX-License-Identifier: Apache-2.0
// What every engine is told about a launch, and what it reports back.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/function.h"

namespace kc {

/// Sizes in work-items. Global sizes are multiples of local sizes.
struct LaunchSpec {
  uint32_t dims = 1;
  std::array<uint64_t, 3> global{1, 1, 1}, local{1, 1, 1}, offset{0, 0, 0};
  uint64_t items() const { return global[0] * global[1] * global[2]; }
  uint64_t groups(size_t d) const { return global[d] / local[d]; }
};

/// A buffer in this process; engines check accesses against these ranges where they can.
struct MemoryRange {
  uint64_t base = 0, size = 0;
};

/// The trap of the lowest global id of a launch.
struct TrapReport {
  TrapSite site;
  uint64_t value = 0;  // bits of the thrown value
  std::array<uint64_t, 3> global_id{};
  uint64_t count = 0;  // work-items that trapped
};

/// One slot for each work-item, in order of linear global id, of the hidden `traps` buffer that
/// `lower_traps` adds to kernels which can trap. Zeroed before the launch.
struct TrapSlot {
  uint32_t site_plus_one = 0;
  uint32_t padding = 0;
  uint64_t value = 0;
};

/// The trap of the lowest linear global id among the slots, if any work-item trapped.
std::optional<TrapReport> find_trap(std::span<const TrapSlot> slots, const LaunchSpec& spec,
                                    std::span<const TrapSite> sites);

}  // namespace kc
