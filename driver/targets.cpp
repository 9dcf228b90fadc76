// SPDX-License-Identifier: Apache-2.0
#include "driver/targets.h"

#include <fmt/format.h>

#include "backends/gcn/gcn.h"

namespace kc {
namespace {

auto failed(int status, std::string message) {
  return std::unexpected(DriverError{status, std::move(message)});
}

std::expected<Emitted, DriverError> emit_gfx900(const Function& wave, const Options& o,
                                                const std::string& kind) {
  auto code = compile_gcn(wave);
  if (!code) return failed(ExitSource, code.error());
  if (o.resource_usage) {
    const GcnResources& r = code->resources;
    fmt::print(stderr, "{}: {} instructions, {} SGPRs, {} VGPRs, {} bytes of scratch, {} spills, {} copies\n",
               wave.name, r.instructions, r.sgprs, r.vgprs, r.scratch_bytes, r.spills, r.copies);
  }
  if (kind == "asm") return Emitted{code->assembly, false};
  if (kind != "obj" && kind != "hsaco")
    return failed(ExitUsage, fmt::format("gfx900 has no --emit={}", kind));
  auto object = assemble_gcn(code->assembly);
  if (!object) return failed(object.error().absent ? ExitAbsent : ExitInternal, object.error().message);
  return Emitted{std::move(*object), true};
}

constexpr TargetInfo kTargets[] = {
    {"gfx900", 64, false, &emit_gfx900},
};

}  // namespace

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

std::expected<Emitted, DriverError> emit_for(std::string_view target, const Function& f, const Options& o,
                                             const std::string& kind) {
  const TargetInfo* info = find_target(target);
  if (!info) return failed(ExitUsage, fmt::format("unknown target '{}' ({})", target, target_names()));
  return info->emit(f, o, kind);
}

}  // namespace kc
