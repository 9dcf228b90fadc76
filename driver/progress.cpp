// SPDX-License-Identifier: Apache-2.0
#include "driver/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace kc {

ProgressLine::ProgressLine(std::string what) : what_(std::move(what)) {
  if (::isatty(STDERR_FILENO)) thread_ = std::thread([this] { show(); });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void ProgressLine::show() {
  std::unique_lock lock(mutex_);
  int seconds = 0;
  while (!ended_.wait_for(lock, std::chrono::seconds(1), [this] { return end_; })) {
    fmt::print(stderr, "\r{}, {} s", what_, ++seconds);
    std::fflush(stderr);
  }
  if (seconds > 0) fmt::print(stderr, "\r\x1b[K");  // takes the line away
  std::fflush(stderr);
}

}  // namespace kc
