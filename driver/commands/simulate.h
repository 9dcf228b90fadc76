// SPDX-License-Identifier: Apache-2.0
// What the routes of the warp simulator and `kernelc stats` share.
#pragma once

#include "driver/engines/engines.h"
#include "passes/analysis/uniformity.h"
#include "sim/warp/warp_simulator.h"

namespace kc {

/// Which ids differ within the warps of a launch.
UniformityOptions ids_of(const LaunchSpec& spec);
/// For the simulator, which computes no frontiers itself.
BlockPriorities block_priorities(const Function& thread);

/// Whether a trap that the simulator reports is the scheme's: under it the work-items of a warp arrive at a
/// barrier in parts, and in the interpreter they arrive together. Runs the interpreter on `inputs`.
bool is_deadlock(const std::optional<TrapReport>& trap, const Function& thread, const LaunchSpec& spec,
                 KernelArguments inputs, uint64_t max_steps);
/// "deadlock: ..." with the barrier's line.
std::string describe_deadlock(const TrapReport& trap, const Function& kernel);

}  // namespace kc
