// SPDX-License-Identifier: Apache-2.0
// A kernel as SPIR-V on the machine's Vulkan device.
#include "driver/engines/engine_list.h"
#include "host/vulkan_code.h"

namespace kc {
namespace {

class VulkanEngine : public Engine {
 public:
  EngineResult prepare(const Program& program, const LaunchSpec& spec) override {
    spec_ = spec;
    kernel_.reset();
    if (!device_ || lost_) {  // opening probes the device: once is enough for any number of kernels
      auto device = VulkanDevice::open(vulkan_device_options());
      if (!device) return failure(launch_error(device.error()));
      device_.emplace(std::move(*device));
      lost_ = false;
    }
    double start = now_ms();
    if (program.spirv) {
      function_ = program.source;
      image_ = *program.spirv;
      if (image_.sized_at_load)
        for (size_t d = 0; d < 3; ++d) image_.local_size[d] = static_cast<uint32_t>(spec.local[d]);
      if (auto ok = check_image(image_); !ok) return not_compiled(ok.error());
    } else {
      const SpirvLaunches launches = spirv_launches(device_->info(), spec.small_buffers);
      lanes_ = {launches.sub_group_lanes, launches.sub_group_rows};
      auto code = compile_for_vulkan(*program.compiler, device_->info(), spec.local, spec.small_buffers);
      if (!code) return not_compiled(code.error());
      prepared_ = std::move(code->function);
      function_ = prepared_.get();
      image_ = std::move(code->image);
    }
    if (image_.local_lengths.empty())  // else the arguments decide
      if (auto loaded = load({}); !loaded) return failure(launch_error(loaded.error()));
    compile_ms = now_ms() - start;
    const VulkanDeviceInfo& info = device_->info();
    return {.message = info.name + (info.validation ? ", validated" : "")};
  }

  EngineResult launch(KernelArguments& args) override {
    BoundArguments bound = bind_arguments(args, *function_, spec_);
    if (auto loaded = load(local_lengths(image_, args.values, spec_)); !loaded)
      return failure(launch_error(loaded.error()));
    auto ran = launch_on_vulkan(*device_, *kernel_, bound, spec_);
    if (!ran) return failure(ran.error());
    EngineResult r = result_of(bound);
    r.launch_ms = ran->ms;
    return r;
  }

  std::optional<SubGroups> sub_groups() const override {
    return lanes_.lanes ? std::optional(lanes_) : std::nullopt;
  }

 private:
  EngineResult failure(const LaunchError& e) {
    lost_ |= e.kind == LaunchError::Lost;
    return not_launched(e);
  }

  // Once for all launches whose local arguments have the same sizes.
  DeviceResult<void> load(const std::vector<uint32_t>& lengths) {
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
