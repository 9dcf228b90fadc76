// SPDX-License-Identifier: Apache-2.0
#include "api/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "api/parameters.h"
#include "backends/gcn/isa/models.h"
#include "ir/parameters.h"

namespace kc {
namespace {

std::expected<void, Failure> check_function(const Function& f) {
  if (f.dialect != Dialect::Thread)
    return wrong(KC_USAGE_ERROR, fmt::format("only thread IR can be run, '{}' is in the {} dialect", f.name,
                                             to_string(f.dialect)));
  const auto& values = f.block(f.entry()).params;
  const auto printf = param_with_role(f, ParamRole::Printf);  // the front end adds it
  for (size_t i = 0; i < values.size(); ++i) {
    Type type = f.type(values[i]);
    bool buffer = i == printf && type == kPtrGlobal && i + 1 == values.size();
    if ((f.params[i].hidden() && !buffer) || type == kPtrPrivate)
      return wrong(
          KC_USAGE_ERROR,
          fmt::format("parameter {} of '{}' is none that a launch has an argument for", i + 1, f.name));
  }
  return {};
}

// Targets besides the machines that code is made for and that this process runs or emulates.
struct OtherTarget {
  std::string_view name;
  MadeRunner (*make)(const Function& kernel, const kc_kernel_options& options);
  bool takes_width = false, takes_max_steps = false;
};
constexpr OtherTarget kOtherTargets[] = {
    {"hip", make_hip_runner}, {"vulkan", make_vulkan_runner}, {"interp", make_interpreter, true, true}};

const OtherTarget* find_other(std::string_view name) {
  const auto* found = std::ranges::find(kOtherTargets, name, &OtherTarget::name);
  return found == std::end(kOtherTargets) ? nullptr : found;
}

bool runs_here(const TargetDesc& machine) { return machine.is_cpu() || gcn::find_emulated(machine.name); }

std::string runnable_targets() {
  std::string names = "cpu";
  for (const TargetDesc& t : targets())
    if (runs_here(t)) names += ", " + std::string(t.name);
  for (const OtherTarget& t : kOtherTargets) names += ", " + std::string(t.name);
  return names;
}

MadeRunner make_runner(const Function& function, const kc_kernel_options& options, const CodeCache* cache) {
  const std::string_view target = options.target ? options.target : "cpu";
  const OtherTarget* other = find_other(target);
  const TargetDesc* machine = find_target(target);
  if (!other && !machine)
    return wrong(KC_USAGE_ERROR, fmt::format("unknown target '{}' ({})", target, runnable_targets()));
  if (!other && !runs_here(*machine))
    return wrong(KC_ABSENT, fmt::format("code is made for {}, but nothing here runs it", target));
  const bool is_cpu = !other && machine->is_cpu();
  if (options.max_steps && (other ? !other->takes_max_steps : is_cpu))
    return wrong(KC_USAGE_ERROR, "max_steps needs the target interp, or one that is emulated");
  if (options.width && (other ? !other->takes_width : !is_cpu))
    return wrong(KC_USAGE_ERROR, "the width is for targets that are CPUs");
  if (other) return other->make(function, options);
  return is_cpu ? make_cpu_runner(function, options, *machine, cache)
                : make_emulator_runner(function, options, *machine);
}

}  // namespace

std::expected<std::unique_ptr<Kernel>, Failure> Kernel::create(std::shared_ptr<const Module> module,
                                                               const Function& function,
                                                               const kc_kernel_options& options,
                                                               const CodeCache* cache) {
  if (auto ok = check_function(function); !ok) return std::unexpected(std::move(ok.error()));
  MadeRunner runner = make_runner(function, options, cache);
  if (!runner) return std::unexpected(std::move(runner.error()));
  std::unique_ptr<Kernel> kernel(new Kernel(std::move(module), function));
  kernel->print_ = options.print;
  kernel->print_user_ = options.print_user;
  kernel->runner_ = std::move(*runner);
  return kernel;
}

std::expected<std::optional<TrapReport>, Failure> Kernel::launch(
    const kc_range& range, std::span<const kc_argument> arguments) const {
  auto spec = launch_of(*source_, range);
  if (!spec) return std::unexpected(std::move(spec.error()));
  PrintedText printed;
  auto trap = runner_->launch(*spec, arguments, range.threads, printed);
  if (!printed.text.empty() || printed.lost) print(printed);
  return trap;
}

void Kernel::print(const PrintedText& printed) const {
  if (print_) return print_(print_user_, printed.text.data(), printed.text.size(), printed.lost);
  std::fwrite(printed.text.data(), 1, printed.text.size(), stdout);
  if (printed.lost)
    fmt::print(stderr, "kernelc: warning: {}\n", describe_lost(printed, runner_->printf_bytes()));
}

std::expected<void, Failure> Kernel::prepare(const kc_range& range) const {
  auto spec = launch_of(*source_, range);
  if (!spec) return std::unexpected(std::move(spec.error()));
  return runner_->prepare(*spec);
}

const char* Kernel::keep(const std::string& text) const {
  for (const TrapSite& site : source_->traps)
    if (site.type == text) return site.type.c_str();
  std::lock_guard lock(mutex_);
  return texts_.insert(text).first->c_str();
}

std::expected<LaunchSpec, Failure> launch_of(const Function& kernel, const kc_range& range) {
  if (range.dims < 1 || range.dims > 3)
    return wrong(KC_USAGE_ERROR, fmt::format("a launch has 1 to 3 dimensions, not {}", range.dims));
  LaunchSpec spec{.dims = range.dims};
  for (size_t d = 0; d < 3; ++d) {
    bool given = d < range.dims;
    spec.global[d] = given ? range.global[d] : 1;
    spec.offset[d] = given ? range.offset[d] : 0;
    spec.local[d] = given && range.local[0] ? range.local[d] : 1;
  }
  spec.local[0] = range.local[0];
  if (auto ok = complete_launch(kernel, spec); !ok) return wrong(KC_USAGE_ERROR, std::move(ok.error()));
  return spec;
}

}  // namespace kc
