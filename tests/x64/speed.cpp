// SPDX-License-Identifier: Apache-2.0
// Measures compile time and single-core speed of the mandelbrot kernel: x64_speed [--text] [width...]
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdlib>

#include "backends/x64/x64.h"
#include "ir/text.h"
#include "runtime/cpu/cpu.h"
#include "tests/x64/kernels.h"

using namespace kc;

namespace {

double now() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void measure(unsigned width, bool text) {
  auto module = parse_module(test::mandelbrot(width));
  if (!module) return;
  const Function& f = *module->functions[0];
  double compile = 1e9;
  std::expected<X64Code, CompileError> code;
  for (int i = 0; i < 5; ++i) {
    double start = now();
    code = compile_x64(f, {.assembly = text});
    compile = std::min(compile, now() - start);
  }
  if (!code) {
    fmt::print("{}\n", code.error().message);
    return;
  }
  if (text) fmt::print("{}", code->text);
  auto kernel = CpuKernel::load(code->image);
  if (!kernel) {
    fmt::print("{}\n", kernel.error());
    return;
  }
  std::vector<int32_t> out(768 * 512);
  auto bits = [](float x) { return uint64_t{std::bit_cast<uint32_t>(x)}; };
  std::vector<uint64_t> args{reinterpret_cast<uint64_t>(out.data()),
                             bits(-2),
                             bits(-1),
                             bits(3.0f / 768),
                             bits(2.0f / 512),
                             256,
                             768};
  double run = 1e9;
  for (int i = 0; i < 15; ++i) {
    double start = now();
    CpuLaunch launch;
    launch.dims = 2, launch.global = {768, 512, 1}, launch.threads = 1;
    if (!kernel->run(launch, args)) return;
    run = std::min(run, now() - start);
  }
  int64_t iterations = 0;
  for (int32_t n : out) iterations += n;
  fmt::print("width {}: compile {:.2f} ms, run {:.2f} ms, {} iterations, {} bytes, {} spills, {} copies\n",
             width, compile, run, iterations, code->code_bytes, code->spills, code->copies);
}

}  // namespace

int main(int argc, char** argv) {
  bool text = argc > 1 && std::string_view(argv[1]) == "--text";
  for (int i = text ? 2 : 1; i < argc; ++i) measure(static_cast<unsigned>(std::atoi(argv[i])), text);
}
