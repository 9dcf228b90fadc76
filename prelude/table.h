// SPDX-License-Identifier: Apache-2.0
// The definitions of the prelude, indexed by name. index.cpp generates the table.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace kc::prelude {

struct Definition {
  std::string_view name;
  std::string_view text;
  std::span<const uint16_t> needs;  // indices of the definitions that the text refers to, all smaller
};

/// A definition follows all definitions that it needs.
std::span<const Definition> definitions();
/// Indices of the definitions, sorted by name.
std::span<const uint16_t> by_name();

}  // namespace kc::prelude
