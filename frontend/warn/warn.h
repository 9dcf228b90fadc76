// SPDX-License-Identifier: Apache-2.0
// Warnings on the checked tree. After an error they are about what it leaves whole (whole_trees.h), so all
// names are resolved and all types known.
#pragma once
#include <memory>
#include <string_view>

#include "frontend/parse/ast.h"
#include "frontend/source/diagnostics.h"
#include "frontend/warn/flow_graph.h"
#include "frontend/warn/walk.h"
#include "frontend/warn/whole_trees.h"

namespace kc::front {

/// Runs all warnings.
void warn(const TranslationUnit& unit, Diagnostics& diagnostics);

/// Unused labels, variables, parameters, functions and typedefs: known when the whole unit was walked.
class UnusedWarnings : public Visitor {
 public:
  /// What is walked next is the body of this function.
  virtual void enter(const FunctionDecl& f) = 0;
  virtual void report() = 0;
};
std::unique_ptr<UnusedWarnings> unused_warnings(Diagnostics& diagnostics);
/// Unused results, assignments in place of comparisons, misleading precedence.
std::unique_ptr<Visitor> expression_warnings(Diagnostics& diagnostics);
/// Constants: division by zero, shifts, overflow, comparisons with a constant result.
std::unique_ptr<Visitor> constant_warnings(Diagnostics& diagnostics);
/// Conversions that change values, comparisons of signed with unsigned.
std::unique_ptr<Visitor> conversion_warnings(Diagnostics& diagnostics);
/// Empty bodies, repeated conditions.
std::unique_ptr<Visitor> statement_warnings(Diagnostics& diagnostics);
/// Variables that hide others.
void warn_shadowed(const FunctionDecl& f, Diagnostics& diagnostics);
/// Warnings based on control flow: see flow_graph.h. Callees come before callers; a function that calls one
/// that is not whole has none.
void warn_flow(const TranslationUnit& unit, const WholeTrees& whole, Diagnostics& diagnostics);
/// Unreachable code, missing returns, cases that fall through.
void warn_reachability(const FunctionDecl& f, const FlowGraph& graph, Diagnostics& diagnostics);
/// Variables that are read before they are written.
void warn_uninitialized(const FlowGraph& graph, Diagnostics& diagnostics);
/// Barriers that some work-items of a group may not reach.
/// Sets same_for_group of the function, which has a barrier.
void warn_barriers(const FunctionDecl& f, const FlowGraph& graph, FunctionFlows& flows,
                   Diagnostics& diagnostics);
/// Unreachable handlers, uncaught exceptions.
void warn_exceptions(const FunctionDecl& f, const FlowGraph& graph, Diagnostics& diagnostics);

/// Whether the list contains `__attribute__((name))` or its form with underscores.
bool has_attribute(const SpecifierList& list, std::string_view name);
/// Whether two expressions are spelled alike and refer to the same entities.
bool same_expression(const Expr* a, const Expr* b);
/// Whether evaluating the expression has an effect besides its value.
bool has_effects(const Expr* e);

}  // namespace kc::front
