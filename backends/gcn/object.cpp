// SPDX-License-Identifier: Apache-2.0
// The file around the code: kernel descriptor, metadata (code object version 4), and LLVM's tools that make
// a code object of it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/gcn/object.h"

namespace kc {
namespace {

// s_getpc gives the address of what follows it.
std::string far_jump(std::string_view kernel, uint32_t target, uint32_t number) {
  uint32_t low = gcn::kFarJump, high = low + 1;
  std::string distance = fmt::format("(.L{0}_{1}-.Lfar_{0}_{2})", kernel, target, number);
  return fmt::format(
      "\ts_getpc_b64 s[{0}:{1}]\n.Lfar_{2}_{3}:\n\ts_add_u32 s{0}, s{0}, {4}&4294967295\n"
      "\ts_addc_u32 s{1}, s{1}, {4}>>32\n\ts_setpc_b64 s[{0}:{1}]\n",
      low, high, kernel, number, distance);
}

std::string_view value_kind(Type type) {
  if (type == kPtrLocal) return "dynamic_shared_pointer, .pointee_align: 128, .address_space: local";
  return type.is_pointer() ? "global_buffer, .address_space: global" : "by_value";
}

// As OpenCL calls it, where it is a number or a pointer to numbers; what only our runtime gives says so.
std::string type_name(Type type, const ParamInfo& param) {
  if (param.hidden) return fmt::format(", .type_name: 'kernelc.{}'", param.name);
  static constexpr std::string_view names[] = {"char", "short", "int", "long"};
  Elem elem = type.is_pointer() ? param.pointee : type.elem;
  std::string name;
  if (elem == Elem::F32) name = "float";
  if (elem == Elem::F64) name = "double";
  if (elem >= Elem::I8 && elem <= Elem::I64 && !param.pointee_size)
    name = fmt::format("{}{}", param.is_unsigned ? "u" : "", names[std::countr_zero(Type{elem}.bytes())]);
  if (name.empty()) return {};
  return fmt::format(", .type_name: '{}{}'", name, type.is_pointer() ? "*" : "");
}

uint32_t align_to(uint32_t at, uint32_t alignment) { return (at + alignment - 1) / alignment * alignment; }

}  // namespace

KernargLayout kernarg_layout(const Function& wave) {
  KernargLayout layout;
  uint32_t at = 0;
  for (ValueId p : wave.block(wave.entry()).params) {
    Type type = wave.type(p);
    if (type.is_mask()) continue;
    at = align_to(at, type.bytes());
    layout.offsets.push_back(at);
    at += type.bytes();
  }
  layout.hidden_offset = align_to(at, 8);
  layout.bytes = layout.hidden_offset + 24;
  return layout;
}

namespace gcn {

std::string print_kernel(const Function& wave, const std::vector<MachineBlock>& blocks,
                         const GcnResources& resources, const MachineModel& model) {
  std::string s =
      fmt::format("\t.text\n\t.globl {0}\n\t.p2align 8\n\t.type {0},@function\n{0}:\n", wave.name);
  uint32_t far_jumps = 0;
  for (const MachineBlock& b : blocks) {
    s += fmt::format(".L{}_{}:{}\n", wave.name, b.id.index, b.comment.empty() ? "" : "  ; " + b.comment);
    uint32_t line = 0;
    for (const MachineInst& inst : b.insts) {
      if (inst.op == Op::gcn_s_setpc_b64) {
        s += far_jump(wave.name, inst.target.index, far_jumps++);
        continue;
      }
      std::string text = print_instruction(inst);
      if (inst.target.valid()) text += fmt::format(" .L{}_{}", wave.name, inst.target.index);
      std::string comment = inst.comment;
      if (inst.loc.line && inst.loc.line != line)
        comment += fmt::format("{}line {}", comment.empty() ? "" : "; ", inst.loc.line);
      if (inst.loc.line) line = inst.loc.line;
      s += comment.empty() ? fmt::format("\t{}\n", text) : fmt::format("\t{:<48}; {}\n", text, comment);
    }
  }
  s += fmt::format(
      ".Lend_{0}:\n\t.size {0}, .Lend_{0}-{0}\n\n\t.rodata\n\t.p2align 6\n\t.amdhsa_kernel {0}\n", wave.name);
  auto directive = [&](std::string_view name, uint32_t value) {
    s += fmt::format("\t\t.amdhsa_{} {}\n", name, value);
  };
  directive("user_sgpr_private_segment_buffer", 1);
  directive("user_sgpr_dispatch_ptr", 1);
  directive("user_sgpr_kernarg_segment_ptr", 1);
  directive("system_sgpr_workgroup_id_x", 1);
  directive("system_sgpr_workgroup_id_y", 1);
  directive("system_sgpr_workgroup_id_z", 1);
  directive("system_sgpr_private_segment_wavefront_offset", resources.scratch_bytes ? 1 : 0);
  directive("system_vgpr_workitem_id", 2);
  directive("kernarg_size", resources.kernarg_bytes);
  directive("private_segment_fixed_size", resources.scratch_bytes);
  directive("group_segment_fixed_size", resources.local_bytes);
  directive("float_denorm_mode_32", 3);  // the default flushes denormals
  directive("float_denorm_mode_16_64", 3);
  directive("ieee_mode", 0);  // else minimum and maximum of a number and a signalling NaN would be NaN
  directive("next_free_vgpr", resources.vgprs);
  directive("next_free_sgpr", resources.sgprs);
  if (model.even_tuples) directive("accum_offset", align_to(std::max(resources.vgprs, 1u), 4));
  return s + "\t.end_amdhsa_kernel\n\n";
}

std::string print_metadata(const Function& wave, const GcnResources& resources) {
  // Names carry the tag of strings: a parameter named y would be a truth value.
  std::string s = fmt::format(
      "  - .name: !str {}\n    .symbol: !str {}.kd\n"
      "    .kernarg_segment_size: {}\n    .kernarg_segment_align: 8\n    .group_segment_fixed_size: {}\n"
      "    .private_segment_fixed_size: {}\n    .wavefront_size: 64\n    .sgpr_count: {}\n    .vgpr_count: "
      "{}\n"
      "    .max_flat_workgroup_size: {}\n",
      wave.name, wave.name, resources.kernarg_bytes, resources.local_bytes, resources.scratch_bytes,
      resources.sgprs, resources.vgprs, resources.max_group_items);
  if (const auto& size = wave.reqd_local; size[0])
    s += fmt::format("    .reqd_workgroup_size: [{}, {}, {}]\n", size[0], size[1], size[2]);
  s += "    .args:\n";
  KernargLayout layout = kernarg_layout(wave);
  const auto& params = wave.block(wave.entry()).params;
  for (size_t i = 0; i < layout.offsets.size(); ++i) {
    Type type = wave.type(params[i]);
    s += fmt::format("      - {{.name: !str {}, .offset: {}, .size: {}, .value_kind: {}{}}}\n",
                     wave.params[i].name, layout.offsets[i], type.bytes(), value_kind(type),
                     type_name(type, wave.params[i]));
  }
  for (uint32_t d = 0; d < 3; ++d)
    s += fmt::format("      - {{.offset: {}, .size: 8, .value_kind: hidden_global_offset_{}}}\n",
                     layout.hidden_offset + 8 * d, "xyz"[d]);
  return s;
}

}  // namespace gcn

std::string gcn_file(std::span<const GcnCode> kernels, const GcnTarget& options) {
  std::string s = fmt::format("\t.amdgcn_target \"amdgcn-amd-amdhsa--{}\"\n\t.amdhsa_code_object_version 4\n",
                              options.cpu);
  for (const GcnCode& k : kernels) s += k.text;
  s += fmt::format(
      "\t.amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.target: "
      "amdgcn-amd-amdhsa--{}\namdhsa.kernels:\n",
      options.cpu);
  for (const GcnCode& k : kernels) s += k.metadata;
  return s + "...\n\t.end_amdgpu_metadata\n";
}

}  // namespace kc
