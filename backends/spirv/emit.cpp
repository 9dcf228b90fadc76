// SPDX-License-Identifier: Apache-2.0
// The module as a whole, and the code of its blocks.
#include <fmt/format.h>

#include <algorithm>

#include "backends/spirv/emitter.h"
#include "backends/spirv/parameters.h"
#include "ir/check.h"
#include "ir/launch.h"
#include "ir/text.h"
#include "passes/analysis/convergent_operations.h"
#include "passes/pipeline.h"

namespace kc {
namespace spirv {

// --- values

Word Emitter::value(ValueId v) {
  const Value& info = f.value(v);
  if (info.kind == ValueKind::Const && info.type == kPtrLocal) return memory_.local.constant(info.bits);
  if (info.kind == ValueKind::Const) return c.constant(info.type.elem, info.bits);
  if (info.kind == ValueKind::Undef) return c.zero(info.type.elem);
  if (auto it = again_.find(v); it != again_.end()) return it->second;
  KC_CHECK(values_[v.index], "spirv: value {} of kernel {} is used before it is emitted", v.index, f.name);
  return leaving_.demoted[v.index] ? load_demoted(v) : values_[v.index];
}

Word Emitter::load_demoted(ValueId v) { return c.make(spv::Op::OpLoad, f.type(v).elem, {values_[v.index]}); }

// Exit edges before the definition carry no value.
Word Emitter::read_kept(ValueId v) { return values_[v.index] ? load_demoted(v) : c.zero(f.type(v).elem); }

void Emitter::define(ValueId v, Word id) {
  if (asking_) {
    again_[v] = id;
    return;
  }
  if (!leaving_.demoted[v.index]) {
    values_[v.index] = id;
    return;
  }
  Word& variable = values_[v.index];
  if (!variable)
    variable = c.m.local_variable(c.m.type_pointer(spv::StorageClass::Function, c.type(f.type(v).elem)));
  c.m.code(spv::Op::OpStore, {variable, id});
}

Words Emitter::values(std::span<const ValueId> ids) {
  Words words;
  for (ValueId v : ids) words.push_back(value(v));
  return words;
}

// --- code

void Emitter::place(const Loc& loc) {
  const std::string_view name = file_of(f, loc, options_.source_name);
  if (name.empty() || loc.line == 0 || loc.same_line(at_)) return;
  at_ = loc;
  Word& file = files_[loc.file];
  if (!file) file = c.m.string(name);
  c.m.code(spv::Op::OpLine, {file, loc.line, loc.column});
}

void Emitter::begin_block(Word label) {
  c.m.code(spv::Op::OpLabel, {label});
  current_ = label;
  at_ = {};  // a line remains valid until the end of its block
}

// Names a block with its hint from the front end; of several labels in sequence the first gets the name.
void Emitter::name_block(Word label, BlockId block, std::string_view otherwise) {
  const std::string& hint = f.block(block).hint;
  if (label == named_ || (hint.empty() && otherwise.empty())) return;
  named_ = label;
  c.m.name(label, hint.empty() ? otherwise : std::string_view(hint));
}

void Emitter::instruction(const Inst& inst) {
  place(inst.loc);
  if (MemoryCode::handles(inst.op)) {
    Word result = memory_.emit(inst);
    if (result) define(inst.results[0], result);
    return;
  }
  if (SubGroupCode::handles(inst.op)) {
    define(inst.results[0], sub_groups_.emit(inst, values(inst.operands)));
    return;
  }
  switch (inst.op) {
    case Op::global_id:
    case Op::local_id:
    case Op::group_id:
    case Op::global_size:
    case Op::local_size:
    case Op::num_groups:
    case Op::global_offset:
    case Op::work_dim:
      return;  // emitted in the prologue
    default:
      break;
  }
  Operands operands{f.type(inst.operands[0]).elem, values(inst.operands), false};
  if (inst.operands.size() == 2 && f.is_const(inst.operands[1]) && f.type(inst.operands[1]).is_int()) {
    const Value& second = f.value(inst.operands[1]);
    bool is_shift = inst.op == Op::shl || inst.op == Op::lshr || inst.op == Op::ashr;
    uint64_t all_ones = ~uint64_t{0} >> (64 - width(second.type.elem));
    operands.second_is_safe =
        is_shift ? second.bits < width(second.type.elem) : second.bits != 0 && second.bits != all_ones;
  }
  if (inst.op == Op::select) operands.type = f.type(inst.operands[1]).elem;
  opaque_floats_.replace(f, inst, operands.ids);
  Word result = lower_arithmetic(c, inst.op, f.type(inst.results[0]).elem, operands, options_);
  define(inst.results[0], opaque_floats_.result(f, inst, result, c));
}

void Emitter::prologue() {
  launch_.begin();
  if (options_.guard_loop_values || options_.detect_loop_limits || has_convergent_operations(f))
    launch_.zero();
  if (options_.detect_loop_limits) {
    loop_count_ = c.m.local_variable(c.m.type_pointer(spv::StorageClass::Function, c.type(Elem::I32)));
    c.m.code(spv::Op::OpStore, {loop_count_, own_number()});
  }
  opaque_floats_.emit(f, c, launch_);
  memory_.local.declare(image_);
  if (uint64_t bytes = lay_out_objects(f, kPtrPrivate).size) c.declare_private(bytes);
  lay_out_parameters(f, image_);
  const auto& params = f.block(f.entry()).params;
  for (size_t i = 0; i < params.size(); ++i) {
    std::optional<Word> fixed = memory_.local.parameter(i);
    Word id = fixed ? *fixed : launch_.parameter(image_.params[i], f.type(params[i]).elem);
    if (!fixed) c.m.name(id, image_.params[i].name);
    define(params[i], id);
  }
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      bool has_dim = class_of(inst.op) == OpClass::LaunchId;
      if (!has_dim && inst.op != Op::work_dim) continue;
      auto dim = has_dim ? static_cast<unsigned>(inst.attrs[0]) : 0;
      define(inst.results[0], launch_.position(inst.op, dim, f.type(inst.results[0]).elem));
    }
}

// Ends the padding lanes after a row of work-items. If the rows fill their sub-groups, this folds away when
// the pipeline is created.
void Emitter::end_lanes_behind_rows() {
  const Elem e = Elem::I32;
  const bool loops =
      std::ranges::any_of(tree_.joins, [](const Join& join) { return join.loop_header.valid(); });
  if (!options_.lanes_of_rows || !loops) return;
  Word size = launch_.position(Op::local_size, 0, e);
  Word rest = c.make(spv::Op::OpBitwiseAnd, e, {size, c.constant(e, options_.lanes_of_rows - 1)});
  Word x = c.make(spv::Op::OpBitwiseOr, e, {launch_.position(Op::local_id, 0, e), launch_.zero()});
  Word behind = c.make(spv::Op::OpULessThanEqual, Elem::I1, {size, x});
  Word uneven = c.make(spv::Op::OpINotEqual, Elem::I1, {rest, c.zero(e)});
  Word both = c.make(spv::Op::OpLogicalAnd, Elem::I1, {uneven, behind}), stop = c.m.id(), next = c.m.id();
  c.m.code(spv::Op::OpSelectionMerge, {next, 0});
  c.m.code(spv::Op::OpBranchConditional, {both, stop, next});
  begin_block(stop);
  c.m.code(spv::Op::OpReturn, {});
  begin_block(next);
}

void Emitter::modes(Word function) {
  c.m.execution_mode(function, spv::ExecutionMode::LocalSize, options_.local_size);
  auto mode = [&](bool have, spv::Capability capability, spv::ExecutionMode mode, Word bits) {
    if (!have) return;
    c.m.capability(capability);
    const Word operands[] = {bits};
    c.m.execution_mode(function, mode, operands);
  };
  using enum spv::Capability;
  mode(options_.rounding_even32, RoundingModeRTE, spv::ExecutionMode::RoundingModeRTE, 32);
  mode(options_.rounding_even64 && image_.needs_float64, RoundingModeRTE, spv::ExecutionMode::RoundingModeRTE,
       64);
  mode(options_.signed_zero_inf_nan_preserve32, SignedZeroInfNanPreserve,
       spv::ExecutionMode::SignedZeroInfNanPreserve, 32);
  mode(options_.signed_zero_inf_nan_preserve64 && image_.needs_float64, SignedZeroInfNanPreserve,
       spv::ExecutionMode::SignedZeroInfNanPreserve, 64);
}

void Emitter::note_wide_atomics() {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      if (!(info(inst.op).flags & Atomic) || f.type(inst.operands[1]) != kI64) continue;
      (f.type(inst.operands[0]) == kPtrLocal ? image_.needs_local_int64_atomics
                                             : image_.needs_int64_atomics) = true;
    }
}

VulkanImage Emitter::run() {
  KC_CHECK(check_spirv(f, {.sub_group_lanes = 1}).empty(), "spirv: kernel {} was not checked", f.name);
  values_.assign(f.value_count(), 0);
  joins_.resize(tree_.joins.size());
  for (JoinState& join : joins_) join.label = c.m.id();

  c.m.capability(spv::Capability::Shader);
  c.m.capability(spv::Capability::PhysicalStorageBufferAddresses);
  Word function = c.m.id();
  current_ = c.m.id();
  files_.resize(1 + f.files.size());
  if (!options_.source_name.empty()) c.m.source(files_[0] = c.m.string(options_.source_name));
  if (synchronises(f)) c.synchronise();
  c.m.name(function, f.name);
  c.m.function_prologue(function, c.m.type_function(c.m.type_void()), current_);
  prologue();
  end_lanes_behind_rows();
  list(tree_.body);

  image_.kernel = image_.entry_point = f.name;
  image_.local_size = options_.local_size;
  image_.needs_int8 = c.m.has(spv::Capability::Int8);
  image_.needs_int16 = c.m.has(spv::Capability::Int16);
  image_.needs_float64 = c.m.has(spv::Capability::Float64);
  image_.needs_memory_model = c.m.has(spv::Capability::VulkanMemoryModel);
  image_.needs_sub_groups = has_convergent_operations(f) || c.m.has(spv::Capability::GroupNonUniform);
  image_.sized_at_load = launch_.sized_at_load();
  image_.nesting = tree_.nesting;
  note_wide_atomics();
  Words interface = launch_.interface();
  interface.insert(interface.end(), memory_.local.interface().begin(), memory_.local.interface().end());
  interface.insert(interface.end(), sub_groups_.interface().begin(), sub_groups_.interface().end());
  c.m.entry_point(function, f.name, interface);
  modes(function);
  image_.words = c.m.finish();
  return std::move(image_);
}

}  // namespace spirv

VulkanImage emit_spirv(const Function& f, const SpirvOptions& options) {
  return spirv::Emitter(f, options).run();
}

}  // namespace kc
