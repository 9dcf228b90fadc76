// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/fuzz_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <regex>

#include "driver/compare.h"
#include "driver/compiler.h"
#include "driver/sizes.h"
#include "driver/sub_groups.h"
#include "passes/lower/lower_sub_groups.h"
#include "passes/pass_runner.h"

namespace kc {
namespace {

// Random programs end after some thousand steps for each work-item, but for rare ones that take tens of
// millions.
constexpr uint64_t kMaxProgramSteps = 500'000'000;

// Reasons of one kind are counted together, wherever in the program they come from.
std::string without_places(const std::string& reason) {
  static const std::regex places(R"(^.*: not supported by \w+: |^\d+:\d+: | at line \d+| \(line .*)");
  static const std::regex blocks(R"(\bb\d+(\.\w+)?)");
  return std::regex_replace(std::regex_replace(reason, places, ""), blocks, "a block");
}

FuzzResult refusal(const EngineResult& r) {
  if (r.status == EngineStatus::Absent) return {FuzzVerdict::Absent, first_line(r.message)};
  if (r.status == EngineStatus::Unsupported)
    return {FuzzVerdict::Skipped, without_places(first_line(r.message))};
  return {FuzzVerdict::Differs, first_line(r.message)};
}

// The options of the command line of a program. To make the parser takes longer than many a pass does, and
// the lines of a run differ only in the launch: what else they say is parsed once.
CommandLine parse_program_line(const std::vector<std::string>& options) {
  static thread_local std::vector<std::string> known_words;
  static thread_local CommandLine known;
  const std::vector<std::string> begin{"check", "random.cl", "-w"};
  std::vector<std::string> words = begin, arguments;
  std::string global, local;
  bool simple = true;
  for (size_t k = 0; k < options.size(); ++k) {
    const std::string& word = options[k];
    const bool sizes = word == "--global" || word == "--local";
    if ((!sizes && word != "--arg") || k + 1 == options.size()) {
      words.push_back(word);
      continue;
    }
    const std::string& value = options[++k];
    simple &= !value.empty() && value[0] != '-' && value[0] != '@';
    if (!sizes) {
      arguments.push_back(value);
      continue;
    }
    std::string& once = word == "--global" ? global : local;
    simple &= once.empty();
    once = value;
  }
  if (!simple) {
    words = begin;
    words.insert(words.end(), options.begin(), options.end());
    return parse_command_line(std::move(words));
  }
  if (words != known_words) known = parse_command_line(words), known_words = std::move(words);
  CommandLine line = known;
  if (!line.options) return line;
  Options& o = *line.options;
  std::string error;
  if (!global.empty()) error = parse_sizes("--global", global, o.global, o.dims, false);
  if (error.empty() && !local.empty()) error = parse_sizes("--local", local, o.local, o.local_dims, false);
  if (!error.empty()) return {.options = {}, .text = std::move(error), .status = ExitUsage};
  o.args = std::move(arguments);
  return line;
}

}  // namespace

std::expected<std::unique_ptr<FuzzInput>, std::string> compile_random(const std::string& source,
                                                                      const std::vector<std::string>& options,
                                                                      int* status) {
  auto failed = [](const std::string& why) { return std::unexpected(first_line(why)); };
  if (status) *status = ExitInternal;
  CommandLine command = parse_program_line(options);
  if (!command.options) return failed(command.text);
  const Options& o = *command.options;
  FrontendResult front = compile_source(source, frontend_options(o));
  if (!front.module) return failed(front.diagnostics);
  auto c = std::make_unique<FuzzInput>();
  c->module = std::move(*front.module);
  auto kernel = choose_kernel(c->module, o);
  if (!kernel) return failed(kernel.error().message);
  c->kernel = *kernel;
  auto spec = make_launch(*c->kernel, o);
  if (!spec) return failed(spec.error().message);
  c->spec = *spec;
  auto inputs = parse_arguments(*c->kernel, o.args);
  if (!inputs) return failed(inputs.error().message);
  c->inputs = std::move(*inputs);
  auto program = make_program(*c->kernel, o);
  if (!program) {
    if (status) *status = program.error().status;
    return failed(program.error().message);
  }
  c->program = std::move(*program);
  c->program.text = source_text(source, o);
  return c;
}

const FuzzResult* FuzzOutcome::difference() const {
  for (const FuzzResult& r : routes)
    if (r.verdict == FuzzVerdict::Differs) return &r;
  return nullptr;
}

FuzzRoutes::FuzzRoutes(std::vector<const EngineInfo*> routes, bool assemble, uint32_t width, uint32_t largest)
    : infos_(std::move(routes)), largest_(largest) {
  for (const EngineInfo* info : infos_)
    engines_.push_back(info->make({.width = info->width ? info->width : width,
                                   .threads = 1,
                                   .max_steps = kMaxProgramSteps,
                                   .assembly_text = !assemble}));
}
FuzzOutcome FuzzRoutes::run(const std::string& source, const std::vector<std::string>& options,
                            const std::function<void(size_t)>& before,
                            const fuzz::StructuredProgram* structured) {
  int status = ExitOk;
  auto input = compile_random(source, options, &status);
  // With options that are right for other programs, this is what a pass made of the program.
  if (!input && status == ExitSource) return {.fault = {}, .wrong_pass = input.error()};
  if (!input) return {.fault = input.error()};
  const FuzzInput& c = **input;
  if (largest_ && instruction_count(*c.program.optimised) > largest_) {
    const FuzzResult skip{FuzzVerdict::Skipped, fmt::format("more than {} instructions", largest_)};
    return {.fault = {}, .routes = std::vector<FuzzResult>(infos_.size(), skip)};
  }
  if (uses_sub_groups(*c.kernel)) return run_sub_groups(c, before, structured);
  // The reference inlines calls as usual: shared regions are among what it judges.
  std::unique_ptr<FuzzInput> usual;
  if (std::ranges::any_of(options, [](const std::string& o) { return o.starts_with("-finline-budget"); })) {
    std::vector<std::string> inlined = options;
    inlined.push_back(fmt::format("-finline-budget={}", FrontendOptions().inline_budget));
    auto again = compile_random(source, inlined);
    if (!again) return {.fault = again.error()};
    usual = std::move(*again);
  }
  auto reference = engines().front().make({.max_steps = kMaxProgramSteps});
  Reference want{c.inputs, {}};
  EngineResult r = reference->prepare(usual ? usual->program : c.program, c.spec);
  if (r.status == EngineStatus::Ok) r = reference->launch(want.args);
  want.trap = r.trap;
  if (r.status != EngineStatus::Ok && r.status != EngineStatus::Trapped)
    return {.fault = "interp: " + first_line(r.message)};
  // Groups that end there have no other right result.
  if (r.divergent_barrier) return {.fault = "interp: work-items of a group wait at different barriers"};
  if (!r.warnings.empty()) return {.fault = "interp: " + r.warnings.front().message};
  // A quarter of the programs run as if their buffers were large, and another as if these might overlap.
  LaunchSpec spec = c.spec;
  spec.small_buffers = source.size() % 4 != 1;
  spec.disjoint_buffers = source.size() % 4 != 2 && has_disjoint_buffers(c.inputs);
  FuzzOutcome outcome;
  for (size_t k = 0; k < infos_.size(); ++k) {
    if (before) before(k);
    auto refused = prepare(k, c, spec);
    outcome.routes.push_back(refused ? *refused : launch(k, c, want));
  }
  if (!outcome.difference()) return outcome;
  // More than one right answer is the fault of whoever wrote the program.
  auto judge = engines().front().make({.max_steps = kMaxProgramSteps, .find_order_dependence = true});
  KernelArguments args = c.inputs;
  r = judge->prepare(c.program, c.spec);
  if (r.status == EngineStatus::Ok) r = judge->launch(args);
  if (r.order_dependence)
    return {.fault =
                fmt::format("the outcome depends on the order of work-items, lines {} and {}",
                            r.order_dependence->first.first.line, r.order_dependence->first.second.line)};
  return outcome;
}

FuzzOutcome FuzzRoutes::run_sub_groups(const FuzzInput& c, const std::function<void(size_t)>& before,
                                       const fuzz::StructuredProgram* structured) {
  FuzzOutcome outcome;
  std::map<SubGroups, Reference> references;
  for (size_t k = 0; k < infos_.size(); ++k) {
    if (before) before(k);
    std::optional<FuzzResult> refused = prepare(k, c, c.spec);
    std::optional<SubGroups> shape = refused ? std::nullopt : engines_[k]->sub_groups();
    if (!refused && !shape) refused = {FuzzVerdict::Skipped, "it has no sub-groups"};
    if (refused) {
      outcome.routes.push_back(*refused);
      continue;
    }
    auto known = references.find(*shape);
    if (known == references.end()) {
      auto reference = simulate(c, *shape, structured);
      if (!reference) return {.fault = reference.error()};
      known = references.emplace(*shape, std::move(*reference)).first;
    }
    outcome.routes.push_back(launch(k, c, known->second));
  }
  return outcome;
}

std::expected<FuzzRoutes::Reference, std::string> FuzzRoutes::simulate(
    const FuzzInput& c, SubGroups shape, const fuzz::StructuredProgram* structured) {
  auto engine = make_sub_group_reference(shape, kMaxProgramSteps);
  Reference reference{c.inputs, {}};
  EngineResult r = engine->prepare(c.program, c.spec);
  if (r.status == EngineStatus::Ok) r = engine->launch(reference.args);
  if (r.status != EngineStatus::Ok && r.status != EngineStatus::Trapped)
    return std::unexpected("simulator: " + first_line(r.message));
  reference.trap = r.trap;
  if (!structured) return reference;
  fuzz::StructuredRun run = structured->run;
  run.width = shape.lanes;
  const std::vector<uint64_t> out = fuzz::run_structured(structured->tree, run);
  KernelArguments want = reference.args;
  std::memcpy(want.buffers[0].bytes.data(), out.data(),
              std::min(want.buffers[0].bytes.size(), 8 * out.size()));
  if (Difference d = compare_buffers(want, reference.args, 0); !d.first.empty())
    return std::unexpected(fmt::format("simulator with {} lanes: {}", shape.lanes, d.first));
  return reference;
}

// Why the route has nothing to launch, or none.
std::optional<FuzzResult> FuzzRoutes::prepare(size_t k, const FuzzInput& c, const LaunchSpec& spec) {
  EngineResult r = engines_[k]->prepare(c.program, spec);
  if (r.status == EngineStatus::Ok) return {};
  return refusal(r);
}

FuzzResult FuzzRoutes::launch(size_t k, const FuzzInput& c, const Reference& want) {
  KernelArguments args = c.inputs;
  EngineResult r = engines_[k]->launch(args);
  if (r.status != EngineStatus::Ok && r.status != EngineStatus::Trapped) return refusal(r);
  if (Difference d = compare_buffers(want.args, args, infos_[k]->ulp); !d.first.empty())
    return {FuzzVerdict::Differs, d.first};
  if (same_trap(want.trap, r.trap)) return {};
  return {FuzzVerdict::Differs,
          r.trap ? "reports another trap: " + describe(*r.trap, *c.kernel) : "reports no trap"};
}

}  // namespace kc
