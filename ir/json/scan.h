// SPDX-License-Identifier: Apache-2.0
// The syntax of JSON, and places in its text. These hold nothing of the text in memory.
#pragma once

#include <optional>
#include <string_view>

#include "ir/text.h"

namespace kc {

/// The first error of syntax, or a limit of json.h that the text exceeds; empty if there is none.
std::optional<TextError> check_json_syntax(std::string_view text);

struct JsonPlace {
  uint32_t line = 1, column = 1;
};
/// Where the value begins or ends that a JSON pointer names, in a text without errors; 1:1 if there is none.
JsonPlace place_in_json(std::string_view text, std::string_view pointer);

}  // namespace kc
