// SPDX-License-Identifier: Apache-2.0
// Kernels whose results OpenCL specifies bit for bit, generated from tables of types, widths and operations.
#pragma once
#include <string>
#include <vector>

namespace kc::test {

struct OpenclCase {
  std::string name;
  std::string source;
  std::vector<std::string> launch;  // command-line options: sizes and arguments
  bool ours_alone = false;          // PoCL 3.1 is known to be wrong
};

/// Operators and functions on vectors of all widths, conversions, as_, loads and stores, halves.
std::vector<OpenclCase> vector_cases();
/// Atomics, copies of work-groups, prefetch.
std::vector<OpenclCase> memory_cases();
/// Structures, pointers, tables, jumps, expressions with statements.
std::vector<OpenclCase> language_cases();
/// printf, each by one work-item.
std::vector<OpenclCase> printf_cases();

}  // namespace kc::test
