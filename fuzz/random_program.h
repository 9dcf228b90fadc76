// SPDX-License-Identifier: Apache-2.0
// Random kernels as source text: records, arrays, pointers, every number type, goto, switch, exceptions
// through helpers. Every run ends, every index is in bounds, nothing is read before it is written, and each
// work-item writes only its own slice of the buffers. The same seed gives the same text everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kc::fuzz {

struct ProgramOptions {
  /// Only what means the same in GNU C++ behind the prelude of tests/oracle: shifts and divisions within
  /// their limits, one side effect in each expression, no traps, no built-in functions.
  bool portable = false;
  uint32_t large = 10;  // percent of programs with hundreds of statements
};

/// The source, one statement a line. The kernel is `k(out: i64 buffer, real: f64 buffer, in: i32 buffer,
/// n: i32, x: f32)`; a work-item owns 16 elements of `out` and 4 of `real`, and `in` has 64.
std::string random_program(uint64_t seed, const ProgramOptions& options = {});
/// Options of the command for its launch: sizes and arguments.
std::vector<std::string> random_launch(uint64_t seed);

}  // namespace kc::fuzz
