// SPDX-License-Identifier: Apache-2.0
// Expansions: how a row that machines lack is written in terms of rows that all of them have. The interpreter
// runs such a row by its evaluation function, so each of the two definitions checks the other.
#pragma once

#include <span>

#include "ir/ids.h"

namespace kc {

class Builder;
/// Builds the row's result from its operands, with rows that have no expansion themselves.
using ExpandFn = ValueId (*)(Builder& b, std::span<const ValueId> operands);

namespace expansion {
// One function for each row that has one, declared by the table itself.
#define OP(id, ...) ValueId id(Builder& b, std::span<const ValueId> operands);
#include "ir/thread.def"
#undef OP
}  // namespace expansion

}  // namespace kc
