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

std::string first_line_of(const std::string& text) { return text.substr(0, text.find('\n')); }

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
  // The others mostly follow from the first.
  if (auto errors = verify(*f); !errors.empty()) {
    const size_t more = errors.size() - 1;
    std::string message = fmt::format("the IR that it wrote is not well formed: {}",
                                      first_line_of(render_json_errors(*f, 0, {errors[0]}, kOutput, text)));
    const std::string& inst = errors[0].text;
    if (!inst.empty()) message += fmt::format(": {}", inst.substr(0, inst.find("  ;")));
    if (more) message += fmt::format(" (and {} more)", more);
    return wrong_text(std::move(message));
  }
  return f;
}

}  // namespace kc
