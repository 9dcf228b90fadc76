// SPDX-License-Identifier: Apache-2.0
#include "driver/program.h"

#include <fmt/format.h>

#include "driver/remarks.h"

namespace kc {

CompileOptions compile_options(const Options& o, std::vector<PassTime>* times) {
  CompileOptions c{.optimisation = o.optimisation,
                   .check_bounds = o.check_bounds,
                   .meld = o.meld,
                   .restructure = o.restructure,
                   .passes = o.passes,
                   .remarks = o.remarks ? &o.remarks->remarks : nullptr,
                   .times = times};
  if (!o.print_after.empty()) c.pipeline.print_after.push_back(o.print_after);
  c.pipeline.print = [](std::string_view text) { fmt::print(stderr, "{}\n", text); };
  c.pipeline.print_changes = o.print_changes;
  c.pipeline.texts = o.stage_texts;
  c.pipeline.stop_after = o.stop_after;
  c.pipeline.outside = o.outside;
  c.pipeline.dump_dir = o.dump_dir;
  c.pipeline.verify_each = o.verify_each;
  return c;
}

DriverError driver_error(const CompileError& error) {
  switch (error.kind) {
    case CompileError::Usage:
      return {ExitUsage, error.message};
    case CompileError::Unsupported:
    case CompileError::Outside:
      return {ExitSource, error.message};
    case CompileError::Absent:
      return {ExitAbsent, error.message};
    case CompileError::Io:
      return {ExitIo, error.message};
    case CompileError::Internal:
      break;
  }
  return {ExitInternal, error.message};
}

std::expected<Program, DriverError> make_program(const Function& kernel, const Options& o, PassesOf said) {
  // Without a target, the machine is this processor.
  const TargetDesc* target = o.targets.size() == 1       ? find_target(o.targets[0])
                             : said == PassesOf::Machine ? find_target("cpu")
                                                         : nullptr;
  if (auto ok = check_passes(o, target); !ok) return std::unexpected(ok.error());
  const double start = now_ms();
  auto times = std::make_shared<std::vector<PassTime>>();
  auto compiler = KernelCompiler::start(kernel, compile_options(o, o.time_passes ? times.get() : nullptr));
  if (!compiler) return std::unexpected(driver_error(compiler.error()));
  const bool compiles = said == PassesOf::Machine;
  auto thread = (compiles ? compiler->silent() : *compiler).thread(interpreter_target());
  if (!thread) return std::unexpected(driver_error(thread.error()));
  Program program{.source = &kernel,
                  .optimised = std::move(thread->function),
                  .pass_times = times,
                  .front_ms = now_ms() - start,
                  .check_bounds = o.check_bounds};
  program.compiler =
      std::make_shared<const KernelCompiler>(compiles ? compiler->without_stop() : compiler->silent());
  return program;
}

}  // namespace kc
