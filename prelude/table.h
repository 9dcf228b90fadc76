// SPDX-License-Identifier: Apache-2.0
// The definitions of the prelude, found by name. The table itself is written by index.cpp.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace kc::prelude {

struct Definition {
  std::string_view name;
  std::string_view text;
  std::span<const uint16_t> needs;  // indices of the definitions that the text names, all smaller
};

/// A definition stands behind all that it needs.
std::span<const Definition> definitions();
/// Indices of the definitions in the order of their names.
std::span<const uint16_t> by_name();

}  // namespace kc::prelude
