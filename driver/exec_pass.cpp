// SPDX-License-Identifier: Apache-2.0
#include "driver/exec_pass.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstring>

#include "driver/time_limit.h"
#include "ir/json/json.h"
#include "ir/process.h"

namespace kc {
namespace {

constexpr size_t kShownLines = 20;

// What the program printed, at most its last lines.
void show_errors(const std::string& text, const ExecLimits& limits) {
  if (limits.errors) *limits.errors = text;
  if (text.empty() || limits.errors) return;
  size_t start = text.size() - (text.back() == '\n');
  for (size_t n = 0; n < kShownLines && start != std::string::npos && start > 0; ++n)
    start = text.rfind('\n', start - 1);
  start = start == std::string::npos ? 0 : start + (text[start] == '\n');
  std::fwrite(text.data() + start, 1, text.size() - start, stderr);
  if (text.back() != '\n') std::fputc('\n', stderr);
}

std::unexpected<CompileError> wrong(std::string message) {
  return std::unexpected(CompileError{CompileError::Outside, std::move(message)});
}

}  // namespace

std::expected<std::vector<std::string>, std::string> words_of_command(std::string_view command) {
  std::vector<std::string> words;
  bool inside = false;  // of a word
  char quote = 0;
  for (const char c : command) {
    if (!quote && (c == ' ' || c == '\t')) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back(), inside = true;
    if (quote ? c == quote : c == '\'' || c == '"')
      quote = quote ? char{0} : c;
    else
      words.back() += c;
  }
  if (quote) return std::unexpected(fmt::format("{} is not closed", quote));
  if (words.empty() || words[0].empty()) return std::unexpected("no program is named");
  return words;
}

std::expected<std::string, CompileError> output_of(const std::vector<std::string>& words,
                                                   const std::string& input, const ExecLimits& limits) {
  auto ran = run_program(words, input,
                         {.output_bytes = kMaxJson,
                          .seconds = clock_limit(limits.seconds),
                          .processor_seconds = limits.seconds,
                          .memory_bytes = limits.memory_mib << 20});
  show_errors(ran ? ran->err : ran.error().err, limits);
  if (limits.late) *limits.late = !ran && ran.error().error.late;
  if (!ran) {
    const ToolError& e = ran.error().error;
    return std::unexpected(CompileError{e.absent ? CompileError::Absent : CompileError::Outside, e.message});
  }
  if (ran->signal)
    return wrong(fmt::format("it was ended by signal {} ({})", ran->signal, strsignal(ran->signal)));
  if (ran->exit_code) return wrong(fmt::format("it ended with status {}", ran->exit_code));
  return std::move(ran->out);
}

MadeFunction run_as_pass(const Function& f, const std::vector<std::string>& words, const ExecLimits& limits) {
  const auto out = output_of(words, write_json(f), limits);
  if (!out) return std::unexpected(out.error());
  return written_function(*out);
}

OutsidePass exec_passes(const ExecLimits& limits) {
  return [limits](const Function& f, std::string_view command) -> MadeFunction {
    const auto words = words_of_command(command);
    if (!words)
      return std::unexpected(
          CompileError{CompileError::Usage, fmt::format("exec:{}: {}", command, words.error())});
    auto made = run_as_pass(f, *words, limits);
    if (!made) made.error().message = fmt::format("pass exec:{}: {}", command, made.error().message);
    return made;
  };
}

}  // namespace kc
