// SPDX-License-Identifier: Apache-2.0
// What happens to functions before and after selection.
#pragma once

#include <cstdint>
#include <memory>
#include <set>

#include "backends/regalloc/regalloc.h"
#include "ir/function.h"

namespace kc::gcn {

/// Reuses results within blocks, where a block's mask decides what is the same, and parts of scalar addresses
/// from blocks that dominate.
void reuse_values(Function& f);
/// Makes one instruction of two where the machine has it.
void combine_instructions(Function& f);

/// The wave function with bytes and halves of private memory accessed as such; null when it has no private
/// memory.
std::unique_ptr<Function> narrow_private(const Function& wave);
/// Whether the operand may be a vector register instead of a scalar one.
bool takes_vector(const Inst& inst, size_t operand);
/// Leaves values in vector registers that only lanes use; `same` are those equal in all lanes that are on.
void keep_in_lanes(Function& f, const std::set<uint32_t>& same);
/// Keeps those constants in registers that loops use most; the others are made where they are used.
void place_literals(Function& f);
/// Brings loads to the front of what may be reordered.
void loads_first(Function& f);
/// Rows of values of one class of registers that save moves or accesses when allocation heeds them.
std::vector<ContiguousGroup> contiguity_hints(const Function& f, Elem elem);

}  // namespace kc::gcn
