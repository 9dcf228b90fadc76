// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "driver/commands/command_info.h"
#include "driver/compiler.h"
#include "driver/remarks.h"

int main(int argc, char** argv) {
  using namespace kc;
  try {
    CommandLine line = parse_command_line({argv + 1, argv + argc});
    if (!line.options) {
      std::fputs(line.text.c_str(), line.status == ExitOk ? stdout : stderr);
      return line.status;
    }
    const Options& options = *line.options;
    if (options.command == "man" || options.command == "completion") {
      std::string text = options.command == "man" ? manual_page() : completion_script(options.shell);
      auto written = write_output("-", text);
      return written ? ExitOk : report(written.error());
    }
    int status = options.command == "run"       ? command_run(options)
                 : options.command == "check"   ? command_check(options)
                 : options.command == "stats"   ? command_stats(options)
                 : options.command == "trace"   ? command_trace(options)
                 : options.command == "fuzz"    ? command_fuzz(options)
                 : options.command == "devices" ? command_devices(options)
                 : options.command == "passes"  ? command_passes(options)
                                                : command_compile(options);
    print_remarks(options);
    return status;
  } catch (const std::bad_alloc&) {
    std::fputs("kernelc: error: out of memory\n", stderr);
    return ExitIo;
  } catch (const std::exception& e) {
    fmt::print(stderr,
               "kernelc: internal error: {}\nThis is a bug of kernelc; keep the input and run with "
               "--print-after=all to see the last good stage.\n",
               e.what());
    return ExitInternal;
  }
}
