// SPDX-License-Identifier: Apache-2.0
// Messages about command lines that are wrong: each names what is nearest, and where the list is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kc {

/// "unknown WHAT 'NAME'; did you mean 'NEAREST'? WHERE", with the list in place of WHERE if that is empty.
std::string unknown_name(std::string_view what, std::string_view name,
                         const std::vector<std::string_view>& known, std::string_view where = {});

std::string unknown_command(std::string_view name);

/// The word does not belong to the command: an unknown option, or one operand too many.
std::string unexpected_word(std::string_view command, std::string_view word);

/// An option, as the parser names it, without its value.
std::string missing_value(std::string_view command, std::string_view option);

/// The value is none of those that the option takes.
std::string unknown_value(std::string_view command, std::string_view option, std::string_view value);

/// The command, empty if there is none, without the file or the other operand that it needs.
std::string missing_operand(std::string_view command);

}  // namespace kc
