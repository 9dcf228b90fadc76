// SPDX-License-Identifier: Apache-2.0
// SSA repair, for every transformation that copies, moves or redirects: uses that a definition no longer
// dominates read a variable at the start of their block, and the variable is set after the definition.
// `mem2reg`, the only SSA construction, turns variables into block parameters.
//
//   b1: %1 = ...                              b1: %1 = ...; var_set %1, var=$v
//   b3: %2 = add %1, 1:i32             ==>    b3: %3 = var_get var=$v; %2 = add %3, 1:i32
//
// The register allocator has a repair of its own (backends/regalloc/repair_ssa.cpp): there a value has one
// register in each block, and a parameter goes where that register says.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "ir/cfg.h"

namespace kc {

/// Uses for which crosses(v, user) holds read the variable var_of(v), and with them all other uses of v in
/// the block. `blocks` are all reachable blocks.
void pass_through_variables(Function& f, std::span<const BlockId> blocks,
                            const std::function<bool(ValueId, const Inst&)>& crosses,
                            const std::function<VarId(ValueId)>& var_of);
/// The same for uses in a block for which crosses(v, block) holds, with a variable of this name for each
/// value.
void pass_through_variables(Function& f, std::span<const BlockId> blocks, std::string_view name,
                            const std::function<bool(ValueId, BlockId)>& crosses);
/// The same for uses that their definitions do not dominate.
void restore_dominance(Function& f, std::span<const BlockId> blocks, const DominatorTree& dom,
                       std::string_view name);

/// Replaces the parameters of a block by reads of these variables at its start, which are returned. Uses of
/// the parameters and the edges to the block are left to the caller.
std::vector<ValueId> read_params(Function& f, BlockId b, std::span<const VarId> vars);

/// Writes the variable at this position of the block.
void insert_write(Function& f, BlockId b, size_t position, VarId var, ValueId value);

/// By variable: the nearest block that dominates all its reads and writes; invalid for variables without.
std::vector<BlockId> blocks_above_accesses(const Function& f, std::span<const BlockId> blocks,
                                           const DominatorTree& dom);

}  // namespace kc
