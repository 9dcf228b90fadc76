// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <fmt/format.h>
#if defined(KC_MIMALLOC)
#include <mimalloc.h>
#elif defined(__GLIBC__)
#include <malloc.h>
#endif

#include <cstdio>
#include <new>
#include <system_error>

#include "driver/commands/command_info.h"
#include "driver/compiler.h"
#include "driver/remarks.h"
#include "driver/standard_streams.h"
#include "ir/process.h"

namespace {

using namespace kc;

int run_command(int argc, char** argv) {
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
               : options.command == "explore" ? command_explore(options)
               : options.command == "explain" ? command_explain(options)
               : options.command == "lab"     ? command_lab(options)
               : options.command == "grade"   ? command_grade(options)
               : options.command == "learn"   ? command_learn(options)
               : options.command == "trace"   ? command_trace(options)
               : options.command == "fuzz"    ? command_fuzz(options)
               : options.command == "devices" ? command_devices(options)
               : options.command == "passes"  ? command_passes(options)
                                              : command_compile(options);
  print_remarks(options);
  return status;
}

#if defined(KC_MIMALLOC)
// Kernels of an object are compiled on several threads, and most of what they allocate is small: mimalloc
// has no lock for that. Runs before the constructors of libraries, since mimalloc allocates in its own.
void choose_allocator_options() {
#if MI_MALLOC_VERSION < 210
  constexpr mi_option_t kDelay = mi_option_decommit_delay, kHuge = mi_option_large_os_pages;
#else
  constexpr mi_option_t kDelay = mi_option_purge_delay, kHuge = mi_option_allow_large_os_pages;
#endif
  // What is freed is kept for this long before the system gets it back.
  constexpr long kMilliseconds = 5;
  mi_option_set_default(kDelay, kMilliseconds);
  // The first touch of a page costs a fault, up to 20 us in a virtual machine; a huge page, one for 2 MiB.
  // mimalloc asks for them in a segment only if it takes the whole of it at once.
  mi_option_set_enabled_default(kHuge, true);
  mi_option_set_default(mi_option_eager_commit_delay, 0);
}
__attribute__((section(".preinit_array"), used)) void (*const kBeforeLibraries)() = choose_allocator_options;

void set_up_allocator() {
  // Without a handler mimalloc's operator new aborts where there is no memory.
  std::set_new_handler([] { throw std::bad_alloc(); });
}
#elif defined(__GLIBC__)
// Passes allocate and free large tables all the time. By default memory of this size is given back to the
// system each time, which clears and maps it anew.
void set_up_allocator() {
  constexpr int kLargest = 32 << 20, kKept = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kLargest);
  mallopt(M_TRIM_THRESHOLD, kKept);
}
#else
void set_up_allocator() {}
#endif

// {fmt} throws what a stream does not take; a message about it could fail in the same way.
int describe_failure(const std::exception& e) {
  if (std::ferror(stdout) || std::ferror(stderr)) return ExitIo;
  std::fputs("kernelc: internal error: ", stderr);
  std::fputs(e.what(), stderr);
  std::fputs(
      "\nThis is a bug of kernelc; keep the input and run with --print-after=all to see the last good "
      "stage.\n",
      stderr);
  return ExitInternal;
}

}  // namespace

int main(int argc, char** argv) {
  set_up_allocator();
  open_standard_streams();
  clean_up_on_signals();
  int status = ExitInternal;
  try {
    status = run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("kernelc: error: out of memory\n", stderr);
    status = ExitIo;
  } catch (const std::exception& e) {
    status = describe_failure(e);
  }
  // Nothing of ours is left to do. Drivers of devices register exit handlers, and code that these call may be
  // unloaded by then.
  ::_exit(close_standard_streams(status));
}
