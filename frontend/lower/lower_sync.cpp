// SPDX-License-Identifier: Apache-2.0
// Barriers, fences, atomics and assertions.
#include "frontend/lower/linear_id.h"
#include "frontend/lower/lower.h"
#include "frontend/sema/builtins.h"

namespace kc::front {

namespace {

// The text of an expression on one line, as far as a report needs it.
std::string text_of(const Sources& sources, SourceRange range) {
  range = sources.in_file(range);
  if (range.end < range.begin) return {};
  std::string text;
  for (char c : sources.spelling_from(range.begin).substr(0, range.end - range.begin)) {
    bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\\';
    if (!blank)
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
    if (text.size() >= 80) return text + "...";
  }
  return text;
}

// The type of the memory selects the minimum and maximum; a float is exchanged as its bits.
ValueId atomic_operation(Builder& b, Op op, const Type* element, std::vector<ValueId> v) {
  const kc::Type type = ir_type(element);
  if (element->is_integer() && !element->is_signed()) {
    if (op == Op::atomic_smin) op = Op::atomic_umin;
    if (op == Op::atomic_smax) op = Op::atomic_umax;
  }
  if (!type.is_float()) return b.make(op, type, std::move(v));
  v[1] = b.make(Op::bitcast, kI32, {v[1]});
  return b.make(Op::bitcast, type, {b.make(op, kI32, std::move(v))});
}

}  // namespace

// The trap site for reports from this source location; each location has one.
int64_t KernelLowering::trap_site(TrapKind kind, std::string text) {
  auto [known, fresh] =
      trap_ids_.emplace(std::tuple(kind, b_.loc, text), static_cast<int64_t>(f_->traps.size()));
  if (fresh) f_->traps.push_back({kind, std::move(text), b_.loc});
  return known->second;
}

void KernelLowering::lower_barrier(const CallExpr* e) {
  const bool waits = e->builtin->shape == BuiltinShape::AsyncWait;  // for copies in both directions
  const Expr* flags = e->arguments[0];
  for (const Expr* a : e->arguments)
    if (!a->is_constant) lower(a);
  if (failed_) return;
  at(e->range);
  int64_t kinds = flags->is_constant && !waits ? flags->constant & 3 : 3;
  if (e->builtin->is_meeting()) anchors_.convergent_operation(e->builtin->op == Op::sub_group_barrier);
  if (e->builtin->shape == BuiltinShape::Fence)
    b_.emit(e->builtin->op, {}, {}, {kinds});
  else
    b_.emit(Op::barrier, {}, {}, {kinds, trap_site(TrapKind::DivergentBarrier, "")});
}

// Each work-item copies the elements whose index is congruent to its local id modulo the group size. Waiting
// for the event is a barrier.
ValueId KernelLowering::lower_async_copy(const CallExpr* e) {
  std::vector<ValueId> v;
  for (const Expr* a : e->arguments) v.push_back(lower(a));
  if (over_budget(e->range)) return {};
  at(e->range);
  const Type *to = e->arguments[0]->type, *from = e->arguments[1]->type, *element = to->element;
  auto op = [&](Op o, ValueId a, ValueId b) { return b_.make(o, kI64, {a, b}); };
  ValueId first = linear_id(b_, true), count = group_size(b_);
  BlockId head = new_block("copy"), body = new_block("element"), done = new_block("copied");
  b_.br(head, {first});
  start(head);
  ValueId i = f_->add_param(head, kI64);
  b_.br_if(b_.make(Op::ult, kI1, {i, v[2]}), {body, {}}, {done, {}});
  start(body);
  ValueId far = v.size() > 4 ? op(Op::mul, i, v[3]) : i;  // in global memory
  auto place_in = [&](const Type* pointer, ValueId base) {
    ValueId index = pointer->space == AddressSpace::Local ? i : far;
    return b_.make(Op::ptr_add, ir_type(pointer), {base, index}, {static_cast<int64_t>(element->size())});
  };
  ValueId there = place_in(to, v[0]);
  copy(there, place_in(from, v[1]), element);
  b_.br(head, {op(Op::add, i, count)});
  start(done);
  return v.back();
}

void KernelLowering::lower_assert(const CallExpr* e) {
  BlockId passed = new_block("passed"), broken = new_block("broken");
  lower_condition(e->arguments[0], passed, broken);
  if (failed_) return;
  start(broken);
  at(e->range);
  b_.emit(Op::trap, {b_.i32(0)}, {},
          {trap_site(TrapKind::Assert, text_of(diagnostics_.sources(), e->arguments[0]->range))});
  start(passed);
}

ValueId KernelLowering::lower_atomic(const CallExpr* e) {
  const BuiltinRow& row = *e->builtin;
  std::vector<ValueId> v;
  for (const Expr* a : e->arguments) v.push_back(lower(a));
  if (failed_) return {};
  at(e->range);
  if (row.shape == BuiltinShape::AtomicStep) v.push_back(f_->constant(ir_type(e->type), 1));
  return atomic_operation(b_, row.op, e->type, std::move(v));
}

// An access whose order is not known to be relaxed stands between two fences.
ValueId KernelLowering::lower_atomic_object(const CallExpr* e) {
  const BuiltinRow& row = *e->builtin;
  const auto values = static_cast<size_t>(row.parameters);
  std::vector<ValueId> v;
  bool is_relaxed = row.op == Op::store || row.otherwise == 1;
  for (size_t i = 0; i < e->arguments.size(); ++i) {
    const Expr* a = e->arguments[i];
    const bool is_scope = i == values + (row.op == Op::atomic_cmpxchg ? 2 : 1);
    if (i >= values && !is_scope) is_relaxed &= a->is_constant && a->constant == 0;
    ValueId value = lower(a);
    if (i < values) v.push_back(value);
  }
  if (over_budget(e->range)) return {};
  at(e->range);
  auto fence = [&] {
    if (!is_relaxed) b_.emit(Op::fence, {}, {}, {3});
  };
  fence();
  const Type* element = e->arguments[0]->type->element;
  const kc::Type type = ir_type(element);
  ValueId result;
  if (row.op == Op::store || row.op == Op::volatile_store) {
    b_.emit(row.op, {v[0], values > 1 ? v[1] : f_->constant(type, 0)});
  } else if (row.op == Op::volatile_load) {
    result = b_.make(row.op, type, {v[0]});
  } else if (row.op == Op::atomic_cmpxchg) {
    ValueId expected = b_.make(Op::load, type, {v[1]});
    ValueId old = b_.make(row.op, type, {v[0], expected, v[2]});
    b_.emit(Op::store, {v[1], old});
    result = b_.make(Op::eq, kI1, {old, expected});
  } else if (values == 1) {  // a flag
    result =
        b_.make(Op::ne, kI1, {b_.make(row.op, type, {v[0], f_->constant(type, 1)}), f_->constant(type, 0)});
  } else {
    result = atomic_operation(b_, row.op, element, std::move(v));
  }
  fence();
  return result;
}

}  // namespace kc::front
