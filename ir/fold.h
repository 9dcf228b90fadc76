// SPDX-License-Identifier: Apache-2.0
// Folds of the work-items of a sub-group into one value: the attribute `fold` of the rows reduce and scan.
//
// With those that take part numbered from 0 on in the order of their lanes, n of them: in rounds d = 1, 2, 4,
// ... while d < n, all that have a number i >= d replace what they hold by op(what i - d held, what they
// held), at once. Then i holds the fold of 0 to i, and the last one that of all. The order counts for floats
// only.
#pragma once

#include "ir/op.h"

namespace kc {

enum class Fold : uint8_t { Add, Mul, Smin, Smax, Umin, Umax, And, Or, Xor, Count_ };

/// Whether the number is that of a fold which values of this type have. Floats have the first four.
bool is_fold(int64_t fold, Type type);
/// The opcode that folds two values of this type.
Op fold_op(int64_t fold, Type type);
/// What a fold of nobody gives: with it op gives its other operand, but for the sign of a zero, and NaN.
uint64_t fold_identity(int64_t fold, Type type);

}  // namespace kc
