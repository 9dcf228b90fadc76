// SPDX-License-Identifier: Apache-2.0
// The nest of cycles of a control-flow graph, irreducible ones included.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/cfg.h"

namespace kc {

/// Numbers of nodes, mostly one or two.
using NodeList = ShortList<uint32_t, 2>;
/// By node number; for a function the numbers are block ids.
using SuccessorLists = std::vector<NodeList>;
/// Successors of the reachable blocks, by block id, in the order of the targets.
SuccessorLists successor_lists(const Function& f, const Cfg& cfg);

struct Cycle {
  uint32_t header = 0;            // the entry that depth-first search meets first
  NodeList entries;               // nodes with a predecessor outside, the header first
  uint32_t parent = 0xffffffffu;  // index of the enclosing cycle, or Cycles::kNone
  uint32_t depth = 1;             // 1 for outermost cycles
  NodeList exits;                 // nodes outside with a predecessor inside, each once
  bool reducible() const { return entries.size() == 1; }
};

/// A cycle is a strongly connected set of nodes; its inner cycles are those that remain when its header
/// is taken out. Loops of reducible graphs are exactly the cycles.
struct Cycles {
  static constexpr uint32_t kNone = 0xffffffffu;
  Cycles() = default;
  Cycles(const SuccessorLists& succs, uint32_t entry);
  Cycles(const Function& f, const Cfg& cfg);

  std::vector<Cycle> cycles;        // enclosing cycles before the cycles within
  std::vector<uint32_t> innermost;  // by node: index of the smallest cycle with it, or kNone

  /// All nodes of cycle c, those of inner cycles included.
  std::span<const uint32_t> nodes(uint32_t c) const {
    return std::span(members_).subspan(first_[c], count_[c]);
  }
  bool contains(uint32_t c, uint32_t node) const {
    return innermost[node] != kNone && encloses(c, innermost[node]);
  }
  bool contains(uint32_t c, BlockId b) const { return contains(c, b.index); }
  /// Whether cycle c is `inner` or one around it.
  bool encloses(uint32_t c, uint32_t inner) const { return c <= inner && inner < end_[c]; }
  /// The smallest cycle with both nodes, or kNone.
  uint32_t smallest_with(uint32_t a, uint32_t b) const;
  /// Whether `to` heads a cycle with `from`; nodes that were added later are in none.
  bool leads_to_header(uint32_t from, uint32_t to) const;
  /// The largest cycle with `inside` but without `outside`, or kNone.
  uint32_t largest_between(uint32_t inside, uint32_t outside) const;

 private:
  std::vector<uint32_t> end_;                      // cycles [c, end_[c]) are c and those within
  std::vector<uint32_t> members_, first_, count_;  // nodes grouped so that every cycle is one range
};

}  // namespace kc
