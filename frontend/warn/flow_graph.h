// SPDX-License-Identifier: Apache-2.0
// The ways through one function, on the checked tree: blocks of reads and writes of its variables, and edges
// for branches, jumps and exceptions. Made for warnings; lowering has its own graph, in which calls are
// inlined.
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
  bool keeps = false;           // the old value has a part in the new one
};

struct FlowEdge {
  uint32_t to = 0;
  bool never = false;                    // a constant condition rules it out
  const CaseStmt* case_label = nullptr;  // of a switch; null where no case matches
};

struct FlowBlock {
  std::vector<FlowEvent> events;
  std::vector<FlowEdge> next;
  const Expr* condition = nullptr;  // of a branch: `next` is where to go if true, if false
  const SwitchStmt* choice = nullptr;
  const CallExpr* call = nullptr;  // that may throw: `next` is where to go if it returns, then the handlers
};

/// What a caller has to know of a function.
struct FunctionFlow {
  bool returns = true;  // it can come back
  bool has_barrier = false;
  std::vector<const Type*> throws;  // what can leave it
};
using FunctionFlows = std::unordered_map<const FunctionDecl*, FunctionFlow>;  // by definition

struct FlowGraph {
  struct CaseEntry {  // code above a case label can run into it
    const CaseStmt* label;
    uint32_t above;
    Position end_above;  // where that code ends
  };
  struct Reached {
    const Handler* handler;
    const TryStmt* owner;
    std::vector<const Type*> types;
    std::vector<const Type*> others;  // exceptions that passed it
  };
  struct Escape {  // an exception that leaves the function
    const Type* type;
    SourceRange where;
    uint32_t block;
    const FunctionDecl* from;  // the called function that throws, if not this one
  };

  std::vector<FlowBlock> blocks;  // the first is the entry
  uint32_t end = 0;               // behind the last statement
  uint32_t returned = 0;          // where return statements go
  std::unordered_map<const Stmt*, uint32_t> starts;
  std::vector<CaseEntry> case_entries;
  std::vector<Reached> handlers;
  std::vector<Escape> escapes;
};

FlowGraph build_flow_graph(const FunctionDecl& f, const FunctionFlows& callees);

/// By block. Edges that constants rule out count unless `believe_constants`.
std::vector<bool> reachable_blocks(const FlowGraph& g, bool believe_constants);

FunctionFlow summarize(const FlowGraph& g);

}  // namespace kc::front
