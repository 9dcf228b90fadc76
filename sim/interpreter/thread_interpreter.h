// SPDX-License-Identifier: Apache-2.0
// The reference for every engine: runs a thread function one work-item at a time, each from its first
// instruction to its last, or to the next barrier. It shares the evaluation functions of opcodes with the
// compiler, and nothing with any backend.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "sim/interpreter/run_result.h"

namespace kc {

namespace threads {
struct Program;
}
class RaceDetector;
struct ShadowedLaunch;

struct ThreadRunOptions {
  std::span<const MemoryRange> memory;     // every access must lie in one of these
  uint64_t max_steps = uint64_t{1} << 36;  // of the whole launch
  const StopFlag* stop = nullptr;          // ends the launch as the limit does
  RaceDetector* races = nullptr;           // notified of every access to shared memory
  ShadowedLaunch* shadow = nullptr;        // is told what depends on the order of work-items
  /// Called on entry to each block with the linear global id of the work-item.
  std::function<void(uint64_t item, BlockId block)> on_block;
};

/// A use of unwritten bytes of private or local memory.
struct UnwrittenRead {
  std::string object;
  Loc loc;
  std::array<uint64_t, 3> global_id{};
};

struct ThreadRunResult : RunResult {
  std::optional<UnwrittenRead> unwritten;  // the first one
  bool divergent_barrier = false;          // of some group, even if `trap` is another one
};

/// A function decoded once, to be run any number of times. The function must outlive it.
class ThreadInterpreter {
 public:
  explicit ThreadInterpreter(const Function& f);
  ~ThreadInterpreter();
  ThreadInterpreter(ThreadInterpreter&&) noexcept;

  /// `arguments` are the raw bits of the parameters, including hidden ones. Pointers are addresses in this
  /// process; local pointers are offsets in the group's `launch.local_bytes`. Undef reads as 0, and so do
  /// variables before their first assignment and unwritten memory of the launch.
  ThreadRunResult run(const LaunchSpec& launch, std::span<const uint64_t> arguments,
                      const ThreadRunOptions& options) const;

 private:
  std::unique_ptr<threads::Program> program_;
};

/// Decodes and runs once.
ThreadRunResult run_threads(const Function& f, const LaunchSpec& launch, std::span<const uint64_t> arguments,
                            const ThreadRunOptions& options);

}  // namespace kc
