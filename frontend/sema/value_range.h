// SPDX-License-Identifier: Apache-2.0
// Ranges of integer expressions, derived from types and the shape of the expression.
#pragma once
#include "frontend/parse/ast.h"

namespace kc::front {

using WideInt = __int128;

struct ValueRange {
  WideInt low = 0, high = 0;
  bool within(const ValueRange& outer) const { return low >= outer.low && high <= outer.high; }
};

ValueRange range_of_type(const Type* type);
ValueRange range_of(const Expr* e);
/// The value of an integer constant.
WideInt constant_value(const Expr* e);

}  // namespace kc::front
