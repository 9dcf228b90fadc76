// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

namespace kc::front {

/// The name without `__` at both ends.
std::string_view plain_name(std::string_view attribute);
/// Attributes of functions that are obeyed or have nothing to say here.
std::span<const std::string_view> function_attributes();
/// Whether an attribute of this name is known anywhere: of functions, types, variables, statements.
bool is_known_attribute(std::string_view name);

}  // namespace kc::front
