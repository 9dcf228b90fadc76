// SPDX-License-Identifier: Apache-2.0
// Folds of the work-items of a sub-group into one value: the attribute `fold` of reduce and scan.
//
// The n active items are numbered from 0 in lane order. In iterations d = 1, 2, 4, ... while d < n, all items
// i >= d simultaneously replace their value by op(value of i - d, own value). Then item i has the fold of 0
// to i, and the last one that of all. The order matters for floats only.
#pragma once

#include "ir/op.h"

namespace kc {

enum class Fold : uint8_t { Add, Mul, Smin, Smax, Umin, Umax, And, Or, Xor, Count_ };

/// Whether the number is a fold that is defined for this type. Floats have the first four.
bool is_fold(int64_t fold, Type type);
/// The opcode that combines two values of this type.
Op fold_op(int64_t fold, Type type);
/// The fold of no items: the identity of op, except for the sign of a zero, and NaN.
uint64_t fold_identity(int64_t fold, Type type);

}  // namespace kc
