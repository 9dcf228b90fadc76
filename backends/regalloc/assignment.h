// SPDX-License-Identifier: Apache-2.0
// Registers that were chosen elsewhere: the rest of an allocation is made from them.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "backends/regalloc/regalloc.h"

namespace kc {

/// Where each value of the only class of a target is, by value id.
struct Assignment {
  std::vector<uint32_t> unit;  // the first one; kNone for spilled values, and for values without a class
  std::vector<bool> spilled;   // in a slot from its definition on, and reloaded for each instruction
};

/// Puts the values where the assignment says, and inserts what follows from it: moves on edges, copies to the
/// registers of tied results, spills after definitions, reloads before uses. `scratch` are units of the
/// class, for reloads, results on their way to a slot, and cycles of moves; no value is assigned to one. An
/// error if the operands of one instruction need more of them. Whether values overwrite each other is for
/// check_allocation to find.
std::expected<Allocation, std::string> apply_assignment(Function& f, const RegTarget& target,
                                                        const Assignment& assignment,
                                                        const std::vector<uint32_t>& scratch);

/// Two values that live at the same time and share a unit, as a sentence; empty if there are none. Needs the
/// function from before. For messages: values that share a unit may be equal.
std::string find_interference(const Function& f, const RegTarget& target, const Assignment& assignment);

}  // namespace kc
