// SPDX-License-Identifier: Apache-2.0
// How long the compiler takes, from source to wave IR: for each kernel of the files milliseconds in the front
// end, the passes on threads and those on waves, the least of many runs, beside the lines of the file. With
// --passes also for each pass of the pipeline; instructions are those of the thread and the wave form.
//   bench_compile [--repeat N] [--passes] FILE.cl...
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "frontend/frontend.h"
#include "host/compile.h"
#include "passes/pipeline.h"

using namespace kc;

namespace {

struct Times {
  double frontend = std::numeric_limits<double>::max();  // seconds, of the whole file
  std::vector<PassTime> thread, wave;                    // the least of each row
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
    }
  }
  const auto lines = std::ranges::count(text, '\n');
  for (size_t k = 0; k < kernels.size(); ++k) {
    const Times& t = kernels[k];
    if (t.thread.empty() || t.wave.empty()) return fail(fmt::format("no wave IR of {}", file));
    const double thread = sum(t.thread), wave = sum(t.wave);
    fmt::print("{:<28} {:>5} {:>10.3f} {:>10.3f} {:>10.3f} {:>10.3f} {:>9} {:>9}\n",
               module->functions[k]->name, lines, frontend * 1e3, thread * 1e3, wave * 1e3,
               (frontend + thread + wave) * 1e3, t.thread.back().instructions_after,
               t.wave.back().instructions_after);
    if (passes) fmt::print("{}{}", render_times(t.thread), render_times(t.wave));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files(argv + 1, argv + argc);
  int repeat = 50;
  bool passes = false;
  while (!files.empty() && files[0].starts_with("--")) {
    const bool number = files[0] == "--repeat" && files.size() > 1;
    if (number) repeat = std::max(1, std::atoi(files[1].c_str()));
    if (files[0] == "--passes") passes = true;
    files.erase(files.begin(), files.begin() + (number ? 2 : 1));
  }
  if (files.empty()) return fail("usage: bench_compile [--repeat N] [--passes] FILE.cl...");
  fmt::print("{:<28} {:>5} {:>10} {:>10} {:>10} {:>10} {:>9} {:>9}\n", "ms", "lines", "front end", "threads",
             "waves", "together", "thread IR", "wave IR");
  for (const std::string& file : files)
    if (int status = measure(file, repeat, passes)) return status;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  fmt::print("peak of memory {} KiB\n", usage.ru_maxrss);
  return 0;
}
