// SPDX-License-Identifier: Apache-2.0
// Decides which calls of a kernel are inlined and which functions become shared regions: one copy of their
// blocks that several calls enter.
//
// While the copies that inlining makes stay within the budget, all calls are inlined. Beyond it functions are
// shared that are larger than a threshold once the calls inside them are inlined; it is lowered until what is
// still copied is small beside the program. A function with one call, or of a few nodes, is always inlined,
// unless the budget is 0. One that holds a barrier or local memory, itself or through what it calls, is never
// shared: what these mean depends on the place of the call.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "frontend/parse/ast.h"
#include "frontend/source/diagnostics.h"

namespace kc::front {

class CallPlan {
 public:
  /// The budget counts nodes of the syntax tree.
  CallPlan(FunctionDecl* kernel, uint64_t budget);

  bool is_shared(const FunctionDecl* f) const;
  /// Whether each call of the function must be a copy of its own.
  bool is_pinned(const FunctionDecl* f) const;
  /// Whether the body ends with the function's only return, or has none and gives nothing.
  bool returns_at_end(const FunctionDecl* f) const;
  /// The shared functions that `root` calls, itself or through others; callees first.
  std::vector<FunctionDecl*> regions_below(FunctionDecl* root) const;

 private:
  struct Facts {
    uint64_t nodes = 0;                  // of the body
    std::vector<FunctionDecl*> callees;  // one for each call
    uint64_t size = 0;                   // nodes with the calls that are inlined; a call of a region is one
    uint64_t copies = 0;                 // how often the body is lowered
    bool pinned = false, shared = false, returns_at_end = false;
  };
  void find_functions(FunctionDecl* kernel);
  void choose(uint64_t threshold);
  uint64_t growth() const;

  std::map<const FunctionDecl*, Facts> facts_;
  std::vector<FunctionDecl*> order_;  // callees first, the kernel last
};

/// Reports functions that ask to be shared regions and cannot be.
void check_shared_regions(const TranslationUnit& unit, Diagnostics& diagnostics);

}  // namespace kc::front
