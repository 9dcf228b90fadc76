// SPDX-License-Identifier: Apache-2.0
// Kernels as assembly text, with the frame that every kernel needs.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "ir/process.h"
#include "sim/gcn/emulator.h"

namespace kc::test {

struct Frame {
  unsigned vgprs = 16, kernarg = 64, lds = 0, workitem_id = 0, scratch = 0;
};

inline std::string gcn_frame(std::string_view body, Frame f = {}) {
  std::string s = " .amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n .amdhsa_code_object_version 4\n .text\n";
  s += " .globl k\n .p2align 8\n .type k,@function\nk:\n";
  s += body;
  s += "\n s_endpgm\n.Lf:\n .size k, .Lf-k\n .rodata\n .p2align 6\n .amdhsa_kernel k\n";
  if (f.scratch) {
    s += "  .amdhsa_user_sgpr_private_segment_buffer 1\n  "
         ".amdhsa_system_sgpr_private_segment_wavefront_offset 1\n";
    s += "  .amdhsa_private_segment_fixed_size " + std::to_string(f.scratch) + "\n";
  }
  s += "  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n  .amdhsa_float_denorm_mode_32 3\n";
  s += "  .amdhsa_kernarg_size " + std::to_string(f.kernarg) + "\n";
  s += "  .amdhsa_group_segment_fixed_size " + std::to_string(f.lds) + "\n";
  s += "  .amdhsa_system_vgpr_workitem_id " + std::to_string(f.workitem_id) + "\n";
  s += "  .amdhsa_next_free_vgpr " + std::to_string(f.vgprs) + "\n  .amdhsa_next_free_sgpr 40\n";
  s += " .end_amdhsa_kernel\n";
  return s;
}

/// Assembles and links; empty if the tools are not installed.
inline std::string gcn_assemble(const std::string& text, std::string& error) {
  TempDir dir;
  write_file(dir.file("k.s"), text);
  auto as = run_tool({"llvm-mc-19", "-triple=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-filetype=obj",
                      dir.file("k.s"), "-o", dir.file("k.o")});
  if (!as) return {};
  error = as->err;
  if (as->exit_code != 0) return {};
  auto ld = run_tool({"ld.lld-19", "-shared", dir.file("k.o"), "-o", dir.file("k.hsaco")});
  if (!ld || ld->exit_code != 0) return {};
  return read_file(dir.file("k.hsaco")).value_or("");
}

template <typename... T>
std::vector<uint8_t> arguments(T... values) {
  std::vector<uint8_t> bytes;
  auto add = [&](auto v) {
    bytes.resize((bytes.size() + sizeof v - 1) / sizeof v * sizeof v);
    bytes.resize(bytes.size() + sizeof v);
    std::memcpy(bytes.data() + bytes.size() - sizeof v, &v, sizeof v);
  };
  (add(values), ...);
  bytes.resize(std::max<size_t>(bytes.size(), 64));
  return bytes;
}

template <typename T>
MemoryRange range_of(std::vector<T>& v) {
  return {reinterpret_cast<uint64_t>(v.data()), v.size() * sizeof(T)};
}

inline LaunchSpec line(uint64_t global, uint64_t local) {
  LaunchSpec spec;
  spec.global[0] = global, spec.local[0] = local;
  return spec;
}

}  // namespace kc::test
