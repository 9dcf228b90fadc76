// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace kc::front {

/// The candidate nearest to a misspelt name, or empty if none is near enough.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

/// "; did you mean 'near'?", or empty.
std::string did_you_mean(std::string_view near);

}  // namespace kc::front
