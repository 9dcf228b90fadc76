// SPDX-License-Identifier: Apache-2.0
// Texts whose parts draw random numbers. The order in which a call evaluates its arguments is the compiler's
// choice; here it is the last one first, so a seed gives the same program everywhere.
#pragma once

#include <fmt/format.h>

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kc::fuzz {

/// An argument that is evaluated later.
#define LATER(...) [&] { return __VA_ARGS__; }

namespace later {

inline std::tuple<> values() { return {}; }
template <typename First, typename... Rest>
auto values(const First& first, const Rest&... rest) {
  auto later = values(rest...);
  return std::tuple_cat(std::tuple<std::invoke_result_t<const First&>>(first()), std::move(later));
}

}  // namespace later

/// fmt::format with the results of functions, which are called from the last to the first.
template <typename... Makers>
std::string from_last(fmt::format_string<const std::invoke_result_t<const Makers&>&...> text,
                      const Makers&... makers) {
  return std::apply([&](const auto&... values) { return fmt::format(text, values...); },
                    later::values(makers...));
}

}  // namespace kc::fuzz
