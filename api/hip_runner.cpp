// SPDX-License-Identifier: Apache-2.0
// Code for gfx9 on a device, through HIP.
#include "api/devices.h"
#include "api/gcn_runner.h"
#include "host/hip_code.h"

namespace kc {
namespace {

using SharedHip = std::shared_ptr<SharedDevice<HipDevice>>;

std::expected<SharedHip, Failure> open_hip() {
  static DeviceSlot<HipDevice> slot;
  return slot.find([]() -> std::expected<HipDevice, Failure> {
    auto device = HipDevice::open(hip_library());
    if (!device) return wrong(KC_ABSENT, device.error().message);
    if (auto target = target_of(*device); !target) return wrong(KC_ABSENT, target.error().message);
    return std::move(*device);
  });
}

class HipRunner : public GcnRunner<HipCode> {
 public:
  HipRunner(const Function& kernel, const kc_kernel_options& options, SharedHip device,
            KernelCompiler compiler)
      : GcnRunner(kernel, options, std::move(compiler)), device_(std::move(device)) {}

  const char* target() const override { return "hip"; }

 private:
  std::string refusal(const LaunchSpec& spec) const override { return hip_refusal(spec); }

  std::expected<HipCode, CompileError> make(const KernelCompiler& compiler, const GroupSize& local) override {
    std::lock_guard lock(device_->mutex);
    return compile_for_hip(compiler, device_->device, local);
  }

  std::expected<std::optional<TrapReport>, LaunchError> run(const HipCode& code, LaunchMemory& memory,
                                                            const LaunchSpec& spec) override {
    std::lock_guard lock(device_->mutex);
    auto ran = launch_on_hip(device_->device, code, memory.bound, spec, memory.constant);
    if (!ran) return std::unexpected(std::move(ran.error()));
    return std::move(ran->trap);
  }

  SharedHip device_;
};

}  // namespace

MadeRunner make_hip_runner(const Function& kernel, const kc_kernel_options& options) {
  auto device = open_hip();
  if (!device) return std::unexpected(std::move(device.error()));
  auto compiler = KernelCompiler::start(kernel, compile_options(options));
  if (!compiler) return std::unexpected(failure_of(compiler.error()));
  return std::make_unique<HipRunner>(kernel, options, std::move(*device), std::move(*compiler));
}

}  // namespace kc
