// SPDX-License-Identifier: Apache-2.0
#include "frontend/parse_driver.h"

#include <fmt/format.h>

#include <algorithm>

namespace kc::front {

namespace {

int depth_of(const Expr* e) { return e ? e->depth : 0; }

// Left operands of binary operators without parentheses are walked with a loop: they cost no depth.
int left_depth(const Expr* e) {
  return e->kind == ExprKind::Binary && !e->parenthesized ? e->depth - 1 : e->depth;
}

template <class Node>
Node* located(Node* node, SourceRange range) {
  node->range = range;
  return node;
}

}  // namespace

const char* spelling(BinaryOp op) {
  static constexpr const char* Spellings[] = {
#define BINARY(name, spelling) spelling,
#include "frontend/operators.def"
  };
  return Spellings[static_cast<int>(op)];
}

const char* spelling(UnaryOp op) {
  static constexpr const char* Spellings[] = {
#define UNARY(name, spelling, is_postfix) spelling,
#include "frontend/operators.def"
  };
  return Spellings[static_cast<int>(op)];
}

bool is_comparison(BinaryOp op) { return op >= BinaryOp::Lt && op <= BinaryOp::Ne; }

ParseDriver::ParseDriver(std::vector<Token> tokens, Arena& arena, Diagnostics& diagnostics)
    : tokens_(std::move(tokens)), arena_(arena), diagnostics_(diagnostics) {
  push_scope();
}

TranslationUnit ParseDriver::parse() {
  Parser parser(*this);
  parser.parse();
  return {arena_.copy(items_)};
}

bool ParseDriver::too_deep(SourceRange range, int depth) {
  if (depth <= MaxDepth) return false;
  if (!reported_depth_)
    diagnostics_.error(range, fmt::format("this is nested too deeply; the limit is {} levels", MaxDepth));
  reported_depth_ = true;
  return true;
}

Expr* ParseDriver::checked(Expr* e, int depth) {
  if (too_deep(e->range, depth)) return located(arena_.make<Expr>(), e->range);
  e->depth = static_cast<uint16_t>(depth);
  return e;
}

Stmt* ParseDriver::checked(Stmt* s, std::initializer_list<int> depths) {
  int depth = 1 + std::max(depths);
  if (too_deep(s->range, depth)) return error_statement(s->range);
  s->depth = static_cast<uint16_t>(depth);
  return s;
}

// ---- declarations ----

Specifier* ParseDriver::unsupported_type(std::string_view name, SourceRange range) {
  return specifier(SpecifierKind::Word, TypeWord::Unsupported, range, name);
}

void ParseDriver::refuse_aggregate(SourceRange range) {
  std::string_view word = diagnostics_.sources().spelling_from(range.begin);
  const char* what = word.starts_with("struct")  ? "structs are"
                     : word.starts_with("union") ? "unions are"
                     : word.starts_with("enum")  ? "enumerations are"
                                                 : "structs, unions and enumerations are";
  uint32_t length = word.starts_with("struct") ? 6 : word.starts_with("union") ? 5 : 4;
  diagnostics_.error({range.begin, range.begin + length},
                     fmt::format("{} not part of this version of the language", what));
  if (diagnostics_.saturated()) return;
  for (const Token& t : tokens_)
    if (t.kind == Tok::TokIdentifier && t.range.begin >= range.begin && t.range.end <= range.end)
      tainted_.insert(t.text);
}

SpecifierList ParseDriver::append(SpecifierList list, Specifier* s) {
  if (list.last)
    list.last->next = s;
  else
    list.first = s;
  list.last = s;
  return list;
}

Specifier* ParseDriver::attribute_list(const std::vector<Attribute>& list, SourceRange range) {
  Specifier* s = specifier(SpecifierKind::AttributeList, 0, range);
  s->attributes = arena_.copy(list);
  return s;
}

Attribute ParseDriver::attribute(std::string_view name, const std::vector<Expr*>& arguments,
                                 SourceRange range) {
  return {name, range, arena_.copy(arguments)};
}

DeclaratorPart* ParseDriver::pointer(DeclaratorPart* inner, SpecifierList qualifiers, SourceRange range) {
  DeclaratorPart* part = arena_.make<DeclaratorPart>();
  part->kind = DeclaratorPart::Pointer;
  part->range = range;
  part->qualifiers = qualifiers;
  part->next = inner;  // the pointer written first applies first: turned around in pointer_to
  return part;
}

DeclaratorPart* ParseDriver::array(Expr* length, SourceRange range) {
  DeclaratorPart* part = arena_.make<DeclaratorPart>();
  part->kind = DeclaratorPart::Array;
  part->range = range;
  part->length = length;
  return part;
}

Declarator* ParseDriver::declarator(std::string_view name, SourceRange range) {
  Declarator* d = arena_.make<Declarator>();
  d->name = name;
  d->range = range;
  return d;
}

// Parts are listed from the base type towards the name: what is bound later goes in front.
Declarator* ParseDriver::suffix(Declarator* d, DeclaratorPart* part) {
  if (too_deep(part->range, d->depth + 1)) return d;
  ++d->depth;
  part->next = d->parts;
  d->parts = part;
  return d;
}

Declarator* ParseDriver::function(Declarator* d, const std::vector<TypeName*>& parameters,
                                  SourceRange range) {
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

Stmt* ParseDriver::declaration(const std::vector<VarDecl*>& variables, SourceRange range) {
  DeclarationStmt* s = located(arena_.make<DeclarationStmt>(), range);
  s->kind = StmtKind::Declaration;
  s->variables = arena_.copy(variables);
  return s;
}

Stmt* ParseDriver::empty_declaration(SpecifierList specifiers, SourceRange range) {
  bool refused = false;  // an aggregate, which has had its message
  for (Specifier* s = specifiers.first; s; s = s->next)
    refused |= s->kind == SpecifierKind::Word && s->name.empty() &&
               static_cast<TypeWord>(s->value) == TypeWord::Unsupported;
  if (!refused)
    diagnostics_.warning(Warning::MissingDeclarations, range, "declaration does not declare anything");
  return null_statement(range);
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

// ---- expressions ----

Expr* ParseDriver::literal(ExprKind kind, std::string_view text, SourceRange range) {
  NumberExpr* e = located(arena_.make<NumberExpr>(), range);
  e->kind = kind;
  e->text = text;
  return e;
}

Expr* ParseDriver::name(std::string_view name, SourceRange range) {
  NameExpr* e = located(arena_.make<NameExpr>(), range);
  e->kind = ExprKind::Name;
  e->name = name;
  return e;
}

Expr* ParseDriver::parenthesized(Expr* e, SourceRange range) {
  e->parenthesized = true;
  e->range = range;
  return checked(e, depth_of(e) + 1);
}

Expr* ParseDriver::unary(UnaryOp op, Expr* operand, SourceRange op_range, SourceRange range) {
  UnaryExpr* e = located(arena_.make<UnaryExpr>(), range);
  e->kind = ExprKind::Unary;
  e->op = op;
  e->op_range = op_range;
  e->operand = operand;
  return checked(e, depth_of(operand) + 1);
}

Expr* ParseDriver::binary(BinaryOp op, Expr* left, Expr* right, SourceRange op_range, SourceRange range) {
  BinaryExpr* e = located(arena_.make<BinaryExpr>(), range);
  e->kind = ExprKind::Binary;
  e->op = op;
  e->op_range = op_range;
  e->left = left;
  e->right = right;
  return checked(e, std::max(left_depth(left), depth_of(right)) + 1);
}

Expr* ParseDriver::assign(bool compound, BinaryOp op, Expr* left, Expr* right, SourceRange op_range,
                          SourceRange range) {
  AssignExpr* e = located(arena_.make<AssignExpr>(), range);
  e->kind = ExprKind::Assign;
  e->compound = compound;
  e->op = op;
  e->op_range = op_range;
  e->left = left;
  e->right = right;
  return checked(e, std::max(depth_of(left), depth_of(right)) + 1);
}

Expr* ParseDriver::conditional(Expr* condition, Expr* t, Expr* f, SourceRange, SourceRange range) {
  ConditionalExpr* e = located(arena_.make<ConditionalExpr>(), range);
  e->kind = ExprKind::Conditional;
  e->condition = condition;
  e->if_true = t;
  e->if_false = f;
  return checked(e, std::max({depth_of(condition), depth_of(t), depth_of(f)}) + 1);
}

Expr* ParseDriver::cast(TypeName* to, Expr* operand, SourceRange range) {
  CastExpr* e = located(arena_.make<CastExpr>(), range);
  e->kind = ExprKind::Cast;
  e->to = to;
  e->operand = operand;
  return checked(e, depth_of(operand) + 1);
}

Expr* ParseDriver::size_of(TypeName* type, Expr* operand, SourceRange range) {
  SizeofExpr* e = located(arena_.make<SizeofExpr>(), range);
  e->kind = type ? ExprKind::SizeofType : ExprKind::SizeofExpr;
  e->of_type = type;
  e->operand = operand;
  return checked(e, depth_of(operand) + 1);
}

Expr* ParseDriver::call(Expr* callee, const std::vector<Expr*>& arguments, SourceRange range) {
  CallExpr* e = located(arena_.make<CallExpr>(), range);
  e->kind = ExprKind::Call;
  e->callee = callee;
  e->arguments = arena_.copy(arguments);
  int depth = depth_of(callee);
  for (Expr* a : arguments) depth = std::max(depth, depth_of(a));
  return checked(e, depth + 1);
}

Expr* ParseDriver::index(Expr* base, Expr* index, SourceRange range) {
  IndexExpr* e = located(arena_.make<IndexExpr>(), range);
  e->kind = ExprKind::Index;
  e->base = base;
  e->index = index;
  return checked(e, std::max(depth_of(base), depth_of(index)) + 1);
}

Expr* ParseDriver::member(Expr* base, std::string_view member, bool arrow, SourceRange op_range,
                          SourceRange range) {
  MemberExpr* e = located(arena_.make<MemberExpr>(), range);
  e->kind = ExprKind::Member;
  e->base = base;
  e->member = member;
  e->op_range = op_range;
  e->arrow = arrow;
  return checked(e, depth_of(base) + 1);
}

Expr* ParseDriver::init_list(const std::vector<Expr*>& items, SourceRange range) {
  InitListExpr* e = located(arena_.make<InitListExpr>(), range);
  e->kind = ExprKind::InitList;
  e->items = arena_.copy(items);
  int depth = 0;
  for (Expr* item : items) depth = std::max(depth, depth_of(item));
  return checked(e, depth + 1);
}

}  // namespace kc::front
