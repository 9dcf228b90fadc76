// SPDX-License-Identifier: Apache-2.0
#include "host/gcn_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace kc {
namespace {

constexpr std::string_view kGroupKeys[] = {"group_x", "group_y", "group_z"};
constexpr int64_t kLargestGroup = 1024;

}  // namespace

CompileError compile_error(const ToolError& error) {
  return {error.absent ? CompileError::Absent
          : error.io   ? CompileError::Io
                       : CompileError::Internal,
          error.message};
}

TargetNote note_of(const TargetDesc& target, const GroupSize& local) {
  TargetNote note{.name = std::string(target.name), .after = {}};
  for (size_t d = 0; local[0] && d < 3; ++d)
    note.settings.emplace_back(kGroupKeys[d], static_cast<int64_t>(local[d]));
  return note;
}

std::expected<GroupSize, std::string> groups_of(const Function& f) {
  GroupSize local{};
  for (const auto& [key, value] : f.target->settings) {
    const auto* found = std::ranges::find(kGroupKeys, key);
    if (found == std::end(kGroupKeys) || value <= 0 || value > kLargestGroup)
      return std::unexpected(fmt::format("target {} has no setting {}={}", f.target->name, key, value));
    local[static_cast<size_t>(found - kGroupKeys)] = static_cast<uint64_t>(value);
  }
  return local;
}

std::expected<GcnProgram, CompileError> compile_wave_for_gcn(std::unique_ptr<Function> wave,
                                                             const TargetDesc& target, const GroupSize& local,
                                                             const PassWatch& watch) {
  const GcnTarget machine{.cpu = std::string(target.name), .group_items = local[0] * local[1] * local[2]};
  auto code = compile_gcn(*wave, machine, watch);
  if (!code) return std::unexpected(std::move(code.error()));
  if (wave->dialect == Dialect::Gcn) wave = signature_of(*wave);
  return GcnProgram{std::move(wave), local, machine, std::move(*code)};
}

std::expected<GcnProgram, CompileError> compile_for_gcn(const KernelCompiler& kernel,
                                                        const TargetDesc& target, const GroupSize& local) {
  auto wave = kernel.wave(target, {.width = target.wave_lanes, .ids = target.ids(local)});
  if (!wave) return std::unexpected(wave.error());
  if (wave->function->dialect == Dialect::Wave) wave->function->target = note_of(target, local);
  const CompileOptions& o = kernel.options();
  return compile_wave_for_gcn(
      std::move(wave->function), target, local,
      {.options = &o.pipeline, .times = o.times, .remarks = o.remarks, .passes_before = wave->passes_run});
}

std::vector<uint8_t> explicit_arguments(const Function& wave, std::span<const uint64_t> bits) {
  const KernargLayout layout = kernarg_layout(wave);
  std::vector<uint8_t> bytes(layout.hidden_offset);
  const auto& params = wave.block(wave.entry()).params;
  for (size_t i = 0; i < bits.size(); ++i)
    if (layout.offsets[i] != KernargLayout::kInObject)
      std::memcpy(bytes.data() + layout.offsets[i], &bits[i], wave.type(params[i]).bytes());
  return bytes;
}

std::expected<uint32_t, LaunchError> dynamic_lds(const Function& wave, const LaunchSpec& spec) {
  if (spec.local_bytes > gcn::kMaxLocalBytes)
    return std::unexpected(LaunchError{
        LaunchError::Unsupported,
        fmt::format("{} bytes of local memory (gfx9 has {})", spec.local_bytes, gcn::kMaxLocalBytes)});
  const uint64_t own = lay_out_objects(wave, kPtrLocal).size;
  return static_cast<uint32_t>(std::max(spec.local_bytes, own) - own);
}

std::string assembly_of(std::span<GcnProgram> kernels) {
  std::string text;
  std::vector<GcnCode> codes;
  for (GcnProgram& k : kernels) {
    const GroupSize& n = k.local;
    text += fmt::format("; {}: {}, {} lanes in linear order, groups of {}\n", k.wave->name, k.target.cpu,
                        k.wave->width, n[0] ? fmt::format("{} x {} x {}", n[0], n[1], n[2]) : "any shape");
    codes.push_back(std::move(k.code));
  }
  text += gcn_file(codes, kernels.front().target);
  for (size_t i = 0; i < codes.size(); ++i) kernels[i].code = std::move(codes[i]);
  return text;
}

}  // namespace kc
