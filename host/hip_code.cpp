// SPDX-License-Identifier: Apache-2.0
#include "host/hip_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace kc {
namespace {

std::span<uint8_t> bytes_at(uint64_t address, uint64_t size) {
  return {reinterpret_cast<uint8_t*>(address), size};
}

}  // namespace

std::string hip_library() {
  const char* library = std::getenv("KERNELC_HIP_LIBRARY");
  return library ? library : "";
}

std::expected<const TargetDesc*, CompileError> target_of(const HipDevice& device) {
  const TargetDesc* target = find_target(device.arch());
  if (target && target->family == TargetFamily::Gcn) return target;
  return std::unexpected(
      CompileError{CompileError::Unsupported,
                   fmt::format("{} is a {}, for which no code is made", device.name(), device.arch())});
}

std::string hip_refusal(const LaunchSpec& spec) {
  const bool shifted = std::ranges::any_of(spec.offset, [](uint64_t o) { return o != 0; });
  return shifted ? "HIP launches have no global offset" : "";
}

std::expected<HipCode, CompileError> compile_for_hip(const KernelCompiler& kernel, const HipDevice& device,
                                                     const GroupSize& local) {
  auto target = target_of(device);
  if (!target) return std::unexpected(target.error());
  auto made = compile_for_gcn(kernel, **target, local);
  if (!made) return std::unexpected(made.error());
  auto object = assemble_gcn(made->code.assembly, made->target);
  if (!object) return std::unexpected(compile_error(object.error()));
  auto loaded = device.load(*object, made->wave->name);
  if (!loaded)
    return std::unexpected(CompileError{
        loaded.error().kind == DeviceError::Absent ? CompileError::Absent : CompileError::Internal,
        loaded.error().message});
  return HipCode{std::move(made->wave), std::move(*loaded)};
}

std::expected<DeviceRun, LaunchError> launch_on_hip(const HipDevice& device, const HipCode& code,
                                                    const BoundArguments& bound, const LaunchSpec& spec,
                                                    const std::vector<bool>& constant) {
  if (std::string why = hip_refusal(spec); !why.empty())
    return std::unexpected(LaunchError{LaunchError::Unsupported, std::move(why)});
  auto dynamic = dynamic_lds(*code.wave, spec);
  if (!dynamic) return std::unexpected(dynamic.error());
  if (!spec.items()) return DeviceRun{};  // HIP has no empty launches
  const DeviceBlocks blocks = device_blocks(bound.ranges);
  std::vector<HipBuffer> copies;
  std::vector<uint64_t> addresses;
  for (const DeviceBlock& b : blocks.blocks) {
    auto copy = device.allocate(b.bytes());
    if (!copy) return std::unexpected(launch_error(copy.error()));
    if (auto ok = copy->write(bytes_at(b.base, b.size), b.padding()); !ok)
      return std::unexpected(launch_error(ok.error()));
    addresses.push_back(copy->address());
    copies.push_back(std::move(*copy));
  }
  const std::vector<uint8_t> arguments =
      explicit_arguments(*code.wave, device_bits(bound, blocks, addresses));
  HipLaunch launch{.dynamic_lds = *dynamic, .arguments = arguments};
  for (size_t d = 0; d < 3; ++d) {
    launch.groups[d] = static_cast<uint32_t>(spec.groups(d));
    launch.local[d] = static_cast<uint32_t>(spec.local[d]);
  }
  auto ms = device.launch(code.kernel, launch);
  if (!ms) return std::unexpected(launch_error(ms.error()));
  for (size_t i = 0; i < bound.ranges.size(); ++i) {
    if (i < constant.size() && constant[i]) continue;
    const MemoryRange& r = bound.ranges[i];
    const DeviceBlock& b = blocks.blocks[blocks.block_of[i]];
    const uint64_t at = b.padding() + (r.base - b.base);
    if (auto ok = copies[blocks.block_of[i]].read(bytes_at(r.base, r.size), at); !ok)
      return std::unexpected(launch_error(ok.error()));
  }
  return DeviceRun{bound.trap(), *ms};
}

}  // namespace kc
