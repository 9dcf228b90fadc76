// SPDX-License-Identifier: Apache-2.0
// The flow graph of each function, callees first, and the warnings that follow from one function's graph.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "frontend/warn/walk.h"
#include "frontend/warn/warn.h"

namespace kc::front {

namespace {

class Callees : public Visitor {
 public:
  std::vector<const FunctionDecl*> found;  // definitions, or declarations of what has none
  void expression(const Expr* e, const Use&) override {
    const FunctionDecl* callee = e->kind == ExprKind::Call ? as<CallExpr>(e)->function : nullptr;
    if (callee && !callee->is_prelude) found.push_back(callee->definition ? callee->definition : callee);
  }
};

struct Caller {
  const FunctionDecl* function;
  std::vector<const FunctionDecl*> callees;
};

// Walks depth-first with an explicit stack. Sema rejects recursion.
std::vector<Caller> callees_first(const TranslationUnit& unit, const WholeTrees& whole) {
  struct Frame {
    Caller caller;
    size_t opened = 0;  // callees
  };
  std::vector<Caller> order;
  std::unordered_set<const FunctionDecl*> seen;
  std::vector<Frame> path;
  auto open = [&](const FunctionDecl* f) {
    if (!f || !whole.contains(*f) || !seen.insert(f).second) return;
    Callees callees;
    walk(f->body, callees);
    path.push_back({{f, std::move(callees.found)}});
  };
  for (const TopLevel& item : unit.items) {
    open(item.function);
    while (!path.empty()) {
      Frame& top = path.back();
      if (top.opened == top.caller.callees.size()) {
        order.push_back(std::move(top.caller));
        path.pop_back();
        continue;
      }
      open(top.caller.callees[top.opened++]);
    }
  }
  return order;
}

class Reachability {
 public:
  Reachability(const FunctionDecl& f, const FlowGraph& graph, Diagnostics& diagnostics)
      : f_(f), graph_(graph), diagnostics_(diagnostics), reached_(reachable_blocks(graph, false)) {}

  void run() {
    collect(f_.body);
    scan(f_.body);
    check_end();
    if (diagnostics_.wants(Warning::ImplicitFallthrough))
      for (const FlowGraph::CaseEntry& e : graph_.case_entries) check_case(e);
  }

 private:
  bool starts_reached(const Stmt* s) const { return reached_[graph_.starts.at(s)]; }

  // Collects the statements that are reachable, or contain a reachable one through a label.
  bool collect(const Stmt* s) {
    bool any = starts_reached(s);
    for (const Stmt* below : children_of(s).statements) any |= collect(below);
    if (any) alive_.insert(s);
    return any;
  }

  // In a run of unreachable statements, the first one with an effect is reported. A `break` after a `return`
  // is customary, and so is a `return` that ends a function.
  static bool does_something(const Stmt* s) {
    switch (s->kind) {
      case StmtKind::Null:
      case StmtKind::Break:
      case StmtKind::Continue:
      case StmtKind::Return:
      case StmtKind::Label:
      case StmtKind::Case:
      case StmtKind::Default:
        return false;
      case StmtKind::Declaration:
        return std::any_of(as<DeclarationStmt>(s)->variables.begin(), as<DeclarationStmt>(s)->variables.end(),
                           [](const VarDecl* v) { return v->initializer; });
      case StmtKind::Compound:
        return std::any_of(as<CompoundStmt>(s)->items.begin(), as<CompoundStmt>(s)->items.end(),
                           does_something);
      default:
        return true;
    }
  }

  void scan(const Stmt* s) {
    bool dead_before = false;
    for (const Stmt* below : children_of(s).statements) {
      if (alive_.contains(below)) {
        dead_before = false;
        scan(below);
      } else if (s->kind == StmtKind::Try) {
        // A handler has its own warning.
      } else if (!dead_before && does_something(below) &&
                 !diagnostics_.sources().in_macro(below->range.begin)) {
        diagnostics_.warning(Warning::UnreachableCode, below->range, "this code is never reached");
        dead_before = true;
      }
    }
  }

  void check_end() {
    if (f_.return_type->is_void()) return;
    std::vector<bool> reached = reachable_blocks(graph_, true);
    if (!reached[graph_.end]) return;
    Position end = f_.body->range.end;
    const char* text = reached[graph_.returned]
                           ? "some path through '{}' ends here without returning a value; it returns 0"
                           : "'{}' does not return a value; it returns 0";
    diagnostics_.warning(Warning::ReturnType, {end - 1, end}, fmt::format(fmt::runtime(text), f_.name));
  }

  void check_case(const FlowGraph::CaseEntry& e) {
    const Sources& sources = diagnostics_.sources();
    if (!reached_[e.above] || sources.in_macro(e.label->range.begin)) return;
    if (says_so(sources, e.end_above, e.label->range.begin)) return;
    diagnostics_.warning(
        Warning::ImplicitFallthrough, e.label->range,
        "the code above runs into this case; a comment 'fall through' says that it is meant");
  }

  static bool says_so(const Sources& sources, Position from, Position to) {
    if (sources.in_macro(from) || from > to) return false;
    std::string text(sources.file(from).text().substr(sources.offset_in_file(from), to - from));
    std::erase_if(text, [](char c) { return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')); });
    for (char& c : text) c = static_cast<char>(c | 0x20);
    for (const char* words : {"fallthrough", "fallthru", "fallsthrough", "fallsthru"})
      if (text.find(words) != std::string::npos) return true;
    return false;
  }

  const FunctionDecl& f_;
  const FlowGraph& graph_;
  Diagnostics& diagnostics_;
  std::vector<bool> reached_;
  std::unordered_set<const Stmt*> alive_;
};

}  // namespace

void warn_reachability(const FunctionDecl& f, const FlowGraph& graph, Diagnostics& diagnostics) {
  Reachability(f, graph, diagnostics).run();
}

void warn_flow(const TranslationUnit& unit, const WholeTrees& whole, Diagnostics& diagnostics) {
  FunctionFlows flows;
  for (const auto& [f, callees] : callees_first(unit, whole)) {
    // After an error: whether the others throw or return is not known.
    const auto is_known = [&](const FunctionDecl* callee) { return flows.contains(callee); };
    if (diagnostics.hard_errors() > 0 && !std::ranges::all_of(callees, is_known)) continue;
    FlowGraph graph = build_flow_graph(*f, flows);
    flows[f] = summarize(graph);
    warn_reachability(*f, graph, diagnostics);
    warn_uninitialized(graph, diagnostics);
    warn_exceptions(*f, graph, diagnostics);
    if (flows[f].has_barrier) warn_barriers(*f, graph, flows, diagnostics);
  }
}

}  // namespace kc::front
