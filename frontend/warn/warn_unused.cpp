// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "frontend/warn/warn.h"

namespace kc::front {

namespace {

// Records the variables that are read and those that are only written, in the whole file.
class Uses : public Visitor {
 public:
  void expression(const Expr* e, const Use& use) override {
    switch (e->kind) {
      case ExprKind::Assign:
        if (use.discarded) targets_.insert(as<AssignExpr>(e)->left);
        break;
      case ExprKind::Unary:
        if (use.discarded && as<UnaryExpr>(e)->op >= UnaryOp::PreInc)
          targets_.insert(as<UnaryExpr>(e)->operand);
        break;
      case ExprKind::Call:
        if (const FunctionDecl* callee = as<CallExpr>(e)->function) functions_.insert(callee->name);
        break;
      case ExprKind::Name:
        if (const VarDecl* v = as<NameExpr>(e)->variable) (targets_.contains(e) ? written_ : read_).insert(v);
        break;
      default:
        break;
    }
  }
  bool read(const VarDecl* v) const { return read_.contains(v); }
  bool written(const VarDecl* v) const { return written_.contains(v); }
  bool called(std::string_view function) const { return functions_.contains(function); }

 private:
  std::unordered_set<const Expr*> targets_;
  std::unordered_set<const VarDecl*> read_, written_;
  std::unordered_set<std::string_view> functions_;
};

bool marked_unused(const VarDecl* v) {
  return has_attribute(v->specifiers, "unused") ||
         (v->declarator && has_attribute(v->declarator->attributes, "unused"));
}

class Declarations : public Visitor {
 public:
  Declarations(const Uses& uses, Diagnostics& diagnostics) : uses_(uses), diagnostics_(diagnostics) {}

  void statement(const Stmt* s) override {
    if (s->kind == StmtKind::Declaration)
      for (const VarDecl* v : as<DeclarationStmt>(s)->variables) variable(v);
    if (s->kind == StmtKind::Label && !as<LabelStmt>(s)->used) label(as<LabelStmt>(s));
  }

 private:
  void variable(const VarDecl* v) {
    if (v->name.empty() || marked_unused(v) || diagnostics_.sources().in_macro(v->range.begin)) return;
    if (v->is_typedef) {
      if (!v->used)
        diagnostics_.warning(Warning::UnusedLocalTypedef, v->range,
                             fmt::format("unused typedef '{}'", v->name));
      return;
    }
    if (uses_.read(v)) return;
    if (!uses_.written(v))
      diagnostics_.warning(Warning::UnusedVariable, v->range, fmt::format("unused variable '{}'", v->name));
    else if (!(v->qualifiers & Volatile))
      diagnostics_.warning(Warning::UnusedButSetVariable, v->range,
                           fmt::format("variable '{}' is set but its value is never used", v->name));
  }

  void label(const LabelStmt* s) {
    if (diagnostics_.sources().in_macro(s->range.begin)) return;
    diagnostics_.warning(Warning::UnusedLabel, s->range, fmt::format("unused label '{}'", s->name))
        .remove(s->range);
  }

  const Uses& uses_;
  Diagnostics& diagnostics_;
};

void warn_parameters(const FunctionDecl& f, const Uses& uses, Diagnostics& diagnostics) {
  for (const VarDecl* p : f.parameters)
    if (!p->name.empty() && !marked_unused(p) && !uses.read(p) && !uses.written(p))
      diagnostics.warning(Warning::UnusedParameter, p->range, fmt::format("unused parameter '{}'", p->name));
}

bool is_private(const FunctionDecl& f) {
  bool is_static = false, is_inline = false;
  for (const Specifier* s = f.specifiers.first; s; s = s->next) {
    is_static |= s->kind == SpecifierKind::Storage && static_cast<Storage>(s->value) == Storage::Static;
    is_inline |= s->kind == SpecifierKind::Inline;  // common in headers, where some remain unused
  }
  return is_static && !is_inline;
}

}  // namespace

void warn_unused(std::span<const WalkedFunction> functions, Diagnostics& diagnostics) {
  Uses uses;
  for (const WalkedFunction& walked : functions) walked.nodes.visit(uses);
  for (const WalkedFunction& walked : functions) {
    const FunctionDecl& f = *walked.function;
    Declarations declarations(uses, diagnostics);
    walked.nodes.visit(declarations);
    warn_parameters(f, uses, diagnostics);
    bool marked = has_attribute(f.specifiers, "unused") || has_attribute(f.declarator->attributes, "unused");
    bool included = diagnostics.sources().included_at(f.range.begin) != NoPosition;
    if (!f.is_kernel && !marked && !included && is_private(f) && !uses.called(f.name))
      diagnostics.warning(Warning::UnusedFunction, f.range, fmt::format("unused function '{}'", f.name));
  }
}

}  // namespace kc::front
