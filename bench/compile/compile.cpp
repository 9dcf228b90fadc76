// SPDX-License-Identifier: Apache-2.0
// How long the compiler takes, from source to machine code: for each kernel of the files milliseconds in the
// front end, the passes on threads, those on waves and those on code for AVX-512, the least of many runs,
// beside the lines of the file. With --passes also for each pass of the pipeline; instructions are those of
// the thread and the wave form.
//   bench_compile [--repeat N] [--passes] FILE.cl...
// How the time grows with a kernel: seconds for kernels of 2,000 to 20,000 statements of several shapes, and
// the exponent from each to the next: 1 is time linear in the length, 2 quadratic. What larger data costs in
// caches is up to 0.3; above 1.5 the exit status is 1.
//   bench_compile --growth
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "bench/compile/shapes.h"
#include "frontend/frontend.h"
#include "host/compile.h"
#include "host/cpu_code.h"
#include "passes/pipeline.h"

using namespace kc;

namespace {

constexpr double kMostExponent = 1.5;

struct Times {
  double frontend = std::numeric_limits<double>::max();  // seconds, of the whole file
  std::vector<PassTime> thread, wave, machine;           // the least of each row
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void keep_least(std::vector<PassTime>& least, const std::vector<PassTime>& times) {
  if (least.empty()) least = times;
  for (size_t k = 0; k < times.size(); ++k) least[k].seconds = std::min(least[k].seconds, times[k].seconds);
}

double sum(const std::vector<PassTime>& times) {
  double s = 0;
  for (const PassTime& t : times) s += t.seconds;
  return s;
}

int fail(std::string_view why) {
  fmt::print(stderr, "bench_compile: {}\n", why);
  return 1;
}

std::vector<PassTime> run_passes(PassState& state, const std::vector<std::string_view>& names) {
  auto report = run_pipeline(state, names);
  return report ? report->times : std::vector<PassTime>{};
}

std::vector<PassTime> make_code(std::unique_ptr<Function> wave) {
  std::vector<PassTime> times;
  const CpuForm form{
      .target = find_target("avx512"), .width = wave->width, .small_buffers = false, .layout = {}};
  const auto code = compile_wave_for_cpu(std::move(wave), form, false, {.times = &times});
  return code ? times : std::vector<PassTime>{};
}

// CPU seconds from a text to machine code; nothing if it has errors.
std::optional<double> seconds_to_compile(const std::string& text) {
  const std::clock_t start = std::clock();
  const auto module = compile_source(text, {}).module;
  if (!module) return std::nullopt;
  auto kernel = KernelCompiler::start(std::move(module->functions[0]),
                                      {.one_lane = one_lane_on({find_target("avx512")})});
  if (!kernel) return std::nullopt;
  const auto compiler = CpuCompiler::create(std::move(*kernel), *find_target("avx512"), 0);
  if (!compiler || !compiler->compile(compiler->any_form())) return std::nullopt;
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

int measure_growth() {
  static constexpr size_t kSizes[] = {2'000, 6'000, 20'000};
  bool grows = false;
  for (const KernelShape& shape : kernel_shapes()) {
    std::string seconds, exponents;
    double before = 0;
    for (size_t k = 0; k < std::size(kSizes); ++k) {
      const auto now = seconds_to_compile(shape.write(kSizes[k]));
      if (!now) return fail(fmt::format("the shape '{}' does not compile", shape.name));
      seconds += fmt::format(" {:>8.3f}", *now);
      if (k > 0) {
        const double ratio = static_cast<double>(kSizes[k]) / static_cast<double>(kSizes[k - 1]);
        const double exponent = std::log(*now / before) / std::log(ratio);
        exponents += fmt::format(" {:>5.2f}", exponent);
        grows |= exponent > kMostExponent;
      }
      before = *now;
    }
    fmt::print("{:<18}{}  {}\n", shape.name, seconds, exponents);
  }
  return grows;
}

int measure(const std::string& file, int repeat, bool passes) {
  if (!std::filesystem::is_regular_file(file)) return fail(fmt::format("{} is no file", file));
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) return fail(fmt::format("cannot read {}", file));
  const FrontendOptions options{.file_name = file};
  std::vector<Times> kernels;
  std::unique_ptr<Module> module;
  double frontend = std::numeric_limits<double>::max();
  for (int n = 0; n < repeat; ++n) {
    double start = now();
    module = compile_source(text, options).module;
    frontend = std::min(frontend, now() - start);
    if (!module) return fail(fmt::format("errors in {}", file));
    kernels.resize(module->functions.size());
    for (size_t k = 0; k < kernels.size(); ++k) {
      PassState state{std::make_unique<Function>(*module->functions[k])};
      keep_least(kernels[k].thread, run_passes(state, thread_passes(2)));
      state.wave.width = 16;
      keep_least(kernels[k].wave, run_passes(state, default_pipeline(PipelineKind::WaveLower)));
      keep_least(kernels[k].machine, make_code(std::move(state.f)));
    }
  }
  const auto lines = std::ranges::count(text, '\n');
  for (size_t k = 0; k < kernels.size(); ++k) {
    const Times& t = kernels[k];
    if (t.thread.empty() || t.wave.empty() || t.machine.empty())
      return fail(fmt::format("no machine code of {}", file));
    const double thread = sum(t.thread), wave = sum(t.wave), machine = sum(t.machine);
    fmt::print("{:<28} {:>5} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.3f} {:>9} {:>9}\n",
               module->functions[k]->name, lines, frontend * 1e3, thread * 1e3, wave * 1e3, machine * 1e3,
               (frontend + thread + wave + machine) * 1e3, t.thread.back().instructions_after,
               t.wave.back().instructions_after);
    if (passes) fmt::print("{}{}{}", render_times(t.thread), render_times(t.wave), render_times(t.machine));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files(argv + 1, argv + argc);
  int repeat = 50;
  bool passes = false;
  while (!files.empty() && files[0].starts_with("--") && files[0] != "--growth") {
    const bool number = files[0] == "--repeat" && files.size() > 1;
    if (number) repeat = std::max(1, std::atoi(files[1].c_str()));
    if (files[0] == "--passes") passes = true;
    files.erase(files.begin(), files.begin() + (number ? 2 : 1));
  }
  if (files.size() == 1 && files[0] == "--growth") return measure_growth();
  if (files.empty()) return fail("usage: bench_compile [--repeat N] [--passes] FILE.cl... | --growth");
  fmt::print("{:<28} {:>5} {:>10} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9}\n", "ms", "lines", "front end",
             "threads", "waves", "machine", "together", "thread IR", "wave IR");
  for (const std::string& file : files)
    if (int status = measure(file, repeat, passes)) return status;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("peak of memory {} KiB\n", usage.ru_maxrss);
  return 0;
}
