// SPDX-License-Identifier: Apache-2.0
#include "driver/engines/engines.h"

#include <algorithm>
#include <chrono>

#include "driver/engines/engine_list.h"

namespace kc {

double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

bool has_small_buffers(const KernelArguments& args, const LaunchSpec& spec) {
  return has_small_hidden_buffers(spec) && std::ranges::all_of(args.buffers, [](const BufferArg& b) {
           return is_small_buffer(b.bytes.size());
         });
}

BoundArguments bind_arguments(const KernelArguments& args, const Function& kernel, LaunchSpec& spec) {
  std::vector<MemoryRange> buffers;
  for (const BufferArg& b : args.buffers)
    buffers.push_back({reinterpret_cast<uint64_t>(b.bytes.data()), b.bytes.size()});
  BoundArguments bound(kernel);
  bound.printf_bytes = args.printf_bytes;
  bound.addresses = args.addresses;
  bound.bind(args.values, buffers, spec);
  return bound;
}

EngineResult result_of(const BoundArguments& bound) {
  EngineResult r;
  r.trap = bound.trap();
  r.printed = bound.printed();
  if (r.trap) r.status = EngineStatus::Trapped;
  return r;
}

PassWatch watch_of(const Program& program) {
  const CompileOptions& o = program.lowered->options;
  return {.options = &o.pipeline,
          .times = program.pass_times.get(),
          .remarks = o.remarks,
          .only = program.lowered->passes};
}

EngineResult not_compiled(const CompileError& error) {
  return {.status = error.kind == CompileError::Unsupported ? EngineStatus::Unsupported
                    : error.kind == CompileError::Absent    ? EngineStatus::Absent
                                                            : EngineStatus::Failed,
          .message = error.message};
}

EngineResult not_launched(const LaunchError& error) {
  EngineResult r{.status = EngineStatus::Failed, .message = error.message};
  // What leaves nothing to compare is not this kernel's failure.
  if (error.kind == LaunchError::Unsupported || error.kind == LaunchError::CutOff ||
      error.kind == LaunchError::OutOfMemory)
    r.status = EngineStatus::Unsupported;
  if (error.kind == LaunchError::Absent) r.status = EngineStatus::Absent;
  r.device_gave_out = error.kind == LaunchError::Lost || error.kind == LaunchError::OutOfMemory;
  return r;
}

EngineResult interpreted(const RunResult& r, const BoundArguments& bound, double start) {
  EngineResult e;
  if (!r.ok() && r.status != RunStatus::Trapped) {  // also when some work-items trapped before
    e.status = EngineStatus::Failed;
    e.message = r.message;
    e.printed = bound.printed();
  } else {
    e = result_of(bound);
    if (r.trap) {
      add_trap(e.trap, *r.trap);
      e.status = EngineStatus::Trapped;
    }
  }
  e.launch_ms = now_ms() - start;
  e.stats.emplace_back("steps", static_cast<double>(r.steps));
  return e;
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
      {"sim", "warps in lockstep under the scheme that --scheme names", false, &make_simulator_engine, 0},
      {"sim-ipdom", "warps that reconverge at post-dominators", true, &make_ipdom_engine, 0},
      {"sim-tf-stack", "warps with thread frontiers and a sorted stack", true, &make_tf_stack_engine, 0},
      {"sim-tf-sandy", "warps with thread frontiers and conservative branches", true, &make_tf_sandy_engine,
       0},
      {"avx2", "machine code for AVX2", true, &make_avx2_engine, 0},
      {"avx512", "machine code for AVX-512", true, &make_avx512_engine, 0},
      {"cpu", "machine code for the best of this processor", false, &make_cpu_engine, 0},
      {"gfx900", "gfx900 code object in the strict emulator", true, &make_gfx900_engine, 0, 0, true, true},
      {"gfx906", "the same for gfx906", false, &make_gfx906_engine, 0, 0, true, true},
      {"gfx90a", "the same for gfx90a", false, &make_gfx90a_engine, 0, 0, true, true},
      {"hip", "code object on the AMD device, through HIP", false, &make_hip_engine, 0, 0, false},
      {"vulkan", "structured SPIR-V on the Vulkan device", true, &make_vulkan_engine, 0, 0, false},
      // Not asked unless named: its arithmetic need not be ours (see docs/language.md, "Defined everywhere"),
      // and where OpenCL C leaves a meaning open it may stop the process. 16 is what OpenCL allows exp and
      // pow.
      {"opencl", "an OpenCL implementation of the machine", false, &make_opencl_engine, 0, 16, false},
  };
  return table;
}

bool can_trace(const EngineInfo& info) {
  return info.name.starts_with("sim") || info.name.starts_with("wave");
}

const EngineInfo* find_engine(std::string_view name) {
  for (const EngineInfo& e : engines())
    if (e.name == name) return &e;
  return nullptr;
}

}  // namespace kc
