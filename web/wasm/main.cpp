// SPDX-License-Identifier: Apache-2.0
// kernelc_wasm ir | wave N: reads a kernel source from standard input and prints its optimised thread IR, or
// its wave IR for N lanes, as `kernelc --emit=ir` and `--emit=wave --width N` do.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "frontend/frontend.h"
#include "host/compile.h"
#include "host/pass_list.h"
#include "ir/text.h"

namespace kc {

// Machine functions are not part of this module.
std::span<const std::string_view> machine_pass_names() { return {}; }
CpuFeatures cpu_features() { return {}; }

}  // namespace kc

int main(int argc, char** argv) {
  using namespace kc;
  std::string text;
  char chunk[1 << 16];
  for (size_t n; (n = std::fread(chunk, 1, sizeof chunk, stdin)) > 0;) text.append(chunk, n);
  FrontendResult front = compile_source(text, {.file_name = "kernel.cl"});
  std::fputs(front.diagnostics.c_str(), stderr);
  if (!front.module || argc < 2) return 1;
  const bool wave = std::string_view(argv[1]) == "wave";
  const uint32_t width = argc > 2 ? static_cast<uint32_t>(std::strtoul(argv[2], nullptr, 10)) : 8;
  for (const auto& f : front.module->functions) {
    if (!f->is_kernel) continue;
    auto compiler = KernelCompiler::start(*f);
    if (!compiler) return std::fprintf(stderr, "%s\n", compiler.error().message.c_str()), 1;
    auto passed = wave ? compiler->wave(interpreter_target(), {.width = width})
                       : compiler->thread(interpreter_target());
    if (!passed) return std::fprintf(stderr, "%s\n", passed.error().message.c_str()), 1;
    std::fputs(print(*passed->function).c_str(), stdout);
  }
}
