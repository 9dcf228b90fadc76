// SPDX-License-Identifier: Apache-2.0
// The reference for every engine: runs a thread function one work-item at a time, each alone from its
// first instruction to its last. It shares the opcodes' evaluation functions with the compiler and
// nothing with any backend.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "sim/run_result.h"

namespace kc {

struct ThreadRunOptions {
  std::span<const MemoryRange> memory;     // every access must lie in one of these
  uint64_t max_steps = uint64_t{1} << 36;  // of the whole launch
  /// Called on entry to each block with the linear global id of the work-item.
  std::function<void(uint64_t item, BlockId block)> on_block;
};

/// A function decoded once, to be run any number of times. The function must outlive it.
class ThreadInterpreter {
 public:
  explicit ThreadInterpreter(const Function& f);
  ~ThreadInterpreter();
  ThreadInterpreter(ThreadInterpreter&&) noexcept;

  /// `arguments` are the raw bits of the parameters, hidden ones included; pointers are addresses in this
  /// process. Undef reads as 0, and so does a variable before it is set.
  RunResult run(const LaunchSpec& launch, std::span<const uint64_t> arguments,
                const ThreadRunOptions& options) const;

 private:
  struct Program;
  std::unique_ptr<Program> program_;
};

/// Decodes and runs once.
RunResult run_threads(const Function& f, const LaunchSpec& launch, std::span<const uint64_t> arguments,
                      const ThreadRunOptions& options);

}  // namespace kc
