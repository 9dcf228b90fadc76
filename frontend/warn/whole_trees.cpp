// SPDX-License-Identifier: Apache-2.0
#include "frontend/warn/whole_trees.h"

#include <algorithm>

#include "frontend/warn/walk.h"

namespace kc::front {

namespace {

// Where the parser or sema could not make sense of a part.
class Unknown : public Visitor {
 public:
  std::vector<Position> places;
  void expression(const Expr* e, const Use&) override {
    if (e->kind == ExprKind::Error || !e->type || e->type->is_error()) places.push_back(e->range.begin);
  }
  void statement(const Stmt* s) override {
    if (s->kind == StmtKind::Error) places.push_back(s->range.begin);
    if (s->kind == StmtKind::Declaration)
      for (const VarDecl* v : as<DeclarationStmt>(s)->variables)
        if (!v->type || v->type->is_error()) places.push_back(v->range.begin);
  }
};

SourceRange range_of(const FunctionDecl& f) { return {f.range.begin, f.body->range.end}; }

bool has_types(const FunctionDecl& f) {
  return f.return_type && !f.return_type->is_error() &&
         std::ranges::none_of(f.parameters, [](const VarDecl* p) { return p->type->is_error(); });
}

}  // namespace

WholeTrees::WholeTrees(const TranslationUnit& unit, const Diagnostics& diagnostics)
    : sources_(diagnostics.sources()) {
  const bool all = diagnostics.hard_errors() == 0;
  std::vector<const FunctionDecl*> known;
  if (!all) errors_ = diagnostics.error_places();
  for (const TopLevel& item : unit.items) {
    const FunctionDecl* f = item.function;
    if (!f || !f->body || f->is_prelude) continue;
    if (all || (has_types(*f) && add_unknown(*f))) known.push_back(f);
  }
  std::ranges::sort(errors_);
  for (const FunctionDecl* f : known) (has_error(range_of(*f)) ? damaged_ : functions_).insert(f);
}

// False if one of them has no place in the function.
bool WholeTrees::add_unknown(const FunctionDecl& f) {
  Unknown unknown;
  walk(f.body, unknown);
  for (Position at : unknown.places) {
    bool inside = false;
    for (; at != NoPosition; at = sources_.included_at(at)) {
      errors_.push_back(sources_.in_file(at));
      inside |= holds(range_of(f), errors_.back());
    }
    if (!inside) return false;
  }
  return true;
}

bool WholeTrees::holds(SourceRange range, Position in_file) const {
  return in_file >= sources_.in_file(range.begin) &&
         in_file <= sources_.in_file(std::max(range.begin, range.end - 1));
}

bool WholeTrees::has_error(SourceRange range) const {
  const auto first = std::ranges::lower_bound(errors_, sources_.in_file(range.begin));
  return first != errors_.end() && holds(range, *first);
}

std::vector<const Stmt*> WholeTrees::parts_of(const FunctionDecl& f) const {
  std::vector<const Stmt*> whole, pending;
  if (damaged_.contains(&f)) pending.push_back(f.body);
  while (!pending.empty()) {
    const Stmt* s = pending.back();
    pending.pop_back();
    if (!has_error(s->range)) {
      whole.push_back(s);
      continue;
    }
    const Children below = children_of(s);
    pending.insert(pending.end(), below.statements.rbegin(), below.statements.rend());
  }
  return whole;
}

}  // namespace kc::front
