// SPDX-License-Identifier: Apache-2.0
// Builds the declaration nodes for the grammar's actions.
#include "frontend/parse/parse_driver.h"

namespace kc::front {

Specifier* ParseDriver::unsupported_type(std::string_view name, SourceRange range) {
  return specifier(SpecifierKind::Word, TypeWord::Unsupported, range, name);
}

Specifier* ParseDriver::record_type(RecordSpecifier* record, SourceRange range) {
  Specifier* s = specifier(SpecifierKind::Record, 0, range);
  s->record = record;
  return s;
}

Specifier* ParseDriver::enum_type(EnumSpecifier* enumeration, SourceRange range) {
  Specifier* s = specifier(SpecifierKind::Enum, 0, range);
  s->enumeration = enumeration;
  return s;
}

Specifier* ParseDriver::type_of(TypeName* type, Expr* expression, SourceRange range) {
  Specifier* s = specifier(SpecifierKind::Typeof, 0, range);
  s->type_name = type;
  s->expression = expression;
  return s;
}

RecordSpecifier* ParseDriver::record_head(bool is_union, SpecifierList attributes, SourceRange range) {
  return arena_.make(
      RecordSpecifier{.is_union = is_union, .range = range, .attributes = attributes, .pack = pack_.back()});
}

RecordSpecifier* ParseDriver::tag(RecordSpecifier* record, std::string_view name, SourceRange range) {
  record->tag = name;
  record->range = range;
  return record;
}

RecordSpecifier* ParseDriver::fields(RecordSpecifier* record, Chain<FieldDecl*> fields) {
  record->has_body = true;
  record->fields = arena_.copy(fields);
  return record;
}

FieldDecl* ParseDriver::field(SpecifierList specifiers, Declarator* d, Expr* width, SourceRange range) {
  return arena_.make(FieldDecl{specifiers, d, width, range});
}

EnumSpecifier* ParseDriver::enumeration(std::string_view tag, Chain<EnumConstant> constants, bool has_body,
                                        SourceRange range) {
  return arena_.make(
      EnumSpecifier{.has_body = has_body, .tag = tag, .range = range, .constants = arena_.copy(constants)});
}

EnumConstant* ParseDriver::enumerator(std::string_view name, Expr* value, SourceRange range) {
  declare_name(name, false);
  return arena_.make(EnumConstant{name, range, value});
}

SpecifierList ParseDriver::append(SpecifierList list, Specifier* s) {
  if (list.last)
    list.last->next = s;
  else
    list.first = s;
  list.last = s;
  return list;
}

Specifier* ParseDriver::attribute_list(Chain<Attribute> list, SourceRange range) {
  Specifier* s = specifier(SpecifierKind::AttributeList, 0, range);
  s->attributes = arena_.copy(list);
  return s;
}

Attribute* ParseDriver::attribute(std::string_view name, Chain<Expr*> arguments, SourceRange range) {
  return arena_.make(Attribute{name, range, arena_.copy(arguments)});
}

DeclaratorPart* ParseDriver::pointer(DeclaratorPart* inner, SpecifierList qualifiers, SourceRange range) {
  DeclaratorPart* part = arena_.make<DeclaratorPart>();
  part->kind = DeclaratorPart::Pointer;
  part->range = range;
  part->qualifiers = qualifiers;
  part->next = inner;  // the pointer written first applies first; pointer_to reverses the list
  return part;
}

DeclaratorPart* ParseDriver::array(SpecifierList words, Expr* length, SourceRange range) {
  DeclaratorPart* part = arena_.make<DeclaratorPart>();
  part->kind = DeclaratorPart::Array;
  part->range = range;
  part->qualifiers = words;
  part->length = length;
  return part;
}

Declarator* ParseDriver::declarator(std::string_view name, SourceRange range) {
  Declarator* d = arena_.make<Declarator>();
  d->name = name;
  d->range = range;
  return d;
}

// Parts are ordered from the base type to the name: a part that binds later is prepended.
Declarator* ParseDriver::suffix(Declarator* d, DeclaratorPart* part) {
  if (too_deep(part->range, d->depth + 1)) return d;
  ++d->depth;
  part->next = d->parts;
  d->parts = part;
  return d;
}

Declarator* ParseDriver::function(Declarator* d, Chain<TypeName*> parameters, SourceRange range) {
  DeclaratorPart* part = arena_.make<DeclaratorPart>();
  part->kind = DeclaratorPart::Function;
  part->range = range;
  part->parameters = arena_.copy(parameters);
  return suffix(d, part);
}

Declarator* ParseDriver::pointer_to(Declarator* d, DeclaratorPart* pointers, SourceRange) {
  while (pointers) {
    DeclaratorPart* next = pointers->next;
    suffix(d, pointers);
    pointers = next;
  }
  return d;
}

TypeName* ParseDriver::type_name(SpecifierList specifiers, Declarator* d, SourceRange range) {
  return arena_.make(TypeName{specifiers, d, range});
}

VarDecl* ParseDriver::variable(Declarator* d, SpecifierList attributes, Expr* initializer) {
  VarDecl* v = arena_.make<VarDecl>();
  d->attributes = attributes;
  v->name = d->name;
  v->range = d->range;
  v->declarator = d;
  v->initializer = initializer;
  return v;
}

VarDecl* ParseDriver::declare(SpecifierList specifiers, VarDecl* variable) {
  variable->specifiers = specifiers;
  for (Specifier* s = specifiers.first; s; s = s->next)
    if (s->kind == SpecifierKind::Storage && static_cast<Storage>(s->value) == Storage::Typedef)
      variable->is_typedef = true;
  declare_name(variable->name, variable->is_typedef);
  return variable;
}

Stmt* ParseDriver::declaration(Chain<VarDecl*> variables, SourceRange range) {
  DeclarationStmt* s = located(arena_.make<DeclarationStmt>(), range);
  s->kind = StmtKind::Declaration;
  s->variables = arena_.copy(variables);
  return s;
}

Stmt* ParseDriver::static_assertion(Expr* condition, Expr* message, SourceRange range) {
  VarDecl* assertion = arena_.make<VarDecl>();
  assertion->range = range;
  assertion->initializer = condition;
  assertion->message = message ? message : string(list(StringPiece{"\"\"", range}), range);
  return declaration(list(assertion), range);
}

// Sema treats it as a variable without a declarator.
Stmt* ParseDriver::empty_declaration(SpecifierList specifiers, SourceRange range) {
  VarDecl* nothing = arena_.make<VarDecl>();
  nothing->specifiers = specifiers;
  nothing->range = range;
  return declaration(list(nothing), range);
}

FunctionDecl* ParseDriver::begin_function(SpecifierList specifiers, Declarator* d, SpecifierList attributes) {
  FunctionDecl* f = arena_.make<FunctionDecl>();
  d->attributes = attributes;
  f->name = d->name;
  f->range = d->range;
  f->specifiers = specifiers;
  f->declarator = d;
  declare_name(d->name, false);
  push_scope();
  DeclaratorPart* part = d->parts;
  while (part && part->next) part = part->next;
  if (part && part->kind == DeclaratorPart::Function)
    for (TypeName* p : part->parameters) declare_name(p->declarator->name, false);
  return f;
}

void ParseDriver::end_function(FunctionDecl* function, Stmt* body) {
  pop_scope();
  function->body = body;
  items_.push_back({function, nullptr});
}

void ParseDriver::top_level(Stmt* declaration) {
  if (declaration->kind != StmtKind::Declaration) return;
  for (VarDecl* v : as<DeclarationStmt>(declaration)->variables) items_.push_back({nullptr, v});
}

}  // namespace kc::front
