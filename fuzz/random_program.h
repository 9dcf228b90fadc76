// SPDX-License-Identifier: Apache-2.0
// Random kernels as source text: records, arrays, pointers, every number type, vectors, goto, switch,
// exceptions through helpers, atomics, barriers. Every run ends, every index is in bounds, nothing is read
// before it is written, each work-item writes only its own slice of the buffers, and atomic operations come
// to the same in any order. The same seed gives the same text everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kc::fuzz {

struct ProgramOptions {
  /// Only what means the same in GNU C++ behind the prelude of tests/oracle: shifts and divisions within
  /// their limits, one side effect in each expression, no traps, no built-in functions, one work-item alone.
  bool portable = false;
  bool math = true;     // calls of exp, sin and so on, each of which is dozens of operations
  bool vectors = true;  // in four of ten programs
  uint32_t large = 1;   // percent of programs with hundreds of statements
};

/// What an engine must be able to do decides whether it can take part, so programs come in kinds.
enum class ProgramKind : uint8_t {
  Registers,  // nothing has to stay in memory but the buffers
  Memory,     // pointers, arrays with computed indices, unions, a work-item's own part of local memory
  Atomics,    // on global memory
  Groups,     // local memory that work-items share, barriers in uniform flow, atomics
};

struct RandomProgram {
  ProgramKind kind{};
  /// One statement a line. The kernel is `k(out: i64 buffer, real: f64 buffer, in: i32 buffer, n: i32, x:
  /// f32)`, with atomics `(..., tally: i32 buffer, wide: i64 buffer)`, too. A work-item owns 16 elements of
  /// `out` and 4 of `real`, `in` has 64, the last two have 16.
  std::string source;
  std::vector<std::string> launch;  // options of the command: sizes and arguments
};
RandomProgram random_program(uint64_t seed, const ProgramOptions& options = {});

}  // namespace kc::fuzz
