// SPDX-License-Identifier: Apache-2.0
// A line on the terminal that says that something long goes on.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace kc {

/// While it lives, and from the second second on, standard error shows `what` and for how long; only if that
/// is a terminal. The line is gone afterwards.
class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void show();

  std::string what_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread thread_;
};

}  // namespace kc
