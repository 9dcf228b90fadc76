// SPDX-License-Identifier: Apache-2.0
// kernelc compile: one stage of one kernel, as text or as an object.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "driver/ahead.h"
#include "driver/compiler.h"
#include "driver/lowered_text.h"
#include "driver/program.h"
#include "driver/reflect.h"
#include "driver/remarks.h"
#include "driver/targets.h"
#include "driver/usage_errors.h"
#include "frontend/frontend.h"
#include "host/gcn_code.h"
#include "host/vulkan_code.h"
#include "ir/json/json.h"
#include "ir/launch.h"
#include "ir/parameters.h"
#include "ir/text.h"

namespace kc {

namespace {

bool front_stage(const std::string& emit) { return emit == "tokens" || emit == "ast"; }

// Whether passes are to say something.
bool asks_passes(const Options& o) {
  return o.remarks || o.time_passes || !o.dump_dir.empty() || !o.print_after.empty() || o.print_changes;
}

// What to emit when the user named a target but no stage.
std::string default_emit(const Options& o) {
  if (!o.emit.empty()) return o.emit;
  if (o.assembly) return "asm";
  if (o.targets.empty()) return "";
  // What is left of a compilation that ends early is text.
  if ((!o.stop_after.empty() || !o.passes.empty()) && o.targets.size() == 1) return "asm";
  const bool asks_code = !o.output.empty() || !o.header.empty();
  const bool reports = asks_passes(o) || o.resource_usage;
  return reports && !asks_code && o.targets.size() == 1 ? "" : "obj";
}

std::string unknown_target(std::string_view name) {
  if (find_engine(name))
    return fmt::format("'{}' runs kernels and has no code of its own: kernelc run --target={}", name, name);
  std::vector<std::string_view> known{"cpu"};
  for (const TargetDesc& t : targets()) known.push_back(t.name);
  return unknown_name("target", name, known);
}

// IR text that the options want as JSON.
std::expected<std::string, DriverError> as_json(const std::string& text) {
  auto module = parse_module(text);
  if (!module) return failed(ExitUsage, "--emit=ir-json: what is left there is no IR: write it with -S");
  return write_json(*module);
}

int write(const Options& o, const std::string& bytes, bool binary) {
  if (o.ir_as_json) {
    Options rest = o;
    rest.ir_as_json = false;
    auto json = binary ? failed(ExitUsage, "--emit=ir-json: what is left there is no IR") : as_json(bytes);
    return json ? write(rest, *json, false) : report(json.error());
  }
  std::string path = o.output.empty() ? "-" : o.output;
  if (binary && o.output.empty()) return report({ExitUsage, "this output is binary: name a file with -o"});
  if (auto ok = write_output(path, bytes); !ok) return report(ok.error());
  return ExitOk;
}

int emit_front(const Options& o, const std::string& emit) {
  auto text = read_input(o.file);
  if (!text) return report(text.error());
  return write(
      o, emit == "tokens" ? dump_tokens(*text, frontend_options(o)) : dump_ast(*text, frontend_options(o)),
      false);
}

int emit_preprocessed(const Options& o) {
  auto text = read_input(o.file);
  if (!text) return report(text.error());
  PreprocessedText result = preprocess_source(*text, frontend_options(o));
  std::fputs(result.diagnostics.c_str(), stderr);
  if (result.errors > 0) return ExitSource;
  return write(o, result.text, false);
}

// All, or the one kernel that is named or alone.
std::expected<std::vector<Function*>, DriverError> chosen_functions(Module& module, const Options& o,
                                                                    bool one) {
  std::vector<Function*> chosen;
  if (!one) {
    for (const auto& f : module.functions) chosen.push_back(f.get());
    return chosen;
  }
  auto kernel = choose_kernel(module, o);
  if (!kernel) return std::unexpected(kernel.error());
  chosen.push_back(*kernel);
  return chosen;
}

int write_ahead(const Options& o, Module& module, const std::string& emit) {
  auto chosen = chosen_functions(module, o, !o.kernel.empty());
  if (!chosen) return report(chosen.error());
  std::vector<std::unique_ptr<Function>> kernels;
  for (auto& f : module.functions)
    if (f->is_kernel && std::ranges::find(*chosen, f.get()) != chosen->end()) kernels.push_back(std::move(f));
  if (kernels.empty()) return report({ExitUsage, fmt::format("'{}' has no kernel", o.file)});
  for (const auto& f : kernels)
    if (f->dialect != Dialect::Thread)
      return report({ExitUsage, fmt::format("only thread IR becomes an object, '{}' is in the {} dialect",
                                            f->name, to_string(f->dialect))});
  if (emit == "obj" && o.output.empty())
    return report({ExitUsage, "this output is binary: name a file with -o"});
  auto made = compile_ahead(std::move(kernels), o.targets, o);
  if (!made) return report(made.error());
  if (!o.header.empty())
    if (auto ok = write_output(o.header, made->header); !ok) return report(ok.error());
  return emit == "header" ? write(o, made->header, false) : write(o, made->object, true);
}

struct Stage {
  Lowered lowered;
  bool done = false;  // --stop-after or --passes ended it: print this function
};
using MadeStage = std::expected<Stage, DriverError>;

MadeStage stage_of(std::expected<Passed, CompileError> passed, Stage stage = {}) {
  if (!passed) return std::unexpected(driver_error(passed.error()));
  stage.lowered.function = std::move(passed->function);
  stage.lowered.passes_run = passed->passes_run;
  stage.done |= passed->stopped;
  return stage;
}

// The group size that the options or the kernel say, or none.
std::expected<GroupSize, DriverError> group_size(const Function& kernel, const Options& o) {
  const auto required = required_groups(kernel);
  if (!o.dims) return GroupSize{required[0], required[1], required[2]};
  auto launch = make_launch(kernel, o);
  if (!launch) return std::unexpected(launch.error());
  return launch->local;
}

// The form that runs, for a launch that the options give; else that of objects for launches to come.
MadeStage lower_for_cpu(const Function& kernel, KernelCompiler shared, const Options& o,
                        const TargetDesc& target) {
  auto compiler = CpuCompiler::create(std::move(shared), target, o.width);
  if (!compiler) return std::unexpected(driver_error(compiler.error()));
  if (compiler->stopped()) return Stage{{.function = std::make_unique<Function>(compiler->thread())}, true};
  Stage stage;
  if (o.dims) {
    auto launch = make_launch(kernel, o);
    if (!launch) return std::unexpected(launch.error());
    launch->small_buffers = launch->disjoint_buffers = true;
    stage.lowered.form = compiler->choice().form(*launch);
  } else {
    auto form = ahead_form(kernel, *compiler, o);
    if (!form) return std::unexpected(form.error());
    stage.lowered.form = *form;
  }
  auto passed = compiler->wave(stage.lowered.form);
  return stage_of(std::move(passed), std::move(stage));
}

// Thread IR; for Vulkan the form that becomes a module, unless --emit=ir asks for what the passes left.
MadeStage thread_form(const KernelCompiler& compiler, const TargetDesc& machine, const Options& o) {
  auto thread = compiler.thread(machine);
  const bool all = machine.family == TargetFamily::Vulkan && o.emit != "ir";
  if (!all || !thread || thread->stopped) return stage_of(std::move(thread));
  return stage_of(lower_for_vulkan(compiler, *thread));
}

MadeStage lower_thread(const Function& kernel, const Options& o, bool to_wave, const TargetDesc* target,
                       std::vector<PassTime>* times) {
  const TargetDesc& machine = target ? *target : interpreter_target();
  CompileOptions options = compile_options(o, times);
  if (to_wave && machine.is_cpu() && !o.width) options.one_lane = one_lane_on({&machine});
  auto compiler = KernelCompiler::start(kernel, std::move(options));
  if (!compiler) return std::unexpected(driver_error(compiler.error()));
  if (compiler->stopped()) return Stage{{.function = std::make_unique<Function>(compiler->shared())}, true};
  if (!to_wave) return thread_form(*compiler, machine, o);
  if (machine.is_cpu()) return lower_for_cpu(kernel, std::move(*compiler), o, machine);
  auto local = group_size(kernel, o);
  if (!local) return std::unexpected(local.error());
  const uint32_t lanes = o.width ? o.width : machine.wave_lanes ? machine.wave_lanes : 16;
  auto stage = stage_of(compiler->wave(machine, {.width = lanes, .ids = machine.ids(*local)}),
                        {.lowered = {.local = *local}});
  if (stage && machine.family == TargetFamily::Gcn)
    if (Function& f = *stage->lowered.function; f.dialect == Dialect::Wave)
      f.target = note_of(machine, *local);
  return stage;
}

// Wave or machine text goes on from where it is.
MadeStage resume(const Function& f, const Options& o, bool to_wave, const TargetDesc* target) {
  auto passes = named_passes(o);
  if (!passes) return std::unexpected(passes.error());
  CompileOptions options = compile_options(o);
  options.passes = passes->ir;
  auto stage = stage_of(run_named_passes(f, options));
  if (!stage) return stage;
  const bool machine = f.dialect != Dialect::Wave;
  if (target && (!stage->done || !passes->machine.empty())) {
    auto text = lowered_text(f, *target, o);
    if (!text) return std::unexpected(text.error());
    stage->lowered.form = text->form, stage->lowered.local = text->local;
    stage->lowered.passes = std::move(text->passes);
    stage->done = false;
  } else if (!passes->machine.empty()) {
    return failed(ExitUsage, fmt::format("pass {} needs a --target", passes->machine.front()));
  }
  stage->done |= !to_wave || (o.emit == "wave" && machine);
  if (stage->done || !target) return stage;
  if (f.target && (o.dims || o.width))
    return failed(ExitUsage, fmt::format("'{}' is made for its launches already: --global, --local and "
                                         "--width say nothing more",
                                         f.name));
  if (!f.target && target->family == TargetFamily::Gcn) {
    auto local = group_size(f, o);
    if (!local) return std::unexpected(local.error());
    stage->lowered.local = *local;
  }
  return stage;
}

MadeStage lower(const Function& kernel, const Options& o, bool to_wave, const TargetDesc* target) {
  if (kernel.dialect != Dialect::Thread) return resume(kernel, o, to_wave, target);
  std::vector<PassTime> times;
  auto stage = lower_thread(kernel, o, to_wave, target, o.time_passes ? &times : nullptr);
  if (stage) stage->lowered.times = std::move(times);
  return stage;
}

bool is_vulkan(const TargetDesc* target) { return target && target->family == TargetFamily::Vulkan; }

// A success without output would leave open whether anything was done.
void say_correct(const Options& o, const Module& module) {
  if (o.no_warnings || o.json_diagnostics) return;
  std::string names;
  for (const auto& f : module.functions)
    if (f->is_kernel) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", f->name);
  fmt::print(stderr, "kernelc: note: {} without errors: {}; --target, --emit or -o says what to write\n",
             o.file == "-" ? "standard input" : o.file, names.empty() ? "no kernel" : names);
}

// Nothing is written but diagnostics, and what the passes and the backend were asked to say.
int only_report(const Options& o, Module& module, const TargetDesc* target) {
  if (!asks_passes(o) && !o.resource_usage) {
    say_correct(o, module);
    return ExitOk;
  }
  auto kernels = chosen_functions(module, o, !o.kernel.empty());
  if (!kernels) return report(kernels.error());
  for (const Function* kernel : *kernels) {
    auto stage = lower(*kernel, o, !is_vulkan(target), target);
    if (!stage) return report(stage.error());
    if (!target || (is_vulkan(target) && !o.resource_usage) || stage->done) {
      print_times(o, stage->lowered.times);
      continue;
    }
    std::vector<Lowered> one;
    one.push_back(std::move(stage->lowered));
    if (auto code = emit_for(*target, std::move(one), o, "json"); !code) return report(code.error());
  }
  return ExitOk;
}

// Of all functions, or of the kernel that is named; with a target they are compiled for it.
int write_reflection(const Options& o, Module& module, const TargetDesc* target) {
  auto chosen = chosen_functions(module, o, !o.kernel.empty());
  if (!chosen) return report(chosen.error());
  nlohmann::ordered_json kernels = nlohmann::ordered_json::array(), file{{"source", module.source_name}};
  if (target) file["target"] = target->name;
  for (const Function* kernel : *chosen) {
    Emitted code;
    if (target) {
      auto stage = lower(*kernel, o, !is_vulkan(target), target);
      if (!stage) return report(stage.error());
      if (stage->done) return report({ExitUsage, "--emit=json with a target needs all of its passes"});
      if (is_vulkan(target)) print_times(o, stage->lowered.times);
      std::vector<Lowered> one;
      one.push_back(std::move(stage->lowered));
      auto emitted = emit_for(*target, std::move(one), o, "json");
      if (!emitted) return report(emitted.error());
      code = std::move(*emitted);
    }
    kernels.push_back(reflect(*kernel, target ? &code.resources : nullptr));
  }
  file["kernels"] = std::move(kernels);
  return write(o, file.dump(2) + "\n", false);
}

// What a command line asks to make.
struct Plan {
  std::string emit;
  const TargetDesc* target = nullptr;
  bool ahead = false;  // an object or a header for CPUs
};

std::expected<Plan, DriverError> plan_of(const Options& o) {
  Plan plan{.emit = default_emit(o)};
  const std::string& emit = plan.emit;
  if (!emit.empty() && std::ranges::find(kEmitKinds, emit) == kEmitKinds.end())
    return failed(ExitUsage, unknown_name("--emit", emit, {kEmitKinds.begin(), kEmitKinds.end()}));
  for (const std::string& name : o.targets)
    if (!find_target(name)) return failed(ExitUsage, unknown_target(name));
  plan.ahead = (emit == "obj" || emit == "header") && !o.targets.empty() &&
               std::ranges::all_of(o.targets, [](const std::string& n) { return find_target(n)->is_cpu(); });
  if (o.targets.size() > 1 && !plan.ahead)
    return failed(ExitUsage, "several targets in one output are for CPU objects only");
  if (emit == "header" && !plan.ahead) return failed(ExitUsage, "--emit=header needs a --target for CPUs");
  if (!o.header.empty() && !plan.ahead)
    return failed(ExitUsage, "--header goes with an object for CPU targets");
  if (!o.targets.empty()) plan.target = find_target(o.targets[0]);
  if (auto ok = check_passes(o, plan.target); !ok) return std::unexpected(ok.error());
  if (plan.ahead && !o.stop_after.empty())
    return failed(ExitUsage, "--stop-after leaves no object: write what is there with -S");
  return plan;
}

bool is_code(const std::string& emit) {
  return emit == "asm" || emit == "machine" || emit == "obj" || emit == "hsaco";
}

// The target that wave or machine text is made for, if code is asked for and the options name none.
std::string target_of_text(const Options& o, const Plan& plan, const Module& module) {
  const bool asks_code = is_code(plan.emit) || o.resource_usage || (plan.emit.empty() && !o.output.empty());
  if (!asks_code || plan.target || module.functions.empty()) return {};
  const auto& note = module.functions.front()->target;
  return note ? note->name : "";
}

// IR, or the code of a machine, of all functions or of one.
int write_functions(const Options& o, Module& module, const std::string& emit, const TargetDesc* target,
                    bool to_wave) {
  const bool spirv = is_vulkan(target) && emit != "ir";
  const bool machine = is_code(emit) && !spirv;
  const bool one = !o.kernel.empty() || (machine && target->family != TargetFamily::Gcn) || spirv;
  auto kernels = chosen_functions(module, o, one);
  if (!kernels) return report(kernels.error());
  if (machine && !one && kernels->empty())
    return report({ExitUsage, fmt::format("'{}' has no kernel", o.file)});
  std::string text;
  std::vector<Lowered> lowered;
  for (Function* kernel : *kernels) {
    auto stage = lower(*kernel, o, to_wave, target);
    if (!stage) return report(stage.error());
    if (stage->done || !machine) print_times(o, stage->lowered.times);
    if (!stage->done && (spirv || machine)) {
      lowered.push_back(std::move(stage->lowered));
      continue;
    }
    if (!text.empty()) text += "\n";
    text += emit == "dot" ? print_dot(*stage->lowered.function) : print(*stage->lowered.function);
  }
  if (lowered.empty()) return write(o, text, false);
  auto code = emit_for(*target, std::move(lowered), o, emit);
  if (!code) return report(code.error());
  return write(o, code->bytes, code->binary);
}

int write_module(const Options& o, const Plan& plan, Module& module) {
  std::string emit = plan.emit;
  const TargetDesc* target = plan.target;
  if (emit.empty()) {
    const bool shows_ir =
        !o.passes.empty() || !o.print_after.empty() || o.print_changes || !o.stop_after.empty();
    if (!target && o.resource_usage)
      return report({ExitUsage, fmt::format("--resource-usage needs a --target ({})", target_names())});
    if (!target && !shows_ir && !o.output.empty())
      return report({ExitUsage, fmt::format("-o needs a --target ({}) or --emit=KIND", target_names())});
    if (target || !shows_ir) return only_report(o, module, target);
    emit = "ir";
  }
  if (emit == "json") return write_reflection(o, module, target);
  if (plan.ahead) return write_ahead(o, module, emit);
  const bool spirv =
      emit == "spirv" || emit == "spirv-text" || emit == "regions" || (is_vulkan(target) && emit != "ir");
  if (spirv && target && !is_vulkan(target))
    return report(
        {ExitUsage, fmt::format("--emit={} goes with --target=vulkan, not {}", emit, target->name)});
  // A graph shows what --emit=ir does, and with a target that has waves what --emit=wave does.
  const bool to_wave = !spirv && (emit == "wave" || (emit == "dot" && target) || is_code(emit));
  if (spirv) target = find_target("vulkan");
  if (is_code(emit) && !target)
    return report({ExitUsage, fmt::format("{} needs a --target ({})",
                                          o.emit.empty() ? "-S" : "--emit=" + emit, target_names())});
  return write_functions(o, module, emit, target, to_wave);
}

}  // namespace

int command_compile(const Options& o) {
  if (o.emit == "ir-json") {
    // The stage of --emit=ir, or with a target that at which it is to stop.
    Options text = o;
    text.emit = !o.stop_after.empty() && !o.targets.empty() ? "asm" : "ir";
    text.ir_as_json = true;
    return command_compile(text);
  }
  auto plan = plan_of(o);
  if (!plan) return report(plan.error());
  if (o.preprocess_only) return emit_preprocessed(o);
  if (front_stage(plan->emit)) return emit_front(o, plan->emit);
  auto input = load_input(o);
  if (!input) return report(input.error());
  const std::string own = target_of_text(o, *plan, input->module);
  if (own.empty()) return write_module(o, *plan, input->module);
  Options named = o;
  named.targets = {own};
  plan = plan_of(named);
  return plan ? write_module(named, *plan, input->module) : report(plan.error());
}

}  // namespace kc
