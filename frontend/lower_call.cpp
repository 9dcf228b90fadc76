// SPDX-License-Identifier: Apache-2.0
// Inlined calls and built-in functions.
#include "frontend/builtins.h"
#include "frontend/lower.h"

namespace kc::front {

ValueId Lowering::lower_call(const CallExpr* e) {
  if (e->call_kind == CallKind::Function) return inline_call(e);
  if (e->call_kind == CallKind::Builtin) return lower_builtin(e);
  ValueId v = lower(e->arguments[0]);
  if (failed_) return {};
  at(e->range);
  const Type* from = e->arguments[0]->type;
  if (e->call_kind == CallKind::Convert) return convert(v, from, e->type);
  kc::Type target = ir_type(e->type);
  return ir_type(from) == target ? v : b_.make(Op::bitcast, target, {v});
}

ValueId Lowering::inline_call(const CallExpr* e) {
  FunctionDecl* callee = e->function->definition;
  Frame frame;
  frame.function = callee;
  frame.variables.resize(callee->variables);
  frame.labels.resize(callee->labels);
  std::vector<ValueId> arguments;
  for (size_t i = 0; i < e->arguments.size(); ++i) {
    const VarDecl* parameter = callee->parameters[i];
    ValueId value = lower(e->arguments[i]);
    if (over_budget(e->range)) return {};
    if (parameter->type->is_aggregate()) {  // copied before the next argument can change it
      at(e->arguments[i]->range);
      store(place_of(storage_of(frame, parameter), parameter->type), value);
      value = {};
    }
    arguments.push_back(value);
  }
  if (over_budget(e->range)) return {};
  at(e->range);
  const Type* type = callee->return_type;
  frame.return_block = new_block("return");
  if (!type->is_void()) frame.result = add_storage(callee->name, type);
  if (type->is_scalar()) b_.set(frame.result.variable, zero(type));  // running off the end gives 0
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].valid())
      store(place_of(storage_of(frame, callee->parameters[i]), callee->parameters[i]->type), arguments[i]);
  Frame* caller = frame_;
  frame_ = &frame;
  lower(callee->body);
  frame_ = caller;
  if (failed_) return {};
  b_.br(frame.return_block);
  start(frame.return_block);
  at(e->range);
  return type->is_void() ? ValueId() : load(place_of(frame.result, type));
}

ValueId Lowering::work_item(const BuiltinRow& row, const Expr* dimension) {
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

ValueId Lowering::minimum(const Type* type, ValueId a, ValueId b, bool maximum) {
  kc::Type t = ir_type(type);
  if (type->is_floating()) {
    ValueId second = b_.make(Op::flt, kI1, {maximum ? a : b, maximum ? b : a});
    return b_.make(Op::select, t, {second, b, a});
  }
  bool s = type->is_signed();
  return b_.make(maximum ? (s ? Op::smax : Op::umax) : (s ? Op::smin : Op::umin), t, {a, b});
}

ValueId Lowering::lower_builtin(const CallExpr* e) {
  const BuiltinRow& row = *e->builtin;
  if (row.shape == BuiltinShape::WorkItem) return work_item(row, e->arguments[0]);
  std::vector<ValueId> v;
  for (const Expr* a : e->arguments) v.push_back(lower(a));
  if (failed_) return {};
  at(e->range);
  const Type* type = e->arguments.empty() ? nullptr : e->arguments[0]->type;
  kc::Type t = ir_type(type ? type : e->type);
  switch (row.shape) {
    case BuiltinShape::WorkItem:
      break;
    case BuiltinShape::WorkDim:
      return b_.make(row.op, kI32, {});
    case BuiltinShape::Min:
      return minimum(type, v[0], v[1], false);
    case BuiltinShape::Max:
      return minimum(type, v[0], v[1], true);
    case BuiltinShape::Clamp:
      if (type->is_floating()) return b_.make(Op::fmin, t, {b_.make(Op::fmax, t, {v[0], v[1]}), v[2]});
      return minimum(type, minimum(type, v[0], v[1], true), v[2], false);
    case BuiltinShape::Abs:
      if (!type->is_signed()) return v[0];
      return b_.make(Op::smax, t, {v[0], b_.make(Op::sub, t, {f_->constant(t, 0), v[0]})});
    case BuiltinShape::Multiply:
      return b_.make(Op::mul, t, {v[0], v[1]});
    case BuiltinShape::MultiplyAdd:
      return b_.make(Op::add, t, {b_.make(Op::mul, t, {v[0], v[1]}), v[2]});
    case BuiltinShape::Rotate: {  // counts are taken modulo the width, so 0 works too
      ValueId back = b_.make(Op::sub, t, {f_->constant(t, 0), v[1]});
      return b_.make(Op::or_, t, {b_.make(Op::shl, t, {v[0], v[1]}), b_.make(Op::lshr, t, {v[0], back})});
    }
    case BuiltinShape::Integer:
    case BuiltinShape::Float:
      return b_.make(row.op, t, std::move(v));
    case BuiltinShape::IsNan:
      return b_.make(Op::zext, kI32, {b_.make(Op::fne, kI1, {v[0], v[0]})});
  }
  return {};
}

}  // namespace kc::front
