// SPDX-License-Identifier: Apache-2.0
#include "host/pass_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/gcn/gcn.h"
#include "backends/x64/x64.h"
#include "frontend/source/nearest_name.h"
#include "passes/pipeline.h"

namespace kc {
namespace {

void add_names(std::vector<std::string_view>& names, std::span<const PassInfo> passes) {
  for (const PassInfo& pass : passes)
    if (std::ranges::find(names, pass.name) == names.end()) names.push_back(pass.name);
}

}  // namespace

std::vector<PassGroup> pass_groups() {
  PassGroup both{"thread and wave", {}}, thread{"thread", {}}, wave{"wave", {}};
  for (const PassRow& row : pass_table()) {
    PassGroup& group = (row.needs & ThreadForm) ? thread : (row.needs & WaveForm) ? wave : both;
    group.passes.push_back({row.name, row.summary});
  }
  return {thread, both, wave, {"x64", x64_passes()}, {"gcn", gcn_passes()}};
}

std::span<const std::string_view> machine_pass_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    add_names(all, x64_passes());
    add_names(all, gcn_passes());
    return all;
  }();
  return names;
}

std::vector<std::string_view> all_pass_names() {
  std::vector<std::string_view> names;
  for (const PassGroup& group : pass_groups()) add_names(names, group.passes);
  return names;
}

std::string unknown_pass(std::string_view name) {
  const auto near = front::nearest_name(name, all_pass_names());
  return fmt::format("there is no pass '{}'{}{} 'kernelc passes' lists them", name, front::did_you_mean(near),
                     near.empty() ? ";" : "");
}

}  // namespace kc
