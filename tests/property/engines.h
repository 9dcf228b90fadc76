// SPDX-License-Identifier: Apache-2.0
// Compares any engine with the thread interpreter: runs both on copies of the same data, and requires equal
// bits in every buffer and the same trap.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/interpreter/run_result.h"

namespace kc::test {

struct Buffer {
  std::string name;
  Elem elem = Elem::I32;  // how to compare and print; all NaNs are equal
  size_t bytes = 0;
  std::vector<uint64_t> storage{};  // at least `bytes`
};
struct Argument {
  int buffer = -1;  // index of a buffer, or none: `bits` is the value
  uint64_t bits = 0;
};

/// Everything a launch needs; copies are independent.
struct RunData {
  LaunchSpec launch;
  std::vector<Buffer> buffers;
  std::vector<Argument> args;

  /// Bits of the parameters; the addresses are those of this copy's buffers.
  std::vector<uint64_t> arguments() const;
  std::vector<MemoryRange> memory() const;
};

/// The result of the thread interpreter.
struct Reference {
  RunData after;
  RunResult result;
};
Reference run_reference(const Function& thread_function, const RunData& data,
                        uint64_t max_steps = 50'000'000);

/// Empty if both ended alike: the same status, trap and buffers. Otherwise the first difference.
std::string compare(const Reference& expected, const RunData& after, const RunResult& result);

/// Runs on the data in place.
using Engine = std::function<RunResult(RunData& data)>;
/// Runs the engine on a copy of the data and compares.
std::string check_engine(const Reference& expected, const RunData& data, const Engine& engine);

/// For functions after `lower_traps`: appends the address of zeroed trap slots to the arguments if the
/// function has the hidden parameter for it, and reports the contents of the slots after `run`.
RunResult with_trap_slots(const Function& f, RunData& data,
                          const std::function<RunResult(std::span<const uint64_t> arguments,
                                                        std::span<const MemoryRange> memory)>& run);

}  // namespace kc::test
