// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

namespace kc {

/// The optional features of OpenCL C 3.0 that the language has, as their macros are called.
std::span<const std::string_view> optional_features();

}  // namespace kc
