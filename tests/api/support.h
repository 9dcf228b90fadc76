// SPDX-License-Identifier: Apache-2.0
// Programs and kernels for tests of the library; an error in this code is a test failure.
#pragma once

#include <catch2/catch.hpp>
#include <numeric>
#include <string>

#include "api/include/kernelc/kernelc.hpp"

inline kernelc::program program_of(std::string_view text, const kernelc::compile_options& options = {}) {
  auto program = kernelc::program::from_text(text, options);
  if (!program) FAIL(program.error().message());
  return std::move(*program);
}

inline kernelc::kernel kernel_of(std::string_view text, const kernelc::kernel_options& options = {}) {
  auto kernel = program_of(text).kernel(options);
  if (!kernel) FAIL(kernel.error().message());
  return std::move(*kernel);
}

/// The status and message of a result that must be an error.
template <typename T>
std::string complaint(const kernelc::result<T>& result) {
  if (result) return "no error";
  return std::to_string(result.error().status()) + ": " + std::string(result.error().message());
}

inline void require_done(const kernelc::result<void>& result) {
  if (!result) FAIL(result.error().message());
}

/// The targets of this machine.
inline std::vector<std::string> targets() {
  std::vector<std::string> all;
  for (const char* target : {"interp", "avx2", "avx512"})
    if (program_of("kernel void k() {}").kernel({.name = "", .target = target})) all.emplace_back(target);
  return all;
}
