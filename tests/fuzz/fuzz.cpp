// SPDX-License-Identifier: Apache-2.0
#include "fuzz.h"

#include <fmt/format.h>

#include <cstdlib>

#include "ir/check.h"

namespace kc {

// Replaces the function in ir/check.cpp, which exits without a signal, so that the fuzzer would not notice.
void internal_error(const char* file, int line, std::string_view message) {
  fmt::print(stderr, "internal error: {} ({}:{})\n", message, file, line);
  std::abort();
}

}  // namespace kc

void require(bool condition, std::string_view message) {
  if (condition) return;
  fmt::print(stderr, "{}\n", message);
  std::abort();
}

void require_round_trip(const std::string& printed) {
  auto again = kc::parse_module(printed);
  if (!again) require(false, again.error().render("printed", printed));
  std::string second = kc::print(*again);
  if (second != printed) require(false, "printed differently after reading:\n" + printed + "\n" + second);
}
