// SPDX-License-Identifier: Apache-2.0
#include "driver/usage_errors.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/commands/command_info.h"
#include "frontend/source/nearest_name.h"

namespace kc {
namespace {

std::string list_of(std::string_view command) {
  return fmt::format("'kernelc help {}' lists its options", command);
}

const CommandInfo* find_command(const std::vector<CommandInfo>& table, std::string_view name) {
  auto found = std::ranges::find(table, name, &CommandInfo::name);
  return found == table.end() ? nullptr : &*found;
}

const OptionInfo* find_option(const CommandInfo& command, std::string_view name) {
  for (const OptionInfo& o : command.options)
    if (std::ranges::find(o.names, name) != o.names.end()) return &o;
  return nullptr;
}

std::vector<std::string_view> option_names(const CommandInfo& command) {
  std::vector<std::string_view> names{"--help"};
  for (const OptionInfo& o : command.options)
    for (const std::string& name : o.names)
      if (name.size() > 2) names.push_back(name);  // a single letter is near to every other
  return names;
}

// "LAB.toml and SUBMISSION"
std::string operands_of(const CommandInfo& command) {
  std::string text;
  for (const OptionInfo& o : command.operands) text += (text.empty() ? "" : " and ") + o.value;
  return text;
}

// The parser's name may have a dash more than what users type.
const OptionInfo* parsed_option(const CommandInfo& command, std::string_view option) {
  const OptionInfo* info = find_option(command, option);
  return info || !option.starts_with("--") ? info : find_option(command, option.substr(1));
}

}  // namespace

std::string unknown_name(std::string_view what, std::string_view name,
                         const std::vector<std::string_view>& known, std::string_view where) {
  std::string text = fmt::format("unknown {} '{}'", what, name);
  const std::string_view near = front::nearest_name(name, known);
  if (!near.empty()) text += fmt::format("; did you mean '{}'?", near);
  if (!where.empty()) return text + fmt::format("{} {}", near.empty() ? ";" : "", where);
  return text + fmt::format("{} there are: {}", near.empty() ? ";" : "", fmt::join(known, ", "));
}

std::string unknown_command(std::string_view name) {
  const std::vector<CommandInfo> table = command_table();
  std::vector<std::string_view> names;
  for (const CommandInfo& c : table) names.push_back(c.name);
  return unknown_name("command", name, names,
                      "'kernelc --help' lists the commands; there is no file of this name either");
}

std::string unexpected_word(std::string_view command, std::string_view word) {
  const std::vector<CommandInfo> table = command_table();
  const CommandInfo* own = find_command(table, command);
  if (!own) return unknown_command(command);
  if (!word.starts_with('-') || word == "-") {
    if (own->operands.empty())
      return fmt::format("kernelc {} takes no '{}'; {}", command, word, list_of(command));
    return fmt::format("unexpected '{}': kernelc {} takes {}; {}", word, command,
                       own->operands.size() == 1 ? "one " + own->operands.front().value : operands_of(*own),
                       list_of(command));
  }
  const std::string_view name = word.substr(0, word.find('='));
  for (const CommandInfo& c : table)
    if (&c != own && find_option(c, name))
      return fmt::format("{} is an option of kernelc {}, not of kernelc {}; {}", name, c.name, command,
                         list_of(command));
  return unknown_name("option", name, option_names(*own), list_of(command));
}

std::string missing_value(std::string_view command, std::string_view option) {
  const std::vector<CommandInfo> table = command_table();
  const CommandInfo* own = find_command(table, command);
  const OptionInfo* info = own ? parsed_option(*own, option) : nullptr;
  if (!info) return fmt::format("{} needs a value", option);
  return fmt::format("{} needs a value, {}: {}; {}", info->names.front(), info->value, info->about(),
                     list_of(command));
}

std::string unknown_value(std::string_view command, std::string_view option, std::string_view value) {
  const std::vector<CommandInfo> table = command_table();
  const CommandInfo* own = find_command(table, command);
  if (!own) return fmt::format("{} does not take '{}'", option, value);
  const OptionInfo* info = parsed_option(*own, option);
  for (const OptionInfo& operand : own->operands)
    if (!info && operand.choices.size() > 0) info = &operand;
  if (!info) return fmt::format("{} does not take '{}'; {}", option, value, list_of(command));
  const std::string what = info->names.empty() ? std::string(option) : "value of " + info->names.front();
  return unknown_name(what, value, {info->choices.begin(), info->choices.end()});
}

std::string missing_operand(std::string_view command) {
  const std::vector<CommandInfo> table = command_table();
  const CommandInfo* own = find_command(table, command);
  if (!own)
    return "a command or a file is missing: 'kernelc FILE.cl' checks a kernel, 'kernelc --help' lists the "
           "commands";
  if (own->operands.size() > 1)
    return fmt::format("kernelc {} needs {}; usage: {}; {}", command, operands_of(*own), own->usage(),
                       list_of(command));
  const OptionInfo& operand = own->operands.front();
  return fmt::format("kernelc {} needs a {}, {}; usage: {}; {}", command, operand.value, operand.description,
                     own->usage(), list_of(command));
}

}  // namespace kc
