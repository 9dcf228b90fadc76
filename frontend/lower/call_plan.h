// SPDX-License-Identifier: Apache-2.0
// Decides which calls of a kernel are inlined and which functions become shared regions: one copy of their
// blocks that several calls enter.
//
// While the copies made by inlining stay within the budget, all calls are inlined. Beyond it, functions
// larger than a threshold (counted after inlining the calls inside them) are shared; the threshold is lowered
// until what is still copied is small beside the program. Of functions that lose most if they are shared,
// eight times the budget may be copied: those with private pointers, whose calls then keep variables of the
// caller in memory, and then those of some size without loops, whose calls then take longer than their
// bodies. A function with one call, or of a few nodes, is always inlined, unless the budget is 0. A function
// that contains a barrier or local memory, itself or through its callees, is never shared: their meaning
// depends on the call site. Nor is one that the caller knows to be costly: its calls would carry more than
// its copies have.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "frontend/parse/ast.h"
#include "frontend/source/diagnostics.h"

namespace kc::front {

/// Functions that are inlined whatever the budget is, unless the source requests a region.
using CostlyFunctions = std::set<const FunctionDecl*>;

/// Consecutive statements of a list, by index, without a barrier: their calls can share regions.
struct CallRun {
  size_t first = 0, end = 0;
  std::vector<FunctionDecl*> regions;  // callees first
};

class CallPlan {
 public:
  /// The budget counts nodes of the syntax tree.
  CallPlan(FunctionDecl* kernel, uint64_t budget, const CostlyFunctions& costly);

  bool is_shared(const FunctionDecl* f) const;
  /// Whether each call of the function needs its own copy.
  bool is_pinned(const FunctionDecl* f) const;
  /// Whether the function's only return ends the body, or the function returns void and has no return
  /// statement.
  bool returns_at_end(const FunctionDecl* f) const;
  /// The shared functions that `root` calls, directly or indirectly; callees first.
  std::vector<FunctionDecl*> regions_below(FunctionDecl* root) const;
  /// Whether the function is pinned, and what lies between its barriers can share regions: without labels, no
  /// path leads from a run of statements through a barrier back into the run, except around a loop.
  bool has_runs(const FunctionDecl* f) const { return any_shared_ && is_pinned(f) && f->labels == 0; }
  /// The runs of a statement list in a function that has runs.
  const std::vector<CallRun>& runs_of(const CompoundStmt* list);

 private:
  struct Facts {
    uint64_t nodes = 0;                  // of the body
    uint64_t bytes = 0;                  // of the private arrays and structs that it declares
    std::vector<FunctionDecl*> callees;  // one per call
    uint64_t size = 0;                   // nodes with inlined calls expanded; a call of a region counts 1
    uint64_t copies = 0;                 // how many times the body is lowered
    bool pinned = false, shared = false, returns_at_end = false;
    bool private_pointers = false;  // it has parameters that point to private memory
    bool loops = false;             // it, or a function that it calls, has loops or jumps
    size_t position = 0;            // in order_
  };
  void decide(uint64_t budget);
  void find_functions(FunctionDecl* kernel);
  void choose(uint64_t threshold, uint64_t of_pointers, uint64_t of_straight);
  std::vector<FunctionDecl*> regions_of(std::span<FunctionDecl* const> calls) const;
  uint64_t growth(uint64_t Facts::*of) const;
  uint64_t growth() const;         // in nodes
  uint64_t memory_growth() const;  // in bytes

  std::map<const FunctionDecl*, Facts> facts_;
  std::vector<FunctionDecl*> order_;  // callees first, the kernel last
  const CostlyFunctions& costly_;
  bool shares_all_ = false, any_shared_ = false;
  std::map<const CompoundStmt*, std::vector<CallRun>> runs_;
};

/// Reports functions that request a shared region and cannot have one.
void check_shared_regions(const TranslationUnit& unit, Diagnostics& diagnostics);

}  // namespace kc::front
