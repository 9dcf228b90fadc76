// SPDX-License-Identifier: Apache-2.0
#include "driver/time_limit.h"

#include <fmt/format.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <future>
#include <optional>
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

// The clock of the processor time of a thread, which stops with it.
class ThreadClock {
 public:
  explicit ThreadClock(std::thread& thread) : known_(!pthread_getcpuclockid(thread.native_handle(), &id_)) {}
  /// Nothing if the thread has ended.
  std::optional<double> seconds() const {
    timespec t{};
    if (!known_ || clock_gettime(id_, &t)) return {};
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }

 private:
  clockid_t id_{};
  bool known_;
};

struct TimeLimits {
  double clock, processor;  // seconds; processor: 0 for any number
};

// Waits until a thread has done its work, or exceeds a limit: says which.
std::string await_within(const TimeLimits& limits, const std::future<EngineResult>& done,
                         const ThreadClock& work) {
  using Seconds = std::chrono::duration<double>;
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    double left = limits.clock - Seconds(std::chrono::steady_clock::now() - start).count();
    if (left <= 0) return fmt::format("takes longer than {:g} s", limits.clock);
    // It cannot use more time than passes.
    if (const auto used = limits.processor ? work.seconds() : std::nullopt) {
      if (*used > limits.processor)
        return fmt::format("takes more than {:g} s of processor time", limits.processor);
      left = std::min(left, std::max(limits.processor - *used, 1e-3));
    }
    if (done.wait_for(Seconds(left)) == std::future_status::ready) return {};
  }
}

LimitedLaunch launch_limited(const TimeLimits& limits, std::shared_ptr<Engine> engine, KernelArguments args,
                             std::string what) {
  ProgressLine progress(std::move(what));
  LimitedLaunch l{
      .engine = std::move(engine), .args = std::make_shared<KernelArguments>(std::move(args)), .result = {}};
  if (limits.clock == 0) {
    l.result = l.engine->launch(*l.args);
    return l;
  }
  // What a device does cannot be stopped, and a thread cannot be ended from outside.
  std::packaged_task<EngineResult()> task(
      [engine = l.engine, arguments = l.args] { return engine->launch(*arguments); });
  std::future<EngineResult> done = task.get_future();
  std::thread thread(std::move(task));
  const ThreadClock work(thread);
  thread.detach();
  l.exceeded = await_within(limits, done, work);
  l.ended = l.exceeded.empty();
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

}  // namespace

LimitedLaunch launch_within(double seconds, std::shared_ptr<Engine> engine, KernelArguments args,
                            std::string what) {
  return launch_limited({.clock = seconds, .processor = 0}, std::move(engine), std::move(args),
                        std::move(what));
}

LimitedLaunch launch_working(double seconds, std::shared_ptr<Engine> engine, KernelArguments args,
                             std::string what) {
  return launch_limited({.clock = clock_limit(seconds), .processor = seconds}, std::move(engine),
                        std::move(args), std::move(what));
}

double clock_limit(double processor_seconds) {
  constexpr double kTimes = 10, kMore = 30;
  return std::max(processor_seconds * kTimes, processor_seconds + kMore);
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
