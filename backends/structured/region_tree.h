// SPDX-License-Identifier: Apache-2.0
// The region tree: structured control flow that owns its blocks, so that emission is a walk.
//
// The CFG of thread IR becomes sequences of regions. A construct (selection or loop) ends at a join, the
// merge point of all paths that leave it. A join of edges to one block continues there; a join of edges to
// several blocks carries a selector and is followed by tests of it. Native if/else, while loops, break,
// continue, return and fall-through between cases therefore cost nothing. Short circuits with a shared arm,
// multi-level exits, and cases that two others fall into cost one selector each.
//
// Algorithm: dominator-tree placement as in Ramsey, "Beyond Relooper" (ICFP 2022), with joins and selectors
// in place of its labelled multi-level exits. Needs: a reducible CFG of br/br_if/switch/ret.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/function.h"

namespace kc::structured {

inline constexpr uint32_t kNoJoin = 0xffffffffu;

/// How control reaches a block: over a CFG edge, or from a join of such edges.
struct Arrival {
  InstId terminator;  // invalid at the entry and for joins
  size_t edge = 0;
  uint32_t join = kNoJoin;
};

/// How control leaves a construct.
enum class Leave : uint8_t {
  Join,      // to the join of the innermost selection
  Break,     // to the join of the innermost loop
  Continue,  // to the innermost loop's header
  Fall,      // from the end of a case to the next one
};

enum class RegionKind : uint8_t {
  Block,   // the instructions of `block` except the terminator
  Select,  // br_if or switch of `block`; arms in the order of `arm_edges`
  // br_if of `block`: edge `edge` leaves or continues the loop, the other one goes to the next region
  ExitIf,
  Loop,      // arms[0] is the body, beginning with `block`
  Test,      // arms[0] executes if `from` selected `block`; its other targets go to `join`
  LeaveIf,   // if `from` selected one of `targets`, it leaves; otherwise continues with the next region
  Jump,      // to `block` by `arrival`
  LeaveAll,  // all `targets` of `from` leave
  Return,
  Unreachable,
};

struct Region;
using RegionList = std::vector<Region>;

struct Region {
  RegionKind kind = RegionKind::Block;
  BlockId block;
  Arrival arrival;                             // Block, Loop, Jump
  size_t edge = 0;                             // ExitIf
  uint32_t join = kNoJoin;                     // the end of the construct: Select, Loop, Test
  uint32_t from = kNoJoin;                     // Test, LeaveIf, LeaveAll
  Leave leave = Leave::Join;                   // ExitIf, Jump, LeaveIf, LeaveAll
  uint32_t to = kNoJoin;                       // the destination join, unless it continues a loop
  std::vector<BlockId> targets;                // LeaveIf, LeaveAll
  std::vector<RegionList> arms;                // Select, Loop, Test
  std::vector<std::vector<size_t>> arm_edges;  // Select: the terminator's edges that enter each arm
  std::vector<uint32_t> arm_joins;  // Select: where such edges join the fall-through from the previous case
};

struct Join {
  std::vector<BlockId> targets;  // in reverse post-order
  BlockId loop_header;           // of the loop that it ends, if any
};

struct RegionTree {
  RegionList body;
  std::vector<Join> joins;
  std::vector<uint32_t> number;  // reverse post-order number by block; the selector value
  uint32_t nesting = 0;          // of the regions; the tree is incomplete if it exceeds kMaxNesting
};

/// The nesting limit that SPIR-V consumers must support.
inline constexpr uint32_t kMaxNesting = 1000;

/// Edges that enter a cycle elsewhere than at its header, which build_regions does not support.
struct IrreducibleEdge {
  BlockId from, to;
};
std::vector<IrreducibleEdge> irreducible_edges(const Function& f);

RegionTree build_regions(const Function& f);

/// The tree as indented text, for tests and inspection.
std::string print_regions(const Function& f, const RegionTree& tree);

/// As a Graphviz graph: nested clusters that contain the code of the blocks.
std::string draw_regions(const Function& f, const RegionTree& tree);

}  // namespace kc::structured
