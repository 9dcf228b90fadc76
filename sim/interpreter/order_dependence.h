// SPDX-License-Identifier: Apache-2.0
// Which results of a launch depend on the order of work-items. All others are the same on every engine.
#pragma once

#include <functional>

#include "sim/interpreter/race_detector.h"
#include "sim/interpreter/thread_interpreter.h"

namespace kc {

/// What a launch depends on, and what that makes of its results. The flags only ever grow.
struct ShadowedLaunch {
  const UnorderedBytes& global;
  const UnorderedBytes& local;
  std::vector<bool> ranges{};  // by memory range: some work-item may store anywhere in it
  bool local_memory = false;   // likewise of the groups' memory
  bool everything = false;     // work-items may meet at other barriers
  bool trap = false;           // another work-item may trap, or with another value
  std::vector<std::vector<uint8_t>>
      bytes{};  // by memory range: a flag for each byte, as the launch leaves it
};

struct OrderDependentResults {
  std::optional<OrderDependence> first;       // none: nothing depends on the order
  std::vector<std::vector<uint8_t>> bytes{};  // by memory range: a flag for each byte
  bool trap = false;
};

/// Launches two or more times; before each but the first `restore` must bring the memory back to what it was.
/// The memory `messages` is that of printf, where the order of messages means nothing. If a launch does
/// not end, everything counts as dependent.
OrderDependentResults find_order_dependence(const ThreadInterpreter& interpreter, const LaunchSpec& launch,
                                            std::span<const uint64_t> arguments,
                                            const ThreadRunOptions& options, const MemoryRange& messages,
                                            const std::function<void()>& restore);

}  // namespace kc
