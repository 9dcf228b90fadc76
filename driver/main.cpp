// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "driver/compiler.h"

int main(int argc, char** argv) {
  using namespace kc;
  try {
    CommandLine line = parse_command_line({argv + 1, argv + argc});
    if (!line.options) {
      std::fputs(line.text.c_str(), line.status == ExitOk ? stdout : stderr);
      return line.status;
    }
    const Options& options = *line.options;
    if (options.command == "run") return command_run(options);
    if (options.command == "check") return command_check(options);
    if (options.command == "fuzz") return command_fuzz(options);
    return command_compile(options);
  } catch (const std::bad_alloc&) {
    std::fputs("kernelc: error: out of memory\n", stderr);
    return ExitIo;
  } catch (const std::exception& e) {
    fmt::print(stderr, "kernelc: internal error: {}\n", e.what());
    return ExitInternal;
  }
}
