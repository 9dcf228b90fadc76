// SPDX-License-Identifier: Apache-2.0
// Barriers, fences, atomics and assertions.
#include "frontend/lower/lower.h"
#include "frontend/sema/builtins.h"

namespace kc::front {

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
  if (e->builtin->is_meeting()) anchors_.convergent_operation();
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
  ValueId first = b_.i64(0), count = b_.i64(1);
  for (int64_t dim = 2; dim >= 0; --dim) {
    ValueId size = b_.make(Op::local_size, kI64, {}, {dim});
    first = op(Op::add, op(Op::mul, first, size), b_.make(Op::local_id, kI64, {}, {dim}));
    count = op(Op::mul, count, size);
  }
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

// The text of an expression on one line, as far as a report needs it.
std::string KernelLowering::text_of(SourceRange range) const {
  const Sources& sources = diagnostics_.sources();
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

void KernelLowering::lower_assert(const CallExpr* e) {
  BlockId passed = new_block("passed"), broken = new_block("broken");
  lower_condition(e->arguments[0], passed, broken);
  if (failed_) return;
  start(broken);
  at(e->range);
  b_.emit(Op::trap, {b_.i32(0)}, {}, {trap_site(TrapKind::Assert, text_of(e->arguments[0]->range))});
  start(passed);
}

ValueId KernelLowering::lower_atomic(const CallExpr* e) {
  const BuiltinRow& row = *e->builtin;
  std::vector<ValueId> v;
  for (const Expr* a : e->arguments) v.push_back(lower(a));
  if (failed_) return {};
  at(e->range);
  kc::Type type = ir_type(e->type);
  Op op = row.op;
  if (row.shape == BuiltinShape::AtomicOrdered && !e->type->is_signed())
    op = op == Op::atomic_smin ? Op::atomic_umin : Op::atomic_umax;
  if (row.shape == BuiltinShape::AtomicStep) v.push_back(f_->constant(type, 1));
  if (!type.is_float()) return b_.make(op, type, std::move(v));
  v[1] = b_.make(Op::bitcast, kI32, {v[1]});
  return b_.make(Op::bitcast, type, {b_.make(op, kI32, std::move(v))});
}

}  // namespace kc::front
