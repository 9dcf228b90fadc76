// SPDX-License-Identifier: Apache-2.0
#include "driver/written_function.h"

#include <fmt/format.h>

#include "ir/json/json.h"
#include "ir/verify.h"

namespace kc {
namespace {

std::unexpected<CompileError> wrong_text(std::string message) {
  return std::unexpected(CompileError{CompileError::Outside, std::move(message)});
}

std::string without_newline(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

MadeFunction written_function(const std::string& text) {
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return wrong_text("it wrote nothing");
  constexpr std::string_view kOutput = "its output";
  auto module = read_json(text);
  if (!module) {
    const TextError& e = module.error();
    return wrong_text(
        fmt::format("what it wrote is no IR: line {}, column {}: {}", e.line, e.column, e.message));
  }
  if (module->functions.size() != 1)
    return wrong_text(fmt::format("it wrote {} functions, and a pass returns one", module->functions.size()));
  std::unique_ptr<Function> f = std::move(module->functions[0]);
  if (const auto errors = verify(*f); !errors.empty())
    return wrong_text(fmt::format("the IR that it wrote is not well formed: {}",
                                  without_newline(render_json_errors(*f, 0, errors, kOutput, text))));
  return f;
}

}  // namespace kc
