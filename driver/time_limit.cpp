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
#include "ir/text.h"

namespace kc {
namespace {

// A launch that has passed its time is asked to stop this often.
constexpr int kAsked = 500;
constexpr std::chrono::milliseconds kPatience{1};

}  // namespace

LimitedLaunch launch_within(double seconds, std::shared_ptr<Engine> engine, KernelArguments args,
                            std::string what) {
  ProgressLine progress(std::move(what));
  LimitedLaunch l{
      .engine = std::move(engine), .args = std::make_shared<KernelArguments>(std::move(args)), .result = {}};
  if (seconds == 0) {
    l.result = l.engine->launch(*l.args);
    return l;
  }
  // What a device does cannot be stopped, and a thread cannot be ended from outside.
  std::packaged_task<EngineResult()> task(
      [engine = l.engine, arguments = l.args] { return engine->launch(*arguments); });
  std::future<EngineResult> done = task.get_future();
  std::thread(std::move(task)).detach();
  l.ended = done.wait_for(std::chrono::duration<double>(seconds)) == std::future_status::ready;
  if (l.ended) {
    l.result = done.get();
    return l;
  }
  for (int i = 0; i < kAsked; ++i) {
    l.engine->stop();
    if (done.wait_for(kPatience) != std::future_status::ready) continue;
    l.stopped_at = done.get().stopped_at;
    break;
  }
  return l;
}

std::string describe_timeout(const Function& kernel, double seconds, std::string_view target,
                             Loc stopped_at) {
  std::string text = fmt::format("kernel '{}' did not end within {:g} s on {}", kernel.name, seconds, target);
  if (stopped_at.line) text += fmt::format("; a work-item was at {}", describe_line(kernel, stopped_at));
  return text;
}

void leave(const Options& options, int status) {
  print_remarks(options);
  ::_exit(close_standard_streams(status));
}

}  // namespace kc
