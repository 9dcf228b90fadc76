// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/fuzz.h"

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
