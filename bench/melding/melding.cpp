// SPDX-License-Identifier: Apache-2.0
// What doing together what both sides of a branch do is worth: gfx900 code without it, with tail merging,
// with branch fusion, and with melding, in the emulator: estimated cycles, not measured ones. Code for
// AVX-512 is measured, where there is a processor for it, and so is what melding costs the compiler.
//
//   bench_melding ROOT [--only NAME]
//
// Status 6 when results differ from the interpreter's, 0 otherwise.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <ctime>

#include "backends/gcn/gcn.h"
#include "driver/compare.h"
#include "driver/engines/engines.h"
#include "gcn/sides.h"
#include "host/gcn_code.h"
#include "melding/suite.h"

namespace kc::bench {
namespace {

std::expected<Session, DriverError> open(const std::string& root, const MeldCase& c,
                                         std::string_view option) {
  std::vector<std::string> line{"run", fmt::format("{}/bench/melding/kernels/{}", root, c.file)};
  if (!option.empty()) line.emplace_back(option);
  std::istringstream words{std::string(c.arguments)};
  for (std::string word; words >> word;) line.push_back(word);
  CommandLine parsed = parse_command_line(line);
  if (!parsed.options) return std::unexpected(DriverError{ExitUsage, parsed.text});
  return open_session(*parsed.options);
}

bool right(const Session& session, const Side& side) {
  auto engine = find_engine("interp")->make({});
  KernelArguments args = session.inputs;
  EngineResult r = engine->prepare(session.program, session.spec);
  if (r.status == EngineStatus::Ok) r = engine->launch(args);
  return r.status == EngineStatus::Ok && compare_buffers(args, side.after, 0).first.empty();
}

// Without melding, with tail merging, with branch fusion, with melding.
constexpr std::array<std::string_view, 4> kOptions{"--no-meld", "--tail-merging", "--branch-fusion", ""};
constexpr int kLaunches = 40, kCompilations = 15;

// What a launch takes on this processor without melding over what it takes with it, the best of many in
// turns; nothing where there is no AVX-512.
std::optional<double> gain_of_avx512(const Session& without, const Session& with) {
  std::array<double, 2> best{};
  std::array<std::unique_ptr<Engine>, 2> engines;
  for (size_t k : {0, 1}) {
    engines[k] = find_engine("avx512")->make({.threads = 1});
    const Session& s = k == 0 ? without : with;
    if (engines[k]->prepare(s.program, s.spec).status != EngineStatus::Ok) return std::nullopt;
  }
  for (int n = 0; n < kLaunches; ++n)
    for (size_t k : {0, 1}) {
      KernelArguments args = without.inputs;
      const EngineResult r = engines[k]->launch(args);
      if (r.status != EngineStatus::Ok || r.emulated) return std::nullopt;
      if (n == 0 || r.launch_ms < best[k]) best[k] = r.launch_ms;
    }
  return best[0] / best[1];
}

// The least processor time from source to assembly.
double compile_time(const std::string& root, const MeldCase& c, std::string_view option) {
  double best = 0;
  for (int n = 0; n < kCompilations; ++n) {
    const std::clock_t start = std::clock();
    auto session = open(root, c, option);
    if (!session) return 0;
    if (!compile_for_gcn(*session->program.compiler, *find_target("gfx900"), session->spec.local)) return 0;
    const auto time = static_cast<double>(std::clock() - start);
    if (n == 0 || time < best) best = time;
  }
  return best;
}

// Logarithms of gains, and times.
struct Sums {
  std::array<double, kOptions.size()> gains{};
  double with = 0, without = 0;
  int count = 0;
};

// 0 ok, else the exit status.
int row(const std::string& root, const MeldCase& c, Sums& sums) {
  std::array<Side, kOptions.size()> sides;
  std::vector<Session> sessions;
  for (size_t k = 0; k < kOptions.size(); ++k) {
    auto session = open(root, c, kOptions[k]);
    if (!session) return report(session.error());
    auto side = run_ours(*session, false);
    if (!side) return report({side.error().absent ? ExitAbsent : ExitInternal, side.error().message});
    if (!right(*session, *side))
      return report({ExitMismatch, fmt::format("{}: not what the interpreter computes", c.name)});
    sides[k] = std::move(*side);
    sessions.push_back(std::move(*session));
  }
  fmt::print("{:<14}{:>9.0f}{:>9}", c.name, sides[0].cycles, sides[0].counters.instructions());
  for (size_t k = 1; k < kOptions.size(); ++k) {
    fmt::print("{:>8.2f}", sides[0].cycles / sides[k].cycles);
    sums.gains[k] += std::log(sides[0].cycles / sides[k].cycles);
  }
  const auto cpu = gain_of_avx512(sessions.front(), sessions.back());
  fmt::print("{:>8.2f}{:>8}   {:<11}{}\n",
             static_cast<double>(sides[0].counters.instructions()) /
                 static_cast<double>(sides.back().counters.instructions()),
             cpu ? fmt::format("{:.2f}", *cpu) : "-", c.paper_meld.empty() ? "-" : c.paper_meld,
             c.paper_fusion.empty() ? "-" : c.paper_fusion);
  sums.without += compile_time(root, c, kOptions.front());
  sums.with += compile_time(root, c, kOptions.back());
  ++sums.count;
  return ExitOk;
}

int run(const std::string& root, const std::string& only) {
  fmt::print("{:<14}{:>9}{:>9}{:>8}{:>8}{:>8}{:>8}{:>8}   {:<11}{}\n", "kernel", "cycles*", "instrs", "tails",
             "fusion", "meld", "instrs", "avx512", "paper: meld", " fusion");
  Sums sums;
  for (const MeldCase& c : kMeldCases)
    if (only.empty() || c.name == only)
      if (int status = row(root, c, sums)) return status;
  if (sums.count == 0) return ExitOk;
  fmt::print("{:<32}", "\ngeometric mean");
  for (size_t k = 1; k < kOptions.size(); ++k) fmt::print("{:>8.3f}", std::exp(sums.gains[k] / sums.count));
  fmt::print(
      "\ncompile time with melding over that without: {:.3f}\n* of gfx900, estimated, not measured. What "
      "follows "
      "is without over with: cycles for tails, fusion and meld;\ninstructions of melding; time of melding on "
      "this processor, the least of {} launches in turns\n",
      sums.with / sums.without, kLaunches);
  return ExitOk;
}

}  // namespace
}  // namespace kc::bench

int main(int argc, char** argv) {
  std::string root, only;
  CLI::App app("what melding is worth, in our emulator");
  app.add_option("root", root, "the repository")->required();
  app.add_option("--only", only, "one kernel");
  CLI11_PARSE(app, argc, argv);
  return kc::bench::run(root, only);
}
