// SPDX-License-Identifier: Apache-2.0
#include "ir/check.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace kc {

// Each user of the compiler reports internal errors in its own way: the command exits with status 70, the
// library returns an error.
bool internal_checks() {
#ifdef NDEBUG
  static const bool on = [] {
    const char* setting = std::getenv("KERNELC_CHECKS");
    return setting && *setting && std::string_view(setting) != "0";
  }();
  return on;
#else
  return true;
#endif
}

void internal_error(const char* file, int line, std::string_view message) {
#ifdef __cpp_exceptions
  throw std::logic_error(fmt::format("{} ({}:{})", message, file, line));
#else
  fmt::print(stderr, "internal error: {} ({}:{})\n", message, file, line);
  std::exit(70);
#endif
}

}  // namespace kc
