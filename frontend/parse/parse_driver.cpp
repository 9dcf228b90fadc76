// SPDX-License-Identifier: Apache-2.0
#include "frontend/parse/parse_driver.h"

#include <fmt/format.h>

#include <algorithm>

namespace kc::front {

namespace {

// Left operands of binary operators without parentheses are walked in a loop and do not count as depth.
int left_depth(const Expr* e) {
  return e->kind == ExprKind::Binary && !e->parenthesized ? e->depth - 1 : e->depth;
}

}  // namespace

const char* spelling(BinaryOp op) {
  static constexpr const char* Spellings[] = {
#define BINARY(name, spelling) spelling,
#include "frontend/sema/operators.def"
  };
  return Spellings[static_cast<int>(op)];
}

const char* spelling(UnaryOp op) {
  static constexpr const char* Spellings[] = {
#define UNARY(name, spelling, is_postfix) spelling,
#include "frontend/sema/operators.def"
  };
  return Spellings[static_cast<int>(op)];
}

bool is_comparison(BinaryOp op) { return op >= BinaryOp::Lt && op <= BinaryOp::Ne; }

ParseDriver::ParseDriver(TokenSource& source, Arena& arena, Diagnostics& diagnostics)
    : tokens_(source), arena_(arena), diagnostics_(diagnostics) {
  push_scope();
}

TranslationUnit ParseDriver::parse() {
  Parser parser(*this);
  parser.parse();
  if (tokens_.is_cut()) return {};
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

// ---- expressions ----

Expr* ParseDriver::literal(ExprKind kind, std::string_view text, SourceRange range) {
  NumberExpr* e = located(arena_.make<NumberExpr>(), range);
  e->kind = kind;
  e->text = text;
  return e;
}

Expr* ParseDriver::string(Chain<StringPiece> pieces, SourceRange range) {
  StringExpr* e = located(arena_.make<StringExpr>(), range);
  e->kind = ExprKind::String;
  e->pieces = arena_.copy(pieces);
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
  if (e->kind != ExprKind::Name) e->range = range;  // messages about a name refer to the name itself
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
  e->contraction = contraction_.back();
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
  e->contraction = contraction_.back();
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

// GNU `value ?: other` is `({ __auto_type v = value; v ? v : other; })`.
Expr* ParseDriver::value_or(Expr* value, Expr* other, SourceRange op_range, SourceRange range) {
  static constexpr std::string_view kName = ".value";  // no name that a program can have
  VarDecl* v = variable(declarator(kName, value->range), {}, value);
  v->specifiers = append({}, specifier(SpecifierKind::Word, TypeWord::Deduced, op_range, kName));
  Expr* choice = conditional(name(kName, value->range), name(kName, value->range), other, op_range, range);
  Chain<Stmt*> items = list(declaration(list(v), value->range));
  return statement_expression(compound(append(items, expression(StmtKind::Expression, choice, range)), range),
                              range);
}

Expr* ParseDriver::cast(TypeName* to, Expr* operand, SourceRange range) {
  CastExpr* e = located(arena_.make<CastExpr>(), range);
  e->kind = ExprKind::Cast;
  e->to = to;
  e->operand = operand;
  return checked(e, depth_of(operand) + 1);
}

Expr* ParseDriver::size_of(SizeofWord word, TypeName* type, Expr* operand, SourceRange range) {
  SizeofExpr* e = located(arena_.make<SizeofExpr>(), range);
  e->kind = type ? ExprKind::SizeofType : ExprKind::SizeofExpr;
  e->word = word;
  e->of_type = type;
  e->operand = operand;
  return checked(e, depth_of(operand) + 1);
}

Expr* ParseDriver::call(Expr* callee, Chain<Expr*> arguments, SourceRange range) {
  CallExpr* e = located(arena_.make<CallExpr>(), range);
  e->kind = ExprKind::Call;
  e->callee = callee;
  e->arguments = arena_.copy(arguments);
  int depth = depth_of(callee);
  for (Expr* a : e->arguments) depth = std::max(depth, depth_of(a));
  return checked(e, depth + 1);
}

// A call of the function whose name begins like this; sema adds the type.
Expr* ParseDriver::conversion(std::string_view prefix, Expr* e, TypeName* to, SourceRange where,
                              SourceRange range) {
  Expr* c = call(name(prefix, where), list(e), range);
  if (c->kind == ExprKind::Call) static_cast<CallExpr*>(c)->to_type = to;
  return c;
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

Expr* ParseDriver::init_list(Chain<Expr*> items, SourceRange range) {
  InitListExpr* e = located(arena_.make<InitListExpr>(), range);
  e->kind = ExprKind::InitList;
  e->items = arena_.copy(items);
  int depth = 0;
  for (Expr* item : e->items) depth = std::max(depth, depth_of(item));
  return checked(e, depth + 1);
}

Designator* ParseDriver::designator(std::string_view member, Expr* index, Expr* last, SourceRange range) {
  return arena_.make(Designator{member, index, last, range});
}

Expr* ParseDriver::designated(Chain<Designator> designators, Expr* value, SourceRange range) {
  DesignatedExpr* e = located(arena_.make<DesignatedExpr>(), range);
  e->kind = ExprKind::Designated;
  e->designators = arena_.copy(designators);
  e->value = value;
  int depth = depth_of(value);
  for (const Designator& d : e->designators) depth = std::max({depth, depth_of(d.index), depth_of(d.last)});
  return checked(e, depth + 1);
}

Expr* ParseDriver::compound_literal(TypeName* type, Expr* list, SourceRange range) {
  CompoundLiteralExpr* e = located(arena_.make<CompoundLiteralExpr>(), range);
  e->kind = ExprKind::CompoundLiteral;
  e->of_type = type;
  e->list = list;
  return checked(e, depth_of(list) + 1);
}

Expr* ParseDriver::statement_expression(Stmt* body, SourceRange range) {
  StatementExpr* e = located(arena_.make<StatementExpr>(), range);
  e->kind = ExprKind::StatementExpr;
  e->body = body;
  return checked(e, body->depth + 1);
}

}  // namespace kc::front
