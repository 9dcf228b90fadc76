// SPDX-License-Identifier: Apache-2.0
// A kernel as SPIR-V on the machine's Vulkan device.
#include <fmt/format.h>

#include <cstring>

#include "driver/engines/engine_list.h"
#include "driver/engines/vulkan_options.h"
#include "passes/lower/lower_sub_groups.h"
#include "runtime/vulkan/spirv_tools.h"

namespace kc {
namespace {

EngineResult refusal(EngineStatus status, std::string message) {
  return {.status = status, .message = std::move(message)};
}

EngineStatus status_of(VulkanErrorKind kind) {
  switch (kind) {
    case VulkanErrorKind::Unavailable:
      return EngineStatus::Absent;
    case VulkanErrorKind::Limit:
    case VulkanErrorKind::NoMemory:  // leave nothing to compare: that is not this kernel's failure
      return EngineStatus::Unsupported;
    case VulkanErrorKind::Lost:  // perhaps by what we made of the kernel
    case VulkanErrorKind::Failed:
      break;
  }
  return EngineStatus::Failed;
}

class VulkanEngine : public Engine {
 public:
  EngineResult prepare(const Program& program, const LaunchSpec& spec) override {
    spec_ = spec;
    kernel_.reset();
    if (!device_ || lost_) {  // opening probes the device: once is enough for any number of kernels
      auto device = VulkanDevice::open(vulkan_device_options());
      if (!device) return failure(device.error());
      device_.emplace(std::move(*device));
      lost_ = false;
    }
    double start = now_ms();
    if (program.spirv) {
      function_ = program.source;
      image_ = *program.spirv;
      if (image_.sized_at_load)
        for (size_t d = 0; d < 3; ++d) image_.local_size[d] = static_cast<uint32_t>(spec.local[d]);
    } else if (auto refused = emit(program, spec); !refused.empty()) {
      return refusal(EngineStatus::Unsupported, refused);
    }
    if (auto limit = spirv_limit(image_); !limit.empty()) return refusal(EngineStatus::Unsupported, limit);
    auto valid = validate_image(image_);
    if (valid.status == SpirvToolsStatus::Failed)
      return refusal(EngineStatus::Failed, "the module is not valid: " + valid.text);
    if (image_.local_lengths.empty())  // else the arguments decide
      if (auto loaded = load({}); !loaded) return failure(loaded.error());
    compile_ms = now_ms() - start;
    const VulkanDeviceInfo& info = device_->info();
    return {.message = info.name + (info.validation ? ", validated" : "")};
  }

  EngineResult launch(KernelArguments& args) override {
    BoundArguments bound = bind_arguments(args, *function_, spec_);
    if (auto loaded = load(local_lengths(args)); !loaded) return failure(loaded.error());
    std::vector<VulkanBuffer> buffers;
    auto upload = [&](const void* data, size_t size) -> VulkanResult<uint64_t> {
      auto buffer = device_->create_buffer(size);
      if (!buffer) return std::unexpected(buffer.error());
      if (size) std::memcpy(buffer->bytes().data(), data, size);
      buffers.push_back(std::move(*buffer));
      return buffers.back().address();
    };
    std::vector<uint64_t> addresses;
    for (const MemoryRange& r : bound.ranges) {
      auto address = upload(reinterpret_cast<const void*>(r.base), r.size);
      if (!address) return failure(address.error());
      addresses.push_back(*address);
    }
    std::vector<uint64_t>& bits = bound.bits;
    for (size_t i = 0; i < args.values.size(); ++i)
      if (int b = args.values[i].buffer; b >= 0) bits[i] = addresses[static_cast<size_t>(b)];
    const auto& params = function_->block(function_->entry()).params;
    size_t hidden = args.buffers.size();
    for (size_t i = args.values.size(); i < bits.size(); ++i)
      if (function_->type(params[i]).is_pointer()) bits[i] = addresses[hidden++];
    VulkanLaunch launch{.dims = spec_.dims, .global = spec_.global, .offset = spec_.offset, .params = {}};
    launch.params.resize(image_.params_size);
    for (size_t i = 0; i < bits.size(); ++i)
      std::memcpy(launch.params.data() + image_.params[i].offset, &bits[i], image_.params[i].size);
    auto time = device_->launch(*kernel_, launch);
    if (!time) return failure(time.error());
    for (size_t i = 0; i < bound.ranges.size(); ++i)
      if (bound.ranges[i].size)
        std::memcpy(reinterpret_cast<void*>(bound.ranges[i].base), buffers[i].bytes().data(),
                    bound.ranges[i].size);
    EngineResult r = result_of(bound);
    r.launch_ms = *time;
    return r;
  }

  std::optional<SubGroups> sub_groups() const override {
    return lanes_.lanes ? std::optional(lanes_) : std::nullopt;
  }

 private:
  EngineResult failure(const VulkanError& e) {
    lost_ |= e.kind == VulkanErrorKind::Lost;
    EngineResult result = refusal(status_of(e.kind), e.message);
    result.device_gave_out = e.kind == VulkanErrorKind::Lost || e.kind == VulkanErrorKind::NoMemory;
    return result;
  }

  // Makes the image; why it cannot be, or nothing.
  std::string emit(const Program& program, const LaunchSpec& spec) {
    const SpirvLaunches launches = spirv_launches(device_->info(), spec.small_buffers);
    lanes_ = {launches.sub_group_lanes, launches.sub_group_rows};
    if (auto refused = wrong_lanes(program, launches); !refused.empty()) return refused;
    auto thread = program.compiler->thread(*find_target("vulkan"));
    if (!thread) return thread.error().message;
    prepared_ = prepare_for_spirv(*thread->function, launches);
    function_ = prepared_.get();
    if (auto problems = check_spirv(*function_, launches); !problems.empty()) return problems.front().message;
    image_ = emit_spirv(*function_, spirv_options(device_->info(), spec.local));
    return {};
  }

  std::string wrong_lanes(const Program& program, const SpirvLaunches& launches) const {
    if (!uses_sub_groups(*program.optimised)) return {};
    const Function& f = *program.optimised;
    if (!launches.sub_group_lanes)
      return fmt::format(
          "kernel {}: not supported by vulkan: {} does not promise which work-items of a "
          "sub-group are together",
          f.name, device_->info().name);
    if (!f.reqd_sub_group || f.reqd_sub_group == launches.sub_group_lanes) return {};
    return fmt::format("@{} needs sub-groups of {} work-items, and {} has {}", f.name, f.reqd_sub_group,
                       device_->info().name, launches.sub_group_lanes);
  }

  // Elements of the arrays whose size the arguments decide.
  std::vector<uint32_t> local_lengths(const KernelArguments& args) const {
    std::vector<uint32_t> lengths;
    for (const VulkanLocalLength& length : image_.local_lengths) {
      const uint64_t bytes = length.param < 0 ? spec_.local_bytes - kFirstOffset
                                              : args.values[static_cast<size_t>(length.param)].bits;
      lengths.push_back(
          static_cast<uint32_t>(std::max<uint64_t>((bytes + length.unit - 1) / length.unit, 1)));
    }
    return lengths;
  }

  // Once for all launches whose local arguments have the same sizes.
  VulkanResult<void> load(const std::vector<uint32_t>& lengths) {
    if (kernel_ && lengths == loaded_lengths_) return {};
    kernel_.reset();
    auto kernel = device_->load(image_, lengths);
    if (!kernel) return std::unexpected(kernel.error());
    kernel_.emplace(std::move(*kernel));
    loaded_lengths_ = lengths;
    return {};
  }

  LaunchSpec spec_;
  SubGroups lanes_;
  std::unique_ptr<Function> prepared_;
  const Function* function_ = nullptr;
  std::vector<uint32_t> loaded_lengths_;
  bool lost_ = false;
  std::optional<VulkanDevice> device_;
  std::optional<VulkanKernel> kernel_;
  VulkanImage image_;
};

}  // namespace

std::unique_ptr<Engine> make_vulkan_engine(const EngineOptions&) { return std::make_unique<VulkanEngine>(); }

}  // namespace kc
