// SPDX-License-Identifier: Apache-2.0
// printf becomes a message in the hidden buffer that ir/printf.h describes.
#include <fmt/format.h>

#include "frontend/lower/linear_id.h"
#include "frontend/lower/lower.h"
#include "frontend/sema/printf_formats.h"
#include "ir/parameters.h"
#include "ir/printf.h"

namespace kc::front {

namespace {

// The conversion as the host needs it: specifiers without effect are dropped, and the length only says
// whether floats have 32 bits.
std::string canonical(const PrintfConversion& c, const Type* argument) {
  std::string text = "%";
  bool number = c.is_float() || c.is_signed() || c.is_unsigned();
  for (char flag : c.flags) {
    bool sign = flag == '+' || flag == ' ';
    if (flag == '-' || (flag == '0' && number) ||
        (flag == '#' && number && !c.is_signed() && c.kind != 'u') ||
        (sign && (c.is_float() || c.is_signed())))
      text += flag;
  }
  if (c.width) text += std::to_string(*c.width);
  if (c.precision && (number || c.kind == 's')) text += fmt::format(".{}", *c.precision);
  if (c.vector > 1) text += fmt::format("v{}", c.vector);
  bool is_single = c.is_float() && argument->component()->kind == TypeKind::Float;
  return text + (is_single ? "hl" : "") + c.kind;
}

}  // namespace

// One more than the number of constant objects before it.
uint32_t text_number(const Function& f, ObjectId text) {
  uint32_t number = 1;
  for (size_t i = 0; i < text.index; ++i) number += f.objects[i].type == kPtrConstant;
  return number;
}

namespace {

ObjectId add_text(Function& f, std::string_view text) {
  std::vector<uint8_t> bytes(text.begin(), text.end());
  bytes.push_back(0);
  return f.add_object(
      {.name = "format", .type = kPtrConstant, .size = bytes.size(), .init = std::move(bytes)});
}

ValueId message_buffer(Function& f) {
  if (auto known = param_with_role(f, ParamRole::Printf)) return f.block(f.entry()).params[*known];
  return add_hidden_parameter(f, ParamRole::Printf);
}

ValueId in_buffer(Builder& b, ValueId buffer, ValueId index, int64_t offset) {
  return b.make(Op::ptr_add, kPtrGlobal, {buffer, index}, {1, offset});
}
ValueId in_head(Builder& b, ValueId buffer, int64_t offset) { return in_buffer(b, buffer, b.i64(0), offset); }

ValueId as_word(Builder& b, ValueId v, const Type* type) {
  kc::Type t = b.f.type(v);
  if (!t.is_int()) v = b.make(Op::bitcast, t.bits() == 64 ? kI64 : kI32, {v});
  if (t.bits() == 64) return v;
  return b.make(type->is_integer() && type->is_signed() ? Op::sext : Op::zext, kI64, {v});
}

}  // namespace

ValueId KernelLowering::printf_text(const Expr* e) {
  const Expr* pointer = e;
  while (e->kind == ExprKind::Convert) e = as<CastExpr>(e)->operand;
  if (const VarDecl* known = known_text(e)) return b_.i64(text_number(*f_, constant_object(known)));
  if (e->kind != ExprKind::Conditional) {
    ValueId address = lower(pointer);
    return failed_ ? ValueId() : text_at(address);
  }
  const ConditionalExpr* c = as<ConditionalExpr>(e);
  BlockId yes = new_block("yes"), no = new_block("no"), join = new_block("endcond");
  lower_condition(c->condition, yes, no);
  for (auto [block, value] : {std::pair(yes, c->if_true), std::pair(no, c->if_false)}) {
    if (over_budget(e->range)) return {};
    start(block);
    ++nesting_;
    ValueId v = printf_text(value);
    --nesting_;
    if (failed_) return {};
    b_.br(join, {v});
  }
  start(join);
  return f_->add_param(join, kI64);
}

// Reserves space for a message and writes it; gives -1 if the buffer is full.
ValueId KernelLowering::lower_printf(const CallExpr* e) {
  std::string_view text = front::printf_text(literal_of(e->arguments[0]));
  std::string format;
  std::vector<ValueId> words;
  size_t next = 1, at_text = 0;
  for (const PrintfConversion& c : printf_conversions(text)) {
    format += text.substr(at_text, c.begin - at_text);
    at_text = c.end;
    if (c.takes() && next < e->arguments.size()) {
      const Expr* argument = e->arguments[next++];
      Value v = c.kind == 's' ? Value(printf_text(argument)) : lower(argument);
      if (failed_) return {};
      for (unsigned i = 0; i < v.count(); ++i)
        words.push_back(as_word(b_, v.part(i), argument->type->component()));
      format += canonical(c, argument->type);
    } else if (c.kind == '%') {
      format += "%%";
    } else {  // printed as written
      format += "%";
      format += text.substr(c.begin, c.end - c.begin);
    }
  }
  format += text.substr(at_text);
  for (; next < e->arguments.size(); ++next) lower(e->arguments[next]);
  if (over_budget(e->range)) return {};
  at(e->range);
  auto [known, fresh] = formats_.emplace(format, ObjectId());
  if (fresh) known->second = add_text(*f_, format);

  const auto size = static_cast<int64_t>(2 + words.size());
  words.insert(words.begin(), b_.i64((size << 32) | text_number(*f_, known->second)));
  const ValueId buffer = message_buffer(*f_);
  ValueId place = b_.make(Op::atomic_add, kI64, {in_head(b_, buffer, PrintfHead::kUsed), b_.i64(8 * size)});
  ValueId end = b_.make(Op::add, kI64, {place, b_.i64(8 * size)});
  ValueId capacity = b_.make(Op::load, kI64, {in_head(b_, buffer, PrintfHead::kCapacity)});
  BlockId room = new_block("room"), full = new_block("full"), done = new_block("printed");
  b_.br_if(b_.make(Op::ule, kI1, {end, capacity}), {room, {}}, {full, {}});
  start(room);
  words.insert(words.begin() + 1, linear_id(b_, false));
  for (size_t i = 0; i < words.size(); ++i)
    b_.emit(Op::store,
            {in_buffer(b_, buffer, place, PrintfHead::kBytes + 8 * static_cast<int64_t>(i)), words[i]});
  b_.br(done, {b_.i32(0)});
  start(full);
  b_.make(Op::atomic_add, kI64, {in_head(b_, buffer, PrintfHead::kLost), b_.i64(1)});
  b_.br(done, {b_.i32(-1)});
  start(done);
  return f_->add_param(done, kI32);
}

}  // namespace kc::front
