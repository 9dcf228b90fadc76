// SPDX-License-Identifier: Apache-2.0
// The command lines that graders make: `check FILE` with the options of a launch. All others need a library
// that throws, and a terminal.
#include <fmt/format.h>

#include "driver/options.h"
#include "driver/sizes.h"

namespace kc {
namespace {

CommandLine wrong(std::string message) {
  return {.options = {}, .text = "error: " + std::move(message), .status = ExitUsage};
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& words) {
  Options o;
  o.no_warnings = true;
  uint32_t ignored = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (i == 0 || word == "-w") {
      if (i == 0) o.command = word;
      continue;
    }
    if (!word.starts_with('-')) {
      o.file = word;
      continue;
    }
    if (i + 1 == words.size()) return wrong(fmt::format("a value is missing after '{}'", word));
    const std::string& value = words[++i];
    std::string problem;
    if (word == "--kernel")
      o.kernel = value;
    else if (word == "--arg")
      o.args.push_back(value);
    else if (word == "--global")
      problem = parse_sizes(word, value, o.global, o.dims, false);
    else if (word == "--local")
      problem = parse_sizes(word, value, o.local, o.local_dims, false);
    else if (word == "--offset")
      problem = parse_sizes(word, value, o.offset, ignored, true);
    else
      problem = fmt::format("the option '{}' is not for launches of a lab in the browser", word);
    if (!problem.empty()) return wrong(problem);
  }
  return {.options = std::move(o), .text = {}};
}

}  // namespace kc
