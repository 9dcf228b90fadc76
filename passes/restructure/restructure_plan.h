// SPDX-License-Identifier: Apache-2.0
// What a restructuring pass wants a function's graph to be, and its execution. A plan has the blocks of the
// function and new nodes without instructions, which send work-items on by variables; edges set variables.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/function.h"

namespace kc {

struct RestructurePlan {
  struct Setting {
    uint32_t var = 0, value = 0;
  };
  /// `to` is a node; the settings happen on the way.
  struct Edge {
    uint32_t to = 0;
    std::vector<Setting> sets{};
  };
  enum class Kind : uint8_t {
    Original,  // a block of the function, with an edge for each target
    Copy,      // another one with the instructions of the block `var`
    Switch,    // edge k is for value k of the variable
    Test,      // the first edge if low <= variable <= high, else the second
  };
  struct Node {
    Kind kind = Kind::Original;
    std::vector<Edge> edges{};
    uint32_t var = 0;
    uint32_t low = 0, high = 0;  // Test
    std::string_view hint{};
  };
  std::vector<Node> nodes;     // original ones first, with the numbers of their blocks
  std::vector<uint32_t> ways;  // by variable: how many values it has

  uint32_t add_var(uint32_t values) {
    ways.push_back(values);
    return static_cast<uint32_t>(ways.size() - 1);
  }
  size_t assignments() const;
};

/// How a Switch with more than two edges is written.
enum class SwitchForm : uint8_t { Native, Chain, Tree };

/// What a plan with new nodes takes for granted: one block without successors, which all blocks reach, and no
/// two edges of a switch to one block with different arguments. Returns whether f changed.
bool normalise_for_plan(Function& f);

/// Gives the function the graph of the plan. A work-item passes the original blocks in the order in which it
/// passed them before. Parameters of blocks that are now reached through new ones, and values that no longer
/// dominate their uses, go through variables. Needs and gives SSA form; all blocks are reachable before.
void apply_plan(Function& f, const RestructurePlan& plan, SwitchForm form = SwitchForm::Native);

}  // namespace kc
