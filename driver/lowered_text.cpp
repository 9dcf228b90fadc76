// SPDX-License-Identifier: Apache-2.0
#include "driver/lowered_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "driver/compiler.h"
#include "host/cpu_code.h"
#include "host/gcn_code.h"
#include "host/pass_list.h"
#include "ir/launch.h"
#include "passes/outside_pass.h"

namespace kc {
namespace {

bool is_machine(const Function& f) { return f.dialect != Dialect::Wave; }

std::expected<void, DriverError> check_target(const Function& f, const TargetDesc& target) {
  if (target.family != TargetFamily::Cpu && target.family != TargetFamily::Gcn)
    return failed(ExitUsage, fmt::format("'{}' is in the {} dialect, and {} takes thread IR", f.name,
                                         to_string(f.dialect), target.name));
  if (!f.target) {
    if (!is_machine(f)) return {};
    return failed(ExitUsage, fmt::format("'{}' is in the {} dialect and does not say for which target it is "
                                         "made",
                                         f.name, to_string(f.dialect)));
  }
  if (f.target->name != target.name ||
      (is_machine(f) && f.dialect != (target.is_cpu() ? Dialect::X64 : Dialect::Gcn)))
    return failed(ExitUsage, fmt::format("'{}' is {} code for {}, and cannot be compiled for {}", f.name,
                                         to_string(f.dialect), f.target->name, target.name));
  if (std::string why = is_machine(f) ? why_not_resumed(f) : ""; !why.empty())
    return failed(ExitUsage, std::move(why));
  return {};
}

// Why code of the form must not run the launch, or nothing.
std::string misfit(const CpuForm& form, const LaunchSpec& given) {
  const LaunchSpec spec = transposed(given, form.rows_along);
  if (form.small_buffers && !spec.small_buffers) return "buffers below 2 GiB";
  if (form.disjoint_buffers && !spec.disjoint_buffers) return "buffers that do not overlap";
  for (size_t d = 0; form.layout.aligned && d < 3; ++d)
    if (spec.offset[d] + spec.global[d] > LaneLayout::kIds) return "ids below 2^31 - 4096";
  if (form.layout.copies) {
    if (spec.global[2] != 1 || spec.offset[2]) return "one work-item along z";
  } else if (form.tile[0]) {
    auto tile = form.tile;  // of the launch as it is given
    std::swap(tile[0], tile[form.rows_along]);
    for (size_t d = 0; d < 3; ++d)
      if (given.global[d] % tile[d])
        return fmt::format("grids of tiles of {} x {} x {}", tile[0], tile[1], tile[2]);
  } else if (form.layout.packed && form.layout != packed_layout(spec.local)) {
    return fmt::format("groups with rows of {}", form.layout.row);
  }
  return {};
}

}  // namespace

std::expected<NamedPasses, DriverError> named_passes(const Options& o) {
  NamedPasses passes;
  for (std::string_view name : split_pass_names(o.passes)) {
    if (std::ranges::find(machine_pass_names(), name) != machine_pass_names().end())
      passes.machine.push_back(name);
    else if (!passes.machine.empty() && is_outside_pass(name))
      return failed(ExitUsage,
                    fmt::format("--passes: {} is no pass on machine functions: stop at one with "
                                "--stop-after and --emit=ir-json, and go on from what the program makes",
                                name));
    else if (!passes.machine.empty())
      return failed(ExitUsage, fmt::format("--passes: {} runs before {}", name, passes.machine.back()));
    else
      passes.ir += fmt::format("{}{}", passes.ir.empty() ? "" : ",", name);
  }
  return passes;
}

std::expected<LoweredText, DriverError> lowered_text(const Function& f, const TargetDesc& target,
                                                     const Options& o) {
  if (auto ok = check_target(f, target); !ok) return std::unexpected(ok.error());
  auto passes = named_passes(o);
  if (!passes) return std::unexpected(passes.error());
  const auto all = target.is_cpu() ? x64_passes() : gcn_passes();
  if (std::string why = why_not_only(all, is_machine(f) ? f.target->after : "", passes->machine);
      !why.empty())
    return failed(ExitUsage, std::move(why));
  LoweredText text{.function = &f, .options = compile_options(o), .passes = std::move(passes->machine)};
  if (target.is_cpu()) {
    text.form = {.target = &target, .width = f.width, .layout = {.aligned = true}};
    if (!f.target) return text;
    auto form = form_of(f);
    if (!form) return failed(ExitSource, form.error());
    text.form = *form;
  } else if (f.target) {
    auto local = groups_of(f);
    if (!local) return failed(ExitSource, local.error());
    text.local = *local;
  } else {
    text.local = {f.reqd_local[0], f.reqd_local[1], f.reqd_local[2]};
  }
  return text;
}

std::string own_target(const Function& f) { return f.target ? f.target->name : "cpu"; }

std::expected<LoweredText, DriverError> runnable_text(const Function& f, const EngineInfo& engine,
                                                      const LaunchSpec& spec, const Options& o) {
  auto refused = [&](const std::string& needs) {
    return failed(ExitUsage,
                  fmt::format("'{}' is made for {}, which this launch does not have", f.name, needs));
  };
  if (auto passes = named_passes(o); passes && !passes->ir.empty())
    return failed(ExitUsage, fmt::format("--passes={} changes IR: write what it leaves with --emit=wave, and "
                                         "run that",
                                         passes->ir));
  const TargetDesc* target = find_target(engine.name);
  if (!target) {  // an interpreter
    if (!engine.width || is_machine(f))
      return failed(ExitUsage, fmt::format("'{}' is in the {} dialect, which target {} does not run", f.name,
                                           to_string(f.dialect), engine.name));
    if (engine.width != f.width)
      return failed(ExitUsage, fmt::format("the waves of '{}' have {} lanes, and those of target {} have {}",
                                           f.name, f.width, engine.name, engine.width));
    if (f.target && f.target->setting("small_buffers") && !spec.small_buffers)
      return refused("buffers below 2 GiB");
    if (f.target && f.target->setting(kRowsAlong)) {
      auto form = form_of(f);
      if (!form) return failed(ExitSource, form.error());
      return refused(fmt::format("rows along {} on a CPU", "xyz"[form->rows_along]));
    }
    return LoweredText{.function = &f, .options = compile_options(o)};
  }
  auto text = lowered_text(f, *target, o);
  if (!text) return text;
  text->options.pipeline.stop_after.clear();  // a run needs all
  const std::string_view last = (target->is_cpu() ? x64_passes() : gcn_passes()).back().name;
  if (!text->passes.empty() && text->passes.back() != last)
    return failed(ExitUsage,
                  fmt::format("--passes={} leaves nothing to run: the last pass is {}", o.passes, last));
  if (o.width && o.width != f.width)
    return failed(ExitUsage, fmt::format("the waves of '{}' have {} lanes, and --width says {}", f.name,
                                         f.width, o.width));
  if (target->is_cpu()) {
    if (std::string needs = misfit(text->form, spec); !needs.empty()) return refused(needs);
  } else if (text->local[0] && text->local != GroupSize{spec.local[0], spec.local[1], spec.local[2]}) {
    return refused(fmt::format("groups of {} x {} x {}", text->local[0], text->local[1], text->local[2]));
  }
  return text;
}

std::unique_ptr<Function> launch_signature(const Function& f) {
  return is_machine(f) && f.target ? signature_of(f) : std::make_unique<Function>(f);
}

}  // namespace kc
