// SPDX-License-Identifier: Apache-2.0
// The loop nest of any control-flow graph, as restructuring uses it: a loop is a strongly connected
// component, and its inner loops are those of the component without the edges from inside to its entries. (In
// cycles.h a cycle loses the edges to one header instead; for loops with one entry the two are the same.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "passes/analysis/cycles.h"

namespace kc {

struct LoopTree {
  struct Loop {
    uint32_t parent = kNone;        // index of the enclosing loop
    std::vector<uint32_t> entries;  // nodes with a predecessor outside, by number
  };

  LoopTree(const SuccessorLists& succs, uint32_t entry);

  std::vector<Loop> loops;     // a loop comes before its inner loops
  std::vector<uint32_t> home;  // by node: the innermost loop, or kNone

  /// Whether loop `inner` (or kNone) is `outer` or nested in it. Everything is nested in kNone.
  bool encloses(uint32_t outer, uint32_t inner) const {
    if (outer == kNone) return true;
    return inner != kNone && begin_[outer] <= begin_[inner] && begin_[inner] < end_[outer];
  }

 private:
  void number();
  std::vector<uint32_t> begin_, end_;  // by loop: an interval that contains those of the inner loops
};

}  // namespace kc
