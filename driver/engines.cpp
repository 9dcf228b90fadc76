// SPDX-License-Identifier: Apache-2.0
#include "driver/engines.h"

#include <algorithm>
#include <chrono>

#include "driver/engine_list.h"

namespace kc {

double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

std::vector<uint64_t> argument_bits(const KernelArguments& args) {
  std::vector<uint64_t> bits;
  for (const ArgumentValue& v : args.values)
    bits.push_back(
        v.buffer < 0 ? v.bits
                     : reinterpret_cast<uint64_t>(args.buffers[static_cast<size_t>(v.buffer)].bytes.data()));
  return bits;
}

std::vector<MemoryRange> argument_ranges(const KernelArguments& args) {
  std::vector<MemoryRange> ranges;
  for (const BufferArg& b : args.buffers)
    ranges.push_back({reinterpret_cast<uint64_t>(b.bytes.data()), b.bytes.size()});
  return ranges;
}

TrapBuffer::TrapBuffer(const Function& kernel, const LaunchSpec& spec)
    : needed_(std::any_of(kernel.params.begin(), kernel.params.end(),
                          [](const ParamInfo& p) { return p.hidden && p.name == "traps"; })) {
  if (needed_) slots_.resize(spec.items());
}

void TrapBuffer::append_to(std::vector<uint64_t>& bits, std::vector<MemoryRange>& ranges) {
  if (!needed_) return;
  bits.push_back(reinterpret_cast<uint64_t>(slots_.data()));
  ranges.push_back({bits.back(), slots_.size() * sizeof(TrapSlot)});
}

void TrapBuffer::clear() { std::fill(slots_.begin(), slots_.end(), TrapSlot{}); }

EngineResult TrapBuffer::result(const Function& kernel, const LaunchSpec& spec) const {
  EngineResult r;
  r.trap = find_trap(slots_, spec, kernel.traps);
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
  };
  return table;
}

const EngineInfo* find_engine(std::string_view name) {
  for (const EngineInfo& e : engines())
    if (e.name == name) return &e;
  return nullptr;
}

}  // namespace kc
