// SPDX-License-Identifier: Apache-2.0
// KC_CHECK: internal errors of the compiler, exit status 70, never caused by user errors.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace kc {

/// Whether the compiler checks its own work as it goes: IR after each pass, the properties that passes
/// promise, register allocation. It takes about as long as compiling. Builds without NDEBUG do, others do
/// where KERNELC_CHECKS is set to anything but 0, as it is for all tests.
bool internal_checks();

[[noreturn]] void internal_error(const char* file, int line, std::string_view message);

}  // namespace kc

#define KC_CHECK(condition, ...)                                          \
  do {                                                                    \
    if (!(condition)) [[unlikely]]                                        \
      ::kc::internal_error(__FILE__, __LINE__, fmt::format(__VA_ARGS__)); \
  } while (0)
