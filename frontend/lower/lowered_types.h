// SPDX-License-Identifier: Apache-2.0
// What source types are in the IR.
#pragma once

#include <cstdint>

#include "frontend/parse/ast.h"
#include "ir/type.h"

namespace kc::front {

kc::Type ir_type(const Type* type);      // of a scalar; void for all else
kc::Type stored_type(const Type* type);  // what a scalar is in memory
kc::Type integer_type(uint64_t bytes);   // of 1, 2, 4 or 8 bytes
/// What the place's address is a multiple of, if its type asks for more; otherwise 0.
uint32_t low_alignment(const Expr* place);

}  // namespace kc::front
