// SPDX-License-Identifier: Apache-2.0
// Where the command finds files that are not part of it: exercises, the page of the lab, the course.
#pragma once

#include <filesystem>
#include <string_view>

namespace kc {

/// The folder NAME beside the command, where it was built, or share/kernelc/NAME of its installation: the
/// first of them that has `file`, an absolute path. Empty if none has it.
std::filesystem::path data_folder(std::string_view name, std::string_view file);

}  // namespace kc
