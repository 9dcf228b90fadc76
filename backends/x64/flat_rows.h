// SPDX-License-Identifier: Apache-2.0
// Rows and columns that are made of one flat id, and waves that lie in one row.
//
//   y = id / w, x = id % w     ->   y of the first lane, x = id - y * w, which has a stride
//
// The columns of rows may be rows of something else: z = id / (w * h), y = id % (w * h) / w.
#pragma once

#include <functional>

#include "ir/function.h"
#include "passes/ir_util.h"

namespace kc::x64 {

/// A division of an id by a number that is the same in all lanes, or the remainder.
struct FlatRow {
  InstId inst;
  bool is_remainder = false, is_signed = false;
};

/// What a test finds out about a wave.
struct RowOfWave {
  ValueId quotient, column;  // of each lane
};

/// Appends tests of a wave whose lanes are all active. `here` gives what an operand is in the block of a
/// test; `leave_if` ends that block: if a lane is in another row, or nothing is known, the wave leaves, else
/// it goes to a new block.
RowOfWave test_row(Builder& build, const FlatRow& row, const std::function<ValueId(ValueId)>& here,
                   const std::function<void(ValueId)>& leave_if);

}  // namespace kc::x64
