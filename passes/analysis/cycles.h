// SPDX-License-Identifier: Apache-2.0
// The nest of cycles of a control-flow graph, irreducible cycles included: the one analysis of loops, of
// functions in all dialects and of other graphs. (passes/restructure/loop_tree.h has another nest for
// irreducible graphs, made of this one; the thread interpreter finds its loops itself, to share nothing with
// what it judges.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/cfg.h"

namespace kc {

/// Node numbers, mostly one or two.
using NodeList = ShortList<uint32_t, 2>;
/// By node number; for a function the numbers are block ids.
using SuccessorLists = std::vector<NodeList>;
/// Successors of the reachable blocks, by block id, in the order of the targets.
SuccessorLists successor_lists(const Function& f, const Cfg& cfg);

struct Cycle {
  uint32_t header = 0;            // the entry that depth-first search visits first
  NodeList entries;               // nodes with a predecessor outside, the header first
  uint32_t parent = 0xffffffffu;  // index of the enclosing cycle, or kNone
  uint32_t depth = 1;             // 1 for outermost cycles
  NodeList exits;                 // nodes outside with a predecessor inside, each once
  bool reducible() const { return entries.size() == 1; }
};

/// A cycle is a strongly connected component; its inner cycles are those that remain without its header. In
/// reducible graphs the cycles are exactly the natural loops (one per header).
struct Cycles {
  Cycles() = default;
  Cycles(const SuccessorLists& succs, uint32_t entry);
  Cycles(const Function& f, const Cfg& cfg);

  std::vector<Cycle> cycles;        // outer cycles before their inner cycles
  std::vector<uint32_t> innermost;  // by node: the innermost cycle, or kNone

  /// All nodes of cycle c, inner cycles included.
  std::span<const uint32_t> nodes(uint32_t c) const {
    return std::span(members_).subspan(first_[c], count_[c]);
  }
  bool contains(uint32_t c, uint32_t node) const {
    return innermost[node] != kNone && encloses(c, innermost[node]);
  }
  bool contains(uint32_t c, BlockId b) const { return contains(c, b.index); }
  /// Whether a parameter of cycle c's blocks, or a result of theirs. Not constants and undef.
  bool defines(uint32_t c, const Function& f, ValueId v) const {
    return !f.is_inline(v) && contains(c, block_of(f, v));
  }
  /// Whether no other cycle is inside cycle c.
  bool is_innermost(uint32_t c) const { return end_[c] == c + 1; }
  /// Whether cycle c is `inner` or encloses it.
  bool encloses(uint32_t c, uint32_t inner) const { return c <= inner && inner < end_[c]; }
  /// The innermost cycle with both nodes, or kNone.
  uint32_t smallest_with(uint32_t a, uint32_t b) const;
  /// Whether `to` is the header of a cycle with `from`; nodes added later are in no cycle.
  bool leads_to_header(uint32_t from, uint32_t to) const;
  /// The outermost cycle with `inside` but without `outside`, or kNone.
  uint32_t largest_between(uint32_t inside, uint32_t outside) const;

 private:
  std::vector<uint32_t> end_;                      // cycles [c, end_[c]) are c and its inner cycles
  std::vector<uint32_t> members_, first_, count_;  // nodes, grouped so that every cycle is one range
};

}  // namespace kc
