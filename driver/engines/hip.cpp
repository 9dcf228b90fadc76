// SPDX-License-Identifier: Apache-2.0
// A kernel as a code object on an AMD device, through HIP.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "backends/gcn/gcn.h"
#include "driver/engines/engine_list.h"
#include "driver/engines/hip_options.h"
#include "host/gcn_code.h"
#include "ir/gcn_machines.h"

namespace kc {
namespace {

EngineResult failure(const HipError& e) {
  return {.status = e.absent ? EngineStatus::Absent : EngineStatus::Failed, .message = e.message};
}
EngineResult unsupported(std::string why) {
  return {.status = EngineStatus::Unsupported, .message = std::move(why)};
}

class HipEngine : public Engine {
 public:
  EngineResult prepare(const Program& program, const LaunchSpec& spec) override {
    if (program.object) return unsupported("hip needs source, not a code object");
    if (std::ranges::any_of(spec.offset, [](uint64_t o) { return o != 0; }))
      return unsupported("HIP launches have no global offset");
    if (!device_) {
      auto device = HipDevice::open(hip_library());
      if (!device) return failure(device.error());
      device_.emplace(std::move(*device));
    }
    const TargetDesc* target = find_target(device_->arch());
    if (!target || target->family != TargetFamily::Gcn)
      return unsupported(
          fmt::format("{} is a {}, for which no code is made", device_->name(), device_->arch()));
    double start = now_ms();
    spec_ = spec;
    auto made = compile_for_gcn(*program.compiler, *target, spec.local);
    if (!made) return not_compiled(made.error());
    wave_ = std::move(made->wave);
    auto object = assemble_gcn(made->code.assembly, made->target);
    if (!object) return failure(HipError{object.error().absent, object.error().message});
    auto kernel = device_->load(*object, wave_->name);
    if (!kernel) return failure(kernel.error());
    kernel_ = std::move(*kernel);
    compile_ms = now_ms() - start;
    return {.message = place()};
  }

  EngineResult launch(KernelArguments& args) override {
    BoundArguments bound = bind_arguments(args, *wave_, spec_);
    if (spec_.local_bytes > gcn::kMaxLocalBytes)
      return unsupported(
          fmt::format("{} bytes of local memory (gfx9 has {})", spec_.local_bytes, gcn::kMaxLocalBytes));
    std::vector<HipBuffer> buffers;
    for (const MemoryRange& r : bound.ranges) {
      auto buffer = device_->allocate(r.size);
      if (!buffer) return failure(buffer.error());
      if (auto ok = buffer->write(bytes_of(r)); !ok) return failure(ok.error());
      buffers.push_back(std::move(*buffer));
    }
    const std::vector<uint8_t> arguments = arguments_of(bound, buffers);
    HipLaunch l{.arguments = arguments};
    for (size_t d = 0; d < 3; ++d) {
      l.groups[d] = static_cast<uint32_t>(spec_.groups(d));
      l.local[d] = static_cast<uint32_t>(spec_.local[d]);
    }
    uint64_t own = lay_out_objects(*wave_, kPtrLocal).size;
    l.dynamic_lds = static_cast<uint32_t>(std::max(spec_.local_bytes, own) - own);
    auto ms = device_->launch(kernel_, l);
    if (!ms) return failure(ms.error());
    for (size_t i = 0; i < buffers.size(); ++i)
      if (auto ok = buffers[i].read(bytes_of(bound.ranges[i])); !ok) return failure(ok.error());
    EngineResult r = result_of(bound);
    r.launch_ms = *ms;
    r.message = place();
    return r;
  }

  std::optional<SubGroups> sub_groups() const override { return SubGroups{64, false}; }

 private:
  static std::span<uint8_t> bytes_of(const MemoryRange& r) {
    return {reinterpret_cast<uint8_t*>(r.base), r.size};
  }
  std::string place() const { return fmt::format("{} ({} through HIP)", device_->name(), device_->arch()); }

  // Pointers are those of this process, and become those of the device.
  std::vector<uint8_t> arguments_of(const BoundArguments& bound,
                                    const std::vector<HipBuffer>& buffers) const {
    KernargLayout layout = kernarg_layout(*wave_);
    std::vector<uint8_t> bytes(layout.hidden_offset);
    const auto& params = wave_->block(wave_->entry()).params;
    for (size_t i = 0; i < bound.bits.size(); ++i) {
      uint64_t bits = bound.bits[i];
      Type type = wave_->type(params[i]);
      if (layout.offsets[i] == KernargLayout::kInObject) continue;
      if (type.is_pointer() && type.bits() == 64)
        for (size_t b = 0; b < buffers.size(); ++b)
          if (bound.ranges[b].base == bound.bits[i]) bits = buffers[b].address();
      std::memcpy(bytes.data() + layout.offsets[i], &bits, type.bytes());
    }
    return bytes;
  }

  std::optional<HipDevice> device_;
  LaunchSpec spec_;
  std::unique_ptr<Function> wave_;
  HipKernel kernel_;
};

}  // namespace

std::string hip_library() {
  const char* library = std::getenv("KERNELC_HIP_LIBRARY");
  return library ? library : "";
}

std::string hip_arch() {
  auto device = HipDevice::open(hip_library());
  return device ? device->arch() : "";
}

std::unique_ptr<Engine> make_hip_engine(const EngineOptions&) { return std::make_unique<HipEngine>(); }

}  // namespace kc
