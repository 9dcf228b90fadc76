// SPDX-License-Identifier: Apache-2.0
// A kernel as a code object on an AMD device, through HIP.
#include "host/hip_code.h"

#include <fmt/format.h>

#include "driver/engines/engine_list.h"
#include "driver/engines/hip_options.h"

namespace kc {
namespace {

EngineResult hip_unsupported(std::string why) {
  return {.status = EngineStatus::Unsupported, .message = std::move(why)};
}

class HipEngine : public Engine {
 public:
  EngineResult prepare(const Program& program, const LaunchSpec& spec) override {
    if (program.object) return hip_unsupported("hip needs source, not a code object");
    if (std::string why = hip_refusal(spec); !why.empty()) return hip_unsupported(std::move(why));
    if (!device_) {
      auto device = HipDevice::open(hip_library());
      if (!device)
        return {.status =
                    device.error().kind == DeviceError::Absent ? EngineStatus::Absent : EngineStatus::Failed,
                .message = device.error().message};
      device_.emplace(std::move(*device));
    }
    const double start = now_ms();
    spec_ = spec;
    auto code = compile_for_hip(*program.compiler, *device_, spec.local);
    if (!code) return not_compiled(code.error());
    code_ = std::move(*code);
    compile_ms = now_ms() - start;
    return {.message = place()};
  }

  EngineResult launch(KernelArguments& args) override {
    BoundArguments bound = bind_arguments(args, *code_.wave, spec_);
    auto ran = launch_on_hip(*device_, code_, bound, spec_);
    if (!ran) return not_launched(ran.error());
    EngineResult r = result_of(bound);
    r.launch_ms = ran->ms;
    r.message = place();
    return r;
  }

  std::optional<SubGroups> sub_groups() const override { return SubGroups{64, false}; }

 private:
  std::string place() const { return fmt::format("{} ({} through HIP)", device_->name(), device_->arch()); }

  std::optional<HipDevice> device_;
  LaunchSpec spec_;
  HipCode code_;
};

}  // namespace

std::string hip_arch() {
  auto device = HipDevice::open(hip_library());
  return device ? device->arch() : "";
}

std::unique_ptr<Engine> make_hip_engine(const EngineOptions&) { return std::make_unique<HipEngine>(); }

}  // namespace kc
