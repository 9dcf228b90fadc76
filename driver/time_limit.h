// SPDX-License-Identifier: Apache-2.0
// Launches that may not end: --timeout, and limits of graders.
#pragma once

#include <functional>
#include <string>

#include "driver/engines/engines.h"
#include "driver/options.h"

namespace kc {

/// One launch that may be given up. It is asked to stop then; if it cannot, it goes on, with what belongs to
/// it, until the process ends.
struct LimitedLaunch {
  std::shared_ptr<Engine> engine;
  std::shared_ptr<KernelArguments> args;  // read and written in place, also after it was given up
  EngineResult result;                    // when it ended
  bool ended = true;                      // in time
  std::string exceeded;                   // otherwise: the limit, as "takes longer than 2 s"
  Loc stopped_at{};                       // and where some work-item was, if known
};
/// Launches, and waits for so many seconds; 0 is for ever. On a terminal a line says that `what` goes on.
LimitedLaunch launch_within(double seconds, std::shared_ptr<Engine> engine, KernelArguments args,
                            std::string what);
/// The same, for so many seconds of the processor in the thread that launches: for engines that need no other
/// thread. A launch that sleeps ends by the clock.
LimitedLaunch launch_working(double seconds, std::shared_ptr<Engine> engine, KernelArguments args,
                             std::string what);
/// Seconds of the clock that end whatever may use so many of the processor, and does not use them. Nothing
/// that works takes so long, however busy the machine.
double clock_limit(double processor_seconds);

/// "kernel 'k' did not end within 2 s on avx2; a work-item was at line 7"
std::string describe_timeout(const Function& kernel, double seconds, std::string_view target, Loc stopped_at);

/// Ends the process while launches that were given up still run.
[[noreturn]] void leave(const Options& options, int status);

}  // namespace kc
