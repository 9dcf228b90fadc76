// SPDX-License-Identifier: Apache-2.0
#include "driver/targets.h"

#include <fmt/format.h>

#include <algorithm>

#include "backends/gcn/gcn.h"
#include "backends/spirv/spirv.h"
#include "backends/structured/region_tree.h"
#include "backends/x64/x64.h"
#include "driver/engines/vulkan_options.h"
#include "host/pipelines.h"
#include "ir/printf.h"
#include "ir/text.h"
#include "runtime/cpu/cpu.h"

namespace kc {
namespace {

auto failed(int status, std::string message) {
  return std::unexpected(DriverError{status, std::move(message)});
}

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

std::expected<Emitted, DriverError> emit_gcn(const TargetInfo& info, std::span<const Function* const> waves,
                                             const Options& o, const std::string& kind) {
  const GcnTarget target{.cpu = std::string(info.name)};
  std::vector<GcnCode> kernels;
  Resources resources;
  for (const Function* wave : waves) {
    auto code = compile_gcn(*wave, target);
    if (!code) return failed(ExitSource, code.error());
    resources = resources_of(code->resources);
    if (o.resource_usage) print_resources(wave->name, resources);
    kernels.push_back(std::move(*code));
  }
  if (kind == "json") return Emitted{"", false, resources};
  const std::string assembly = gcn_file(kernels, target);
  if (kind == "asm") return Emitted{assembly, false, resources};
  if (kind != "obj" && kind != "hsaco")
    return failed(ExitUsage, fmt::format("{} has no --emit={}", info.name, kind));
  for (const Function* wave : waves)
    if (printf_parameter(*wave))
      return failed(ExitSource, fmt::format("kernel '{}' calls printf: an object has nowhere to put messages",
                                            wave->name));
  auto object = assemble_gcn(assembly, target);
  if (!object) return failed(object.error().absent ? ExitAbsent : ExitInternal, object.error().message);
  return Emitted{std::move(*object), true, resources};
}

std::expected<Emitted, DriverError> emit_x64(const Function& wave, const Options& o, const std::string& kind,
                                             bool avx512) {
  X64Options x64{.avx512 = avx512, .small_buffers = true, .layout = {.aligned = true}, .assembly = true};
  if (auto reasons = check_x64(wave, x64); !reasons.empty()) return failed(ExitSource, reasons.front());
  auto code = compile_x64(wave, x64);
  if (!code) return failed(ExitSource, code.error());
  Resources resources = resources_of(*code, wave.width);
  if (o.resource_usage) print_resources(wave.name, resources);
  if (kind == "json") return Emitted{"", false, resources};
  if (kind == "asm") return Emitted{code->text, false, resources};
  return failed(ExitUsage, fmt::format("CPU targets have no --emit={}", kind));
}
std::expected<Emitted, DriverError> emit_cpu(const TargetInfo& info, std::span<const Function* const> f,
                                             const Options& o, const std::string& kind) {
  return emit_x64(*f.front(), o, kind,
                  info.name == "avx512" || (info.name == "cpu" && cpu_features().avx512));
}

std::expected<Emitted, DriverError> emit_vulkan(const TargetInfo&, std::span<const Function* const> f,
                                                const Options& o, const std::string& kind) {
  const std::unique_ptr<Function> prepared = prepare_for_spirv(*f.front());
  const Function& thread = *prepared;
  if (auto problems = check_spirv(thread); !problems.empty())
    return failed(ExitSource, problems.front().message);
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
  if (auto limit = spirv_limit(image); !limit.empty()) return failed(ExitSource, limit);
  auto valid = validate_image(image);
  if (valid.status == SpirvToolsStatus::Failed)
    return failed(ExitInternal, "the module is not valid: " + valid.text);
  Resources resources{{"words", image.words.size()}};
  if (o.resource_usage) print_resources(thread.name, resources);
  if (kind == "json") return Emitted{"", false, resources};
  if (kind == "spirv-text" || kind == "asm") {
    auto text = disassemble_spirv(image.words);
    if (text.status != SpirvToolsStatus::Ok)
      return failed(ExitAbsent, "SPIRV-Tools are not available: " + text.text);
    return Emitted{text.text, false, resources};
  }
  if (kind != "spirv" && kind != "obj")
    return failed(ExitUsage, fmt::format("vulkan has no --emit={}", kind));
  return Emitted{std::string(reinterpret_cast<const char*>(image.words.data()), image.words.size() * 4), true,
                 resources};
}

uint32_t width_avx2(const Function& thread) { return cpu_width(thread, false); }
uint32_t width_avx512(const Function& thread) { return cpu_width(thread, true); }
uint32_t width_cpu(const Function& thread) { return cpu_width(thread, cpu_features().avx512); }
uint32_t width_gcn(const Function&) { return 64; }

constexpr TargetInfo kTargets[] = {
    {"cpu", &width_cpu, false, false, &emit_cpu},       {"avx2", &width_avx2, false, false, &emit_cpu},
    {"avx512", &width_avx512, false, false, &emit_cpu}, {"gfx900", &width_gcn, false, true, &emit_gcn},
    {"gfx906", &width_gcn, false, true, &emit_gcn},     {"gfx90a", &width_gcn, false, true, &emit_gcn},
    {"gfx942", &width_gcn, false, true, &emit_gcn},     {"vulkan", nullptr, true, false, &emit_vulkan},
};

}  // namespace

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

const TargetInfo* find_target(std::string_view name) {
  for (const TargetInfo& t : kTargets)
    if (t.name == name) return &t;
  return nullptr;
}

std::string target_names() {
  std::string s;
  for (const TargetInfo& t : kTargets) s += fmt::format("{}{}", s.empty() ? "" : ", ", t.name);
  return s;
}

std::expected<const EngineInfo*, DriverError> engine_named(std::string_view what, std::string_view name) {
  if (const EngineInfo* info = find_engine(name)) return info;
  if (find_target(name))
    return failed(ExitAbsent, fmt::format("code is made for {}, but nothing here runs it", name));
  return failed(ExitUsage, fmt::format("unknown {} '{}'", what, name));
}

std::expected<Emitted, DriverError> emit_for(std::string_view target,
                                             std::span<const Function* const> kernels, const Options& o,
                                             const std::string& kind) {
  const TargetInfo* info = find_target(target);
  if (!info) return failed(ExitUsage, fmt::format("unknown target '{}' ({})", target, target_names()));
  return info->emit(*info, kernels, o, kind);
}

}  // namespace kc
