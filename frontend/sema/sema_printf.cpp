// SPDX-License-Identifier: Apache-2.0
// printf: checks the arguments against the format.
#include <fmt/format.h>

#include "frontend/lower/escapes.h"
#include "frontend/sema/builtins.h"
#include "frontend/sema/printf_formats.h"
#include "frontend/sema/sema.h"
#include "ir/printf.h"

namespace kc::front {

namespace {

using Length = PrintfConversion::Length;

// The source range of a part of the text; the range of the whole literal if the part's is unknown.
SourceRange range_in(const StringExpr* e, size_t begin, size_t end, const Sources& sources) {
  size_t at = 0;
  SourceRange found = e->range;
  bool started = false;
  for (const StringPiece& p : e->pieces) {
    bool plain = p.range.end - p.range.begin == p.spelling.size() && !sources.in_macro(p.range.begin);
    std::string_view rest = p.spelling.substr(1, p.spelling.size() - 2);
    while (!rest.empty()) {
      auto here = p.range.begin + static_cast<Position>(rest.data() - p.spelling.data());
      next_character(rest);
      if (at == begin && plain) found.begin = here, started = true;
      if (++at == end)
        return started && plain
                   ? SourceRange{found.begin,
                                 p.range.begin + static_cast<Position>(rest.data() - p.spelling.data())}
                   : e->range;
    }
    if (started) return e->range;  // spans two pieces
  }
  return e->range;
}

TypeKind printed_kind(const PrintfConversion& c) {
  static constexpr TypeKind Signed[] = {TypeKind::Int, TypeKind::Char, TypeKind::Short, TypeKind::Int,
                                        TypeKind::Long};
  if (c.kind == 'c') return TypeKind::UChar;
  int kind = static_cast<int>(Signed[static_cast<int>(c.length)]);
  return static_cast<TypeKind>(kind + (c.is_signed() ? 0 : 1));
}

// Flags without effect on this conversion.
std::string idle_flags(const PrintfConversion& c) {
  std::string_view good = c.is_float()      ? "-+ #0"
                          : c.is_signed()   ? "-+ 0"
                          : c.kind == 'u'   ? "-0"
                          : c.is_unsigned() ? "-#0"
                                            : "-";
  std::string idle;
  for (char flag : c.flags)
    if (good.find(flag) == std::string_view::npos) idle += flag;
  return idle;
}

bool is_text(const Expr* e) {
  const Type* type = e->type;
  while (e->kind == ExprKind::Convert) e = as<CastExpr>(e)->operand;
  if (known_text(e)) return true;
  if (e->kind != ExprKind::Conditional) {
    bool characters = type->is_pointer() &&
                      (type->element->kind == TypeKind::Char || type->element->kind == TypeKind::UChar);
    return characters && type->space == AddressSpace::Constant;
  }
  return is_text(as<ConditionalExpr>(e)->if_true) && is_text(as<ConditionalExpr>(e)->if_false);
}

// The conversion specifier for a value of this type, or an empty string.
std::string conversion_for(const Type* type, const PrintfConversion& c) {
  if (type->is_vector()) {
    static constexpr const char* Lengths[] = {"", "hh", "h", "", "hl", "", "", "", "l"};
    const Type* one = type->component();
    bool unsigned_digits = c.is_unsigned() && one->is_integer();
    char kind = one->is_floating() ? 'f' : unsigned_digits ? c.kind : one->is_signed() ? 'd' : 'u';
    return fmt::format("v{}{}{}", type->components(), Lengths[one->size()], kind);
  }
  if (type->is_floating()) return "f";
  if (!type->is_integer()) return type->is_pointer() ? "p" : "";
  const char* length = type->size() == 8 ? "l" : "";
  bool keeps = (c.is_unsigned() && !type->is_signed()) || c.kind == 'x' || c.kind == 'X' || c.kind == 'o';
  return fmt::format("{}{}", length, keeps ? c.kind : type->is_signed() ? 'd' : 'u');
}

void warn_format(Diagnostics& diagnostics, const PrintfConversion& c, const StringExpr* format,
                 const Expr* argument, const std::string& wanted) {
  SourceRange where = range_in(format, c.begin, c.end, diagnostics.sources());
  Diagnostic& d = diagnostics.warning(Warning::Format, where,
                                      fmt::format("format specifies type '{}' but the argument has type '{}'",
                                                  wanted, type_name(argument->type)));
  d.underline(argument->range);
  std::string better = conversion_for(argument->type, c);
  if (better.empty() || where == format->range) return;
  std::string text = "%" + c.flags;
  if (c.width) text += std::to_string(*c.width);
  if (c.precision) text += fmt::format(".{}", *c.precision);
  d.fix(where, text + better);
}

// A vector is printed directly if its components match the conversion's kind.
const Type* printed_vector(TypeTable& types, Diagnostics& diagnostics, const PrintfConversion& c,
                           const StringExpr* format, const Expr* argument) {
  static constexpr TypeKind Integers[] = {TypeKind::Int, TypeKind::Char, TypeKind::Short, TypeKind::Int,
                                          TypeKind::Long};
  const Type* type = argument->type;
  bool is_number = c.is_float() || c.is_signed() || c.is_unsigned();
  TypeKind kind = Integers[static_cast<int>(c.length)];
  if (c.is_float()) kind = c.length == Length::Long ? TypeKind::Double : TypeKind::Float;
  if (c.is_unsigned()) kind = static_cast<TypeKind>(static_cast<int>(kind) + 1);
  const Type* wanted = types.vector(types.get(kind), c.vector);
  bool alike = is_number && type->is_vector() && type->components() == c.vector &&
               type->component()->is_floating() == c.is_float();
  if (!alike || type->component()->size() != wanted->component()->size())
    warn_format(diagnostics, c, format, argument, type_name(wanted));
  if (alike) return type;
  diagnostics.error(argument->range, fmt::format("cannot print a value of type '{}'", type_name(type)));
  return nullptr;
}

// The type that the conversion requires of the argument; null, with an error, if the conversion cannot print
// the argument.
const Type* printed_type(TypeTable& types, Diagnostics& diagnostics, const PrintfConversion& c,
                         const StringExpr* format, const Expr* argument) {
  const Type* type = argument->type;
  if (c.vector > 1) return printed_vector(types, diagnostics, c, format, argument);
  if (c.kind == 's') {
    if (is_text(argument)) return type;
    diagnostics.error(argument->range, "what '%s' prints must be a pointer to characters in constant memory");
    return nullptr;
  }
  if (c.kind == 'p') {
    if (type->is_pointer()) return type;
    warn_format(diagnostics, c, format, argument, "void *");
    if (type->is_integer()) return types.get(TypeKind::ULong);
  } else if (c.is_float()) {
    if (type->is_floating()) return type;
    warn_format(diagnostics, c, format, argument, "double");
    if (type->is_arithmetic()) return types.get(TypeKind::Double);
  } else {
    const Type* wanted = types.get(printed_kind(c));
    bool wide = wanted->size() == 8;
    bool promotes = wanted->size() < 4 && c.length == Length::None;
    if (!type->is_integer() || (type->size() == 8) != wide)
      warn_format(diagnostics, c, format, argument, promotes ? "int" : type_name(wanted));
    if (type->is_arithmetic() || type->is_pointer()) return wanted;
  }
  diagnostics.error(argument->range, fmt::format("cannot print a value of type '{}'", type_name(type)));
  return nullptr;
}

}  // namespace

Expr* Sema::call_printf(CallExpr* e) {
  e->type = types_.get(TypeKind::Int);
  if (e->arguments.empty()) {
    diagnostics_.error({e->range.end - 1, e->range.end},
                       "too few arguments to function call, expected at least 1, have 0");
    return failed(e);
  }
  for (Expr* a : e->arguments)
    if (a->type->is_error()) return failed(e);
  if (const VarDecl* text = known_text(e->arguments[0]); text && !text->bytes.empty()) {  // in a variable
    StringExpr* s = arena_.make<StringExpr>();
    s->kind = ExprKind::String;
    s->range = e->arguments[0]->range;
    s->text = {reinterpret_cast<const char*>(text->bytes.data()), text->bytes.size()};
    s->text = s->text.substr(0, s->text.find('\0'));
    s->type = text->type;
    if (!literal_of(e->arguments[0])) e->arguments[0] = s;
  }
  const StringExpr* format = literal_of(e->arguments[0]);
  if (!format) {
    diagnostics_.error(e->arguments[0]->range,
                       "the format of 'printf' must be a string literal, or an array in constant memory");
    return failed(e);
  }
  size_t next = 1;
  for (const PrintfConversion& c : printf_conversions(printf_text(format))) {
    SourceRange where = range_in(format, c.begin, c.end, diagnostics_.sources());
    if (!c.kind) {
      diagnostics_.warning(Warning::Format, where, c.problem);
      continue;
    }
    if (std::string idle = idle_flags(c); !idle.empty() && c.takes())
      diagnostics_.warning(Warning::Format, where,
                           fmt::format("flag '{}' has no meaning for '%{}'", idle[0], c.kind));
    if (!c.takes()) continue;
    if (next == e->arguments.size()) {
      diagnostics_.warning(Warning::FormatInsufficientArgs, where,
                           "more '%' conversions than data arguments");
      return e;
    }
    Expr*& argument = e->arguments[next++];
    if (c.kind == 's' && is_null_constant(argument))
      argument = convert(argument, types_.pointer(types_.get(TypeKind::Char), AddressSpace::Constant, Const));
    const Type* type = printed_type(types_, diagnostics_, c, format, argument);
    if (!type) return failed(e);
    if (argument->type->is_pointer() && type->is_integer())
      argument = convert(argument, types_.get(TypeKind::ULong));
    argument = convert(argument, type);
  }
  if (next < e->arguments.size())
    diagnostics_.warning(Warning::FormatExtraArgs, e->arguments[next]->range,
                         "data argument not used by format string");
  return e;
}

}  // namespace kc::front
