// SPDX-License-Identifier: Apache-2.0
// The target graph of a restructuring pass, and its construction. A plan has the blocks of the function and
// new nodes without instructions that branch on variables; edges set variables.
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
  /// `to` is a node; the settings are made on the edge.
  struct Edge {
    uint32_t to = 0;
    std::vector<Setting> sets{};
  };
  enum class Kind : uint8_t {
    Original,  // a block of the function, with an edge for each target
    Copy,      // a copy of the instructions of the block `var`
    Switch,    // edge k is taken for value k of the variable
    Test,      // the first edge if low <= variable <= high, else the second
  };
  struct Node {
    Kind kind = Kind::Original;
    std::vector<Edge> edges{};
    uint32_t var = 0;
    uint32_t low = 0, high = 0;  // Test
    std::string_view hint{};
  };
  std::vector<Node> nodes;             // original nodes first, with the numbers of their blocks
  std::vector<uint32_t> value_counts;  // by variable: number of its values

  uint32_t add_var(uint32_t values) {
    value_counts.push_back(values);
    return static_cast<uint32_t>(value_counts.size() - 1);
  }
  size_t assignments() const;
};

/// How a Switch with more than two edges is emitted.
enum class SwitchForm : uint8_t { Native, Chain, Tree };

/// Establishes what plans with new nodes require: one block without successors, which all blocks reach, and
/// no two edges of a switch that pass different arguments to one block. Returns whether f changed.
bool normalise_for_plan(Function& f);

/// Gives the function the graph of the plan. A work-item passes the original blocks in the same sequence as
/// before. Parameters of blocks now reached through new nodes, and values that no longer dominate their uses,
/// go through variables. Needs and gives SSA form; all blocks must be reachable.
void apply_plan(Function& f, const RestructurePlan& plan, SwitchForm form = SwitchForm::Native);

}  // namespace kc
