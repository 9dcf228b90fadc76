// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "driver/exec_pass.h"
#include "driver/program.h"
#include "host/pass_list.h"
#include "passes/outside_pass.h"

namespace kc {

std::expected<void, DriverError> check_passes(const Options& o, const TargetDesc* target) {
  std::vector<std::string_view> named = split_pass_names(o.passes);
  for (std::string_view name : named)
    if (is_outside_pass(name))
      if (auto words = words_of_command(command_of(name)); !words)
        return failed(ExitUsage, fmt::format("--passes: {}: {}", name, words.error()));
  std::erase_if(named, is_outside_pass);
  named.push_back(o.stop_after);
  if (o.print_after != "all") named.push_back(o.print_after);
  auto all = all_pass_names();
  all.push_back(outside_pass_row().name);
  for (std::string_view name : named)
    if (!name.empty() && std::ranges::find(all, name) == all.end())
      return failed(ExitUsage, unknown_pass(name));
  const std::string_view dialect = !target                               ? ""
                                   : target->is_cpu()                    ? "x64"
                                   : target->family == TargetFamily::Gcn ? "gcn"
                                                                         : "";
  auto runs = [&](const PassGroup& group, std::string_view name) {
    const bool machine = group.dialect == "x64" || group.dialect == "gcn";
    return (!machine || group.dialect == dialect) &&
           std::ranges::find(group.passes, name, &PassInfo::name) != group.passes.end();
  };
  const auto groups = pass_groups();
  for (const std::string& name : {o.stop_after, o.print_after}) {
    if (name.empty() || name == "all" || name == outside_pass_row().name) continue;
    if (std::ranges::any_of(groups, [&](const PassGroup& g) { return runs(g, name); })) continue;
    return failed(ExitUsage,
                  target ? fmt::format("pass {} does not run for {}", name, target->name)
                         : fmt::format("pass {} needs a --target: it is one on machine functions", name));
  }
  if (!o.dump_dir.empty()) {
    std::error_code error;
    std::filesystem::create_directories(o.dump_dir, error);
    const bool folder = !error && std::filesystem::is_directory(o.dump_dir, error);
    if (!folder || ::access(o.dump_dir.c_str(), W_OK) != 0)
      return failed(ExitIo, fmt::format("cannot write into the directory '{}'", o.dump_dir));
  }
  return {};
}

}  // namespace kc
