// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/compiler.h"
#include "host/compile.h"
#include "host/gcn_code.h"
#include "passes/lower/lower_sub_groups.h"
#include "proof/product_walk.h"

namespace kc {
namespace {

using Json = nlohmann::ordered_json;

enum class ProofResult : uint8_t { Proved, Failed, GaveUp, NotCovered };

std::string_view to_string(ProofResult r) {
  switch (r) {
    case ProofResult::Proved:
      return "proved";
    case ProofResult::Failed:
      return "FAILED";
    case ProofResult::GaveUp:
      return "gave up";
    case ProofResult::NotCovered:
      return "not covered";
  }
  return {};
}

struct ProofRow {
  std::string kernel, route;
  std::string_view pass;
  ProofResult result = ProofResult::NotCovered;
  proof::WalkResult walk{};
  double ms = 0;
};

// Compiles a kernel for each route, and walks each pass.
class Prover {
 public:
  explicit Prover(const Options& options) : o(options) {}

  std::expected<void, DriverError> kernel(const Function& f) {
    kernel_ = f.name;
    CompileOptions options = compile_options(o);
    options.pipeline = {.outside = options.pipeline.outside};
    options.pipeline.compare = [this](std::string_view pass, const Function& before, const Function& after) {
      rows_.push_back(row(pass, before, after));
    };
    route_ = "shared";
    auto compiler = KernelCompiler::start(f, options);
    if (!compiler) return std::unexpected(driver_error(compiler.error()));
    if (compiler->stopped()) return {};
    for (const Route& r : routes()) {
      route_ = r.name;
      const TargetDesc& target = *find_target(r.target);
      const WaveConfig config = r.one_lane ? WaveConfig{.width = 1, .ids = {.lane_x = false}}
                                           : WaveConfig{.width = target.wave_lanes ? target.wave_lanes : 16};
      auto thread = compiler->thread(target, config.uniformity());
      if (!thread) return std::unexpected(driver_error(thread.error()));
      if (thread->stopped) continue;
      // What a target cannot run is none of the proof's business.
      if (r.spirv)
        (void)compiler->lower_for_spirv(*thread,
                                        {.width = uses_sub_groups(f) ? 8u : 0u, .small_buffers = false});
      else
        (void)compiler->lower(*thread, target, config);
    }
    if (o.restructure.pass.empty()) schemes(*compiler);
    return {};
  }

  int report() const {
    const auto count = [&](ProofResult result) {
      return std::ranges::count_if(rows_, [&](const ProofRow& r) { return r.result == result; });
    };
    const auto failed = count(ProofResult::Failed);
    if (o.json) {
      print_json();
    } else {
      print_table();
      fmt::print("{} proved, {} failed, {} not covered, {} gave up\n", count(ProofResult::Proved), failed,
                 count(ProofResult::NotCovered), count(ProofResult::GaveUp));
    }
    return failed ? ExitMismatch : ExitOk;
  }

 private:
  struct Route {
    std::string_view name, target;
    bool one_lane = false, spirv = false;
  };
  static std::span<const Route> routes() {
    static constexpr std::array<Route, 5> kRoutes{{{"avx2", "avx2"},
                                                   {"avx512", "avx512"},
                                                   {"one lane", "avx512", true},
                                                   {"gfx900", "gfx900"},
                                                   {"vulkan", "vulkan", false, true}}};
    return kRoutes;
  }

  // The passes of --restructure, which no route runs by itself.
  void schemes(const KernelCompiler& compiler) {
    for (const std::string_view scheme : scheme_names()) {
      auto thread = compiler.silent().thread(interpreter_target());
      if (!thread) return;
      PassState state{std::move(thread->function)};
      state.restructure = *parse_restructure(scheme);
      route_ = scheme;
      const Function before = *state.f;
      const PassRow& pass = *find_pass(state.restructure.pass);
      run_pass(pass, state);
      rows_.push_back(row(pass.name, before, *state.f));
    }
  }

  ProofRow row(std::string_view pass, const Function& before, const Function& after) const {
    ProofRow r{.kernel = kernel_, .route = std::string(route_), .pass = pass};
    const PassRow* known = find_pass(pass);  // none: a program, which has to keep the control flow, too
    const auto start = std::chrono::steady_clock::now();
    r.walk = proof::walk(before, after);
    r.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (r.walk.verdict == proof::Verdict::Proved)
      r.result = ProofResult::Proved;
    else if (!known || known->walked)
      r.result = r.walk.verdict == proof::Verdict::Failed ? ProofResult::Failed : ProofResult::GaveUp;
    return r;
  }

  static std::string note(const ProofRow& r) {
    if (r.result == ProofResult::Proved) return fmt::format("{} states", r.walk.states);
    if (r.result == ProofResult::NotCovered) return fmt::format("checked by {}", find_pass(r.pass)->judge);
    return r.walk.reason;
  }

  void print_table() const {
    size_t width = 0;
    for (const ProofRow& r : rows_) width = std::max(width, r.kernel.size());
    for (const ProofRow& r : rows_) {
      fmt::print("{:<{}} {:<12} {:<24} {:<12} {}\n", r.kernel, width, r.route, r.pass, to_string(r.result),
                 note(r));
      if (r.result == ProofResult::Failed || r.result == ProofResult::GaveUp)
        fmt::print("{}\n", proof::describe(r.walk));
    }
  }

  void print_json() const {
    Json out{{"passes", Json::array()}};
    for (const ProofRow& r : rows_) {
      Json row{{"kernel", r.kernel},
               {"route", r.route},
               {"pass", r.pass},
               {"result", r.result == ProofResult::Failed ? "failed" : to_string(r.result)},
               {"states", r.walk.states},
               {"ms", r.ms},
               {"note", note(r)}};
      if (r.result == ProofResult::Failed) {
        row["before"] = r.walk.old_event;
        row["after"] = r.walk.new_event;
        row["path"] = Json::array();
        for (const auto& [before, after] : r.walk.path) row["path"].push_back({before, after});
      }
      out["passes"].push_back(std::move(row));
    }
    fmt::print("{}\n", out.dump(2));
  }

  const Options& o;
  std::string kernel_;
  std::string_view route_;
  std::vector<ProofRow> rows_;
};

}  // namespace

int prove_passes(const Options& o) {
  auto input = load_input(o);
  if (!input) return report(input.error());
  std::vector<const Function*> kernels;
  if (!o.kernel.empty()) {
    auto chosen = choose_kernel(input->module, o);
    if (!chosen) return report(chosen.error());
    kernels.push_back(*chosen);
  } else {
    for (const auto& f : input->module.functions)
      if (f->is_kernel) kernels.push_back(f.get());
  }
  if (kernels.empty()) return report({ExitUsage, fmt::format("'{}' has no kernel", o.file)});
  Prover prover(o);
  for (const Function* f : kernels) {
    if (f->dialect != Dialect::Thread)
      return report(
          {ExitUsage, fmt::format("--prove takes kernel source or thread IR, '{}' is in the {} dialect",
                                  f->name, to_string(f->dialect))});
    if (auto ok = prover.kernel(*f); !ok) return report(ok.error());
  }
  return prover.report();
}

}  // namespace kc
