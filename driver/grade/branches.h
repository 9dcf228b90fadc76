// SPDX-License-Identifier: Apache-2.0
// The branches of a kernel by line, and whether lanes of a warp part there: by analysis, and observed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "driver/session.h"
#include "sim/warp/warp_simulator.h"

namespace kc {

struct LineBranches {
  bool divergent = false;         // by analysis: some branch of the line may be divergent
  bool parted = false;            // lanes of one warp took different ways in the launch
  std::string why;                // what the divergence comes from
  NoteKind way = NoteKind::Data;  // and how it comes here: Data, Join or Loop
};

/// What a launch of some form of its kernel costs in warps of 32 lanes that reconverge at immediate
/// post-dominators. `on_block` is called when a block is issued. ExitTrap if it cannot be simulated.
std::expected<WarpStatistics, DriverError> simulate_warps(
    const Function& f, const LaunchSpec& launch, KernelArguments inputs, uint64_t max_steps,
    std::function<void(uint64_t warp, BlockId block, const LaneSet& lanes)> on_block = {});

/// By block id: whether lanes of one warp of 32 left an execution of the block by different edges. `f` is
/// some form of the kernel that the launch is for. ExitTrap if it cannot be simulated.
std::expected<std::vector<bool>, DriverError> observe_partings(const Function& f, const LaunchSpec& launch,
                                                               KernelArguments inputs, uint64_t max_steps);

/// Every line of the main file with a branch, of the kernel as the front end made it, in SSA form. Runs the
/// session's launch with warps of 32 lanes. ExitTrap if the launch cannot be simulated.
std::expected<std::map<uint32_t, LineBranches>, DriverError> branches_by_line(const Session& session,
                                                                              uint64_t max_steps);

}  // namespace kc
