// SPDX-License-Identifier: Apache-2.0
// Vectors. The IR has no vectors, so each component is a separate value, variable or lvalue.
#include "frontend/lower/lower.h"

namespace kc::front {

LValue KernelLowering::component(const LValue& vector, unsigned i) {
  uint32_t index = static_cast<uint32_t>(vector.selection >> (4 * i)) & 15;
  LValue p;
  p.type = vector.type->component();
  if (vector.variable.valid())
    p.variable = VarId{vector.variable.index + index};
  else
    p.address = offset_by(vector.address, index * p.type->size());
  p.align = vector.align < p.type->align() ? vector.align : 0;
  p.is_volatile = vector.is_volatile;
  return p;
}

LValue KernelLowering::swizzled(const MemberExpr* e) {
  LValue p = lvalue(e->base);
  if (failed_) return p;
  at(e->range);
  p.selection = e->selection;
  if (!e->type->is_vector()) return component(p, 0);
  p.type = e->type;
  return p;
}

Value KernelLowering::lower_swizzle(const MemberExpr* e) {
  if (Value value = argument_of(e); value.valid()) return value;
  if (e->base->is_lvalue) return load(swizzled(e));
  Value base = lower(e->base);
  return failed_ ? Value() : base.select(e->selection, e->type->components());
}

Value KernelLowering::lower_vector_literal(const VectorLiteralExpr* e) {
  Value v;
  for (const Expr* item : e->items) {
    Value part = lower(item);
    if (failed_) return {};
    unsigned count = e->items.size() == 1 ? e->type->components() : part.count();
    for (unsigned i = 0; i < count; ++i) v.add(part.part(i));
  }
  return v;
}

// Evaluates each operand once, then the scalar expression for each component.
Value KernelLowering::lower_elementwise(const ElementwiseExpr* e) {
  for (const ComponentExpr* c = e->first; c; c = c->next)
    if (c->source) {
      Value operand = lower(c->source);
      if (failed_) return {};
      operands_[c] = operand;
    }
  Value v;
  for (unsigned i = 0; i < e->type->components() && !failed_; ++i) {
    component_ = i;
    v.add(lower(e->scalar));
  }
  for (const ComponentExpr* c = e->first; c; c = c->next) operands_.erase(c);
  return v;
}

ValueId KernelLowering::lower_component(const ComponentExpr* e) {
  const Value& operand = operands_.at(e);
  if (!e->type->is_pointer()) return operand.part(component_);
  return offset_by(operand.part(0), component_ * e->type->element->size());
}

}  // namespace kc::front
