// SPDX-License-Identifier: Apache-2.0
#include "driver/grade/program_case.h"

#include "driver/compare.h"
#include "driver/compiler.h"
#include "passes/lower/lower_sub_groups.h"

namespace kc {

std::expected<ProgramCase, std::string> make_case(const LabFile& lab, const std::string& source,
                                                  const std::string& file,
                                                  const std::vector<std::string>& launch) {
  CommandLine command = command_of(lab, file, launch);
  if (!command.options) return std::unexpected(first_line(command.text));
  const Options& o = *command.options;
  FrontendResult front = compile_source(source, frontend_options(o));
  if (!front.module) return std::unexpected(first_line(front.diagnostics));
  ProgramCase c{.module = std::move(front.module)};
  auto kernel = choose_kernel(*c.module, o);
  if (!kernel) return std::unexpected(kernel.error().message);
  c.kernel = *kernel;
  auto spec = make_launch(*c.kernel, o);
  if (!spec) return std::unexpected(spec.error().message);
  c.spec = *spec;
  auto inputs = parse_arguments(*c.kernel, o.args);
  if (!inputs) return std::unexpected(inputs.error().message);
  c.inputs = std::move(*inputs);
  c.inputs.addresses = Addresses::Hidden;
  auto [result, args] = run_case(*c.kernel, c, lab.steps);
  if (result.status != EngineStatus::Ok && result.status != EngineStatus::Trapped)
    return std::unexpected(first_line(result.message));
  if (!result.warnings.empty()) return std::unexpected(result.warnings.front().message);
  c.trap = result.trap;
  c.want = std::move(args);
  return c;
}

CaseRun run_case(Engine& engine, const Program& program, const ProgramCase& c) {
  EngineResult ready = engine.prepare(program, c.spec);
  if (ready.status != EngineStatus::Ok) return {std::move(ready), {}};
  KernelArguments args = c.inputs;
  EngineResult result = engine.launch(args);
  return {std::move(result), std::move(args)};
}

CaseRun run_case(const Function& f, const ProgramCase& c, uint64_t max_steps) {
  Program program{.source = &f, .optimised = nullptr};
  if (f.dialect == Dialect::Wave) program.lowered = LoweredText{.function = &f};
  // Which work-items are together matters to sub-groups: they run in warps that reconverge as the source
  // says.
  const bool in_warps = f.dialect == Dialect::Thread && uses_sub_groups(*c.kernel);
  if (in_warps) program.optimised = std::make_unique<Function>(f);
  const EngineInfo* engine = find_engine(f.dialect == Dialect::Wave ? "wave16" : in_warps ? "sim" : "interp");
  EngineOptions options{.width = f.width, .max_steps = max_steps};
  if (in_warps) options.scheme = WarpScheme::TfStack;
  return run_case(*engine->make(options), program, c);
}

std::string difference_of(const ProgramCase& c, const CaseRun& run) {
  const auto& [result, args] = run;
  if (result.status != EngineStatus::Ok && result.status != EngineStatus::Trapped)
    return first_line(result.message);
  if (Difference d = compare_buffers(c.want, args, 0); !d.first.empty()) return d.first;
  if (!same_trap(c.trap, result.trap))
    return result.trap ? "traps where the program does not" : "does not trap where the program does";
  return "";
}

}  // namespace kc
