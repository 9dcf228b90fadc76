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
#define KC_EVAL(name) EvalFn name(Elem operand, Elem result);
KC_EVAL(add)
KC_EVAL(sub)
KC_EVAL(mul)
KC_EVAL(sdiv) KC_EVAL(udiv) KC_EVAL(srem) KC_EVAL(urem) KC_EVAL(bit_and) KC_EVAL(bit_or) KC_EVAL(bit_xor)
    KC_EVAL(shl) KC_EVAL(lshr) KC_EVAL(ashr) KC_EVAL(smin) KC_EVAL(smax) KC_EVAL(umin) KC_EVAL(umax)
        KC_EVAL(eq) KC_EVAL(ne) KC_EVAL(slt) KC_EVAL(sle) KC_EVAL(ult) KC_EVAL(ule) KC_EVAL(feq) KC_EVAL(fne)
            KC_EVAL(flt) KC_EVAL(fle) KC_EVAL(fadd) KC_EVAL(fsub) KC_EVAL(fmul) KC_EVAL(fdiv) KC_EVAL(ffma)
                KC_EVAL(fneg) KC_EVAL(fabs) KC_EVAL(fsqrt) KC_EVAL(fmin) KC_EVAL(fmax) KC_EVAL(ffloor)
                    KC_EVAL(fceil) KC_EVAL(ftrunc) KC_EVAL(frint) KC_EVAL(zext) KC_EVAL(sext) KC_EVAL(trunc)
                        KC_EVAL(bitcast) KC_EVAL(fptosi) KC_EVAL(fptoui) KC_EVAL(sitofp) KC_EVAL(uitofp)
                            KC_EVAL(fpext) KC_EVAL(fptrunc) KC_EVAL(select)
#undef KC_EVAL
}  // namespace eval

}  // namespace kc
