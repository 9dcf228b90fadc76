// SPDX-License-Identifier: Apache-2.0
// Random kernels as source text: records, arrays, pointers, every number type, vectors, goto, switch,
// exceptions through helpers, atomics, barriers. Every run terminates, every index is in bounds, every read
// is initialized, each work-item writes only its own slice of the buffers, and the result of atomic
// operations does not depend on their order. The same seed gives the same text everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kc::fuzz {

struct ProgramOptions {
  /// Restricts the program to code with the same meaning in GNU C++ after the prelude of tests/oracle: shifts
  /// and divisions within their limits, one side effect per expression, no traps, no built-in functions, a
  /// single work-item.
  bool portable = false;
  bool math = true;      // calls of exp, sin and so on, each of which is dozens of operations
  bool vectors = true;   // in four of ten programs
  uint32_t large = 1;    // percentage of programs with hundreds of statements
  uint32_t images = 35;  // percentage of programs with interleaved elements, tables, limits, histograms
};

/// Program kinds, by the capabilities that they require of an engine.
enum class ProgramKind : uint8_t {
  Registers,  // no memory except the buffers
  Memory,     // pointers, arrays with computed indices, unions, a work-item's own part of local memory
  Atomics,    // on global memory
  Groups,     // local memory shared by work-items, barriers in uniform control flow, atomics
};

struct RandomProgram {
  ProgramKind kind{};
  /// One statement per line. The kernel is `k(out: i64 buffer, real: f64 buffer, in: i32 buffer, n: i32, x:
  /// f32)`; with atomics `(..., tally: i32 buffer, wide: i64 buffer)`. A work-item owns 16 elements of `out`
  /// and 4 of `real`; `in` has 64 elements, the last two buffers have 16. Programs with interleaved elements
  /// have two more buffers, `pix` and `src`.
  std::string source;
  std::vector<std::string> launch;  // command-line options: sizes and arguments
};
RandomProgram random_program(uint64_t seed, const ProgramOptions& options = {});

}  // namespace kc::fuzz
