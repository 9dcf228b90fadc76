// SPDX-License-Identifier: Apache-2.0
// A parser for assembly, both our own output and that of llvm-objdump: instructions here; lines, labels and
// directives in text.cpp. Private to the emulator.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/gcn/object.h"

namespace kc::gcn_text {

using Words = std::vector<std::string_view>;
using Problem = std::string;  // empty: none

std::string_view trim(std::string_view s);
/// Splits at a separator outside brackets, parentheses and quotes.
Words split(std::string_view s, char separator);
/// Reads all of `s` as a decimal or hexadecimal number.
bool integer(std::string_view s, int64_t& value);
/// Parses `text` into `inst`; `branch` receives the word of the target.
Problem instruction(std::string_view text, GcnInst& inst, std::string& branch);
/// Why no encoding of gfx9 holds an instruction that `instruction` has read from the text.
Problem not_encodable(const GcnInst& inst, std::string_view text);

}  // namespace kc::gcn_text
