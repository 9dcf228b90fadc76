// SPDX-License-Identifier: Apache-2.0
#include "driver/engines/engines.h"

#include <algorithm>
#include <chrono>
#include <iterator>

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
                    : error.kind == CompileError::Absent || error.kind == CompileError::Io
                        ? EngineStatus::Absent
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
  r.out_of_bounds = error.kind == LaunchError::OutOfBounds;
  r.device_gave_out = error.kind == LaunchError::Lost || error.kind == LaunchError::OutOfMemory;
  return r;
}

EngineResult interpreted(const RunResult& r, const BoundArguments& bound, double start) {
  EngineResult e;
  if (!r.ok() && r.status != RunStatus::Trapped) {  // also when some work-items trapped before
    e.status = EngineStatus::Failed;
    e.message = r.message;
    e.out_of_bounds = r.status == RunStatus::OutOfBounds;
    e.stopped_at = r.stopped_at;
    if (r.address) e.message += ", " + bound.describe_address(r.address);
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

namespace {

std::vector<EngineInfo> make_table() {
  // "cpu" is the best of this machine; as a route it would repeat one of those before it.
  std::vector<EngineInfo> table{
      {.name = "interp",
       .summary = "thread interpreter: one work-item at a time",
       .make = &make_thread_engine,
       .counts_steps = true},
      {.name = "passes",
       .summary = "thread interpreter after the thread passes",
       .make = &make_passes_engine,
       .counts_steps = true},
      {.name = "wave1",
       .summary = "wave interpreter, strict, one lane: nothing diverges",
       .make = &make_wave_engine,
       .width = 1,
       .traces = true,
       .counts_steps = true},
      {.name = "wave8",
       .summary = "wave interpreter, strict, 8 lanes",
       .make = &make_wave_engine,
       .width = 8,
       .traces = true,
       .counts_steps = true},
      {.name = "wave16",
       .summary = "wave interpreter, strict, 16 lanes",
       .make = &make_wave_engine,
       .width = 16,
       .traces = true,
       .counts_steps = true},
      {.name = "wave32",
       .summary = "wave interpreter, strict, 32 lanes",
       .make = &make_wave_engine,
       .width = 32,
       .traces = true,
       .counts_steps = true},
      {.name = "wave64",
       .summary = "wave interpreter, strict, 64 lanes",
       .make = &make_wave_engine,
       .width = 64,
       .traces = true,
       .counts_steps = true},
      {.name = "sim",
       .summary = "warps in lockstep under the scheme that --scheme names",
       .make = &make_simulator_engine,
       .in_check = false,
       .traces = true,
       .counts_steps = true},
      {.name = "sim-ipdom",
       .summary = "warps that reconverge at post-dominators",
       .make = &make_ipdom_engine,
       .traces = true,
       .counts_steps = true},
      {.name = "sim-tf-stack",
       .summary = "warps with thread frontiers and a sorted stack",
       .make = &make_tf_stack_engine,
       .traces = true,
       .counts_steps = true},
      {.name = "sim-tf-sandy",
       .summary = "warps with thread frontiers and conservative branches",
       .make = &make_tf_sandy_engine,
       .traces = true,
       .counts_steps = true},
      {.name = "avx2", .summary = "machine code for AVX2", .make = &make_avx2_engine, .compiles = true},
      {.name = "avx512",
       .summary = "machine code for AVX-512",
       .make = &make_avx512_engine,
       .compiles = true},
      {.name = "cpu1",
       .summary = "machine code for the best of this processor, one work-item at a time",
       .make = &make_cpu_engine,
       .width = 1,
       .compiles = true},
      {.name = "cpu",
       .summary = "machine code for the best of this processor",
       .make = &make_cpu_engine,
       .in_check = false,
       .compiles = true},
  };
  std::ranges::move(gcn_engines(), std::back_inserter(table));
  std::vector<EngineInfo> devices{
      {.name = "hip",
       .summary = "code object on the AMD device, through HIP",
       .make = &make_hip_engine,
       .in_check = false,
       .compiles = true,
       .in_place = false},
      {.name = "vulkan",
       .summary = "structured SPIR-V on the Vulkan device",
       .make = &make_vulkan_engine,
       .compiles = true,
       .in_place = false,
       .runs_modules = true},
      // Not asked unless named: its arithmetic need not be ours (see docs/language.md, "Defined
      // everywhere"), and where OpenCL C leaves a meaning open it may stop the process. 16 is what
      // OpenCL allows exp and pow.
      {.name = "opencl",
       .summary = "an OpenCL implementation of the machine",
       .make = &make_opencl_engine,
       .in_check = false,
       .ulp = 16,
       .in_place = false,
       .prints_alike = false},
  };
  std::ranges::move(devices, std::back_inserter(table));
  return table;
}

}  // namespace

const std::vector<EngineInfo>& engines() {
  static const std::vector<EngineInfo> table = make_table();
  return table;
}

const EngineInfo* find_engine(std::string_view name) {
  for (const EngineInfo& e : engines())
    if (e.name == name) return &e;
  return nullptr;
}

}  // namespace kc
