// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "ir/function.h"
#include "passes/analysis/cache.h"
#include "passes/analysis/costs.h"
#include "passes/lower/lower_private.h"

namespace kc {

struct WaveOptions {
  uint32_t width = 16;             // lanes
  UniformityOptions uniformity{};  // ids that differ between lanes
  TargetCosts costs = kCpuCosts;   // decides which regions are jumped over if no lane is active
  // All buffers of the launches are smaller than 2 GiB: the launching code must ensure it.
  bool small_buffers = true;
  // The machine computes some uniform values on lanes, so regions with such values are jumped over, too.
  bool uniform_needs_lanes = false;
  bool small_lanes = true;  // vectors have more lanes of elements of fewer than 32 bits
  PrivateUnits private_units = PrivateUnits::Elements;  // how private memory is interleaved
};

/// Lowers a reconverging thread function in SSA form to a wave function with explicit masks. The result has
/// an additional parameter, the mask of lanes that exist, and still has variables: run `mem2reg` next.
/// The analyses are those of the function, for the options' ids.
std::unique_ptr<Function> lower_to_wave(const Function& thread, const WaveOptions& options,
                                        AnalysisCache& analyses);
inline std::unique_ptr<Function> lower_to_wave(const Function& thread, const WaveOptions& options) {
  AnalysisCache analyses(thread, options.uniformity);
  return lower_to_wave(thread, options, analyses);
}

}  // namespace kc
