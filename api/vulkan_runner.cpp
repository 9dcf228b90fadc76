// SPDX-License-Identifier: Apache-2.0
// SPIR-V on a Vulkan device. A form is made for groups of one size, and for buffers below 2 GiB or of any
// size; the sizes of local arguments are set when its module is loaded.
#include <map>
#include <tuple>

#include "api/devices.h"
#include "host/vulkan_code.h"

namespace kc {
namespace {

using SharedVulkan = std::shared_ptr<SharedDevice<VulkanDevice>>;

struct VulkanForm {
  explicit VulkanForm(VulkanCode made) : code(std::move(made)), memory(*code.function) {}
  VulkanCode code;
  LaunchMemory memory;
  std::optional<VulkanKernel> kernel;
  std::vector<uint32_t> lengths;  // for which it was loaded
};

std::expected<SharedVulkan, Failure> open_vulkan() {
  static DeviceSlot<VulkanDevice> slot;
  return slot.find([]() -> std::expected<VulkanDevice, Failure> {
    auto device = VulkanDevice::open(vulkan_device_options());
    if (!device) return std::unexpected(failure_of(launch_error(device.error())));
    return std::move(*device);
  });
}

class VulkanRunner : public Runner {
 public:
  VulkanRunner(const Function& kernel, const kc_kernel_options& options, SharedVulkan device,
               KernelCompiler compiler)
      : Runner(options), kernel_(kernel), compiler_(std::move(compiler)), device_(std::move(device)) {}

  const char* target() const override { return "vulkan"; }

  std::expected<void, Failure> prepare(const LaunchSpec& spec) override {
    std::lock_guard lock(mutex_);
    LaunchSpec small = spec;
    small.small_buffers = has_small_hidden_buffers(spec);
    auto form = find(small);
    if (!form) return std::unexpected(std::move(form.error()));
    if (!(*form)->code.image.local_lengths.empty()) return {};  // the arguments decide the rest
    std::lock_guard device_lock(device_->mutex);
    return load(**form, {});
  }

  std::expected<std::optional<TrapReport>, Failure> launch(LaunchSpec& spec,
                                                           std::span<const kc_argument> arguments, unsigned,
                                                           PrintedText& printed) override {
    std::lock_guard lock(mutex_);
    spec.small_buffers = has_small_buffers(spec, arguments);
    auto form = find(spec);
    if (!form) return std::unexpected(std::move(form.error()));
    LaunchMemory& memory = (*form)->memory;
    if (auto ok = read_arguments(kernel_, arguments, memory); !ok) return std::unexpected(ok.error());
    memory.bound.printf_bytes = printf_bytes();
    memory.bound.bind(memory.values, memory.buffers, spec);
    std::lock_guard device_lock(device_->mutex);
    if (auto ok = load(**form, local_lengths((*form)->code.image, memory.values, spec)); !ok)
      return std::unexpected(std::move(ok.error()));
    auto ran = launch_on_vulkan(device_->device, *(*form)->kernel, memory.bound, spec, memory.constant);
    if (!ran) return std::unexpected(failed(ran.error()));
    printed = memory.bound.printed();
    return std::move(ran->trap);
  }

 private:
  // A lost device is opened again, and all code for it is made again.
  std::expected<VulkanForm*, Failure> find(const LaunchSpec& spec) {
    if (device_->lost) {
      forms_.clear();
      auto device = open_vulkan();
      if (!device) return std::unexpected(std::move(device.error()));
      device_ = std::move(*device);
    }
    std::unique_ptr<VulkanForm>& form = forms_[{spec.local, spec.small_buffers}];
    if (!form) {
      auto code = compile_for_vulkan(compiler_, device_->device.info(), spec.local, spec.small_buffers);
      if (!code) return std::unexpected(failure_of(code.error()));
      form = std::make_unique<VulkanForm>(std::move(*code));
    }
    return form.get();
  }

  std::expected<void, Failure> load(VulkanForm& form, const std::vector<uint32_t>& lengths) {
    if (form.kernel && form.lengths == lengths) return {};
    form.kernel.reset();
    auto kernel = device_->device.load(form.code.image, lengths);
    if (!kernel) return std::unexpected(failed(launch_error(kernel.error())));
    form.kernel.emplace(std::move(*kernel));
    form.lengths = lengths;
    return {};
  }

  Failure failed(const LaunchError& error) {
    if (error.kind == LaunchError::Lost) device_->lost = true;
    return failure_of(error);
  }

  const Function& kernel_;
  KernelCompiler compiler_;
  std::mutex mutex_;  // of what follows
  SharedVulkan device_;
  std::map<std::tuple<GroupSize, bool>, std::unique_ptr<VulkanForm>> forms_;
};

}  // namespace

MadeRunner make_vulkan_runner(const Function& kernel, const kc_kernel_options& options) {
  auto device = open_vulkan();
  if (!device) return std::unexpected(std::move(device.error()));
  auto compiler = KernelCompiler::start(kernel, compile_options(options));
  if (!compiler) return std::unexpected(failure_of(compiler.error()));
  return std::make_unique<VulkanRunner>(kernel, options, std::move(*device), std::move(*compiler));
}

}  // namespace kc
