// SPDX-License-Identifier: Apache-2.0
// Random control-flow graphs in which every run terminates, whatever the conditions are.
#pragma once

#include <cstdint>
#include <vector>

#include "fuzz/random.h"

namespace kc::test {

using fuzz::Random;

enum class Fuel : uint8_t { Constant, Scalar, PerItem };

/// Nodes are numbered so that forward edges go to higher numbers. Every cycle holds a retreating edge, and
/// each such edge is bounded in one of two ways:
/// - it goes to a loop head, which counts its entries; when used up, the head leaves to `after`, which is
///   higher than every node with a retreating edge to it;
/// - it is guarded: a counter of its own is used up.
/// For the first kind: among the heads that a run re-enters for ever, take the retreating edge from the
/// highest node; its head is used up and leaves to a higher node still, from which only a retreating edge
/// from a higher node could come back.
struct GraphNode {
  struct Slot {
    uint32_t to = 0;
    bool retreats = false;
  };
  std::vector<Slot> slots;  // one: jump, two: branch, more: switch, none: trap
  bool guarded = false;     // slot 0 retreats under a counter of its own
  bool head = false;
  uint32_t end = 0, after = 0;  // of a head: nodes up to end may return to it
  bool refills = false;         // the trip count is reset when the head leaves
  Fuel fuel = Fuel::Constant;
  uint32_t amount = 0;
};

struct GraphStyle {
  uint32_t nodes = 8;          // between the entry and the exit
  uint32_t window = 3;         // maximum distance of forward edges
  uint32_t retreat = 25;       // percent of nodes with a retreating edge
  uint32_t heads = 25;         // percent of nodes that are loop heads
  uint32_t switches = 8;       // percent
  uint32_t jumps = 35;         // percent
  uint32_t traps = 0;          // percent
  uint32_t uniform_fuel = 50;  // percent of counters that are the same for all work-items
  bool reducible = false;      // retreating edges go to dominators only
};

/// nodes[0] is the entry and jumps to 1; the last node is the exit and has no slots.
std::vector<GraphNode> random_graph(Random& random, const GraphStyle& style);

}  // namespace kc::test
