// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "driver/commands/command_info.h"

namespace kc {
namespace {

constexpr size_t kColumn = 30, kWidth = 100;

// Words filled up to the width, further lines under the first.
std::string filled(std::string_view text) {
  std::string out;
  size_t column = kColumn;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    if (column > kColumn && column + 1 + word.size() > kWidth) {
      out += fmt::format("\n{:{}}", "", kColumn);
      column = kColumn;
    }
    if (column > kColumn) out += ' ', ++column;
    out += word;
    column += word.size();
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return out + "\n";
}

std::string row(std::string_view usage, std::string_view description) {
  std::string line = fmt::format("  {:<{}}", usage, kColumn - 2);
  if (usage.size() + 4 > kColumn) line += fmt::format("\n{:{}}", "", kColumn);
  return line + filled(description);
}

std::string description(const OptionInfo& o) {
  std::string text = o.about();
  if (o.required && !o.names.empty()) text += " (required)";
  return text;
}

}  // namespace

std::string OptionInfo::usage() const {
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (value.empty()) return text;
  if (value.starts_with("[=")) return text + value;
  return text + (joined ? "=" : text.empty() ? "" : " ") + value;
}

std::string OptionInfo::about() const {
  // Longer lists are for completion.
  if (choices.empty() || choices.size() > 16) return description;
  return fmt::format("{}: {}", description, fmt::join(choices, ", "));
}

std::string CommandInfo::usage() const {
  std::string text = "kernelc " + name + (options.empty() ? "" : " [options]");
  for (const OptionInfo& o : operands) text += " " + o.usage();
  return text;
}

std::vector<std::string> groups_of(const std::vector<OptionInfo>& options) {
  constexpr std::array<std::string_view, 8> order{"Launch", "Results",  "Simulation",  "Output",
                                                  "Target", "Language", "Diagnostics", "Passes"};
  std::vector<std::string> groups;
  for (const OptionInfo& o : options)
    if (std::ranges::find(groups, o.group) == groups.end()) groups.push_back(o.group);
  std::ranges::stable_sort(groups, {},
                           [&](const std::string& g) { return std::ranges::find(order, g) - order.begin(); });
  return groups;
}

std::string general_help() {
  std::string text =
      "kernelc: one kernel source, any control flow, every kind of SIMD machine\n\n"
      "Usage: kernelc [COMMAND] [options] FILE\n\nCommands:\n";
  for (const CommandInfo& c : command_table()) text += row(c.name, c.summary);
  text += "\n" + row("--help", "this text; after a command, its options") + row("--version", "the version");
  text += row("@FILE", "arguments from a file, separated by white space");
  return text;
}

std::string command_help(std::string_view command) {
  std::vector<CommandInfo> table = command_table();
  auto info = std::ranges::find(table, command, &CommandInfo::name);
  if (info == table.end()) return general_help();
  std::string text = fmt::format("kernelc {}: {}\n\nUsage: {}\n", info->name, info->summary, info->usage());
  if (!info->operands.empty()) text += "\n";
  for (const OptionInfo& o : info->operands) text += row(o.usage(), description(o));
  for (const std::string& group : groups_of(info->options)) {
    text += fmt::format("\n{}:\n", group);
    for (const OptionInfo& o : info->options)
      if (o.group == group) text += row(o.usage(), description(o));
  }
  return text;
}

}  // namespace kc
