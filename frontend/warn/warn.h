// SPDX-License-Identifier: Apache-2.0
// Warnings on the checked tree. They run only if sema found no error, so all names are resolved and all types
// known.
#pragma once
#include <span>
#include <string_view>

#include "frontend/parse/ast.h"
#include "frontend/source/diagnostics.h"
#include "frontend/warn/flow_graph.h"
#include "frontend/warn/walk.h"

namespace kc::front {

/// A function with a body, and its nodes.
struct WalkedFunction {
  const FunctionDecl* function;
  Nodes nodes;
};

/// Runs all warnings.
void warn(const TranslationUnit& unit, Diagnostics& diagnostics);

/// Unused labels, variables, parameters, functions and typedefs.
void warn_unused(std::span<const WalkedFunction> functions, Diagnostics& diagnostics);
/// Unused results, assignments in place of comparisons, misleading precedence.
void warn_expressions(const WalkedFunction& f, Diagnostics& diagnostics);
/// Constants: division by zero, shifts, overflow, comparisons with a constant result.
void warn_constants(const WalkedFunction& f, Diagnostics& diagnostics);
/// Conversions that change values, comparisons of signed with unsigned.
void warn_conversions(const WalkedFunction& f, Diagnostics& diagnostics);
/// Empty bodies, repeated conditions, shadowed names.
void warn_statements(const WalkedFunction& f, Diagnostics& diagnostics);
/// Warnings based on control flow: see flow_graph.h. Callees come before callers.
void warn_flow(const TranslationUnit& unit, Diagnostics& diagnostics);
/// Unreachable code, missing returns, cases that fall through.
void warn_reachability(const FunctionDecl& f, const FlowGraph& graph, Diagnostics& diagnostics);
/// Variables that are read before they are written.
void warn_uninitialized(const FlowGraph& graph, Diagnostics& diagnostics);
/// Barriers that some work-items of a group may not reach.
void warn_barriers(const FlowGraph& graph, Diagnostics& diagnostics);
/// Unreachable handlers, uncaught exceptions.
void warn_exceptions(const FunctionDecl& f, const FlowGraph& graph, Diagnostics& diagnostics);

/// Whether the list contains `__attribute__((name))` or its form with underscores.
bool has_attribute(const SpecifierList& list, std::string_view name);
/// Whether two expressions are spelled alike and refer to the same entities.
bool same_expression(const Expr* a, const Expr* b);
/// Whether evaluating the expression has an effect besides its value.
bool has_effects(const Expr* e);

}  // namespace kc::front
