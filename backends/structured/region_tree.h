// SPDX-License-Identifier: Apache-2.0
// The region tree: structured control flow that owns its blocks, so that emission is a walk.
//
// Thread IR's graph becomes sequences of regions. A construct (selection or loop) ends at a join, where
// every path that leaves it meets. A join that gathers edges to one block continues there; one that
// gathers several carries a selector and is followed by tests of it. Native if/else, while loops,
// break, continue, return and cases that fall into the next one therefore cost nothing; short circuits
// with a shared arm, multi-level exits, and cases that two others fall into pay for one selector each.
//
// Algorithm: dominator-tree placement as in Ramsey, "Beyond Relooper" (ICFP 2022), with joins and
// selectors in place of its labelled multi-level exits. Needs: a reducible graph of br/br_if/switch/ret.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/function.h"

namespace kc::structured {

inline constexpr uint32_t kNoJoin = 0xffffffffu;

/// How control comes to a block: over an edge of the graph, or from a join that gathered such edges.
struct Arrival {
  InstId terminator;  // invalid at the entry and for joins
  size_t edge = 0;
  uint32_t join = kNoJoin;
};

/// Where control goes when it leaves a construct.
enum class Leave : uint8_t {
  Join,      // to the join of the innermost selection
  Break,     // to the join of the innermost loop
  Continue,  // to the innermost loop's header
  Fall,      // from the end of a case into the next one
};

enum class RegionKind : uint8_t {
  Block,     // the instructions of `block` but the terminator
  Select,    // br_if or switch of `block`; arms go by edges, in order of `arm_edges`
  ExitIf,    // br_if of `block`: edge `edge` leaves the loop or continues it, else on to the next region
  Loop,      // arms[0] is the body, beginning with `block`
  Test,      // arms[0] runs when `from` selected `block`; else its other targets go on to `join`
  LeaveIf,   // when `from` selected one of `targets`, they leave; else on to the next region
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
  uint32_t join = kNoJoin;                     // where the construct ends: Select, Loop, Test
  uint32_t from = kNoJoin;                     // Test, LeaveIf, LeaveAll
  Leave leave = Leave::Join;                   // ExitIf, Jump, LeaveIf, LeaveAll
  uint32_t to = kNoJoin;                       // the join it leaves to, unless it continues
  std::vector<BlockId> targets;                // LeaveIf, LeaveAll
  std::vector<RegionList> arms;                // Select, Loop, Test
  std::vector<std::vector<size_t>> arm_edges;  // Select: the terminator's edges that enter each arm
  std::vector<uint32_t> arm_joins;             // Select: where such edges meet those of the case in front
};

struct Join {
  std::vector<BlockId> targets;  // in reverse post-order
  BlockId loop_header;           // of the loop that it ends, if any
};

struct RegionTree {
  RegionList body;
  std::vector<Join> joins;
  std::vector<uint32_t> number;  // reverse post-order by block, the value of selectors
  uint32_t nesting = 0;          // of the regions; beyond kMaxNesting the tree is not complete
};

/// SPIR-V asks no more of those who read it.
inline constexpr uint32_t kMaxNesting = 1000;

/// Edges that enter a cycle elsewhere than at its header: what build_regions cannot take.
struct IrreducibleEdge {
  BlockId from, to;
};
std::vector<IrreducibleEdge> irreducible_edges(const Function& f);

RegionTree build_regions(const Function& f);

/// The tree as indented text, for tests and readers.
std::string print_regions(const Function& f, const RegionTree& tree);

/// As a graph for Graphviz: clusters in one another, with the code of the blocks.
std::string draw_regions(const Function& f, const RegionTree& tree);

}  // namespace kc::structured
