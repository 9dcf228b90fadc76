// SPDX-License-Identifier: Apache-2.0
// The control flow graph of one function on the checked tree: blocks of reads and writes of its variables,
// and edges for branches, jumps and exceptions. Only warnings use it; lowering builds its own graph, in which
// calls are inlined.
#pragma once
#include <unordered_map>
#include <vector>

#include "frontend/parse/ast.h"

namespace kc::front {

struct FlowEvent {
  enum Kind : uint8_t {
    Declare,  // the variable has no value from here on
    Read,
    Write,
    Barrier,  // or a call of a function with one; no variable
  } kind = Read;
  const VarDecl* variable = nullptr;
  SourceRange where;
  const Expr* value = nullptr;  // of a write, if known
  bool keeps = false;           // the new value depends on the old one
};

struct FlowEdge {
  uint32_t to = 0;
  bool never = false;                    // a constant condition makes the edge infeasible
  const CaseStmt* case_label = nullptr;  // of a switch; null on the edge for unmatched values
};

struct FlowBlock {
  std::vector<FlowEvent> events;
  std::vector<FlowEdge> next;
  const Expr* condition = nullptr;  // of a branch: `next` holds the true successor, then the false one
  const SwitchStmt* choice = nullptr;
  const Expr* result = nullptr;    // of a return statement
  const CallExpr* call = nullptr;  // that may throw: `next` holds the normal successor, then the handlers
};

/// Facts about a function for its callers.
struct FunctionFlow {
  bool returns = true;  // it may return
  bool has_barrier = false;
  /// It returns one value to all work-items of a group that pass it the same pointers, whatever else they
  /// pass.
  bool same_for_group = false;
  std::vector<const Type*> throws;  // the types it may throw
};
using FunctionFlows = std::unordered_map<const FunctionDecl*, FunctionFlow>;  // by definition

struct FlowGraph {
  struct CaseEntry {  // code above a case label that may fall through into it
    const CaseStmt* label;
    uint32_t above;
    Position end_above;  // the end of that code
  };
  struct Reached {
    const Handler* handler;
    const TryStmt* owner;
    std::vector<const Type*> types;
    std::vector<const Type*> others;  // exceptions that passed it uncaught
  };
  struct Escape {  // an exception that leaves the function
    const Type* type;
    SourceRange where;
    uint32_t block;
    const FunctionDecl* from;  // the called function that throws, if it is not this one
  };

  std::vector<FlowBlock> blocks;  // the first is the entry
  uint32_t end = 0;               // after the last statement
  uint32_t returned = 0;          // the target of return statements
  std::unordered_map<const Stmt*, uint32_t> starts;
  std::vector<CaseEntry> case_entries;
  std::vector<Reached> handlers;
  std::vector<Escape> escapes;
};

FlowGraph build_flow_graph(const FunctionDecl& f, const FunctionFlows& callees);

/// By block. Unless `believe_constants`, edges that constant conditions make infeasible count as taken.
std::vector<bool> reachable_blocks(const FlowGraph& g, bool believe_constants);

FunctionFlow summarize(const FlowGraph& g);

}  // namespace kc::front
