// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "frontend/warn/warn.h"

namespace kc::front {

namespace {

class Statements : public Visitor {
 public:
  explicit Statements(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void statement(const Stmt* s) override {
    if (s->kind == StmtKind::If) {
      check_empty_if(as<IfStmt>(s));
      check_chain(as<IfStmt>(s));
    }
    if (s->kind == StmtKind::Compound) check_empty_loops(as<CompoundStmt>(s));
  }

 private:
  // Whether only the closing parenthesis and blanks without a newline separate the two. A semicolon on its
  // own line is intentional, and so is one after a macro that expands to nothing.
  bool directly_behind(Position end, const Stmt* body) const {
    const Sources& sources = diagnostics_.sources();
    if (sources.in_macro(end) || sources.in_macro(body->range.begin) || body->range.begin < end) return false;
    std::string_view between =
        sources.file(end).text().substr(sources.offset_in_file(end), body->range.begin - end);
    return std::count(between.begin(), between.end(), ')') == 1 &&
           between.find_first_not_of(" \t)") == std::string_view::npos;
  }

  void empty_body(const Stmt* body, const char* what) {
    diagnostics_.warning(Warning::EmptyBody, body->range, fmt::format("this '{}' has an empty body", what))
        .note(body->range, "a semicolon on a line of its own silences this warning");
  }

  void check_empty_if(const IfStmt* s) {
    bool empty = s->then_body->kind == StmtKind::Null && !s->else_body;
    if (empty && directly_behind(s->condition->range.end, s->then_body)) empty_body(s->then_body, "if");
  }

  // The blanks before a statement that is the first of its line; nothing for others and in macros.
  std::optional<std::string_view> indentation(const Stmt* s) const {
    const Sources& sources = diagnostics_.sources();
    const Position at = s->range.begin;
    if (sources.in_macro(at)) return std::nullopt;
    const LineColumn place = sources.file(at).line_column(sources.offset_in_file(at));
    const std::string_view before = sources.file(at).line_text(place.line).substr(0, place.column - 1);
    if (before.find_first_not_of(" \t") != std::string_view::npos) return std::nullopt;
    return before;
  }

  // Whether the second statement is indented as if it belonged to the first.
  bool looks_inside(const Stmt* first, const Stmt* second) const {
    const auto outer = indentation(first), inner = indentation(second);
    return outer && inner && inner->size() > outer->size() && inner->starts_with(*outer);
  }

  // An empty loop is common; one before a block, or before a statement that is indented further, looks like
  // its head.
  void check_empty_loops(const CompoundStmt* s) {
    for (size_t i = 0; i + 1 < s->items.size(); ++i) {
      const Stmt* item = s->items[i];
      bool loop = item->kind == StmtKind::While || item->kind == StmtKind::For;
      const Stmt* next = s->items[i + 1];
      if (!loop || (next->kind != StmtKind::Compound && !looks_inside(item, next))) continue;
      const LoopStmt* l = as<LoopStmt>(item);
      const Expr* last = item->kind == StmtKind::For ? l->step : l->condition;
      if (l->body->kind == StmtKind::Null && last && directly_behind(last->range.end, l->body))
        empty_body(l->body, item->kind == StmtKind::For ? "for" : "while");
    }
  }

  // `if (a) ... else if (b) ... else if (a)`: the last branch is never taken.
  void check_chain(const IfStmt* s) {
    if (links_.contains(s)) return;
    std::vector<const Expr*> tested{s->condition};
    while (s->else_body && s->else_body->kind == StmtKind::If && tested.size() < 64) {
      s = as<IfStmt>(s->else_body);
      links_.insert(s);
      if (std::any_of(tested.begin(), tested.end(), has_effects)) return;
      if (has_effects(s->condition) || s->condition->is_constant) return;
      for (const Expr* earlier : tested)
        if (same_expression(earlier, s->condition)) {
          diagnostics_
              .warning(Warning::DuplicateCondition, s->condition->range,
                       "this condition was tested before; its branch is never taken")
              .note(earlier->range, "tested here");
          break;
        }
      tested.push_back(s->condition);
    }
  }

  Diagnostics& diagnostics_;
  std::unordered_set<const Stmt*> links_;
};

// Shadowed names. Scopes are those of sema; the tree is at most MaxDepth deep.
class Shadows {
 public:
  explicit Shadows(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void function(const FunctionDecl& f) {
    for (const VarDecl* p : f.parameters) declare(p);
    visit(f.body);
  }

 private:
  void declare(const VarDecl* v) {
    if (v->name.empty() || v->is_typedef) return;
    for (size_t i = names_.size(); i-- > 0;)
      if (names_[i]->name == v->name) {
        if (!diagnostics_.sources().in_macro(v->range.begin))
          diagnostics_.warning(Warning::Shadow, v->range, fmt::format("'{}' hides another variable", v->name))
              .note(names_[i]->range, "the other one is here");
        break;
      }
    names_.push_back(v);
  }

  void visit(const Stmt* s) {
    if (!s) return;
    size_t outside = names_.size();
    if (s->kind == StmtKind::Declaration) {
      for (const VarDecl* v : as<DeclarationStmt>(s)->variables) declare(v);
      return;
    }
    if (s->kind == StmtKind::Try) {
      visit(as<TryStmt>(s)->body);
      for (const Handler* h : as<TryStmt>(s)->handlers) {
        if (h->variable) declare(h->variable);
        visit(h->body);
        names_.resize(outside);
      }
      return;
    }
    for (const Stmt* below : children_of(s).statements) visit(below);
    names_.resize(outside);
  }

  Diagnostics& diagnostics_;
  std::vector<const VarDecl*> names_;
};

}  // namespace

std::unique_ptr<Visitor> statement_warnings(Diagnostics& diagnostics) {
  return std::make_unique<Statements>(diagnostics);
}

void warn_shadowed(const FunctionDecl& f, Diagnostics& diagnostics) {
  if (diagnostics.wants(Warning::Shadow)) Shadows(diagnostics).function(f);
}

}  // namespace kc::front
