// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <unordered_set>
#include <vector>

#include "frontend/warn/warn.h"

namespace kc::front {

namespace {

bool marked_unused(const VarDecl* v) {
  return has_attribute(v->specifiers, "unused") ||
         (v->declarator && has_attribute(v->declarator->attributes, "unused"));
}

bool is_private(const FunctionDecl& f) {
  bool is_static = false, is_inline = false;
  for (const Specifier* s = f.specifiers.first; s; s = s->next) {
    is_static |= s->kind == SpecifierKind::Storage && static_cast<Storage>(s->value) == Storage::Static;
    is_inline |= s->kind == SpecifierKind::Inline;  // common in headers, where some remain unused
  }
  return is_static && !is_inline;
}

class Unused : public UnusedWarnings {
 public:
  explicit Unused(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void enter(const FunctionDecl& f) override { functions_.push_back({&f, {}, {}}); }

  void statement(const Stmt* s) override {
    Declared& declared = functions_.back();
    if (s->kind == StmtKind::Declaration) {
      const auto& variables = as<DeclarationStmt>(s)->variables;
      declared.variables.insert(declared.variables.end(), variables.begin(), variables.end());
    }
    if (s->kind == StmtKind::Label && !as<LabelStmt>(s)->used) declared.labels.push_back(as<LabelStmt>(s));
  }

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
        if (const FunctionDecl* callee = as<CallExpr>(e)->function) called_.insert(callee->name);
        break;
      case ExprKind::Name:
        if (const VarDecl* v = as<NameExpr>(e)->variable) (targets_.erase(e) ? written_ : read_).insert(v);
        break;
      default:
        break;
    }
  }

  void report() override {
    for (const Declared& declared : functions_) {
      for (const VarDecl* v : declared.variables) check_variable(v);
      for (const LabelStmt* label : declared.labels) check_label(label);
      check_function(*declared.function);
    }
  }

 private:
  struct Declared {
    const FunctionDecl* function;
    std::vector<const VarDecl*> variables;
    std::vector<const LabelStmt*> labels;  // that no goto names
  };

  void check_variable(const VarDecl* v) {
    if (v->name.empty() || marked_unused(v) || diagnostics_.sources().in_macro(v->range.begin)) return;
    if (v->is_typedef) {
      if (!v->used)
        diagnostics_.warning(Warning::UnusedLocalTypedef, v->range,
                             fmt::format("unused typedef '{}'", v->name));
      return;
    }
    if (read_.contains(v)) return;
    if (!written_.contains(v))
      diagnostics_.warning(Warning::UnusedVariable, v->range, fmt::format("unused variable '{}'", v->name));
    else if (!(v->qualifiers & Volatile))
      diagnostics_.warning(Warning::UnusedButSetVariable, v->range,
                           fmt::format("variable '{}' is set but its value is never used", v->name));
  }

  void check_label(const LabelStmt* s) {
    if (diagnostics_.sources().in_macro(s->range.begin)) return;
    diagnostics_.warning(Warning::UnusedLabel, s->range, fmt::format("unused label '{}'", s->name))
        .remove(s->range);
  }

  void check_function(const FunctionDecl& f) {
    for (const VarDecl* p : f.parameters)
      if (!p->name.empty() && !marked_unused(p) && !read_.contains(p) && !written_.contains(p))
        diagnostics_.warning(Warning::UnusedParameter, p->range,
                             fmt::format("unused parameter '{}'", p->name));
    bool marked = has_attribute(f.specifiers, "unused") || has_attribute(f.declarator->attributes, "unused");
    bool included = diagnostics_.sources().included_at(f.range.begin) != NoPosition;
    if (diagnostics_.hard_errors() > 0) return;  // what has an error may call it
    if (!f.is_kernel && !marked && !included && is_private(f) && !called_.contains(f.name))
      diagnostics_.warning(Warning::UnusedFunction, f.range, fmt::format("unused function '{}'", f.name));
  }

  Diagnostics& diagnostics_;
  std::vector<Declared> functions_;
  // Of the whole unit: variables that are read, those that are written, and the names of called functions.
  std::unordered_set<const VarDecl*> read_, written_;
  std::unordered_set<std::string_view> called_;
  std::unordered_set<const Expr*> targets_;  // written only, and not walked yet
};

}  // namespace

std::unique_ptr<UnusedWarnings> unused_warnings(Diagnostics& diagnostics) {
  return std::make_unique<Unused>(diagnostics);
}

}  // namespace kc::front
