// SPDX-License-Identifier: Apache-2.0
// Lvalues in memory: members, elements, addresses.
#include <fmt/format.h>

#include "frontend/sema/sema.h"
#include "frontend/source/nearest_name.h"
#include "frontend/warn/walk.h"

namespace kc::front {

// An array used as a value is a pointer to its first element.
Expr* Sema::decay(Expr* e) {
  if (!e->type->is_array()) return e;
  uint8_t qualifiers = e->qualifiers & ~Restrict;
  return convert(e, types_.pointer(e->type->element, e->space, qualifiers));
}

// Marks the variable that contains the lvalue as address-taken.
void Sema::take_address(Expr* e) {
  if (VarDecl* v = variable_around(e)) v->in_memory = true;
}

Expr* Sema::check_address(UnaryExpr* e) {
  e->operand = check(e->operand);
  const Expr* object = e->operand;
  if (object->type->is_error()) return failed(e);
  if (object->kind == ExprKind::Swizzle) {
    diagnostics_.error_at(e->op_range.begin, object->range,
                          "cannot take the address of components of a vector");
    return failed(e);
  }
  if (!object->is_lvalue) {
    diagnostics_.error_at(
        e->op_range.begin, object->range,
        fmt::format("cannot take the address of an rvalue of type '{}'", type_name(object->type)));
    return failed(e);
  }
  if (object->type->nesting() >= TypeTable::MaxNesting) {
    too_nested(e->range);
    return failed(e);
  }
  take_address(e->operand);
  e->type = types_.pointer(object->type, object->space, object->qualifiers & ~Restrict);
  return e;
}

Expr* Sema::dereference(Expr* e, const Type* pointer, SourceRange where) {
  const Type* type = pointer->element;
  if (!type->is_complete() && !type->lacks_length()) {
    diagnostics_.error(where, type->is_void()
                                  ? fmt::format("cannot access what '{}' points to", type_name(pointer))
                                  : fmt::format("incomplete definition of type '{}'", type_name(type)));
    return failed(e);
  }
  if (type->is_error()) return failed(e);
  e->type = type;
  e->qualifiers = pointer->pointee_qualifiers;
  e->space = pointer->space;
  e->is_lvalue = true;
  return e;
}

// Whether pointer arithmetic is valid on this type; reports an error if not.
bool Sema::check_steps(const Type* pointer, uint32_t at, SourceRange range) {
  const Type* type = pointer->element;
  if (type->is_complete()) return true;
  if (type->is_void()) {
    beyond_standard(range, "arithmetic on a pointer to void");
    return true;
  }
  diagnostics_.error_at(at, range,
                        fmt::format("arithmetic on a pointer to the incomplete type '{}'", type_name(type)));
  return false;
}

Expr* Sema::check_index(IndexExpr* e) {
  e->base = check_value(e->base);
  e->index = check_value(e->index);
  if (e->base->type->is_error() || e->index->type->is_error()) return failed(e);
  if (e->base->type->is_vector()) return check_component(e);
  Expr*& pointer = e->base->type->is_pointer() ? e->base : e->index;
  Expr*& index = e->base->type->is_pointer() ? e->index : e->base;
  if (!pointer->type->is_pointer()) {
    diagnostics_.error(e->range, fmt::format("subscripted value is not an array or pointer ('{}')",
                                             type_name(e->base->type)));
    return failed(e);
  }
  if (!index->type->is_integer()) {
    diagnostics_.error(index->range, "array subscript is not an integer");
    return failed(e);
  }
  if (pointer->type->element->is_void()) return dereference(e, pointer->type, e->range);
  if (!check_steps(pointer->type, e->range.begin, e->range)) return failed(e);
  index = convert(index, types_.get(index->type->is_signed() ? TypeKind::Long : TypeKind::ULong));
  return dereference(e, pointer->type, e->range);
}

Expr* Sema::check_member(MemberExpr* e) {
  e->base = e->arrow ? check_value(e->base) : check(e->base);
  const Type* type = e->base->type;
  if (type->is_error()) return failed(e);
  auto bad = [&](const std::string& text, const char* right_operator = nullptr) {
    Diagnostic& d = diagnostics_.error_at(e->op_range.begin, e->range, text);
    if (right_operator) d.fix(e->op_range, right_operator);
    return failed(e);
  };
  if (e->arrow && (type->is_record() || type->is_vector()))
    return bad(
        fmt::format("member reference type '{}' is not a pointer; did you mean to use '.'?", type_name(type)),
        ".");
  if (e->arrow && !type->is_pointer())
    return bad(fmt::format("member reference type '{}' is not a pointer", type_name(type)));
  if (!e->arrow && type->is_pointer() && (type->element->is_record() || type->element->is_vector()))
    return bad(
        fmt::format("member reference type '{}' is a pointer; did you mean to use '->'?", type_name(type)),
        "->");
  const Type* record = e->arrow ? type->element : type;
  if (record->is_vector()) return check_swizzle(e);
  if (!record->is_record()) return bad(fmt::format("'{}' has no members", type_name(record)));
  if (!record->record->is_complete) {
    if (tainted_.contains(record->record->name)) return failed(e);
    return bad(fmt::format("incomplete definition of type '{}'", type_name(record)));
  }
  auto found = record->record->names.find(e->member);
  if (found == record->record->names.end()) {
    if (tainted_.contains(e->member)) return failed(e);
    std::vector<std::string_view> names;
    for (const auto& [name, path] : record->record->names) names.push_back(name);
    std::string_view near = diagnostics_.saturated() ? "" : nearest_name(e->member, names);
    Diagnostic& d = diagnostics_.error_at(
        e->op_range.begin, e->range,
        fmt::format("no member named '{}' in '{}'{}", e->member, type_name(record), did_you_mean(near)));
    Position end = e->range.end;
    if (!near.empty() && !e->parenthesized)
      d.fix({end - static_cast<Position>(e->member.size()), end}, std::string(near));
    return failed(e);
  }
  e->is_lvalue = e->arrow || e->base->is_lvalue;
  e->space = e->arrow ? type->space : e->base->space;
  e->qualifiers = e->arrow ? type->pointee_qualifiers : e->base->qualifiers;
  e->type = record;
  e->offset = 0;
  for (size_t index : found->second) {
    const Field& field = e->type->record->fields[index];
    e->offset += field.offset;
    e->qualifiers |= field.qualifiers;
    e->type = field.type;
  }
  return e->type->is_error() ? failed(e) : e;
}

// GNU `({ ... })`: its value is that of the last statement, if that is an expression. As with a handler, a
// jump may leave it but not enter it, because an entering jump would skip the operands to its left.
Expr* Sema::check_statement_expression(StatementExpr* e) {
  if (!function_) {
    diagnostics_.error(e->range, "a statement expression is only allowed inside a function");
    return failed(e);
  }
  uint32_t outer = region_;
  open_region(JumpRegion::StatementExpression);
  push_scope();
  e->type = types_.get(TypeKind::Void);
  std::span<Stmt*> items;
  if (e->body->kind == StmtKind::Compound) items = as<CompoundStmt>(e->body)->items;
  for (Stmt*& item : items) {
    check_stmt(item);
    // After the error limit, statements remain unchecked and have no types.
    if (diagnostics_.saturated()) e->type = types_.get(TypeKind::Error);
    if (e->type->is_error() || &item != &items.back() || item->kind != StmtKind::Expression) continue;
    Expr*& value = as<ExpressionStmt>(item)->expression;
    value = decay(value);
    e->type = value->type;
  }
  pop_scope();
  region_ = outer;
  return e->type->is_error() ? failed(e) : e;
}

}  // namespace kc::front
