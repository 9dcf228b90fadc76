// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <thread>

/// Whether it comes to be within 20 seconds. The caller waits for no command meanwhile, so it runs none.
template <typename Condition>
bool soon(Condition&& condition) {
  for (int i = 0; i < 20'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}
