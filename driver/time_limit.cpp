// SPDX-License-Identifier: Apache-2.0
#include "driver/time_limit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <future>
#include <thread>

#include "driver/progress.h"
#include "driver/remarks.h"
#include "driver/standard_streams.h"

namespace kc {

LimitedLaunch launch_within(double seconds, std::shared_ptr<Engine> engine, KernelArguments args,
                            std::string what) {
  ProgressLine progress(std::move(what));
  LimitedLaunch l{
      .engine = std::move(engine), .args = std::make_shared<KernelArguments>(std::move(args)), .result = {}};
  if (seconds == 0) {
    l.result = l.engine->launch(*l.args);
    return l;
  }
  // Machine code cannot be told to stop, and a thread cannot be ended from outside.
  std::packaged_task<EngineResult()> task(
      [engine = l.engine, arguments = l.args] { return engine->launch(*arguments); });
  std::future<EngineResult> done = task.get_future();
  std::thread(std::move(task)).detach();
  l.ended = done.wait_for(std::chrono::duration<double>(seconds)) == std::future_status::ready;
  if (l.ended) l.result = done.get();
  return l;
}

std::string describe_timeout(const Function& kernel, double seconds, std::string_view target) {
  return fmt::format("kernel '{}' did not end within {:g} s on {}", kernel.name, seconds, target);
}

void leave(const Options& options, int status) {
  print_remarks(options);
  ::_exit(close_standard_streams(status));
}

}  // namespace kc
