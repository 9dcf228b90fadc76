// SPDX-License-Identifier: Apache-2.0
#include "frontend/warn/whole_trees.h"

#include <algorithm>

#include "frontend/warn/walk.h"

namespace kc::front {

namespace {

// Looks for what the parser or sema could not make sense of.
class Unknown : public Visitor {
 public:
  bool found = false;
  void expression(const Expr* e, const Use&) override {
    found |= e->kind == ExprKind::Error || !e->type || e->type->is_error();
  }
  void statement(const Stmt* s) override {
    found |= s->kind == StmtKind::Error;
    if (s->kind == StmtKind::Declaration)
      for (const VarDecl* v : as<DeclarationStmt>(s)->variables) found |= !v->type || v->type->is_error();
  }
};

}  // namespace

WholeTrees::WholeTrees(const TranslationUnit& unit, const Diagnostics& diagnostics)
    : sources_(diagnostics.sources()) {
  const bool all = diagnostics.hard_errors() == 0;
  if (!all) errors_ = diagnostics.error_places();
  for (const TopLevel& item : unit.items) {
    const FunctionDecl* f = item.function;
    if (f && f->body && !f->is_prelude && (all || is_whole(*f))) functions_.insert(f);
  }
}

bool WholeTrees::has_error(SourceRange range) const {
  const auto first = std::ranges::lower_bound(errors_, sources_.in_file(range.begin));
  return first != errors_.end() && *first <= sources_.in_file(std::max(range.begin, range.end - 1));
}

bool WholeTrees::is_whole(const Stmt* s) const {
  if (has_error(s->range)) return false;
  Unknown unknown;
  walk(s, unknown);
  return !unknown.found;
}

bool WholeTrees::is_whole(const FunctionDecl& f) const {
  if (has_error({f.range.begin, f.body->range.end})) return false;
  if (!f.return_type || f.return_type->is_error()) return false;
  return std::ranges::none_of(f.parameters, [](const VarDecl* p) { return p->type->is_error(); }) &&
         is_whole(f.body);
}

std::vector<const Stmt*> WholeTrees::parts_of(const FunctionDecl& f) const {
  std::vector<const Stmt*> whole, pending{f.body};
  while (!pending.empty()) {
    const Stmt* s = pending.back();
    pending.pop_back();
    if (is_whole(s)) {
      whole.push_back(s);
      continue;
    }
    const Children below = children_of(s);
    pending.insert(pending.end(), below.statements.rbegin(), below.statements.rend());
  }
  return whole;
}

}  // namespace kc::front
