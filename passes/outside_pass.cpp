// SPDX-License-Identifier: Apache-2.0
#include "passes/outside_pass.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/text.h"

namespace kc {
namespace {

constexpr std::string_view kPrefix = "exec:";

// Why `made` cannot take the place of `given`; empty if it can.
std::string why_no_replacement(const Function& given, const Function& made) {
  if (made.name != given.name) return fmt::format("it returns @{} instead of @{}", made.name, given.name);
  if (made.is_kernel != given.is_kernel) return "it changes whether the function is a kernel";
  const bool lowers = given.dialect == Dialect::Thread && made.dialect == Dialect::Wave;
  if (made.dialect != given.dialect && !lowers)
    return fmt::format("it turns the {} dialect into {}", to_string(given.dialect), to_string(made.dialect));
  if (lowers && !made.width) return "a function of the wave dialect has a width";
  if (!lowers && made.width != given.width) return "it changes the width of waves";
  if (made.reqd_local != given.reqd_local || made.reqd_sub_group != given.reqd_sub_group)
    return "it changes the required sizes of groups";
  const auto& old = given.block(given.entry()).params;
  const auto& now = made.block(made.entry()).params;
  for (size_t i = 0; i < given.params.size(); ++i)
    if (i >= made.params.size() || made.params[i] != given.params[i] ||
        made.type(now[i]) != given.type(old[i]))
      return fmt::format("parameter {} is not that of the function it was given", i);
  for (size_t i = given.params.size(); i < made.params.size(); ++i)
    if (!made.params[i].hidden()) return fmt::format("parameter {} is new, and not hidden", i);
  return {};
}

}  // namespace

bool is_outside_pass(std::string_view name) { return name.starts_with(kPrefix); }
std::string_view command_of(std::string_view name) { return name.substr(kPrefix.size()); }

const PassRow& outside_pass_row() {
  static const PassRow row{.name = "exec",
                           .summary = "a program that reads a function as JSON and writes one"};
  return row;
}

std::expected<bool, CompileError> run_outside_pass(PassState& state, std::string_view name,
                                                   const OutsidePass& outside) {
  if (!outside)
    return std::unexpected(CompileError{
        CompileError::Usage, fmt::format("{}: only the command kernelc runs programs as passes", name)});
  auto made = outside(*state.f, command_of(name));
  if (!made) return std::unexpected(std::move(made.error()));
  if (std::string why = why_no_replacement(*state.f, **made); !why.empty())
    return std::unexpected(CompileError{CompileError::Outside, fmt::format("pass {}: {}", name, why)});
  const bool changed = print(*state.f) != print(**made);
  if (!changed) return false;
  state.f = std::move(*made);
  state.analyses = std::make_unique<AnalysisCache>(*state.f, state.wave.uniformity);
  return true;
}

std::string lacks_for(const PassState& state, std::span<const std::string_view> names, size_t first,
                      uint32_t now) {
  for (size_t i = first; i < names.size() && !is_outside_pass(names[i]); ++i) {
    const PassRow* row = find_pass(names[i]);
    if (const uint32_t missing = row->needs & ~now)
      return fmt::format("pass {} (number {}) needs {}, which pass {} (number {}) did not leave: {}",
                         names[i], i + 1, property_names(missing), names[first - 1], first,
                         why_missing(state, missing));
    now = (now & ~row->kills) | row->gives;
  }
  return {};
}

}  // namespace kc
