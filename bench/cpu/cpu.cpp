// SPDX-License-Identifier: Apache-2.0
// CPU code against the OpenCL implementation of this machine (PoCL), on the same unmodified kernels, on one
// thread, one after the other in one run. Ratios say something about the compilers; milliseconds also about
// the machine. ISPC's column is its published time scaled by PoCL's time here and PoCL's time there.
//
// On a busy machine medians say little: with several rounds the targets take turns, and minima are compared.
//
// With --threads N the kernels that arithmetic limits also run on so many threads, taking turns with one: it
// says how many times faster they are.
//
//   bench_cpu KERNELC ROOT [--repeat N] [--rounds N] [--threads N] [--only NAME] [--verify] [--svg FILE]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cpu/picture.h"
#include "cpu/suite.h"

namespace kc::bench {
namespace {

struct Options {
  std::string kernelc, root, only, svg;
  unsigned repeat = 15, rounds = 1, threads = 1;
  bool verify = false;
};

// One kernel on one target.
struct Run {
  std::string skipped;  // why there is no result
  double compile_ms = 0;
  std::vector<double> launch_ms;  // sorted
  std::vector<uint32_t> result;
  unsigned rounds = 0;
  /// The median; of several rounds the minimum.
  double time() const { return launch_ms.empty() ? 0 : launch_ms[rounds > 1 ? 0 : launch_ms.size() / 2]; }
  void add(Run more) {
    compile_ms = rounds++ ? std::min(compile_ms, more.compile_ms) : more.compile_ms;
    launch_ms.insert(launch_ms.end(), more.launch_ms.begin(), more.launch_ms.end());
    std::sort(launch_ms.begin(), launch_ms.end());
    result = std::move(more.result);
    if (!more.skipped.empty()) skipped = std::move(more.skipped), launch_ms.clear();
  }
};

// The part of so many threads' speed that a kernel should reach.
constexpr double kEnoughOfThreads = 0.9;

std::string output_of(const std::string& command, int& status) {
  std::string text;
  status = -1;
  if (std::FILE* pipe = popen(command.c_str(), "r")) {
    char part[4096];
    while (size_t n = std::fread(part, 1, sizeof part, pipe)) text.append(part, n);
    status = pclose(pipe);
    status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  return text;
}

std::vector<uint32_t> words_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
  std::vector<uint32_t> words(bytes.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

// The arguments as words for the shell, with the place of the scanner's text.
std::string shell_words(std::string_view arguments, std::string_view text) {
  std::istringstream in{std::string(arguments)};
  std::string all;
  for (std::string word; in >> word;) {
    if (size_t at = word.find("TEXT"); at != std::string::npos) word.replace(at, 4, text);
    all += fmt::format(" '{}'", word);
  }
  return all;
}

Run measure(const Options& o, const Case& c, const std::string& target, unsigned repeat,
            unsigned threads = 1) {
  std::string dump = "bench_cpu_result.bin";
  int status = 0;
  std::string json_text =
      output_of(fmt::format("'{}' run '{}/{}' --target {} --threads {} --repeat {} --json {} --dump {}={} "
                            "2>bench_cpu_errors.txt",
                            o.kernelc, o.root, c.file, target, threads, repeat,
                            shell_words(c.arguments, "bench_cpu_text.txt"), c.result, dump),
                status);
  auto json = nlohmann::json::parse(json_text, nullptr, false);
  Run r;
  if (status != 0 || json.is_discarded()) {
    std::ifstream errors("bench_cpu_errors.txt");
    std::getline(errors, r.skipped);
    if (r.skipped.empty()) r.skipped = fmt::format("exit status {}", status);
    return r;
  }
  r.compile_ms = json["compile_ms"];
  r.launch_ms = json["launch_ms"].get<std::vector<double>>();
  r.result = words_of(dump);
  std::remove(dump.c_str());
  return r;
}

// Lines of 256 bytes of a small language for the scanner, always the same.
void write_text(const std::string& path) {
  constexpr std::string_view words[] = {"alpha", "beta_2", "x",   "\"text\"", "\"a\\n\\\"b\"",  "42",
                                        "3.14",  "0",      ",",   ";",        "long_name_here", "cc",
                                        "1999",  "\"\"",   "8.5", "z_z"};
  std::ofstream out(path, std::ios::binary);
  uint64_t seed = 1;
  for (int line = 0; line < 16384; ++line) {
    std::string text;
    while (text.size() < 256) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      text.append(words[seed >> 60]).append(" ");
    }
    text.resize(256);
    out << text;
  }
}

bool has_avx512() { return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl"); }

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown CPU";
}

std::string cell(const Run& r) { return r.skipped.empty() ? fmt::format("{:.3f}", r.time()) : "-"; }

std::string ratio(double a, double b) { return a > 0 && b > 0 ? fmt::format("{:.2f}", a / b) : "-"; }

// Of one kernel on all targets.
struct Line {
  const Case* c;
  Run pocl, avx2, avx512;
  double best() const {
    double a = avx2.time(), b = avx512.time();
    return a > 0 && (b == 0 || a < b) ? a : b;
  }
  double ispc_here() const {
    if (c->pocl == 0) return 0;
    double theirs = c->ispc_avx512 > 0 ? std::min(c->ispc_avx2, c->ispc_avx512) : 0;
    return theirs * pocl.time() / c->pocl;
  }
};

void print_line(const Line& l) {
  double over_pocl = l.best() > 0 ? l.pocl.time() / l.best() : 0;
  std::string goal = over_pocl == 0 ? "-" : over_pocl >= l.c->goal ? "yes" : "no";
  fmt::print("{:<14} {:>9} {:>9} {:>9} {:>9.1f} {:>10} {:>6.2f} {:>5} {:>10}\n", l.c->name, cell(l.pocl),
             cell(l.avx2), cell(l.avx512), std::max(l.avx2.compile_ms, l.avx512.compile_ms),
             ratio(l.pocl.time(), l.best()), l.c->goal, goal, ratio(l.ispc_here(), l.best()));
  for (const Run* r : {&l.pocl, &l.avx2, &l.avx512})
    if (!r->skipped.empty()) fmt::print("  skipped: {}\n", r->skipped);
  std::fflush(stdout);
}

// Whether both CPU targets give the interpreter's bits.
bool same_as_interpreter(const Options& o, const Line& l) {
  Run reference = measure(o, *l.c, "interp", 1);
  for (auto [name, r] : {std::pair("avx2", &l.avx2), std::pair("avx512", &l.avx512)}) {
    if (!r->skipped.empty()) continue;
    if (reference.result.empty() || r->result != reference.result) {
      fmt::print("  {} on {} differs from the interpreter\n", l.c->name, name);
      return false;
    }
  }
  return true;
}

void print_means(const std::vector<Line>& lines) {
  double pocl = 0, ispc = 0;
  int pocl_count = 0, ispc_count = 0;
  for (const Line& l : lines) {
    if (l.best() == 0 || l.pocl.time() == 0) continue;
    pocl += std::log(l.pocl.time() / l.best()), ++pocl_count;
    if (l.ispc_here() > 0) ispc += std::log(l.ispc_here() / l.best()), ++ispc_count;
  }
  if (pocl_count)
    fmt::print("\nGeometric means: {:.2f} over PoCL ({} kernels)", std::exp(pocl / pocl_count), pocl_count);
  if (ispc_count)
    fmt::print(", {:.2f} over ISPC's best, scaled ({} kernels)", std::exp(ispc / ispc_count), ispc_count);
  fmt::print(".\n");
}

// Of those with a goal: the others wait for memory. One and several take turns, and minima are compared.
void print_scaling(const Options& o, const Case& c) {
  if (c.goal <= 1) return;
  const std::string target = has_avx512() ? "avx512" : "avx2";
  Run one, several;
  for (unsigned round = 0; round < std::max(o.rounds, 2u); ++round) {
    one.add(measure(o, c, target, o.repeat));
    several.add(measure(o, c, target, o.repeat, o.threads));
  }
  if (one.time() == 0 || several.time() == 0) return;
  const double faster = one.time() / several.time();
  const bool enough = faster >= kEnoughOfThreads * o.threads;
  fmt::print("{:<14} {:>9.2f}{}\n", c.name, faster, enough ? "" : "  less than was wanted");
  std::fflush(stdout);
}

Line measure_all(const Options& o, const Case& c) {
  Line l{.c = &c, .pocl = {}, .avx2 = {}, .avx512 = {}};
  for (unsigned round = 0; round < o.rounds; ++round) {
    l.pocl.add(measure(o, c, "opencl", o.repeat));
    l.avx2.add(measure(o, c, "avx2", o.repeat));
    // Without the hardware that code would run in an emulator, whose time says nothing.
    if (has_avx512()) l.avx512.add(measure(o, c, "avx512", o.repeat));
  }
  if (!has_avx512()) l.avx512.skipped = "this processor has no AVX-512";
  return l;
}

int run(const Options& o) {
  setenv("POCL_KERNEL_CACHE", "0", 1);
  write_text("bench_cpu_text.txt");
  fmt::print("One thread, {} of {} launches in milliseconds, {}\n\n", o.rounds > 1 ? "minima" : "medians",
             o.repeat * o.rounds, cpu_name());
  fmt::print("{:<14} {:>9} {:>9} {:>9} {:>9} {:>10} {:>6} {:>5} {:>10}\n", "", "PoCL", "avx2", "avx512",
             "compile", "PoCL/best", "goal", "met", "ISPC/best");
  std::vector<Line> lines;
  bool same = true;
  auto measured = [&](const Case& c) {
    Line l = measure_all(o, c);
    print_line(l);
    if (o.verify) same &= same_as_interpreter(o, l);
    return l;
  };
  auto wanted = [&](const Case& c) { return o.only.empty() || c.name == o.only; };
  for (const Case& c : kCases)
    if (wanted(c)) lines.push_back(measured(c));
  print_means(lines);
  if (o.threads > 1) fmt::print("\n{} threads, times faster than one:\n", o.threads);
  for (const Case& c : kCases)
    if (o.threads > 1 && wanted(c)) print_scaling(o, c);
  if (std::ranges::any_of(kShapes, wanted)) fmt::print("\nGroups of other shapes, and vectors in memory:\n");
  for (const Case& c : kShapes)
    if (wanted(c)) measured(c);
  if (o.verify) fmt::print("{}\n", same ? "All results have the interpreter's bits." : "Results differ.");
  if (!o.svg.empty()) {
    std::vector<Bars> bars;
    for (const Line& l : lines)
      bars.push_back({std::string(l.c->name),
                      {l.avx2.time() > 0 ? l.pocl.time() / l.avx2.time() : 0,
                       l.avx512.time() > 0 ? l.pocl.time() / l.avx512.time() : 0,
                       l.ispc_here() > 0 ? l.pocl.time() / l.ispc_here() : 0}});
    std::ofstream(o.svg) << draw_bars("Times faster than PoCL, one thread",
                                      {"kernelc AVX2", "kernelc AVX-512", "ISPC (published)"}, bars);
  }
  return same ? 0 : 6;
}

}  // namespace
}  // namespace kc::bench

int main(int argc, char** argv) {
  kc::bench::Options o;
  CLI::App app("kernelc's CPU code and PoCL's on the same kernels");
  app.add_option("kernelc", o.kernelc, "the command")->required();
  app.add_option("root", o.root, "the repository")->required();
  app.add_option("--repeat", o.repeat, "launches of each kernel")->check(CLI::Range(1, 1000));
  app.add_option("--rounds", o.rounds, "turns that the targets take")->check(CLI::Range(1, 100));
  app.add_option("--threads", o.threads, "also measure so many threads against one")
      ->check(CLI::Range(1, 256));
  app.add_option("--only", o.only, "just this kernel");
  app.add_flag("--verify", o.verify, "compare results with the interpreter's (slow)");
  app.add_option("--svg", o.svg, "draw a picture of the ratios");
  CLI11_PARSE(app, argc, argv);
  return kc::bench::run(o);
}
