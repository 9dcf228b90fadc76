// SPDX-License-Identifier: Apache-2.0
// Where a kernel compares ids with the borders of its arrays, and what the lanes of most waves find there.
//
//   if (i > 0 && i < n - 1)       both comparisons are true
//   if (i == 0)                   false
//   x[max(i - 1, 0)]              i - 1
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "backends/x64/flat_rows.h"
#include "ir/function.h"
#include "passes/ir_util.h"

namespace kc::x64 {

/// A comparison of ids with a number that is the same for all lanes, or the smaller or the larger of both.
struct Border {
  InstId inst;
  bool truth = false;  // of a comparison, in all lanes of most waves
  ValueId id;          // of a minimum or maximum: what it is in them
  bool below = false;  // a comparison `id < bound`: most often it is the first lanes that are inside
};

/// The first borders in these blocks of a wave function, whose entry block has the parameters alone. They can
/// be computed from parameters, constants and ids anywhere; and from values that are `given`, which are the
/// same for all waves.
/// Quotients and remainders of `rows` count as ids.
std::vector<Border> find_borders(const Function& wave, std::span<const BlockId> blocks,
                                 const std::function<bool(ValueId)>& given = {},
                                 std::span<const FlatRow> rows = {});

/// Whether the value is the local ids along x.
bool is_local_id(const Function& wave, ValueId v);

/// The divisions of ids, and of remainders of ids, in these blocks.
std::vector<FlatRow> find_rows_of_ids(const Function& wave, std::span<const BlockId> blocks);

/// Of blocks with more instructions no second copy is made.
inline constexpr size_t kMostCopied = 600;
/// A copy of blocks for waves that are inside of these borders. `copies` are new and empty; edges among the
/// blocks lead from copy to copy. `known`: by value id, what else is known there. Returns all replacements.
ValueMap copy_inside(Function& wave, std::span<const BlockId> blocks, std::span<const BlockId> copies,
                     std::span<const Border> borders, ValueMap known = {});
/// Appends a test: whether a lane of a full wave finds something else than the border says. `here` gives what
/// an operand of the border is in the test's block.
ValueId is_outside(Builder& build, const Border& border, const std::function<ValueId(ValueId)>& here);
/// Appends the negation of a condition.
ValueId negated(Builder& build, ValueId condition);

}  // namespace kc::x64
