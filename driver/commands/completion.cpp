// SPDX-License-Identifier: Apache-2.0
// Scripts for shells. They know each command's options and the values of those that have a list; everything
// else is a file.
#include <fmt/format.h>

#include <algorithm>

#include "driver/commands/command_info.h"

namespace kc {
namespace {

std::string words(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, " ")); }

std::vector<std::string> choices_of(const OptionInfo& o) {
  if (!o.choices.empty() || o.value.find('|') == std::string::npos) return o.choices;
  std::vector<std::string> parts;
  for (std::string_view rest = o.value;;) {
    size_t bar = rest.find('|');
    parts.emplace_back(rest.substr(0, bar));
    if (bar == std::string_view::npos) return parts;
    rest.remove_prefix(bar + 1);
  }
}

std::string names_of(const std::vector<CommandInfo>& table) {
  std::vector<std::string> names;
  for (const CommandInfo& c : table) names.push_back(c.name);
  return words(names);
}

std::string bash(const std::vector<CommandInfo>& table) {
  std::string options, values;
  for (const CommandInfo& c : table) {
    std::string all = "--help";
    for (const OptionInfo& o : c.options) {
      all += " " + words(o.names);
      for (const std::string& name : o.names)
        if (auto choices = choices_of(o); !choices.empty())
          values += fmt::format("    {}:{}) values=\"{}\" ;;\n", c.name, name, words(choices));
        else if (o.takes_value() && !o.takes_path() && !o.value.starts_with("[="))
          values += fmt::format("    {}:{}) return ;;\n", c.name, name);
        else if (o.takes_path())
          values += fmt::format("    {}:{}) files=1 ;;\n", c.name, name);
    }
    for (const OptionInfo& o : c.operands)
      if (!o.choices.empty())
        values += fmt::format("    {0}:{0}) values=\"{1}\" ;;\n", c.name, words(o.choices));
    options += fmt::format("    {}) options=\"{}\" ;;\n", c.name, all);
  }
  return fmt::format(
      R"(# bash completion for kernelc; made by "kernelc completion bash".
_kernelc() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} command={0} options= values= files=
  COMPREPLY=()
  # NAME=VALUE arrives as three words.
  if [[ $cur == "=" ]]; then
    cur=
  elif [[ $prev == "=" ]]; then
    prev=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  case " {1} " in *" ${{COMP_WORDS[1]}} "*) if [[ $COMP_CWORD -gt 1 ]]; then command=${{COMP_WORDS[1]}}; fi ;; esac
  case $command in
{2}  esac
  case $command:$prev in
{3}  esac
  if [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$cur"))
  elif [[ -z $files && $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
    if [[ $COMP_CWORD -eq 1 ]]; then COMPREPLY+=($(compgen -W "{1} --help --version" -- "$cur")); fi
  fi
}}
complete -o filenames -F _kernelc kernelc
)",
      table.front().name, names_of(table), options, values);
}

// For _arguments: brackets, colons and quotes mean something there.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':' || c == '\\')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string zsh_value(const OptionInfo& o) {
  if (!o.takes_value()) return "";
  auto choices = choices_of(o);
  std::string values = !choices.empty()   ? fmt::format("({})", words(choices))
                       : o.value == "DIR" ? "_files -/"
                       : o.takes_path()   ? "_files"
                                          : " ";
  return fmt::format("{}{}:{}", o.value.starts_with("[=") ? "::" : ":", zsh_text(o.value), values);
}

std::string zsh(const std::vector<CommandInfo>& table) {
  std::string commands, cases;
  for (const CommandInfo& c : table) {
    commands += fmt::format("    '{}:{}'\n", c.name, zsh_text(c.summary));
    cases += fmt::format("    {})\n      _arguments '--help[show the options]'", c.name);
    for (const OptionInfo& o : c.options)
      for (const std::string& name : o.names)
        cases += fmt::format(" \\\n        '*{}{}[{}]{}'", name,
                             o.value.starts_with("[=")     ? "=-"
                             : o.joined && o.takes_value() ? "=-"
                                                           : "",
                             zsh_text(o.description), zsh_value(o));
    for (const OptionInfo& o : c.operands)
      cases += fmt::format(" \\\n        '*:{}:{}'", zsh_text(o.value),
                           o.choices.empty() ? "_files" : fmt::format("({})", words(o.choices)));
    cases += " ;;\n";
  }
  return fmt::format(
      R"(#compdef kernelc
# zsh completion for kernelc; made by "kernelc completion zsh".
_kernelc() {{
  local command={0}
  local -a commands=(
{1}  )
  if (( CURRENT == 2 )); then
    _describe command commands
  fi
  if [[ " {2} " == *" $words[2] "* ]] && (( CURRENT > 2 )); then
    command=$words[2]
    words=(kernelc "${{(@)words[3,-1]}}")
    (( CURRENT-- ))
  fi
  case $command in
{3}  esac
}}
if [[ $funcstack[1] == _kernelc ]]; then _kernelc "$@"; else compdef _kernelc kernelc; fi
)",
      table.front().name, commands, names_of(table), cases);
}

std::string fish_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string fish(const std::vector<CommandInfo>& table) {
  std::string text = "# fish completion for kernelc; made by \"kernelc completion fish\".\n";
  std::string any = names_of(table);
  for (const CommandInfo& c : table)
    text += fmt::format("complete -c kernelc -n 'not __fish_seen_subcommand_from {}' -a {} -d '{}'\n", any,
                        c.name, fish_text(c.summary));
  text +=
      "complete -c kernelc -l help -d 'show the options'\ncomplete -c kernelc -l version -d 'show the "
      "version'\n";
  for (const CommandInfo& c : table) {
    // The default command is also what runs when none is named.
    std::string when = fmt::format("__fish_seen_subcommand_from {}", c.name);
    if (&c == &table.front()) {
      std::vector<std::string> others;
      for (const CommandInfo& other : table)
        if (&other != &c) others.push_back(other.name);
      when = fmt::format("not __fish_seen_subcommand_from {}", words(others));
    }
    for (const OptionInfo& o : c.options) {
      text += fmt::format("complete -c kernelc -n '{}'", when);
      for (const std::string& name : o.names)
        text += name.starts_with("--") ? " -l " + name.substr(2)
                : name.size() == 2     ? " -s " + name.substr(1)
                                       : " -o " + name.substr(1);
      if (auto choices = choices_of(o); !choices.empty())
        text += fmt::format(" -x -a '{}'", words(choices));
      else if (o.takes_path())
        text += " -r -F";
      else if (o.takes_value() && !o.value.starts_with("[="))
        text += " -x";
      text += fmt::format(" -d '{}'\n", fish_text(o.description));
    }
    for (const OptionInfo& o : c.operands)
      if (!o.choices.empty())
        text += fmt::format("complete -c kernelc -f -n '{}' -a '{}'\n", when, words(o.choices));
  }
  return text;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  std::vector<CommandInfo> table = command_table();
  return shell == "bash" ? bash(table) : shell == "zsh" ? zsh(table) : fish(table);
}

}  // namespace kc
