// SPDX-License-Identifier: Apache-2.0
// The loops of any control-flow graph as restructuring takes them apart: a loop is a strongly connected set
// of nodes, and the loops within are those that remain when the edges from inside to its entries are taken
// out. (The cycles of cycles.h lose one header instead; for loops with one entry this is the same.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "passes/analysis/cycles.h"

namespace kc {

struct LoopTree {
  static constexpr uint32_t kNone = 0xffffffffu;
  struct Loop {
    uint32_t parent = kNone;        // index of the loop around it
    std::vector<uint32_t> entries;  // nodes with a predecessor outside, in order of their numbers
  };

  LoopTree(const SuccessorLists& succs, uint32_t entry);

  std::vector<Loop> loops;     // a loop comes before those within
  std::vector<uint32_t> home;  // by node: the smallest loop with it, or kNone

  /// Whether loop `inner` (or kNone) is `outer` or lies within. Everything lies within kNone.
  bool encloses(uint32_t outer, uint32_t inner) const {
    if (outer == kNone) return true;
    return inner != kNone && begin_[outer] <= begin_[inner] && begin_[inner] < end_[outer];
  }

 private:
  void number();
  std::vector<uint32_t> begin_, end_;  // by loop: an interval that holds those of the loops within
};

}  // namespace kc
