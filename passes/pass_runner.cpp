// SPDX-License-Identifier: Apache-2.0
#include "passes/pass_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <utility>

#include "passes/text_diff.h"

namespace kc {
namespace {

std::expected<void, CompileError> write_stage(const std::filesystem::path& path, const std::string& text) {
#ifndef __wasi__  // whose library has no operations on file systems
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
#endif
  std::FILE* file = std::fopen(path.c_str(), "wb");
  bool ok = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file && std::fclose(file) != 0) ok = false;
  if (!ok)
    return std::unexpected(CompileError{CompileError::Io, fmt::format("cannot write {}", path.string())});
  return {};
}

}  // namespace

std::string why_not_resumed(const Function& f) {
  if (!f.target || f.target->after.empty())
    return fmt::format("'{}' does not say for which target it is and after which pass", f.name);
  for (size_t v = 0; v < f.value_count(); ++v) {
    const Value& value = f.value(ValueId(static_cast<uint32_t>(v)));
    const bool given = value.kind == ValueKind::Param && BlockId(value.owner) == f.entry();
    if (value.location.kind != Location::None && !given)
      return fmt::format(
          "'{}' has registers already: only machine functions before register allocation can be "
          "compiled further",
          f.name);
  }
  return {};
}

std::string why_not_only(std::span<const PassInfo> passes, std::string_view after,
                         std::span<const std::string_view> only) {
  auto row = passes.begin();
  if (!after.empty()) row = std::ranges::find(passes, after, &PassInfo::name);
  if (!after.empty() && row != passes.end()) ++row;
  for (std::string_view name : only) {
    const auto from = row;
    row = std::find_if(row, passes.end(), [&](const PassInfo& p) { return p.name == name; });
    if (row == passes.end()) return fmt::format("pass {} does not run here, or runs earlier", name);
    const auto left_out = std::find_if(from, row, [](const PassInfo& p) { return !p.optional; });
    if (left_out != row) return fmt::format("pass {} needs {} before it", name, left_out->name);
    ++row;
  }
  return {};
}

size_t instruction_count(const Function& f) {
  size_t n = 0;
  for (BlockId b : f.layout) n += f.block(b).insts.size();
  return n;
}

std::string render_times(std::span<const PassTime> times) {
  std::string s = fmt::format("{:<24} {:>8} {:>12} {:>12}  {}\n", "pass", "ms", "before", "after", "changed");
  double total = 0;
  for (const PassTime& t : times) {
    s += fmt::format("{:<24} {:>8.3f} {:>12} {:>12}  {}\n", t.pass, t.seconds * 1e3, t.instructions_before,
                     t.instructions_after,
                     !t.tells_change ? "-"
                     : t.changed     ? "yes"
                                     : "no");
    total += t.seconds;
  }
  return s + fmt::format("{:<24} {:>8.3f}\n", "total", total * 1e3);
}

namespace {

// Machine text names the pass that ran last, which is no change.
std::string without_pass(std::string text, std::string_view pass) {
  const std::string note = fmt::format(" after={}", pass);
  if (size_t at = text.find(note); at != std::string::npos) text.erase(at, note.size());
  return text;
}

// The text after the pass before, if it is known; from now on it is `now`.
std::optional<std::string> exchange_text(const PipelineOptions& options, std::string_view function,
                                         const std::string& now) {
  if (!options.texts) return std::nullopt;
  auto [known, fresh] = options.texts->try_emplace(std::string(function), now);
  if (fresh) return std::nullopt;
  return std::exchange(known->second, now);
}

}  // namespace

std::expected<bool, CompileError> show_stage(const PipelineOptions& options, const PassStage& stage,
                                             const std::function<std::string()>& text) {
  const bool stops = !options.stop_after.empty() && options.stop_after == stage.pass;
  auto prints = [&](std::string_view name) {
    return std::ranges::find(options.print_after, name) != options.print_after.end();
  };
  const bool all = prints("all"), named = prints(stage.pass);
  if (!all && !named && !options.print_changes && options.dump_dir.empty()) return stops;
  const std::string now = text();
  const std::string compared = without_pass(now, stage.pass);
  const std::optional<std::string> before = exchange_text(options, stage.function, compared);
  const std::string head = fmt::format("{} after {}: @{}", stage.comment, stage.pass, stage.function);
  const std::string shown = before == compared ? head + " is unchanged\n" : fmt::format("{}\n{}", head, now);
  if (options.print) {
    if (named)
      options.print(fmt::format("{}\n{}", head, now));
    else if (options.print_changes && before && *before != compared)
      options.print(fmt::format("{}\n{}", head, line_diff(*before, compared)));
    else if (all || options.print_changes)
      options.print(shown);
  }
  if (!options.dump_dir.empty()) {
    auto file = fmt::format("{}.{:02}-{}.{}", stage.function, stage.number, stage.pass, stage.extension);
    const std::string& content = before == compared ? shown : now;
    if (auto done = write_stage(std::filesystem::path(options.dump_dir) / file, content); !done)
      return std::unexpected(done.error());
  }
  return stops;
}

}  // namespace kc
