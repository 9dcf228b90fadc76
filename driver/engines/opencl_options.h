// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace kc {

/// What an option of OpenCL's clBuildProgram, one that begins with -cl-, is for this command: other
/// arguments, often none. The error says why it cannot be obeyed.
std::expected<std::vector<std::string>, std::string> translate_opencl_option(std::string_view option);

}  // namespace kc
