// SPDX-License-Identifier: Apache-2.0
// The object file: kernel descriptor, metadata (code object version 4), and the LLVM tools that assemble and
// link it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/gcn/object.h"
#include "ir/launch.h"
#include "ir/parameters.h"
#include "ir/text.h"

namespace kc {
namespace {

// s_getpc gives the address of the next instruction.
std::string far_jump(std::string_view kernel, uint32_t target, uint32_t number) {
  uint32_t low = gcn::kFarJump, high = low + 1;
  std::string distance = fmt::format("(.L{0}_{1}-.Lfar_{0}_{2})", kernel, target, number);
  return fmt::format(
      "\ts_getpc_b64 s[{0}:{1}]\n.Lfar_{2}_{3}:\n\ts_add_u32 s{0}, s{0}, {4}&4294967295\n"
      "\ts_addc_u32 s{1}, s{1}, {4}>>32\n\ts_setpc_b64 s[{0}:{1}]\n",
      low, high, kernel, number, distance);
}

bool is_constant_tables(const Function& wave, size_t param) {
  return param < wave.params.size() && wave.params[param].role == ParamRole::Constants;
}

std::string tables_label(const Function& wave) { return fmt::format(".Lconstants_{}", wave.name); }

// s_getpc gives the address of the next instruction; relocations are relative to their own position.
std::string address_of_tables(const Function& wave, uint32_t low) {
  return fmt::format(
      "\ts_getpc_b64 s[{0}:{1}]\n\ts_add_u32 s{0}, s{0}, {2}@rel32@lo+4\n\ts_addc_u32 s{1}, s{1}, "
      "{2}@rel32@hi+12\n",
      low, low + 1, tables_label(wave));
}

std::string_view value_kind(Type type) {
  if (type == kPtrLocal) return "dynamic_shared_pointer, .pointee_align: 128, .address_space: local";
  return type.is_pointer() ? "global_buffer, .address_space: global" : "by_value";
}

std::string scalar_name(Elem elem, bool is_unsigned) {
  static constexpr std::string_view names[] = {"char", "short", "int", "long"};
  if (elem == Elem::F32) return "float";
  if (elem == Elem::F64) return "double";
  if (elem < Elem::I8 || elem > Elem::I64) return {};
  return fmt::format("{}{}", is_unsigned ? "u" : "", names[std::countr_zero(Type{elem}.bytes())]);
}

// Layout of a vector or structure that is passed in parts; it is recorded nowhere else.
std::string whole_name(const Function& wave, const SourceParameter& whole) {
  std::string s = "struct{";
  for (size_t i = whole.first; i < whole.first + whole.count; ++i) {
    const ParamInfo& part = wave.params[i];
    s += fmt::format("{}{}@{}", i > whole.first ? "," : "",
                     scalar_name(wave.type(wave.block(wave.entry()).params[i]).elem, part.is_unsigned),
                     part_offset(part));
  }
  return s + "}";
}

// OpenCL's name of a number or of a pointer to numbers. Hidden arguments get a name defined by our
// runtime.
std::string type_name(Type type, const ParamInfo& param) {
  if (param.hidden()) return fmt::format(", .type_name: '{}'", role_type_name(param));
  Elem elem = type.is_pointer() ? param.pointee : type.elem;
  std::string name = param.pointee_size && !Type{elem}.is_float() ? "" : scalar_name(elem, param.is_unsigned);
  if (name.empty()) return {};
  return fmt::format(", .type_name: '{}{}'", name, type.is_pointer() ? "*" : "");
}

uint32_t align_to(uint32_t at, uint32_t alignment) { return (at + alignment - 1) / alignment * alignment; }

}  // namespace

// A vector or structure that is passed in parts is contiguous. It is aligned to the greatest power of two in
// its size, up to 16, the size of the largest vectors of four.
KernargLayout kernarg_layout(const Function& wave) {
  constexpr uint32_t kMostAligned = 16;
  KernargLayout layout;
  uint32_t at = 0;
  const auto& params = wave.block(wave.entry()).params;
  for (size_t i = 0; i < params.size();) {
    Type type = wave.type(params[i]);
    const SourceParameter whole =
        i < wave.params.size() ? source_parameter(wave, i) : SourceParameter{.name = {}, .first = i};
    if (type.is_mask()) {
      ++i;
      continue;
    }
    if (is_constant_tables(wave, i)) {
      layout.offsets.push_back(KernargLayout::kInObject), ++i;
      continue;
    }
    const uint32_t size = whole.has_parts() ? static_cast<uint32_t>(whole.size) : type.bytes();
    at = align_to(at, whole.has_parts() ? std::min(size & (~size + 1), kMostAligned) : size);
    for (size_t part = 0; part < whole.count; ++part, ++i)
      layout.offsets.push_back(at +
                               (whole.has_parts() ? static_cast<uint32_t>(part_offset(wave.params[i])) : 0));
    at += size;
  }
  layout.hidden_offset = align_to(at, 8);
  layout.bytes = layout.hidden_offset + 24;
  return layout;
}

namespace gcn {

// Constant objects, before the descriptor; the code addresses them relative to itself.
static std::string print_tables(const Function& wave) {
  std::vector<uint8_t> bytes = constant_bytes(wave);
  if (bytes.empty()) return {};
  bytes.resize((bytes.size() + 3) / 4 * 4);
  std::string s = fmt::format("\t.p2align 4\n{}:\n", tables_label(wave));
  for (size_t at = 0; at < bytes.size(); at += 4) {
    uint32_t word = 0;
    for (size_t i = 4; i-- > 0;) word = word << 8 | bytes[at + i];
    s += at % 32 == 0 ? "\t.long " : ", ";
    s += fmt::format("{:#x}", word);
    if (at % 32 == 28 || at + 4 == bytes.size()) s += "\n";
  }
  return s;
}

std::string print_blocks(const Function& wave, const std::vector<MachineBlock>& blocks,
                         const MachineModel& model) {
  std::string s;
  uint32_t far_jumps = 0;
  for (const MachineBlock& b : blocks) {
    s += fmt::format(".L{}_{}:{}\n", wave.name, b.id.index, b.comment.empty() ? "" : "  ; " + b.comment);
    Loc at;  // last position emitted
    for (const MachineInst& inst : b.insts) {
      if (inst.op == Op::gcn_s_getpc_b64) {
        s += address_of_tables(wave, inst.results[0].first);
        continue;
      }
      if (inst.op == Op::gcn_s_setpc_b64) {
        s += far_jump(wave.name, inst.target.index, far_jumps++);
        continue;
      }
      std::string text = print_instruction(inst, model);
      if (inst.target.valid()) text += fmt::format(" .L{}_{}", wave.name, inst.target.index);
      std::string comment = inst.comment;
      if (inst.loc.line && !inst.loc.same_line(at))
        comment += (comment.empty() ? "" : "; ") + describe_line(wave, inst.loc);
      if (inst.loc.line) at = inst.loc;
      s += comment.empty() ? fmt::format("\t{}\n", text) : fmt::format("\t{:<48}; {}\n", text, comment);
    }
  }
  return s;
}

std::string print_kernel(const Function& wave, const std::vector<MachineBlock>& blocks,
                         const GcnResources& resources, const MachineModel& model) {
  std::string s =
      fmt::format("\t.text\n\t.globl {0}\n\t.p2align 8\n\t.type {0},@function\n{0}:\n", wave.name);
  s += print_blocks(wave, blocks, model);
  s += fmt::format(".Lend_{0}:\n\t.size {0}, .Lend_{0}-{0}\n\n\t.rodata\n", wave.name);
  s += print_tables(wave) + fmt::format("\t.p2align 6\n\t.amdhsa_kernel {}\n", wave.name);
  auto directive = [&](std::string_view name, uint32_t value) {
    s += fmt::format("\t\t.amdhsa_{} {}\n", name, value);
  };
  if (!model.flat_scratch) directive("user_sgpr_private_segment_buffer", 1);
  directive("user_sgpr_dispatch_ptr", 1);
  directive("user_sgpr_kernarg_segment_ptr", 1);
  directive("system_sgpr_workgroup_id_x", 1);
  directive("system_sgpr_workgroup_id_y", 1);
  directive("system_sgpr_workgroup_id_z", 1);
  directive(model.flat_scratch ? "enable_private_segment" : "system_sgpr_private_segment_wavefront_offset",
            resources.scratch_bytes ? 1 : 0);
  directive("system_vgpr_workitem_id", 2);
  directive("kernarg_size", resources.kernarg_bytes);
  directive("private_segment_fixed_size", resources.scratch_bytes);
  directive("group_segment_fixed_size", resources.local_bytes);
  directive("float_denorm_mode_32", 3);  // the default flushes denormals
  directive("float_denorm_mode_16_64", 3);
  directive("ieee_mode", 0);  // with it set, min and max of a number and a signalling NaN would be NaN
  directive("next_free_vgpr", resources.vgprs);
  directive("next_free_sgpr", resources.sgprs);
  if (model.even_tuples) directive("accum_offset", align_to(std::max(resources.vgprs, 1u), 4));
  return s + "\t.end_amdhsa_kernel\n\n";
}

std::string print_metadata(const Function& wave, const GcnResources& resources) {
  // Names carry the YAML string tag: otherwise a parameter named y would be a boolean.
  std::string s = fmt::format(
      "  - .name: !str {}\n    .symbol: !str {}.kd\n"
      "    .kernarg_segment_size: {}\n    .kernarg_segment_align: 8\n    .group_segment_fixed_size: {}\n"
      "    .private_segment_fixed_size: {}\n    .wavefront_size: {}\n    .sgpr_count: {}\n    .vgpr_count: "
      "{}\n"
      "    .max_flat_workgroup_size: {}\n",
      wave.name, wave.name, resources.kernarg_bytes, resources.local_bytes, resources.scratch_bytes,
      wave.width, resources.sgprs, resources.vgprs, resources.max_group_items);
  if (const auto& size = wave.reqd_local; size[0])
    s += fmt::format("    .reqd_workgroup_size: [{}, {}, {}]\n", size[0], size[1], size[2]);
  s += "    .args:\n";
  KernargLayout layout = kernarg_layout(wave);
  const auto& params = wave.block(wave.entry()).params;
  for (size_t i = 0; i < layout.offsets.size();) {
    Type type = wave.type(params[i]);
    const SourceParameter p = source_parameter(wave, i);
    if (layout.offsets[i] == KernargLayout::kInObject) {
      ++i;
      continue;
    }
    if (p.has_parts())
      s += fmt::format(
          "      - {{.name: !str {}, .offset: {}, .size: {}, .value_kind: by_value, .type_name: '{}'}}\n",
          p.name, layout.offsets[i] - part_offset(wave.params[i]), p.size, whole_name(wave, p));
    else
      s += fmt::format("      - {{.name: !str {}, .offset: {}, .size: {}, .value_kind: {}{}}}\n",
                       wave.params[i].name, layout.offsets[i], type.bytes(), value_kind(type),
                       type_name(type, wave.params[i]));
    i += p.count;
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
