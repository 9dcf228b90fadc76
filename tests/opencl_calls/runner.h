// SPDX-License-Identifier: Apache-2.0
// Runs sequences of calls in processes of their own, so that one that crashes or hangs is a result.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace calls {

/// The calls of each thread, each drawn by a number of its own: without some of them it is a sequence still.
struct Sequence {
  uint64_t seed;
  std::vector<std::vector<uint64_t>> threads;
};
Sequence sequence_of(uint64_t seed, size_t calls);

struct Outcome {
  bool right = false;
  std::string message;
  double cpu_seconds = 0;
};
/// Runs the sequences one after the other; each has `seconds`, without the time in which other programs had
/// the processors.
Outcome try_in_process(std::span<const Sequence> sequences, unsigned seconds);

/// A part of a sequence that fails, too.
Sequence shrink(Sequence sequence, unsigned seconds, int tries);

}  // namespace calls
