// SPDX-License-Identifier: Apache-2.0
// Warnings that look at the checked tree as a whole. Everything here runs after sema found no error, so that
// all names are resolved and all types known.
#pragma once
#include <span>
#include <string_view>

#include "frontend/parse/ast.h"
#include "frontend/source/diagnostics.h"
#include "frontend/warn/flow_graph.h"
#include "frontend/warn/walk.h"

namespace kc::front {

/// A function with a body, and what is in it.
struct WalkedFunction {
  const FunctionDecl* function;
  Nodes nodes;
};

/// All of them.
void warn(const TranslationUnit& unit, Diagnostics& diagnostics);

/// Labels, variables, parameters, functions and typedefs that nothing uses.
void warn_unused(std::span<const WalkedFunction> functions, Diagnostics& diagnostics);
/// Values that are computed and dropped, assignments where a comparison was meant, misleading precedence.
void warn_expressions(const WalkedFunction& f, Diagnostics& diagnostics);
/// Constants: divisions by zero, shifts, overflow, comparisons that have one answer.
void warn_constants(const WalkedFunction& f, Diagnostics& diagnostics);
/// Conversions that change values, comparisons of signed with unsigned.
void warn_conversions(const WalkedFunction& f, Diagnostics& diagnostics);
/// Empty bodies, conditions that were tested before, hidden names.
void warn_statements(const WalkedFunction& f, Diagnostics& diagnostics);
/// What depends on the ways through a function: see flow_graph.h. Callees come before callers.
void warn_flow(const TranslationUnit& unit, Diagnostics& diagnostics);
/// Code that nothing reaches, missing returns, cases that run into the next.
void warn_reachability(const FunctionDecl& f, const FlowGraph& graph, Diagnostics& diagnostics);
/// Variables that are read before they are written.
void warn_uninitialized(const FlowGraph& graph, Diagnostics& diagnostics);
/// Barriers that some work-items of a group may not get to.
void warn_barriers(const FlowGraph& graph, Diagnostics& diagnostics);
/// Handlers that nothing reaches, exceptions that nothing catches.
void warn_exceptions(const FunctionDecl& f, const FlowGraph& graph, Diagnostics& diagnostics);

/// Whether `__attribute__((name))` or its form with underscores is in the list.
bool has_attribute(const SpecifierList& list, std::string_view name);
/// Whether two expressions are written alike and name the same things.
bool same_expression(const Expr* a, const Expr* b);
/// Whether evaluating the expression does anything but give a value.
bool has_effects(const Expr* e);

}  // namespace kc::front
