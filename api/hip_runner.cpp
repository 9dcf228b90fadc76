// SPDX-License-Identifier: Apache-2.0
// Code for gfx9 on a device, through HIP. It is made for groups of one size, so each size of group has a
// form.
#include "api/devices.h"
#include "api/forms.h"
#include "host/hip_code.h"

namespace kc {
namespace {

using SharedHip = std::shared_ptr<SharedDevice<HipDevice>>;

struct HipForm {
  explicit HipForm(HipCode made) : code(std::move(made)), memories(*code.wave) {}
  HipCode code;
  LaunchMemories memories;
};

std::expected<SharedHip, Failure> open_hip() {
  static DeviceSlot<HipDevice> slot;
  return slot.find([]() -> std::expected<HipDevice, Failure> {
    auto device = HipDevice::open(hip_library());
    if (!device) return wrong(KC_ABSENT, device.error().message);
    if (auto target = target_of(*device); !target) return wrong(KC_ABSENT, target.error().message);
    return std::move(*device);
  });
}

class HipRunner : public Runner {
 public:
  HipRunner(const Function& kernel, const kc_kernel_options& options, SharedHip device,
            KernelCompiler compiler)
      : Runner(options), kernel_(kernel), compiler_(std::move(compiler)), device_(std::move(device)) {}

  const char* target() const override { return "hip"; }

  std::expected<void, Failure> prepare(const LaunchSpec& spec) override {
    auto form = loaded(spec.local);
    if (!form) return std::unexpected(std::move(form.error()));
    return {};
  }

  std::expected<std::optional<TrapReport>, Failure> launch(LaunchSpec& spec,
                                                           std::span<const kc_argument> arguments, unsigned,
                                                           PrintedText& printed) override {
    if (std::string why = hip_refusal(spec); !why.empty()) return wrong(KC_USAGE_ERROR, std::move(why));
    auto form = loaded(spec.local);
    if (!form) return std::unexpected(std::move(form.error()));
    LaunchMemories::Loan memory((*form)->memories);
    if (auto ok = read_arguments(kernel_, arguments, *memory); !ok) return std::unexpected(ok.error());
    spec.small_buffers = false;  // addresses have 64 bits
    memory->bound.printf_bytes = printf_bytes();
    memory->bound.bind(memory->values, memory->buffers, spec);
    std::lock_guard lock(device_->mutex);
    auto ran = launch_on_hip(device_->device, (*form)->code, memory->bound, spec, memory->constant);
    if (!ran) return std::unexpected(failure_of(ran.error()));
    printed = memory->bound.printed();
    return std::move(ran->trap);
  }

 private:
  std::expected<HipForm*, Failure> loaded(const GroupSize& local) {
    return forms_.find(local, [&]() -> std::expected<std::unique_ptr<HipForm>, Failure> {
      std::lock_guard lock(device_->mutex);
      auto code = compile_for_hip(compiler_, device_->device, local);
      if (!code) return std::unexpected(failure_of(code.error()));
      return std::make_unique<HipForm>(std::move(*code));
    });
  }

  const Function& kernel_;
  KernelCompiler compiler_;
  SharedHip device_;
  Forms<GroupSize, HipForm> forms_;
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
