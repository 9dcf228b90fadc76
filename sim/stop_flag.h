// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace kc {

/// Set by another thread to end a launch of an interpreter or emulator.
using StopFlag = std::atomic<bool>;
inline bool is_set(const StopFlag* stop) { return stop && stop->load(std::memory_order_relaxed); }

}  // namespace kc
