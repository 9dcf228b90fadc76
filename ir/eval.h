// SPDX-License-Identifier: Apache-2.0
// Evaluation functions of the opcode tables. Values are raw bits, zero-extended to 64; floats are in IEEE-754
// encoding. Every function is total.
#pragma once

#include <cstdint>

#include "ir/type.h"

namespace kc {

/// Computes one element from its operands' bits.
using EvalFn = uint64_t (*)(const uint64_t* operands);
/// Selects the function for the element types of the first data operand and of the result; null if the opcode
/// is not defined for these types.
using EvalSelect = EvalFn (*)(Elem operand, Elem result);

/// Of addresses and offsets, modulo 2^64.
inline int64_t wrapping_add(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
inline int64_t wrapping_mul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

namespace eval {
// One function for each opcode that computes something, declared from the tables.
#define OP(id, ...) EvalFn id(Elem operand, Elem result);
#include "ir/common.def"
#include "ir/thread.def"
#undef OP
// Opcodes named like C++ operators have functions with other names.
EvalFn bit_and(Elem operand, Elem result);
EvalFn bit_or(Elem operand, Elem result);
EvalFn bit_xor(Elem operand, Elem result);
}  // namespace eval

}  // namespace kc
