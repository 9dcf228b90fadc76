// SPDX-License-Identifier: Apache-2.0
// Random machine functions: any control-flow graph, tuples, ties, fixed registers, clobbers. Instructions are
// generic rows with constraints from a table, independent of a real machine.
#pragma once

#include <random>

#include "backends/regalloc/regalloc.h"

namespace kc::test {

using Random = std::mt19937_64;

struct Machine {
  uint32_t small = 6, wide = 8;  // units of the two classes
  bool tuples = true;            // in the second class
  uint32_t alignment = 1;        // of tuples: 1, or 0 for their size
  bool constrained = true;
};

struct Sizes {
  uint32_t blocks = 8, insts = 6, params = 3, live = 40;
};

RegTarget target_for(const Machine& machine);
Function random_function(const Machine& machine, const Sizes& sizes, Random& random);

/// The words that each original instruction reads on one random path. `before` runs on values, `after` on
/// registers and slots; both take the same path for the same seed.
std::vector<uint64_t> run_values(const Function& f, const RegTarget& target, uint64_t seed);
std::vector<uint64_t> run_registers(const Function& f, const RegTarget& target, size_t originals,
                                    uint64_t seed);

/// Appends an instruction with the constraints of a table row; row 0 has none.
InstId emit(Function& f, BlockId b, std::vector<ValueId> operands, std::vector<Type> results,
            int64_t row = 0);
/// The table row of such constraints.
int64_t row_of(const MachineInfo& info);

}  // namespace kc::test
