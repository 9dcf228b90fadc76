// SPDX-License-Identifier: Apache-2.0
#include "tests/x64_sim/emulated.h"

namespace kc::test {

bool have_emulator() {
  if (x64_disassembler_present()) return true;
  WARN("skipped: llvm-objdump-19 is not installed");
  return false;
}

std::vector<X64Program> load(const std::vector<X64Code>& codes) {
  std::vector<X64Input> inputs;
  for (const X64Code& c : codes) inputs.push_back({c.image.code, c.code_bytes});
  auto programs = load_x64(inputs);
  if (!programs) FAIL(programs.error());
  return std::move(*programs);
}

X64Result run_grid(const X64Program& program, uint32_t width, const LaunchSpec& launch,
                   std::span<const uint64_t> args, std::span<const MemoryRange> memory) {
  CpuWaveContext c;
  c.args = args.data();
  c.dims = launch.dims;
  for (size_t d = 0; d < 3; ++d) {
    c.global_size[d] = launch.global[d], c.local_size[d] = launch.local[d];
    c.global_offset[d] = launch.offset[d], c.num_groups[d] = launch.groups(d);
  }
  const MemoryRange constant[] = {{reinterpret_cast<uint64_t>(&c), sizeof c},
                                  {reinterpret_cast<uint64_t>(args.data()), args.size_bytes()}};
  std::vector<MemoryRange> writable(memory.begin(), memory.end());
  writable.push_back({reinterpret_cast<uint64_t>(&c.sink), sizeof c.sink});
  writable.push_back({reinterpret_cast<uint64_t>(&c.addresses), sizeof c.addresses});
  X64RunOptions options;
  options.constant = constant;
  options.max_steps = 20'000'000;
  options.stack_bytes = 1 << 16;
  X64Result total;
  // By rows of groups: one wave for each `width` work-items along x.
  uint64_t rows = launch.groups(0) * launch.global[1] * launch.global[2];
  for (uint64_t row = 0; row < rows; ++row) {
    uint64_t at[3] = {row % launch.groups(0) * launch.local[0], row / launch.groups(0) % launch.global[1],
                      row / launch.groups(0) / launch.global[1]};
    for (uint64_t x = 0; x < launch.local[0]; x += width) {
      for (size_t d = 0; d < 3; ++d) {
        uint64_t id = at[d] + (d == 0 ? x : 0);
        c.global_id[d] = id + launch.offset[d];
        c.local_id[d] = id % launch.local[d], c.group_id[d] = id / launch.local[d];
      }
      uint64_t n = std::min<uint64_t>(width, launch.local[0] - x);
      c.mask = n == 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
      X64Result r = run_x64(program, &c, writable, options);
      total.steps += r.steps;
      for (size_t k = 0; k < r.executed.size(); ++k) total.executed[k] += r.executed[k];
      if (!r.ok()) return total.status = r.status, total.message = r.message, total;
    }
  }
  return total;
}

std::vector<Bytes> run_emulator(const X64Program& program, const X64Code& code, const Launch& launch) {
  std::vector<Bytes> buffers = launch.buffers;
  std::vector<MemoryRange> memory;
  auto add = [](std::vector<MemoryRange>& ranges, const void* p, uint64_t bytes) {
    if (p) ranges.push_back({reinterpret_cast<uint64_t>(p), bytes});
  };
  for (Bytes& b : buffers) add(memory, b.data(), b.size());
  auto args = arguments(buffers, launch);
  const MemoryRange constant{reinterpret_cast<uint64_t>(args.data()), args.size() * 8};
  auto kernel = CpuKernel::load(code.image, [&](CpuWaveContext* c) {
    std::vector<MemoryRange> ranges = memory;
    add(ranges, c, sizeof *c);
    add(ranges, c->local_memory, launch.local_bytes);
    add(ranges, c->frame, code.frame_bytes);
    const MemoryRange spare{reinterpret_cast<uint64_t>(c->local_memory) + launch.local_bytes, kSpareBytes};
    X64Result r = run_x64(program, c, ranges,
                          {.max_steps = 20'000'000,
                           .stack_bytes = 4096 + code.frame_bytes,
                           .constant = {&constant, 1},
                           .spare = {&spare, c->local_memory ? size_t{1} : 0}});
    if (!r.ok()) FAIL(r.message << "\n" << code.text);
  });
  CpuLaunch l;
  l.global = launch.global, l.local = launch.local, l.local_bytes = launch.local_bytes, l.threads = 1;
  auto ran = kernel.run(l, args);
  if (!ran) FAIL(ran.error());
  return buffers;
}

}  // namespace kc::test
