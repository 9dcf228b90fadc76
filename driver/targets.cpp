// SPDX-License-Identifier: Apache-2.0
#include "driver/targets.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/spirv/spirv.h"
#include "backends/structured/region_tree.h"
#include "driver/program.h"
#include "driver/usage_errors.h"
#include "host/cpu_code.h"
#include "host/gcn_code.h"
#include "host/vulkan_code.h"
#include "ir/parameters.h"
#include "ir/text.h"
#include "runtime/vulkan/spirv_tools.h"

namespace kc {
namespace {

Resources resources_of(const GcnResources& r) {
  return {{"instructions", r.instructions},
          {"sgprs", r.sgprs},
          {"vgprs", r.vgprs},
          {"scratch_bytes", r.scratch_bytes},
          {"local_bytes", r.local_bytes},
          {"max_group_items", r.max_group_items},
          {"spills", r.spills},
          {"copies", r.copies}};
}

// How the passes of the backend are watched, whose options are in `compile`.
PassWatch watch_of(const CompileOptions& compile, const Options& o, Lowered& lowered,
                   const std::string& kind) {
  return {.options = &compile.pipeline,
          .times = o.time_passes ? &lowered.times : nullptr,
          .remarks = compile.remarks,
          .passes_before = lowered.passes_run,
          .selected_only = kind == "machine",
          .only = lowered.passes};
}

std::expected<Emitted, DriverError> emit_gcn(const TargetDesc& desc, std::vector<Lowered> lowered,
                                             const Options& o, const std::string& kind) {
  std::vector<GcnProgram> kernels;
  Resources resources;
  const CompileOptions compile = compile_options(o);
  std::string stopped;   // what was there, of kernels that a pass ended
  std::string printing;  // a kernel that calls printf
  for (Lowered& l : lowered) {
    const std::string name = l.function->name;
    if (param_with_role(*l.function, ParamRole::Printf)) printing = name;
    auto made = compile_wave_for_gcn(std::move(l.function), desc, l.local, watch_of(compile, o, l, kind));
    if (!made) return std::unexpected(driver_error(made.error()));
    print_times(o, l.times);
    if (made->code.stopped) {
      stopped += (stopped.empty() ? "" : "\n") + made->code.text;
      continue;
    }
    resources = resources_of(made->code.resources);
    if (o.resource_usage) print_resources(name, resources);
    kernels.push_back(std::move(*made));
  }
  if (!stopped.empty()) return Emitted{stopped, false, {}};
  if (kind == "json") return Emitted{"", false, resources};
  const std::string assembly = assembly_of(kernels);
  if (kind == "asm") return Emitted{assembly, false, resources};
  if (kind != "obj" && kind != "hsaco")
    return failed(ExitUsage, fmt::format("{} has no --emit={}", desc.name, kind));
  if (!printing.empty())
    return failed(ExitSource,
                  fmt::format("kernel '{}' calls printf: an object has nowhere to put messages", printing));
  auto object = assemble_gcn(assembly, kernels.front().target);
  if (!object) return std::unexpected(driver_error(compile_error(object.error())));
  return Emitted{std::move(*object), true, resources};
}

std::expected<Emitted, DriverError> emit_cpu(Lowered lowered, const Options& o, const std::string& kind) {
  const std::string name = lowered.function->name;
  const CompileOptions compile = compile_options(o);
  auto code = compile_wave_for_cpu(std::move(lowered.function), lowered.form, true,
                                   watch_of(compile, o, lowered, kind));
  if (!code) return std::unexpected(driver_error(code.error()));
  print_times(o, lowered.times);
  if (code->machine.stopped) return Emitted{code->machine.text, false, {}};
  Resources resources = resources_of(code->machine, lowered.form.width);
  if (o.resource_usage) print_resources(name, resources);
  if (kind == "json") return Emitted{"", false, resources};
  if (kind == "asm") return Emitted{assembly_of(*code, lowered.form), false, resources};
  return failed(ExitUsage, fmt::format("CPU targets have no --emit={}", kind));
}

std::expected<Emitted, DriverError> emit_vulkan(const Lowered& lowered, const Options& o,
                                                const std::string& kind) {
  const Function& thread = *lowered.function;
  print_times(o, lowered.times);
  if (kind == "regions")
    return Emitted{
        structured::print_regions(thread, structured::build_regions(thread)) + "\n" + print(thread),
        false,
        {}};
  if (kind == "dot")
    return Emitted{structured::draw_regions(thread, structured::build_regions(thread)), false, {}};
  // Files must be right on every device, whatever its driver does.
  SpirvOptions options{.source_name = o.file,
                       .guard_loop_values = true,
                       .detect_loop_limits = true,
                       .hide_sign_extension = true};
  // The module's group size: what the launch will use when it says nothing else.
  options.local_size = thread.reqd_local[0] ? thread.reqd_local : std::array<uint32_t, 3>{64, 1, 1};
  VulkanImage image = emit_spirv(thread, options);
  image.words = with_signature(image, thread);
  if (auto ok = check_image(image); !ok) return std::unexpected(driver_error(ok.error()));
  Resources resources{{"words", image.words.size()}};
  if (o.resource_usage) print_resources(thread.name, resources);
  if (kind == "json") return Emitted{"", false, resources};
  if (kind == "spirv-text" || kind == "asm") {
    auto text = disassemble_spirv(image.words);
    if (text.status != SpirvToolsStatus::Ok) return failed(ExitAbsent, text.text);
    return Emitted{text.text, false, resources};
  }
  if (kind != "spirv" && kind != "obj")
    return failed(ExitUsage, fmt::format("vulkan has no --emit={}", kind));
  return Emitted{std::string(reinterpret_cast<const char*>(image.words.data()), image.words.size() * 4), true,
                 resources};
}

}  // namespace

void print_times(const Options& o, std::span<const PassTime> times) {
  if (o.time_passes && !times.empty()) fmt::print(stderr, "{}", render_times(times));
}

void print_resources(const std::string& kernel, const Resources& resources) {
  std::string line;
  for (auto [name, count] : resources) {
    std::string words(name);
    std::ranges::replace(words, '_', ' ');
    if (size_t unit = words.rfind(" bytes"); unit != std::string::npos)
      words = "bytes of " + words.substr(0, unit);
    line += fmt::format("{}{} {}", line.empty() ? "" : ", ", count, words);
  }
  fmt::print(stderr, "{}: {}\n", kernel, line);
}

Resources resources_of(const X64Code& code, uint32_t lanes) {
  return {{"lanes", lanes},        {"code_bytes", code.code_bytes}, {"frame_bytes", code.frame_bytes},
          {"spills", code.spills}, {"reloads", code.reloads},       {"copies", code.copies}};
}

std::expected<const EngineInfo*, DriverError> engine_named(std::string_view what, std::string_view name) {
  if (const EngineInfo* info = find_engine(name)) return info;
  if (find_target(name))
    return failed(ExitAbsent, fmt::format("code is made for {}, but nothing here runs it", name));
  std::vector<std::string_view> names;
  for (const EngineInfo& e : engines()) names.push_back(e.name);
  return failed(ExitUsage, unknown_name(what, name, names));
}

std::expected<Emitted, DriverError> emit_for(const TargetDesc& target, std::vector<Lowered> kernels,
                                             const Options& o, const std::string& kind) {
  if (target.is_cpu()) return emit_cpu(std::move(kernels.front()), o, kind);
  if (target.family == TargetFamily::Gcn) return emit_gcn(target, std::move(kernels), o, kind);
  return emit_vulkan(kernels.front(), o, kind);
}

}  // namespace kc
