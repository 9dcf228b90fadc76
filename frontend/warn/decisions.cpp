// SPDX-License-Identifier: Apache-2.0
#include "frontend/warn/decisions.h"

#include <fmt/format.h>

#include "frontend/lower/source_locs.h"
#include "frontend/warn/walk.h"

namespace kc::front {
namespace {

bool is_short_circuit(const Expr* e) {
  return e->kind == ExprKind::Binary &&
         (as<BinaryExpr>(e)->op == BinaryOp::LogicalAnd || as<BinaryExpr>(e)->op == BinaryOp::LogicalOr);
}

// The jump that ends an arm of an if; empty if none does.
std::string jump_of(const Stmt* arm) {
  while (arm && arm->kind == StmtKind::Compound) {
    const auto items = as<CompoundStmt>(arm)->items;
    arm = items.empty() ? nullptr : items.back();
  }
  if (!arm) return "";
  switch (arm->kind) {
    case StmtKind::Goto:
      return fmt::format("a goto to '{}'", as<GotoStmt>(arm)->label);
    case StmtKind::Break:
      return "a break";
    case StmtKind::Continue:
      return "a continue";
    case StmtKind::Return:
      return "an early return";
    case StmtKind::Throw:
      return "a throw";
    default:
      return "";
  }
}

class DecisionFinder : public Visitor {
 public:
  explicit DecisionFinder(const Sources& sources) : locs_(sources) {}
  std::vector<Decision> found;

  void statement(const Stmt* s) override {
    switch (s->kind) {
      case StmtKind::If: {
        const auto* branch = as<IfStmt>(s);
        std::string what = jump_of(branch->then_body);
        if (what.empty()) what = jump_of(branch->else_body);
        decided_by(branch->condition, what.empty() ? "an if" : what);
        break;
      }
      case StmtKind::While:
        decided_by(as<LoopStmt>(s)->condition, "the condition of a while loop");
        break;
      case StmtKind::Do:
        decided_by(as<LoopStmt>(s)->condition, "the condition of a do loop");
        break;
      case StmtKind::For:
        decided_by(as<LoopStmt>(s)->condition, "the condition of a for loop");
        break;
      case StmtKind::Switch:
        decided_by(as<SwitchStmt>(s)->value, "a switch");
        break;
      case StmtKind::Case:
        add(s->range, "a switch");
        break;
      default:
        break;
    }
  }

  void expression(const Expr* e, const Use& use) override {
    if (use.unevaluated) return;
    if (e->kind == ExprKind::Conditional)
      decided_by(as<ConditionalExpr>(e)->condition, "a conditional expression");
    else if (is_short_circuit(e) && !use.condition)
      add(e->range, "a short-circuit expression");
  }

 private:
  void decided_by(const Expr* condition, std::string what) {
    if (!condition) return;
    if (is_short_circuit(without_conversions(condition))) what += " under a short-circuit condition";
    add(condition->range, std::move(what));
  }
  void add(SourceRange range, std::string what) {
    if (range.begin == NoPosition || range.begin >= range.end) return;
    const Loc begin = locs_.of(range.begin), end = locs_.of(range.end - 1);
    if (!begin.file && !end.file) found.push_back({begin, end, std::move(what)});
  }

  SourceLocs locs_;
};

}  // namespace

std::vector<Decision> find_decisions(const TranslationUnit& unit, const Sources& sources) {
  DecisionFinder finder(sources);
  for (const TopLevel& item : unit.items)
    if (item.function && item.function->body && !item.function->is_prelude) walk(item.function->body, finder);
  return std::move(finder.found);
}

}  // namespace kc::front
