// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "frontend/sema/builtins.h"
#include "frontend/sema/constant_bits.h"
#include "frontend/sema/sema.h"
#include "frontend/source/nearest_name.h"
#include "frontend/warn/walk.h"

namespace kc::front {
namespace {

// Reads the digits of a literal; those of hexadecimal ones follow "0x".
template <typename Float>
std::from_chars_result read_float(const char* begin, const char* end, Float& value, bool hex) {
#ifdef __cpp_lib_to_chars
  return std::from_chars(begin, end, value, hex ? std::chars_format::hex : std::chars_format::general);
#else  // libc++ 19 has none for floats; the text behind a literal ends with a zero byte
  char* after = nullptr;
  const char* from = hex ? begin - 2 : begin;
  errno = 0;
  if constexpr (std::is_same_v<Float, float>)
    value = std::strtof(from, &after);
  else
    value = std::strtod(from, &after);
  if (after > end) after = const_cast<char*>(end);
  return {after, errno == ERANGE ? std::errc::result_out_of_range : std::errc()};
#endif
}

}  // namespace

Expr* Sema::failed(Expr* e) {
  e->type = types_.get(TypeKind::Error);
  e->is_lvalue = false;
  e->is_constant = false;
  return e;
}

Expr* Sema::check_value(Expr* e) {
  e = decay(check(e));
  if (e->type->kind == TypeKind::Half) {
    diagnostics_.error(e->range, "'half' is a type in memory only; use 'vload_half' and 'vstore_half'");
    return failed(e);
  }
  if (!e->type->is_void()) return e;
  diagnostics_.error(e->range, "a value is needed here, but this expression has type 'void'");
  return failed(e);
}

Expr* Sema::check(Expr* e) {
  switch (e->kind) {
    case ExprKind::Error:
      return failed(e);
    case ExprKind::Number:
      return check_number(as<NumberExpr>(e));
    case ExprKind::Character:
      return check_character(as<NumberExpr>(e));
    case ExprKind::Name:
      return check_name(as<NameExpr>(e));
    case ExprKind::Unary:
      return check_unary(as<UnaryExpr>(e));
    case ExprKind::Binary:
      return check_binary(as<BinaryExpr>(e));
    case ExprKind::Assign:
      return check_assign(as<AssignExpr>(e));
    case ExprKind::Conditional:
      return check_conditional(as<ConditionalExpr>(e));
    case ExprKind::Cast:
      return check_cast(as<CastExpr>(e));
    case ExprKind::Convert:
    case ExprKind::Swizzle:
    case ExprKind::VectorLiteral:
    case ExprKind::Elementwise:
    case ExprKind::Component:
    case ExprKind::Mask:
      return e;
    case ExprKind::SizeofExpr:
    case ExprKind::SizeofType:
      return check_sizeof(as<SizeofExpr>(e));
    case ExprKind::Call:
      return check_call(as<CallExpr>(e));
    case ExprKind::Index:
      return check_index(as<IndexExpr>(e));
    case ExprKind::String:
      return check_string(as<StringExpr>(e));
    case ExprKind::Member:
      return check_member(as<MemberExpr>(e));
    case ExprKind::CompoundLiteral:
      return check_compound_literal(as<CompoundLiteralExpr>(e));
    case ExprKind::StatementExpr:
      return check_statement_expression(as<StatementExpr>(e));
    case ExprKind::InitList:
    case ExprKind::Designated:
      diagnostics_.error(e->range, "a list in braces can only initialize a variable");
      return failed(e);
  }
  return failed(e);
}

Expr* Sema::check_float(NumberExpr* e, std::string text) {
  char suffix = text.back();
  bool hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  bool is_float = suffix == 'f' || suffix == 'F';
  if (is_float) text.pop_back();
  is_float |= single_literals_;
  bool exponent = text.find_first_of(hex ? "pP" : "eE") != std::string::npos;
  double real = 0;
  const char *begin = text.data() + (hex ? 2 : 0), *end = text.data() + text.size();
  std::from_chars_result result;
  if (is_float) {  // rounded once, to the type of the literal
    float single = 0;
    result = read_float(begin, end, single, hex);
    real = single;
  } else {
    result = read_float(begin, end, real, hex);
  }
  bool range = result.ec == std::errc::result_out_of_range;
  if ((result.ec != std::errc() && !range) || result.ptr != end || (hex && !exponent)) {
    const bool is_half = e->text.ends_with('h') || e->text.ends_with('H');
    diagnostics_.error(e->range,
                       fmt::format("invalid floating literal '{}'{}", e->text.substr(0, 60),
                                   is_half ? "; 'half' is a type in memory only and has no literals" : ""));
    return failed(e);
  }
  if (range) real = is_float ? std::strtof(text.c_str(), nullptr) : std::strtod(text.c_str(), nullptr);
  e->real = real;
  e->type = types_.get(is_float ? TypeKind::Float : TypeKind::Double);
  return e;
}

Expr* Sema::check_number(NumberExpr* e) {
  std::string text(e->text);
  bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  bool binary = text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
  if (text.find('.') != std::string::npos || text.find_first_of(hex ? "pP" : "eE") != std::string::npos ||
      (!hex && !binary && (text.back() == 'f' || text.back() == 'F')))
    return check_float(e, text);
  size_t digits = text.find_last_not_of("uUlL") + 1;
  std::string suffix = text.substr(digits);
  for (const char* twice : {"ll", "LL"})  // `long long` is `long`
    if (size_t there = suffix.find(twice); there != std::string::npos) suffix.erase(there, 1);
  int base = hex ? 16 : binary ? 2 : text[0] == '0' ? 8 : 10;
  const char* begin = text.data() + (hex || binary ? 2 : 0);
  uint64_t value = 0;
  auto [at, error] = std::from_chars(begin, text.data() + digits, value, base);
  if (error == std::errc::result_out_of_range) {
    diagnostics_.error(e->range, "integer literal is too large to be represented in any integer type");
    return failed(e);
  }
  for (char& c : suffix) c = c == 'U' ? 'u' : c == 'L' ? 'l' : c;
  bool good_suffix = suffix.empty() || suffix == "u" || suffix == "l" || suffix == "ul" || suffix == "lu";
  if (error != std::errc() || at != text.data() + digits || !good_suffix) {
    diagnostics_.error(e->range, fmt::format("invalid integer literal '{}'", e->text.substr(0, 60)));
    return failed(e);
  }
  bool u = suffix.find('u') != std::string::npos, l = suffix.find('l') != std::string::npos;
  bool may_be_unsigned = u || base != 10;
  TypeKind kind = TypeKind::ULong;
  if (!l && !u && value <= INT32_MAX)
    kind = TypeKind::Int;
  else if (!l && may_be_unsigned && value <= UINT32_MAX)
    kind = TypeKind::UInt;
  else if (!u && value <= INT64_MAX)
    kind = TypeKind::Long;
  e->type = types_.get(kind);
  set_constant(e, static_cast<int64_t>(value));
  return e;
}

namespace {

// `CLK_LOCAL_MEM_FENSE`
std::string_view constant_near(std::string_view name) {
  static const std::vector<std::string_view> Flags{"CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE"};
  return name.starts_with("CLK_") ? nearest_name(name, Flags) : std::string_view();
}

}  // namespace

Expr* Sema::check_name(NameExpr* e) {
  Symbol* symbol = find(e->name);
  if (!symbol) {
    if (function_ && (e->name == "__func__" || e->name == "__FUNCTION__")) return check_function_name(e);
    if (find_builtin(e->name))
      diagnostics_.error(e->range, fmt::format("built-in function '{}' must be called", e->name));
    else if (report_missing_feature(e->range, e->name))
      ;  // already reported
    else if (std::string_view macro = constant_near(e->name); !macro.empty())
      undeclared("identifier", e->name, e->range, {macro});
    else if (is_unsupported_builtin(e->name) || e->name.starts_with("CLK_"))
      unsupported(e->range, fmt::format("'{}' is", e->name));
    else if (!tainted_.contains(e->name))
      undeclared("identifier", e->name, e->range, visible_names(false));
    return failed(e);
  }
  if (symbol->function) {
    unsupported(e->range, "function pointers are");
    return failed(e);
  }
  if (symbol->variable->is_typedef) {
    diagnostics_.error(e->range, fmt::format("unexpected type name '{}': expected expression", e->name));
    return failed(e);
  }
  if (symbol->variable->is_constant) {
    e->type = symbol->variable->type;
    set_constant(e, symbol->variable->constant);
    return e;
  }
  e->variable = symbol->variable;
  e->type = e->variable->type;
  e->space = e->variable->space;
  e->qualifiers = e->variable->qualifiers;
  e->is_lvalue = !e->type->is_error();
  return e;
}

bool Sema::check_modifiable(Expr* e, uint32_t at) {
  if (e->type->is_error()) return false;
  if (!e->is_lvalue) {
    bool twice = e->kind == ExprKind::Swizzle && as<MemberExpr>(e)->base->is_lvalue;
    diagnostics_.error_at(
        at, e->range,
        twice ? "vector is not assignable (contains duplicate components)" : "expression is not assignable");
    return false;
  }
  if (e->type->is_array()) {
    diagnostics_.error_at(at, e->range, fmt::format("array type '{}' is not assignable", type_name(e->type)));
    return false;
  }
  if (!(e->qualifiers & Const)) {
    if (VarDecl* v = variable_around(e)) v->is_written = true;
    return true;
  }
  if (e->kind == ExprKind::Name) {
    VarDecl* v = as<NameExpr>(e)->variable;
    diagnostics_
        .error_at(at, e->range,
                  fmt::format("cannot assign to variable '{}' with const-qualified type 'const {}'", v->name,
                              type_name(v->type)))
        .note(v->range, fmt::format("variable '{}' declared const here", v->name));
  } else {
    Diagnostic& d = diagnostics_.error_at(
        at, e->range,
        fmt::format("cannot assign to a read-only object of type 'const {}'", type_name(e->type)));
    const Expr* root = e;  // the variable that contains the lvalue
    while (root->kind == ExprKind::Index || root->kind == ExprKind::Member ||
           root->kind == ExprKind::Swizzle || root->kind == ExprKind::Convert ||
           (root->kind == ExprKind::Unary && as<UnaryExpr>(root)->op == UnaryOp::Deref))
      root = root->kind == ExprKind::Index     ? as<IndexExpr>(root)->base
             : root->kind == ExprKind::Unary   ? as<UnaryExpr>(root)->operand
             : root->kind == ExprKind::Convert ? as<CastExpr>(root)->operand
                                               : as<MemberExpr>(root)->base;
    const VarDecl* v = root->kind == ExprKind::Name ? as<NameExpr>(root)->variable : nullptr;
    if (v) d.note(v->range, fmt::format("'{}' of type '{}' is declared here", v->name, type_name(v->type)));
  }
  return false;
}

Expr* Sema::check_unary(UnaryExpr* e) {
  if (e->op == UnaryOp::AddressOf) return check_address(e);
  if (e->op >= UnaryOp::PreInc) return check_increment(e);
  e->operand = check_value(e->operand);
  const Type* type = e->operand->type;
  if (type->is_error()) return failed(e);
  if (e->op == UnaryOp::Deref) {
    if (type->is_pointer()) return dereference(e, type, e->range);
    diagnostics_.error_at(
        e->op_range.begin, e->operand->range,
        fmt::format("indirection requires pointer operand ('{}' invalid)", type_name(type)));
    return failed(e);
  }
  if (type->is_vector() && (e->op != UnaryOp::BitNot || type->element->is_integer()))
    return check_vector_unary(e);
  bool fits = e->op == UnaryOp::Not      ? type->is_scalar()
              : e->op == UnaryOp::BitNot ? type->is_integer()
                                         : type->is_arithmetic();
  if (!fits) {
    diagnostics_.error_at(e->op_range.begin, e->operand->range,
                          fmt::format("invalid argument type '{}' to unary expression", type_name(type)));
    return failed(e);
  }
  if (e->op == UnaryOp::Not) {
    e->type = types_.get(TypeKind::Int);
  } else {
    e->operand = promote(e->operand);
    e->type = e->operand->type;
  }
  fold_unary(e);
  return e;
}

Expr* Sema::check_increment(UnaryExpr* e) {
  e->operand = check(e->operand);
  if (!check_modifiable(e->operand, e->op_range.begin)) return failed(e);
  e->type = e->operand->type;
  if (e->type->is_record()) {
    diagnostics_.error_at(
        e->op_range.begin, e->operand->range,
        fmt::format("cannot increment or decrement a value of type '{}'", type_name(e->type)));
    return failed(e);
  }
  if (e->type->is_pointer() && !check_steps(e->type, e->op_range.begin, e->operand->range)) return failed(e);
  return e;
}

// Walks down the left operands and back up in a loop; a sum of a hundred thousand terms needs no recursion.
Expr* Sema::check_binary(BinaryExpr* e) {
  std::vector<BinaryExpr*> chain;
  Expr* left = e;
  while (left->kind == ExprKind::Binary && (left == e || !left->parenthesized)) {
    chain.push_back(as<BinaryExpr>(left));
    left = chain.back()->left;
  }
  left = chain.back()->op == BinaryOp::Comma ? decay(check(left)) : check_value(left);
  for (size_t i = chain.size(); i-- > 0;) {
    BinaryExpr* b = chain[i];
    b->left = left;
    b->right = b->op == BinaryOp::Comma ? decay(check(b->right)) : check_value(b->right);
    left = b->left->type->is_error() || b->right->type->is_error() ? failed(b) : finish_binary(b);
    bool used_as_value = i > 0 && chain[i - 1]->op != BinaryOp::Comma;
    if (left->type->is_void() && used_as_value) left = invalid_operands(chain[i - 1]);
  }
  return left;
}

Expr* Sema::invalid_operands(BinaryExpr* e) {
  diagnostics_.error_at(
      e->op_range.begin, e->range,
      fmt::format("invalid operands to binary expression ('{}' and '{}')", type_name(e->left->type),
                  type_name(e->right->type ? e->right->type : types_.get(TypeKind::Void))));
  return failed(e);
}

Expr* Sema::finish_binary(BinaryExpr* e) {
  const Type *l = e->left->type, *r = e->right->type;
  if ((l->is_vector() || r->is_vector()) && e->op != BinaryOp::Comma) return check_vector_binary(e);
  switch (e->op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
      return finish_additive(e);
    case BinaryOp::Comma:
      e->type = r;
      return e;
    case BinaryOp::LogicalAnd:
    case BinaryOp::LogicalOr:
      if (!l->is_scalar() || !r->is_scalar()) return invalid_operands(e);
      e->type = types_.get(TypeKind::Int);
      break;
    case BinaryOp::Shl:
    case BinaryOp::Shr:
      if (!l->is_integer() || !r->is_integer()) return invalid_operands(e);
      e->left = promote(e->left);
      e->type = e->left->type;
      // only the count modulo the width matters, and the conversion preserves it
      e->right = convert(e->right, e->type);
      break;
    case BinaryOp::Rem:
    case BinaryOp::And:
    case BinaryOp::Xor:
    case BinaryOp::Or:
      if (!l->is_integer() || !r->is_integer()) return invalid_operands(e);
      [[fallthrough]];
    case BinaryOp::Mul:
    case BinaryOp::Div:
      if (!l->is_arithmetic() || !r->is_arithmetic()) return invalid_operands(e);
      e->type = common_type(l, r);
      e->left = convert(e->left, e->type);
      e->right = convert(e->right, e->type);
      break;
    default:
      return finish_comparison(e);
  }
  fold_binary(e);
  return e;
}

Expr* Sema::finish_additive(BinaryExpr* e) {
  const Type *l = e->left->type, *r = e->right->type;
  if (l->is_arithmetic() && r->is_arithmetic()) {
    e->type = common_type(l, r);
    e->left = convert(e->left, e->type);
    e->right = convert(e->right, e->type);
    fold_binary(e);
    return e;
  }
  auto widen = [&](Expr*& index) {
    index = convert(index, types_.get(index->type->is_signed() ? TypeKind::Long : TypeKind::ULong));
  };
  const Type* pointer = l->is_pointer() ? l : r;
  if (pointer->is_pointer() && !check_steps(pointer, e->op_range.begin, e->range)) return failed(e);
  if (l->is_pointer() && r->is_integer()) {
    widen(e->right);
    e->type = l;
  } else if (r->is_pointer() && l->is_integer() && e->op == BinaryOp::Add) {
    widen(e->left);
    e->type = r;
  } else if (l->is_pointer() && r->is_pointer() && e->op == BinaryOp::Sub && l->element == r->element &&
             l->space == r->space) {
    e->type = types_.get(TypeKind::Long);
  } else {
    return invalid_operands(e);
  }
  return e;
}

Expr* Sema::finish_comparison(BinaryExpr* e) {
  const Type *l = e->left->type, *r = e->right->type;
  if (l->is_arithmetic() && r->is_arithmetic()) {
    const Type* type = common_type(l, r);
    e->left = convert(e->left, type);
    e->right = convert(e->right, type);
  } else if (l->is_pointer() && is_null_constant(e->right)) {
    e->right = convert(e->right, l);
  } else if (r->is_pointer() && is_null_constant(e->left)) {
    e->left = convert(e->left, r);
  } else if ((l->is_pointer() && r->is_integer()) || (l->is_integer() && r->is_pointer())) {
    diagnostics_.warning(
        Warning::PointerIntegerCompare, e->op_range,
        fmt::format("comparison of a pointer with an integer ('{}' and '{}')", type_name(l), type_name(r)));
    Expr*& number = l->is_pointer() ? e->right : e->left;
    number = convert(number, l->is_pointer() ? l : r);
  } else if (!l->is_pointer() || !r->is_pointer() || l->space != r->space) {
    return invalid_operands(e);
  } else if (l->element != r->element && !l->element->is_void() && !r->element->is_void()) {
    diagnostics_.warning(
        Warning::CompareDistinctPointerTypes, e->op_range,
        fmt::format("comparison of distinct pointer types ('{}' and '{}')", type_name(l), type_name(r)));
  }
  e->type = types_.get(TypeKind::Int);
  fold_binary(e);
  return e;
}

Expr* Sema::check_assign(AssignExpr* e) {
  e->left = check(e->left);
  e->right = check_value(e->right);
  if (!check_modifiable(e->left, e->op_range.begin) || e->right->type->is_error()) return failed(e);
  const Type* to = e->left->type;
  e->type = to;
  if (!e->compound) {
    e->right = coerce(e->right, to, Use::Assign, e->op_range);
    return e->right->type->is_error() ? failed(e) : e;
  }
  if (to->is_vector()) return check_vector_assign(e);
  // `a op= b` has the types of `a op b`; the left operand is evaluated once.
  BinaryExpr probe;
  probe.range = e->range;
  probe.op_range = e->op_range;
  probe.op = e->op;
  probe.left = e->left;
  probe.right = e->right;
  if (e->right->type->is_vector()) {
    invalid_operands(&probe);
    return failed(e);
  }
  finish_binary(&probe);
  if (probe.type->is_error()) return failed(e);
  if (to->is_pointer() && !probe.type->is_pointer()) {
    invalid_operands(&probe);
    return failed(e);
  }
  e->operation_type = probe.left->type;
  e->right = probe.right;
  if (!(probe.type->is_arithmetic() && to->is_arithmetic()) && probe.type != to) {
    invalid_operands(&probe);
    return failed(e);
  }
  return e;
}

Expr* Sema::check_conditional(ConditionalExpr* e) {
  e->condition = check_value(e->condition);
  e->if_true = decay(check(e->if_true));
  e->if_false = decay(check(e->if_false));
  const Type *t = e->if_true->type, *f = e->if_false->type;
  if (e->condition->type->is_error() || t->is_error() || f->is_error()) return failed(e);
  if (e->condition->type->is_vector()) return check_vector_select(e);
  if (e->condition->type->is_floating())
    beyond_standard(e->condition->range, "a floating-point condition of '?:'");
  if (!e->condition->type->is_scalar()) {
    diagnostics_.error(e->condition->range, fmt::format("a condition must be a number or a pointer, not '{}'",
                                                        type_name(e->condition->type)));
    return failed(e);
  }
  if (t->is_arithmetic() && f->is_arithmetic()) {
    e->type = common_type(t, f);
  } else if (t == f) {
    e->type = t;
  } else if ((t->is_vector() && f->is_arithmetic()) || (f->is_vector() && t->is_arithmetic())) {
    e->type = t->is_vector() ? t : f;
    Expr*& scalar = t->is_vector() ? e->if_false : e->if_true;
    if (!(scalar = widen(scalar, e->type))) return failed(e);
  } else if (t->is_pointer() && is_null_constant(e->if_false)) {
    e->type = t;
  } else if (f->is_pointer() && is_null_constant(e->if_true)) {
    e->type = f;
  } else if (t->is_pointer() && f->is_pointer() && t->space == f->space &&
             (t->element == f->element || t->element->is_void() || f->element->is_void())) {
    const Type* element = f->element->is_void() ? f->element : t->element;
    e->type = types_.pointer(element, t->space, t->pointee_qualifiers | f->pointee_qualifiers);
  } else {
    diagnostics_.error(e->range,
                       fmt::format("incompatible operand types ('{}' and '{}')", type_name(t), type_name(f)));
    return failed(e);
  }
  e->if_true = convert(e->if_true, e->type);
  e->if_false = convert(e->if_false, e->type);
  if (e->condition->is_constant && e->if_true->is_constant && e->if_false->is_constant &&
      e->type->is_integer())
    set_constant(e, (e->condition->constant ? e->if_true : e->if_false)->constant);
  return e;
}

namespace {

// Of the operand `(...).x` or `(...)[i].y` of a cast: where its parentheses are, or null.
Expr** behind_parentheses(CastExpr* e) {
  for (Expr* at = e->operand; !at->parenthesized;) {
    Expr** base = at->kind == ExprKind::Member  ? &as<MemberExpr>(at)->base
                  : at->kind == ExprKind::Index ? &as<IndexExpr>(at)->base
                                                : nullptr;
    if (!base) return nullptr;
    if ((*base)->parenthesized) return base;
    at = *base;
  }
  return nullptr;
}

}  // namespace

Expr* Sema::check_cast(CastExpr* e) {
  const Type* to = resolve_type_name(e->to);
  if (to->is_vector()) {
    // A literal of a vector is an expression to which members belong: `(float4)(a, b, c, d).x`.
    if (Expr** whole = behind_parentheses(e)) {
      Expr* outer = e->operand;
      e->operand = *whole;
      e->range.end = e->operand->range.end;
      *whole = e;
      return check(outer);
    }
    return check_vector_cast(e, to);
  }
  e->operand = decay(check(e->operand));
  const Type* from = e->operand->type;
  e->type = to;
  if (to->is_error() || from->is_error()) return failed(e);
  bool pointers = to->is_pointer() && from->is_pointer();
  bool fits = to->is_void() || (to->is_arithmetic() && from->is_arithmetic()) ||
              (pointers && (to->space == from->space || is_null_constant(e->operand))) ||
              (to->is_pointer() && from->is_integer()) || (to->is_integer() && from->is_pointer()) ||
              (to->kind == TypeKind::Event && (from == to || is_null_constant(e->operand)));
  if (!fits) {
    const char* why = pointers ? ": it changes the address space of the pointer" : "";
    diagnostics_.error(e->range,
                       fmt::format("cannot cast from '{}' to '{}'{}", type_name(from), type_name(to), why));
    return failed(e);
  }
  if (e->operand->is_constant && to->is_integer()) set_constant(e, e->operand->constant);
  if (to->is_integer() && from->is_pointer())
    if (const auto offset = offset_from_null(e->operand)) set_constant(e, static_cast<int64_t>(*offset));
  return e;
}

Expr* Sema::check_sizeof(SizeofExpr* e) {
  const Type* of = e->of_type ? resolve_type_name(e->of_type) : nullptr;
  if (e->operand) {
    e->operand = check(e->operand);
    of = e->operand->type;
  }
  if (of->is_error()) return failed(e);
  if (e->word == SizeofWord::VecStep) {
    e->type = types_.get(TypeKind::Int);
    set_constant(e, of->components() == 3 ? 4 : of->components());
    if (of->component()->is_arithmetic()) return e;
    diagnostics_.error(e->range,
                       fmt::format("invalid application of 'vec_step' to type '{}'", type_name(of)));
    return failed(e);
  }
  bool align = e->word == SizeofWord::Alignof;
  if (!of->is_complete()) {
    diagnostics_.error(
        e->range, fmt::format("invalid application of '{}' to {}type '{}'", align ? "_Alignof" : "sizeof",
                              of->is_void() ? "" : "the incomplete ", type_name(of)));
    return failed(e);
  }
  e->type = types_.get(TypeKind::ULong);
  set_constant(e, static_cast<int64_t>(align ? of->align() : of->size()));
  return e;
}

}  // namespace kc::front
