// SPDX-License-Identifier: Apache-2.0
#include "backends/spirv/launch.h"

#include <fmt/format.h>

#include <cstddef>

#include "ir/check.h"

namespace kc::spirv {

void LaunchCode::begin() {
  Word i32 = c.type(Elem::I32), i64 = c.type(Elem::I64);
  if (sized_at_load_) {
    for (Word d = 0; d < 3; ++d) sizes_[d] = c.m.spec_constant(d, options_.local_size[d]);
    Word size = c.m.spec_composite(c.m.type_vector(i32, 3), {sizes_.begin(), sizes_.end()});
    const Word operand[] = {static_cast<Word>(spv::BuiltIn::WorkgroupSize)};
    c.m.decorate(size, spv::Decoration::BuiltIn, operand);
  }
  Word push_type = c.m.type_struct({i64, i32, i32, i32});
  c.m.decorate(push_type, spv::Decoration::Block);
  c.m.name(push_type, "Push");
  c.m.decorate_member(push_type, 0, spv::Decoration::Offset, offsetof(VulkanPush, block));
  for (Word d = 0; d < 3; ++d)
    c.m.decorate_member(push_type, 1 + d, spv::Decoration::Offset, offsetof(VulkanPush, group_base) + 4 * d);
  push_ = c.m.variable(c.m.type_pointer(spv::StorageClass::PushConstant, push_type),
                       spv::StorageClass::PushConstant);
  c.m.name(push_, "push");
  interface_.push_back(push_);
  block_ = push_member(Elem::I64, c.m.type_pointer(spv::StorageClass::PushConstant, i64), 0);
  c.m.name(block_, "block");
}

Word LaunchCode::push_member(Elem e, Word pointer_type, Word member) {
  Word pointer = c.m.id();
  c.m.code(spv::Op::OpAccessChain, {pointer_type, pointer, push_, c.constant(Elem::I32, member)});
  return c.make(spv::Op::OpLoad, e, {pointer});
}

Word LaunchCode::block_field(Elem e, size_t offset) {
  Word address = block_;
  if (offset) address = c.make(spv::Op::OpIAdd, Elem::I64, {block_, c.constant(Elem::I64, offset)});
  return c.load(e, address);
}

Word LaunchCode::input(spv::BuiltIn builtin, unsigned dim) {
  Word vector = c.m.type_vector(c.type(Elem::I32), 3);
  Word& loaded = builtins_[builtin];
  if (!loaded) {
    Word variable =
        c.m.variable(c.m.type_pointer(spv::StorageClass::Input, vector), spv::StorageClass::Input);
    const Word operand[] = {static_cast<Word>(builtin)};
    c.m.decorate(variable, spv::Decoration::BuiltIn, operand);
    interface_.push_back(variable);
    loaded = c.m.id();
    c.m.code(spv::Op::OpLoad, {vector, loaded, variable});
  }
  Word component = c.make(spv::Op::OpCompositeExtract, Elem::I32, {loaded, dim});
  if (builtin != spv::BuiltIn::WorkgroupId) return component;
  Word pointer_type = c.m.type_pointer(spv::StorageClass::PushConstant, c.type(Elem::I32));
  return c.make(spv::Op::OpIAdd, Elem::I32, {component, push_member(Elem::I32, pointer_type, 1 + dim)});
}

Word LaunchCode::position64(Op op, unsigned dim) {
  Word& known = positions_[{op, dim}];
  if (known) return known;
  auto wide = [&](Word x) { return c.make(spv::Op::OpUConvert, Elem::I64, {x}); };
  auto local = [&] {
    return sized_at_load_ ? wide(sizes_[dim]) : c.constant(Elem::I64, options_.local_size[dim]);
  };
  Word result = 0;
  switch (op) {
    case Op::local_id:
      result = wide(input(spv::BuiltIn::LocalInvocationId, dim));
      break;
    case Op::group_id:
      result = wide(input(spv::BuiltIn::WorkgroupId, dim));
      break;
    case Op::local_size:
      result = local();
      break;
    case Op::global_offset:
      result = block_field(Elem::I64, offsetof(VulkanBlock, global_offset) + 8 * dim);
      break;
    case Op::global_size:
      result = block_field(Elem::I64, offsetof(VulkanBlock, global_size) + 8 * dim);
      break;
    case Op::num_groups:
      result = c.make(spv::Op::OpUDiv, Elem::I64, {position64(Op::global_size, dim), local()});
      break;
    case Op::global_id: {
      Word first = c.make(spv::Op::OpIMul, Elem::I64, {position64(Op::group_id, dim), local()});
      Word item = c.make(spv::Op::OpIAdd, Elem::I64, {first, position64(Op::local_id, dim)});
      result = c.make(spv::Op::OpIAdd, Elem::I64, {item, position64(Op::global_offset, dim)});
      break;
    }
    case Op::work_dim:
      result = wide(block_field(Elem::I32, offsetof(VulkanBlock, work_dim)));
      break;
    default:
      KC_CHECK(false, "spirv: {} is no position", name_of(op));
  }
  return positions_[{op, dim}] = result;
}

Word LaunchCode::zero() {
  if (!zero_) zero_ = block_field(Elem::I32, offsetof(VulkanBlock, zero));
  return zero_;
}

Word LaunchCode::never() {
  KC_CHECK(zero_, "spirv: the zero was not loaded at the start");
  return c.make(spv::Op::OpIEqual, Elem::I1, {zero_, c.constant(Elem::I32, ++nevers_)});
}

void LaunchCode::report_cut() {
  Word address =
      c.make(spv::Op::OpIAdd, Elem::I64, {block_, c.constant(Elem::I64, offsetof(VulkanBlock, cut))});
  c.store(Elem::I32, address, c.constant(Elem::I32, 1));
}

Word LaunchCode::position(Op op, unsigned dim, Elem result) {
  const bool known = positions_.contains({op, dim});
  Word id = position64(op, dim);
  if (!known) c.m.name(id, op == Op::work_dim ? "work_dim" : fmt::format("{}_{}", name_of(op), "xyz"[dim]));
  return result == Elem::I64 ? id : c.make(spv::Op::OpUConvert, result, {id});
}

Word LaunchCode::parameter(const ImageParam& param, Elem e) {
  if (e != Elem::I1) return block_field(e, sizeof(VulkanBlock) + param.offset);
  Word byte = block_field(Elem::I8, sizeof(VulkanBlock) + param.offset);
  return c.make(spv::Op::OpINotEqual, Elem::I1, {byte, c.zero(Elem::I8)});
}

}  // namespace kc::spirv
