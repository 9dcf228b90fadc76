// SPDX-License-Identifier: Apache-2.0
// Rewrites of functions before and after selection.
#pragma once

#include <cstdint>
#include <memory>
#include <set>

#include "backends/regalloc/regalloc.h"
#include "ir/function.h"

namespace kc::gcn {

/// Reuses results within blocks under the same exec mask, and parts of scalar addresses from dominating
/// blocks.
void local_cse(Function& f);
/// Combines two instructions into one if the machine has it.
void combine_instructions(Function& f);

/// The wave function with byte and half accesses to private memory, or null if it has no private memory.
std::unique_ptr<Function> narrow_private(const Function& wave);
/// Whether the operand may be a vector register instead of a scalar one.
bool takes_vector(const Inst& inst, size_t operand);
/// Removes v_readfirstlane of values that only vector instructions use; `same` are the values equal in all
/// active lanes.
void eliminate_readfirstlane(Function& f, const std::set<uint32_t>& same);
/// Keeps the constants that loops use most in registers; the others are rematerialised at their uses.
void place_literals(Function& f);
/// Schedules loads early within regions that may be reordered.
void loads_first(Function& f);
/// Groups of values of one register class that save moves or accesses if allocation makes them contiguous.
std::vector<ContiguousGroup> contiguity_hints(const Function& f, Elem elem);

}  // namespace kc::gcn
