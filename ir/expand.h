// SPDX-License-Identifier: Apache-2.0
// Expansions: opcodes that machines lack, in terms of opcodes that all of them have. The interpreter runs the
// evaluation function of such an opcode, so each of the two definitions checks the other.
#pragma once

#include <span>

#include "ir/ids.h"

namespace kc {

class Builder;
/// Builds the result from the operands, with opcodes that have no expansion themselves.
using ExpandFn = ValueId (*)(Builder& b, std::span<const ValueId> operands);

namespace expansion {
// One function for each opcode with an expansion, declared from the table.
#define OP(id, ...) ValueId id(Builder& b, std::span<const ValueId> operands);
#include "ir/thread.def"
#undef OP
}  // namespace expansion

}  // namespace kc
