// SPDX-License-Identifier: Apache-2.0
// The commands and their options as data, taken from the parser's table: for help, the manual page and
// completion.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kc {

struct OptionInfo {
  std::vector<std::string> names;  // as users type them
  std::string value;               // what users call it; empty: there is none
  bool joined = false;             // NAME=VALUE in one word, and in no other way
  bool required = false;
  std::string description, group;
  std::vector<std::string> choices;  // what the value may be, where that is a list

  bool takes_value() const { return !value.empty(); }
  /// A file or a folder.
  bool takes_path() const {
    return value == "FILE" || value == "DIR" || value == "LAB.toml" || value == "SUBMISSION";
  }
  /// "-D NAME[=VALUE]", "-ffp-contract=on|off", "-Rpass[=REGEX]"
  std::string usage() const;
  /// The description, with the choices if they are not too many.
  std::string about() const;
};

struct CommandInfo {
  std::string name, summary;
  std::vector<OptionInfo> operands;  // without names
  std::vector<OptionInfo> options;

  /// "kernelc run [options] FILE"
  std::string usage() const;
};

/// In the order of the parser; the first is the default. Defined beside the parser.
std::vector<CommandInfo> command_table();

/// The groups of these options: those of launches first, then in a fixed order.
std::vector<std::string> groups_of(const std::vector<OptionInfo>& options);

/// What --help prints: of all commands, of one.
std::string general_help();
std::string command_help(std::string_view command);

/// A page for man(1).
std::string manual_page();
/// A script for bash, zsh or fish.
std::string completion_script(std::string_view shell);

}  // namespace kc
