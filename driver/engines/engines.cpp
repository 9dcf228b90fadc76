// SPDX-License-Identifier: Apache-2.0
#include "driver/engines/engines.h"

#include <algorithm>
#include <chrono>

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

bool has_disjoint_buffers(const KernelArguments& args) {
  std::vector<int> buffers;
  for (const ArgumentValue& v : args.values)
    if (v.buffer >= 0) buffers.push_back(v.buffer);
  std::ranges::sort(buffers);
  return std::ranges::adjacent_find(buffers) == buffers.end();
}

bool exceeds_caches(const KernelArguments& args) {
  uint64_t bytes = 0;
  for (const BufferArg& b : args.buffers) bytes += b.bytes.size();
  return exceeds_caches(bytes);
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
  // Usage: the passes that were named leave what this route cannot take.
  return {.status = error.kind == CompileError::Unsupported || error.kind == CompileError::Usage
                        ? EngineStatus::Unsupported
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

}  // namespace kc
