// SPDX-License-Identifier: Apache-2.0
// Evaluation functions of the opcode tables. Values travel as raw bits, zero-extended to 64;
// floats as their IEEE-754 encoding. Every function is total ("defined everywhere").
#pragma once

#include <cstdint>

#include "ir/type.h"

namespace kc {

/// Computes one element from its operands' bits.
using EvalFn = uint64_t (*)(const uint64_t* operands);
/// Picks the function for the element type of the first data operand and of the result; null when the
/// opcode has no meaning at these types.
using EvalSelect = EvalFn (*)(Elem operand, Elem result);

namespace eval {
// One function for each row that computes something, declared by the tables themselves.
#define OP(id, ...) EvalFn id(Elem operand, Elem result);
#include "ir/common.def"
#include "ir/thread.def"
#undef OP
// Rows whose names are operators of C++ have functions with other names.
EvalFn bit_and(Elem operand, Elem result);
EvalFn bit_or(Elem operand, Elem result);
EvalFn bit_xor(Elem operand, Elem result);
}  // namespace eval

}  // namespace kc
