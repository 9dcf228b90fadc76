// SPDX-License-Identifier: Apache-2.0
// The IR types of source types.
#pragma once

#include <cstdint>

#include "frontend/parse/ast.h"
#include "ir/function.h"
#include "ir/type.h"

namespace kc::front {

kc::Type ir_type(const Type* type);      // of a scalar; void for any other type
kc::Type stored_type(const Type* type);  // the type of a scalar in memory
kc::Type integer_type(uint64_t bytes);   // of 1, 2, 4 or 8 bytes
/// The known alignment of the lvalue's address if it is lower than its type's alignment; otherwise 0.
uint32_t low_alignment(const Expr* place);
/// The number of a text for printf.
uint32_t text_number(const Function& f, ObjectId text);

}  // namespace kc::front
