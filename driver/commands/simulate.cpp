// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulate.h"

#include <fmt/format.h>

#include "ir/text.h"
#include "passes/analysis/frontiers.h"

namespace kc {

UniformityOptions ids_of(const LaunchSpec& spec) {
  return {.lane_y = spec.local[1] > 1, .lane_z = spec.local[2] > 1};
}

BlockPriorities block_priorities(const Function& thread) {
  Frontiers frontiers(thread);
  return {std::move(frontiers.position), std::move(frontiers.top)};
}

bool is_deadlock(const std::optional<TrapReport>& trap, const Function& thread, const LaunchSpec& spec,
                 KernelArguments inputs, uint64_t max_steps) {
  if (!trap || trap->site.kind != TrapKind::DivergentBarrier) return false;
  LaunchSpec own = spec;
  BoundArguments bound = bind_arguments(inputs, thread, own);
  ThreadRunOptions options{.memory = bound.ranges};
  if (max_steps) options.max_steps = max_steps;
  ThreadRunResult r = run_threads(thread, own, bound.bits, options);
  return !r.trap;
}

std::string describe_deadlock(const TrapReport& trap, const Function& kernel) {
  return fmt::format("deadlock: work-items of one warp come to the barrier at {} one part after the other",
                     describe_line(kernel, trap.site.loc));
}

}  // namespace kc
