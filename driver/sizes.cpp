// SPDX-License-Identifier: Apache-2.0
#include "driver/sizes.h"

#include <fmt/format.h>

#include <charconv>

namespace kc {

std::string parse_sizes(std::string_view option, const std::string& text, std::array<uint64_t, 3>& out,
                        uint32_t& dims, bool zero_ok) {
  const char* at = text.data();
  const char* end = at + text.size();
  for (dims = 0; dims < 3;) {
    uint64_t v = 0;
    auto [next, ec] = std::from_chars(at, end, v);
    if (ec != std::errc{} || (v == 0 && !zero_ok) || v > (uint64_t{1} << 40))
      return fmt::format("{}: '{}' is not X[,Y[,Z]] of {} numbers", option, text,
                         zero_ok ? "non-negative" : "positive");
    out[dims++] = v;
    at = next;
    if (at == end) return {};
    if (*at++ != ',') break;
  }
  return fmt::format("{}: '{}' is not X[,Y[,Z]]", option, text);
}

}  // namespace kc
