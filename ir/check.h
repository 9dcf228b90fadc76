// SPDX-License-Identifier: Apache-2.0
// KC_CHECK: the compiler's own errors. Exit status 70, never a user's fault.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace kc {

[[noreturn]] void internal_error(const char* file, int line, std::string_view message);

}  // namespace kc

#define KC_CHECK(condition, ...)                                          \
  do {                                                                    \
    if (!(condition)) [[unlikely]]                                        \
      ::kc::internal_error(__FILE__, __LINE__, fmt::format(__VA_ARGS__)); \
  } while (0)
