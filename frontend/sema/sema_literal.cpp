// SPDX-License-Identifier: Apache-2.0
// Character and string literals.
#include <fmt/format.h>

#include "frontend/lower/escapes.h"
#include "frontend/sema/sema.h"

namespace kc::front {

Expr* Sema::check_character(NumberExpr* e) {
  e->type = types_.get(TypeKind::Int);
  std::string_view text = e->text;
  const bool wide = text.starts_with("L'");
  if (wide) {
    beyond_standard(e->range, "a wide character");
    text.remove_prefix(1);
  }
  if (text.size() < 2 || text.back() != '\'') return failed(e);  // unterminated: the lexer has reported it
  text = text.substr(1, text.size() - 2);
  auto bad = [&](const char* why) {
    diagnostics_.error(e->range, why);
    return failed(e);
  };
  if (text.empty()) return bad("empty character literal");
  // Several characters are one number, whose lowest byte is the last of them.
  uint32_t value = 0;
  int count = 0;
  for (; !text.empty(); ++count) {
    std::optional<char> next = next_character(text);
    if (!next) return bad("unknown escape sequence in character literal");
    value = value << 8 | static_cast<unsigned char>(*next);
  }
  if (wide && count > 1) return bad("a wide character literal holds one character");
  if (count > 4) return bad("a character literal holds at most four bytes");
  if (count > 1) beyond_standard(e->range, "a literal of several characters");
  set_constant(e, count == 1 ? static_cast<int8_t>(value) : static_cast<int32_t>(value));
  return e;
}

// `__func__`
Expr* Sema::check_function_name(NameExpr* e) {
  StringExpr* s = arena_.make<StringExpr>();
  s->kind = ExprKind::String;
  s->range = e->range;
  s->pieces = arena_.copy(std::vector<StringPiece>{
      {arena_.copy(std::string_view(fmt::format("\"{}\"", function_->name))), e->range}});
  return check_string(s);
}

// A string literal is an array in constant memory.
Expr* Sema::check_string(StringExpr* e) {
  if (!read_text(e, arena_, diagnostics_)) return failed(e);
  auto [known, fresh] = strings_.emplace(e->text, nullptr);
  if (fresh) {
    VarDecl* v = arena_.make<VarDecl>();
    v->name = "string";
    v->range = e->range;
    v->type = types_.array(types_.get(TypeKind::Char), e->text.size() + 1);
    v->qualifiers = Const;
    v->space = AddressSpace::Constant;
    v->in_memory = true;
    e->type = v->type;
    v->initializer = e;
    evaluate_constant(v);
    known->second = v;
  }
  e->variable = known->second;
  e->type = e->variable->type;
  e->space = AddressSpace::Constant;
  e->qualifiers = Const;
  e->is_lvalue = true;
  return e;
}

}  // namespace kc::front
