// SPDX-License-Identifier: Apache-2.0
// The pass pipelines of the command, with what its options want printed, dumped or timed.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "driver/arguments.h"
#include "host/pipelines.h"
#include "passes/lower/lower_to_wave.h"

namespace kc {

/// Thread passes on a copy of the kernel; traps are lowered. `stopped` says that --stop-after ended it.
struct Passed {
  std::unique_ptr<Function> function;
  bool stopped = false;
};
std::expected<Passed, DriverError> run_thread_passes(const Function& kernel, const Options& options,
                                                     const TargetCosts& machine = kCpuCosts);

/// The passes that --passes names, if any, on a copy of a function that is not in the thread dialect.
std::expected<Passed, DriverError> run_passes_on_lowered(const Function& f, const Options& options);

/// From optimised thread IR to wave IR.
std::expected<Passed, DriverError> run_wave_passes(const Function& thread, const WaveOptions& wave,
                                                   const Options& options);

}  // namespace kc
