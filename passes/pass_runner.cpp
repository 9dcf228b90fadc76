// SPDX-License-Identifier: Apache-2.0
#include "passes/pass_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace kc {
namespace {

std::expected<void, CompileError> write_stage(const std::filesystem::path& path, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
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

std::expected<bool, CompileError> show_stage(const PipelineOptions& options, const PassStage& stage,
                                             const std::function<std::string()>& text) {
  const bool wanted = std::ranges::any_of(
      options.print_after, [&](const std::string& n) { return n == "all" || n == stage.pass; });
  if (wanted && options.print)
    options.print(fmt::format("{} after {}: @{}\n{}", stage.comment, stage.pass, stage.function, text()));
  if (!options.dump_dir.empty()) {
    auto file = fmt::format("{}.{:02}-{}.{}", stage.function, stage.number, stage.pass, stage.extension);
    if (auto done = write_stage(std::filesystem::path(options.dump_dir) / file, text()); !done)
      return std::unexpected(done.error());
  }
  return !options.stop_after.empty() && options.stop_after == stage.pass;
}

}  // namespace kc
