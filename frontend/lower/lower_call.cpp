// SPDX-License-Identifier: Apache-2.0
// Calls of inlined functions and of built-in functions.
#include "frontend/lower/linear_id.h"
#include "frontend/lower/lower.h"
#include "frontend/sema/builtins.h"

namespace kc::front {

Value KernelLowering::lower_call(const CallExpr* e) {
  if (e->call_kind == CallKind::Function) {
    auto region = open_regions_.find(e->function->definition);
    return region == open_regions_.end() ? inline_call(e) : call_region(e, *region->second);
  }
  if (e->call_kind == CallKind::Access) return lower_access(e);
  if (e->call_kind == CallKind::Builtin) {
    bool whole = e->builtin->shape >= BuiltinShape::BallotMask && e->builtin->shape <= BuiltinShape::Shuffle;
    return whole ? lower_of_vectors(e) : Value(lower_builtin(e));
  }
  Value v = lower(e->arguments[0]);
  if (failed_) return {};
  at(e->range);
  const Type* from = e->arguments[0]->type;
  if (e->call_kind == CallKind::Convert) return lower_conversion(v, from, e->type, *e->conversion);
  return reinterpret(v, from, e->type);
}

Value KernelLowering::inline_call(const CallExpr* e) {
  FunctionDecl* callee = e->function->definition;
  InlineFrame frame;
  frame.function = callee;
  frame.variables.resize(callee->variables);
  frame.labels.resize(callee->labels);
  for (size_t i = 0; i < e->arguments.size(); ++i) {
    const VarDecl* parameter = callee->parameters[i];
    Value value = lower(e->arguments[i]);
    if (over_budget(e->range)) return {};
    if (parameter->type->parts() == 0) {  // copied, because the next argument may change it
      at(e->arguments[i]->range);
      store(lvalue_of(storage_of(frame, parameter), parameter->type), value);
      value = {};
    }
    frame.arguments.push_back(value);
  }
  if (over_budget(e->range)) return {};
  at(e->range);
  remark(e->range, callee, "is inlined");
  const Type* type = callee->return_type;
  frame.returns_at_end = type->parts() && plan_.returns_at_end(callee);
  if (!frame.returns_at_end) {
    frame.return_block = new_block("return");
    if (!type->is_void()) frame.result = add_storage(callee->name, type);
    if (!type->is_void() && type->parts())  // a function that ends without a return gives 0
      store(lvalue_of(frame.result, type), zero(type));
  }
  for (const VarDecl* parameter : callee->parameters) {
    Value& argument = frame.arguments[parameter->index];
    if (!argument.valid() || !(parameter->in_memory || parameter->is_written)) continue;
    store(lvalue_of(storage_of(frame, parameter), parameter->type), argument);
    argument = {};
  }
  bool opens = !in_run_ && plan_.is_pinned(frame_->function) && !plan_.is_pinned(callee);
  if (opens) lower_regions(plan_.regions_below(callee), callee->range);
  if (failed_) return {};
  InlineFrame* caller = frame_;
  if (callee->is_prelude && !caller->function->is_prelude) prelude_call_ = e->range;
  frame_ = &frame;
  lower(callee->body);
  frame_ = caller;
  if (opens) open_regions_.clear();
  if (failed_) return {};
  if (frame.returns_at_end) {
    at(e->range);
    return frame.returned;
  }
  b_.br(frame.return_block);
  start(frame.return_block);
  at(e->range);
  return type->is_void() ? Value() : load(lvalue_of(frame.result, type));
}

ValueId linear_id(Builder& b, bool in_group) {
  auto id = [&](Op op, int64_t dim) { return b.make(op, kI64, {}, {dim}); };
  ValueId linear;
  for (int64_t dim = 2; dim >= 0; --dim) {
    ValueId here = id(in_group ? Op::local_id : Op::global_id, dim);
    if (!in_group) here = b.make(Op::sub, kI64, {here, id(Op::global_offset, dim)});
    Op size = in_group ? Op::local_size : Op::global_size;
    if (linear.valid()) linear = b.make(Op::mul, kI64, {linear, id(size, dim)});
    linear = linear.valid() ? b.make(Op::add, kI64, {linear, here}) : here;
  }
  return linear;
}

ValueId group_size(Builder& b) {
  ValueId size = b.make(Op::local_size, kI64, {}, {0});
  for (int64_t dim : {1, 2}) size = b.make(Op::mul, kI64, {size, b.make(Op::local_size, kI64, {}, {dim})});
  return size;
}

ValueId KernelLowering::work_item(const BuiltinRow& row, const Expr* dimension) {
  if (dimension->is_constant) {
    uint64_t dim = static_cast<uint64_t>(dimension->constant);
    return dim > 2 ? b_.i64(row.otherwise) : b_.make(row.op, kI64, {}, {static_cast<int64_t>(dim)});
  }
  ValueId wanted = lower(dimension);
  if (failed_) return {};
  ValueId result = b_.i64(row.otherwise);
  for (int32_t dim = 2; dim >= 0; --dim) {
    ValueId is_this = b_.make(Op::eq, kI1, {wanted, b_.i32(dim)});
    result = b_.make(Op::select, kI64, {is_this, b_.make(row.op, kI64, {}, {dim}), result});
  }
  return result;
}

ValueId KernelLowering::minimum(const Type* type, ValueId a, ValueId b, bool maximum) {
  kc::Type t = ir_type(type);
  if (type->is_floating()) {
    ValueId second = b_.make(Op::flt, kI1, {maximum ? a : b, maximum ? b : a});
    return b_.make(Op::select, t, {second, b, a});
  }
  bool s = type->is_signed();
  return b_.make(maximum ? (s ? Op::smax : Op::umax) : (s ? Op::smin : Op::umin), t, {a, b});
}

ValueId KernelLowering::lower_builtin(const CallExpr* e) {
  const BuiltinRow& row = *e->builtin;
  switch (row.shape) {
    case BuiltinShape::WorkItem:
      return work_item(row, e->arguments[0]);
    case BuiltinShape::LinearId:
      return linear_id(b_, row.op == Op::local_id);
    case BuiltinShape::Barrier:
    case BuiltinShape::Fence:
    case BuiltinShape::AsyncWait:
      lower_barrier(e);
      return {};
    case BuiltinShape::AsyncCopy:
      return lower_async_copy(e);
    case BuiltinShape::CopyBytes:
    case BuiltinShape::SetBytes:
      lower_bytes(e);
      return {};
    case BuiltinShape::Assert:
      lower_assert(e);
      return {};
    case BuiltinShape::Printf:
      return lower_printf(e);
    case BuiltinShape::Atomic:
    case BuiltinShape::AtomicOrdered:
    case BuiltinShape::AtomicExchange:
    case BuiltinShape::AtomicStep:
      return lower_atomic(e);
    case BuiltinShape::AtomicObject:
      return lower_atomic_object(e);
    case BuiltinShape::SubGroupBallot:
    case BuiltinShape::SubGroupVote:
    case BuiltinShape::SubGroupEqual:
    case BuiltinShape::SubGroupLane:
    case BuiltinShape::SubGroupFold:
    case BuiltinShape::SubGroupBits:
      return lower_sub_group(e);
    case BuiltinShape::GroupVote:
    case BuiltinShape::GroupBroadcast:
    case BuiltinShape::GroupFold:
      return lower_work_group(e);
    default:
      break;
  }
  std::vector<ValueId> v;
  for (const Expr* a : e->arguments)
    v.push_back(row.shape == BuiltinShape::Select && v.size() == 2 ? lower_bit(a) : ValueId(lower(a)));
  if (failed_) return {};
  at(e->range);
  const Type* type = e->arguments.empty() ? e->type : e->arguments[0]->type;
  kc::Type t = ir_type(type);
  if (row.shape == BuiltinShape::Select) return b_.make(Op::select, t, {v[2], v[1], v[0]});
  if (row.op != Op::Count_) return b_.make(row.op, ir_type(e->type), std::move(v));
  switch (row.shape) {
    case BuiltinShape::Number:
      return number_builtin(row, type, v);
    case BuiltinShape::FloatTest:
      return b_.make(Op::zext, kI32, {float_test(row, type, v)});
    case BuiltinShape::Split:
    case BuiltinShape::SplitExponent:
      return split_float(row, type, v[0], v[1]);
    case BuiltinShape::IntegerDot:
      return integer_dot(row, v);
    case BuiltinShape::Prefetch:  // a hint without effect
      return {};
    case BuiltinShape::Float:
    case BuiltinShape::Scale:
    case BuiltinShape::FromBits:
      return float_builtin(row, e->type, v);
    default:
      return integer_builtin(row, type, v);
  }
}

ValueId KernelLowering::number_builtin(const BuiltinRow& row, const Type* type, std::span<const ValueId> v) {
  kc::Type t = ir_type(type);
  switch (row.id) {
    case Builtin::min:
      return minimum(type, v[0], v[1], false);
    case Builtin::max:
      return minimum(type, v[0], v[1], true);
    case Builtin::clamp:
      if (type->is_floating()) return b_.make(Op::fmin, t, {b_.make(Op::fmax, t, {v[0], v[1]}), v[2]});
      return minimum(type, minimum(type, v[0], v[1], true), v[2], false);
    default:
      return bitselect(type, v);
  }
}

}  // namespace kc::front
