// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace kc {

/// The command line with each `@FILE` replaced by the arguments in the file, which may name further files.
/// They are separated by white space; quotes of both kinds keep them together, and a backslash takes the next
/// character as it is. A value of --arg that begins with @ is left alone. The error names the file: one that
/// cannot be read, a quote that is not closed, more than 16 files in one another or more than 4 MiB in all.
std::expected<std::vector<std::string>, std::string> expand_response_files(
    const std::vector<std::string>& arguments);

}  // namespace kc
