// SPDX-License-Identifier: Apache-2.0
// kernelc fuzz: random kernels on every engine of this machine, compared bit by bit with the thread
// interpreter. What differs is made small and written to a file.
#include "driver/commands/fuzz.h"
#include "driver/targets.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "driver/compiler.h"
#include "fuzz/random_program.h"
#include "fuzz/reduce.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

// Making one small takes as long as many programs; more than a few have the same cause.
constexpr size_t kMostReduced = 5;
// For all of them, if passes are programs, which take long to start.
constexpr double kReduceMs = 25'000;

std::string quoted(const std::string& word) {
  if (word.find_first_of("[]() ;&*?#\"'$|<>`\\") == std::string::npos) return word;
  if (word.find_first_of("\"$`\\") == std::string::npos) return "\"" + word + "\"";
  std::string r = "'";
  for (char c : word)
    if (c == '\'')
      r += "'\\''";
    else
      r += c;
  return r + "'";
}

/// Most frequent; the first in the alphabet of several.
std::pair<std::string, uint64_t> usual_reason(const FuzzCount& c) {
  std::pair<std::string, uint64_t> best{"", 0};
  for (const auto& [reason, times] : c.skipped)
    if (times > best.second) best = {reason, times};
  return best;
}

uint64_t skipped(const FuzzCount& c) {
  uint64_t n = 0;
  for (const auto& [reason, times] : c.skipped) n += times;
  return n;
}

constexpr std::array kStyleOptions{"", " --structured", " --rows", " --strides"};  // by FuzzStyle

class Fuzzer {
 public:
  Fuzzer(const Options& options, FuzzPlan plan) : o(options), plan_(std::move(plan)) {}

  int run() {
    double start = now_ms();
    report_ = run_fuzz(plan_);
    seconds_ = (now_ms() - start) / 1000;
    if (!o.json) print();
    for (const FuzzFinding& f : report_.findings)
      fmt::print(stderr, "kernelc: {}: seed {}: {}: {}\n", f.fault ? "internal error" : "error", f.seed,
                 f.fault ? "the program itself is at fault" : subject(f), f.what);
    for (uint64_t seed : report_.unfinished)
      fmt::print(stderr, "kernelc: note: interrupted in seed {}\n", seed);
    if (!report_.interrupted)
      if (int failed = write_findings(); failed != ExitOk) return failed;
    if (o.json) print_json();
    if (!report_.interrupted) return status();
    std::fflush(nullptr);
    sigset_t none;
    sigemptyset(&none);
    std::raise(SIGINT);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);  // ends here, unless the signal is ignored
    return 128 + SIGINT;
  }

 private:
  std::string_view route_name(const FuzzFinding& f) const {
    return f.route < 0 ? "passes" : plan_.routes[static_cast<size_t>(f.route)]->name;
  }
  std::string subject(const FuzzFinding& f) const {
    return f.pass ? "the passes" : f.route < 0 ? "the compiler" : std::string(route_name(f));
  }

  int status() const {
    for (const FuzzFinding& f : report_.findings)
      if (f.fault) return ExitInternal;
    for (size_t k = 0; k < plan_.routes.size(); ++k)
      if (!o.routes.empty() && report_.routes[k].absent) return ExitAbsent;
    return report_.findings.empty() ? ExitOk : ExitMismatch;
  }

  void print() const {
    fmt::print("{} programs, seeds {} to {}{}\n", report_.programs, plan_.first,
               plan_.first + plan_.count - 1, report_.interrupted ? ", interrupted" : "");
    size_t width = 10;
    for (const EngineInfo* route : plan_.routes) width = std::max(width, route->name.size());
    fmt::print("{:<{}} {:>9} {:>9} {:>9}\n", "route", width, "run", "skipped", "different");
    for (size_t k = 0; k < plan_.routes.size(); ++k) {
      const FuzzCount& c = report_.routes[k];
      auto [reason, times] = usual_reason(c);
      std::string why = times ? fmt::format("  {}: {}", times, reason) : "";
      fmt::print("{:<{}} {:>9} {:>9} {:>9}{}\n", plan_.routes[k]->name, width, c.run, skipped(c), c.different,
                 why);
    }
    std::fflush(stdout);
    fmt::print(stderr, "kernelc: note: {:.1f} programs per second\n",
               static_cast<double>(report_.programs) / seconds_);
  }

  // The header makes the file its own bug report.
  std::string header(const FuzzFinding& f, const std::string& file) const {
    std::string command = "kernelc check " + file;
    for (const std::string& word : program_of(plan_, f.seed).launch) command += " " + quoted(word);
    for (const std::string& word : plan_.options) command += " " + quoted(word);
    if (plan_.width) command += fmt::format(" --width {}", plan_.width);
    return fmt::format("// kernelc fuzz{} --seed {}: {}: {}\n//   {} -w --routes {}\n",
                       kStyleOptions[static_cast<size_t>(plan_.style)], f.seed, subject(f), f.what, command,
                       route_name(f));
  }

  std::string reduced(const FuzzFinding& f, const std::string& source, double end) const {
    const bool programs = o.passes.find("exec:") != std::string::npos;
    return fuzz::reduce(source, [&](const std::string& s) {
      return !(programs && now_ms() > end) && shows_again(f, plan_, s);
    });
  }

  int write_findings() {
    size_t done = 0;
    const double end = now_ms() + kReduceMs;
    for (const FuzzFinding& f : report_.findings) {
      if (f.fault) continue;
      std::string file = fmt::format("fuzz-{}.cl", f.seed);
      std::string source = program_of(plan_, f.seed).source;
      // What hangs would be waited for at every step.
      if (!f.hung && done++ < kMostReduced) source = reduced(f, source, end);
      std::string path = o.output_dir + "/" + file;
      if (auto ok = write_output(path, header(f, file) + source); !ok) return kc::report(ok.error());
      files_.push_back(path);
      if (!o.json) fmt::print("{}\n", path);
      std::fflush(stdout);
    }
    return ExitOk;
  }

  void print_json() const {
    Json out{{"seed", plan_.first}, {"programs", report_.programs}, {"seconds", seconds_}};
    out["routes"] = Json::array();
    for (size_t k = 0; k < plan_.routes.size(); ++k) {
      const FuzzCount& c = report_.routes[k];
      out["routes"].push_back({{"route", plan_.routes[k]->name},
                               {"run", c.run},
                               {"skipped", skipped(c)},
                               {"different", c.different},
                               {"reasons", c.skipped}});
    }
    out["findings"] = Json::array();
    for (const FuzzFinding& f : report_.findings)
      out["findings"].push_back(
          {{"seed", f.seed}, {"route", subject(f)}, {"what", f.what}, {"fault", f.fault}});
    out["files"] = files_;
    fmt::print("{}\n", out.dump(2));
    std::fflush(stdout);
  }

  const Options& o;
  FuzzPlan plan_;
  FuzzReport report_;
  std::vector<std::string> files_;
  double seconds_ = 0;
};

}  // namespace

int fuzz_and_report(const Options& o, FuzzPlan plan) { return Fuzzer(o, std::move(plan)).run(); }

int command_fuzz(const Options& o) {
  for (const std::string& r : o.routes)
    if (auto engine = engine_named("route", r); !engine) return report(engine.error());
  std::error_code ec;
  std::filesystem::create_directories(o.output_dir, ec);
  if (ec) return report({ExitIo, fmt::format("cannot make the folder '{}': {}", o.output_dir, ec.message())});
  FuzzPlan plan{.first = o.seed,
                .count = o.count,
                .jobs = o.jobs ? o.jobs : std::max(1u, std::thread::hardware_concurrency()),
                .options = {fmt::format("-O{}", o.optimisation)},
                .routes = {},
                .assemble = o.assemble,
                .width = o.width,
                .largest = o.largest,
                .style = o.structured ? FuzzStyle::Structured
                         : o.rows     ? FuzzStyle::Rows
                         : o.strides  ? FuzzStyle::Strides
                                      : FuzzStyle::Usual,
                .progress = ::isatty(2) == 1};
  constexpr std::array kMeldOptions{"", "--meld", "--no-meld", "--branch-fusion", "--tail-merging"};
  if (o.meld != Meld::ByCost) plan.options.emplace_back(kMeldOptions[static_cast<size_t>(o.meld)]);
  if (o.restructure_name != "auto") plan.options.push_back("--restructure=" + o.restructure_name);
  if (!o.passes.empty()) {
    plan.options.push_back("--passes=" + o.passes);
    const Options usual;
    if (o.exec_seconds != usual.exec_seconds)
      plan.options.push_back(fmt::format("--exec-timeout={}", o.exec_seconds));
    if (o.exec_mib != usual.exec_mib) plan.options.push_back(fmt::format("--exec-memory={}", o.exec_mib));
    // What is wrong with the list itself is no finding.
    const fuzz::RandomProgram first = program_of(plan, plan.first);
    std::vector<std::string> options = first.launch;
    options.insert(options.end(), plan.options.begin(), plan.options.end());
    int status = ExitOk;
    if (auto input = compile_random(first.source, options, &status); !input && status != ExitSource)
      return report({status, input.error()});
  }
  for (const EngineInfo& info : engines())
    if (o.routes.empty() ? info.in_check && &info != &engines().front()
                         : std::find(o.routes.begin(), o.routes.end(), info.name) != o.routes.end())
      plan.routes.push_back(&info);
  return fuzz_and_report(o, std::move(plan));
}

}  // namespace kc
