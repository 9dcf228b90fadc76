// SPDX-License-Identifier: Apache-2.0
#include "driver/pipelines.h"

#include <fmt/format.h>

#include "driver/compiler.h"
#include "driver/remarks.h"
#include "passes/pipeline.h"
#include "passes/remarks.h"

namespace kc {
namespace {

std::expected<Passed, DriverError> run(PassState state, std::vector<std::string_view> names,
                                       const Options& o) {
  PipelineOptions options;
  if (o.remarks) state.remarks = &o.remarks->remarks;
  // The command has two pipelines, one behind the other; a name is looked for in both.
  for (const std::string* name : {&o.print_after, &o.stop_after})
    if (!name->empty() && *name != "all" && !find_pass(*name))
      return std::unexpected(DriverError{ExitUsage, fmt::format("there is no pass '{}'", *name)});
  if (!o.print_after.empty()) options.print_after.push_back(o.print_after);
  options.print = [](std::string_view text) { fmt::print(stderr, "{}\n", text); };
  options.stop_after = o.stop_after;
  options.dump_dir = o.dump_dir;
  options.verify_each = o.verify_each;
  auto report = run_pipeline(state, names, options);
  if (!report) return std::unexpected(DriverError{ExitUsage, report.error()});
  if (o.time_passes) fmt::print(stderr, "{}", render_times(report->times));
  return Passed{std::move(state.f), report->stopped};
}

// What --passes names. Without it nothing is run, but the other options are looked at.
std::expected<Passed, DriverError> run_named(PassState state, const Options& o) {
  auto passed = run(std::move(state), split_pass_names(o.passes), o);
  if (passed) passed->stopped |= !o.passes.empty();  // just these passes
  return passed;
}

// The same passes once more for another machine, without telling anything.
std::function<std::unique_ptr<Function>(const TargetCosts&)> optimiser(const Function& kernel,
                                                                       const Options& o) {
  Options quiet = o;
  quiet.remarks = nullptr;
  quiet.time_passes = false;
  quiet.print_after.clear();
  quiet.dump_dir.clear();
  return [&kernel, quiet = std::move(quiet)](const TargetCosts& machine) {
    auto passed = run_thread_passes(kernel, quiet, machine);
    return passed ? std::move(passed->function) : nullptr;
  };
}

}  // namespace

std::expected<Passed, DriverError> run_thread_passes(const Function& kernel, const Options& o,
                                                     const TargetCosts& machine) {
  PassState state{std::make_unique<Function>(kernel)};
  state.wave.width = o.width ? o.width : 16;
  state.wave.costs = machine;
  state.scheme = o.restructure;
  state.meld = o.meld;
  if (!o.passes.empty()) return run_named(std::move(state), o);
  std::vector<std::string_view> names = thread_passes(o.optimisation, o.check_bounds);
  if (!o.restructure.pass.empty()) names.push_back(o.restructure.pass);
  return run(std::move(state), std::move(names), o);
}

std::expected<Passed, DriverError> run_wave_passes(const Function& thread, const WaveOptions& wave,
                                                   const Options& o) {
  auto passed =
      run(PassState{std::make_unique<Function>(thread), wave}, default_pipeline(PipelineKind::WaveLower), o);
  if (o.remarks && passed && !passed->stopped) explain_accesses(*passed->function, o.remarks->remarks);
  return passed;
}

std::expected<Passed, DriverError> run_passes_on_lowered(const Function& f, const Options& o) {
  if (!o.passes.empty() && f.dialect != Dialect::Wave)
    return std::unexpected(
        DriverError{ExitUsage, fmt::format("'{}' is in the {} dialect, for which there are no passes", f.name,
                                           to_string(f.dialect))});
  PassState state{std::make_unique<Function>(f)};
  state.wave.width = f.width;
  return run_named(std::move(state), o);
}

std::expected<Program, DriverError> make_program(const Function& kernel, const Options& o) {
  if (kernel.dialect != Dialect::Thread)
    return std::unexpected(
        DriverError{ExitUsage, fmt::format("only thread IR can be run, '{}' is in the {} dialect",
                                           kernel.name, to_string(kernel.dialect))});
  if (o.check_bounds && !o.passes.empty())
    return std::unexpected(
        DriverError{ExitUsage, "--check-bounds and --passes exclude each other: name check_bounds there"});
  double start = now_ms();
  auto passed = run_thread_passes(kernel, o);
  if (!passed) return std::unexpected(passed.error());
  if (o.remarks) explain_divergence(*passed->function, {}, o.remarks->remarks);
  Program program{&kernel, std::move(passed->function), now_ms() - start, o.check_bounds};
  if (!passed->stopped && (o.meld == Meld::ByCost || o.meld == Meld::Fusion))
    program.optimise = optimiser(kernel, o);
  return program;
}

std::unique_ptr<Function> Program::optimised_for(const TargetCosts& machine) const {
  auto own = optimise ? optimise(machine) : nullptr;
  return own ? std::move(own) : std::make_unique<Function>(*optimised);
}

}  // namespace kc
