// SPDX-License-Identifier: Apache-2.0
#include "driver/engines.h"

#include <algorithm>
#include <chrono>

#include "driver/engine_list.h"
#include "ir/check.h"

namespace kc {

double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

bool has_small_buffers(const KernelArguments& args, const LaunchSpec& spec) {
  // A little less: what lies around an access counts, too.
  constexpr uint64_t kLimit = (uint64_t{1} << 31) - 4096;
  return spec.items() < kLimit / sizeof(TrapSlot) &&
         std::ranges::all_of(args.buffers, [](const BufferArg& b) { return b.bytes.size() < kLimit; });
}

BoundArguments::BoundArguments(const KernelArguments& args, const Function& kernel, LaunchSpec& spec)
    : kernel_(kernel), spec_(spec) {
  KC_CHECK(!spec.small_buffers || has_small_buffers(args, spec), "code for small buffers gets a large one");
  for (const BufferArg& b : args.buffers)
    ranges.push_back({reinterpret_cast<uint64_t>(b.bytes.data()), b.bytes.size()});
  std::vector<uint64_t> sizes;
  std::vector<size_t> locals;
  for (const ArgumentValue& v : args.values) {
    if (v.is_local) locals.push_back(bits.size()), sizes.push_back(v.bits);
    bits.push_back(v.buffer < 0 ? v.bits : ranges[static_cast<size_t>(v.buffer)].base);
  }
  std::vector<uint32_t> offsets = place_local_arguments(kernel, sizes, spec);
  for (size_t i = 0; i < locals.size(); ++i) bits[locals[i]] = offsets[i];
  for (const ParamInfo& p : kernel.params) {
    if (!p.hidden) continue;
    if (p.name == "traps") {
      slots.resize(spec.items());
      bind_hidden(slots.data(), slots.size() * sizeof(TrapSlot));
    } else if (p.name == "constants") {
      constants_ = constant_bytes(kernel);
      bind_hidden(constants_.data(), constants_.size());
    }
  }
}

void BoundArguments::bind_hidden(const void* data, size_t size) {
  bits.push_back(reinterpret_cast<uint64_t>(data));
  ranges.push_back({bits.back(), size});
}

EngineResult BoundArguments::result() const {
  EngineResult r;
  r.trap = find_trap(slots, spec_, kernel_.traps);
  if (r.trap) r.status = EngineStatus::Trapped;
  return r;
}

const std::vector<EngineInfo>& engines() {
  // "cpu" is the best of this machine; as a route it would repeat one of those below it.
  static const std::vector<EngineInfo> table{
      {"interp", "thread interpreter: one work-item at a time", true, &make_thread_engine, 0},
      {"passes", "thread interpreter after the thread passes", true, &make_passes_engine, 0},
      {"wave8", "wave interpreter, strict, 8 lanes", true, &make_wave_engine, 8},
      {"wave16", "wave interpreter, strict, 16 lanes", true, &make_wave_engine, 16},
      {"wave32", "wave interpreter, strict, 32 lanes", true, &make_wave_engine, 32},
      {"wave64", "wave interpreter, strict, 64 lanes", true, &make_wave_engine, 64},
      {"avx2", "machine code for AVX2", true, &make_avx2_engine, 0},
      {"avx512", "machine code for AVX-512", true, &make_avx512_engine, 0},
      {"cpu", "machine code for the best of this processor", false, &make_cpu_engine, 0},
      {"gfx900", "gfx900 code object in the strict emulator", true, &make_gfx900_engine, 0},
      {"vulkan", "structured SPIR-V on the Vulkan device", true, &make_vulkan_engine, 0},
      // Not asked unless named: its arithmetic need not be ours (see docs/language.md, "Defined everywhere"),
      // and where OpenCL C leaves a meaning open it may stop the process. 16 is what OpenCL allows exp and
      // pow.
      {"opencl", "an OpenCL implementation of the machine", false, &make_opencl_engine, 0, 16},
  };
  return table;
}

const EngineInfo* find_engine(std::string_view name) {
  for (const EngineInfo& e : engines())
    if (e.name == name) return &e;
  return nullptr;
}

}  // namespace kc
