// SPDX-License-Identifier: Apache-2.0
// Functions that programs write as JSON (docs/ir-json.md).
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "passes/pass_runner.h"

namespace kc {

using MadeFunction = std::expected<std::unique_ptr<Function>, CompileError>;
/// The one function of a document; well formed. The error (Outside) says what is wrong with the text, as of
/// "it", the program.
MadeFunction written_function(const std::string& text);

}  // namespace kc
