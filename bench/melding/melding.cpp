// SPDX-License-Identifier: Apache-2.0
// What doing together what both sides of a branch do is worth: gfx900 code without it, with branch fusion,
// and with melding, in the emulator. Estimated cycles, not measured ones.
//
//   bench_melding ROOT [--only NAME]
//
// Status 6 when results differ from the interpreter's, 0 otherwise.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "driver/compare.h"
#include "driver/engines.h"
#include "gcn/sides.h"
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

// 0 ok, else the exit status.
int row(const std::string& root, const MeldCase& c, double& sum) {
  constexpr std::array<std::string_view, 3> kOptions{"--no-meld", "--branch-fusion", ""};
  std::array<Side, 3> sides;
  for (size_t k = 0; k < kOptions.size(); ++k) {
    auto session = open(root, c, kOptions[k]);
    if (!session) return report(session.error());
    auto side = run_ours(*session, false);
    if (!side) return report({side.error().absent ? ExitAbsent : ExitInternal, side.error().message});
    if (!right(*session, *side))
      return report({ExitMismatch, fmt::format("{}: not what the interpreter computes", c.name)});
    sides[k] = std::move(*side);
  }
  auto gain = [&](size_t k) { return sides[0].cycles / sides[k].cycles; };
  fmt::print("{:<14}{:>10.0f}{:>10}{:>9.2f}{:>9.2f}{:>9.2f}   {:<11}{}\n", c.name, sides[0].cycles,
             sides[0].counters.instructions(), gain(1), gain(2),
             static_cast<double>(sides[0].counters.instructions()) /
                 static_cast<double>(sides[2].counters.instructions()),
             c.paper_meld.empty() ? "-" : c.paper_meld, c.paper_fusion.empty() ? "-" : c.paper_fusion);
  sum += std::log(gain(2));
  return ExitOk;
}

int run(const std::string& root, const std::string& only) {
  fmt::print("{:<14}{:>10}{:>10}{:>9}{:>9}{:>9}   {:<11}{}\n", "kernel", "cycles*", "instrs", "fusion",
             "meld", "instrs", "paper: meld", "fusion");
  double sum = 0;
  size_t count = 0;
  for (const MeldCase& c : kMeldCases) {
    if (!only.empty() && c.name != only) continue;
    if (int status = row(root, c, sum)) return status;
    ++count;
  }
  if (count > 0)
    fmt::print(
        "\ngeometric mean of melding {:.3f}\n* estimated, not measured; columns fusion, meld and instrs are "
        "what without is over what with\n",
        std::exp(sum / static_cast<double>(count)));
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
