// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string_view>

namespace kc {

/// The optional features of OpenCL C 3.0 that the language has, as their macros are called.
std::span<const std::string_view> optional_features();

/// The version of the language that `-cl-std=` names ("CL1.2"), as `__OPENCL_C_VERSION__` has it (120). None
/// if there is no such version here.
std::optional<int> language_version(std::string_view name);

}  // namespace kc
