// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "ir/function.h"
#include "passes/analysis/costs.h"
#include "passes/analysis/uniformity.h"

namespace kc {

struct WaveOptions {
  uint32_t width = 16;             // lanes
  UniformityOptions uniformity{};  // which ids differ between the lanes
  TargetCosts costs = kCpuCosts;   // which regions are jumped over when no lane enters them
  // All buffers of the launches are smaller than 2 GiB: whoever launches must make sure.
  bool small_buffers = true;
  // The machine computes some uniform values on its lanes, so regions that compute any are jumped over too.
  bool uniform_needs_lanes = false;
};

/// Lowers a reconverging thread function in SSA form to a wave function with explicit masks. The result
/// has one more parameter, the mask of lanes that exist, and still has variables: run `mem2reg` next.
/// `uniformity` is the function's, for the options' ids; it is found out where none is given.
std::unique_ptr<Function> lower_to_wave(const Function& thread, const WaveOptions& options,
                                        std::optional<Uniformity> uniformity = {});

}  // namespace kc
