// SPDX-License-Identifier: Apache-2.0
// Evaluation functions of GCN instructions that the shared table (ir/eval.h) lacks. A selector gets the
// element of the opcode's `source` column; results and operands are raw bits, zero-extended.
#pragma once

#include "ir/eval.h"

namespace kc::gcn_eval {

/// Integers. The *rev forms have swapped operands; addc and subb take the carry last.
EvalFn same(Elem, Elem);
EvalFn second(Elem, Elem);
EvalFn subrev(Elem, Elem);
EvalFn addc(Elem, Elem);
EvalFn subb(Elem, Elem);
EvalFn subbrev(Elem, Elem);
EvalFn carry(Elem, Elem);   // of addition, with or without a carry in
EvalFn borrow(Elem, Elem);  // of subtraction
EvalFn borrow_rev(Elem, Elem);
EvalFn add_overflow(Elem, Elem);
EvalFn sub_overflow(Elem, Elem);
EvalFn cselect(Elem, Elem);  // operand 2 ? operand 0 : operand 1
EvalFn cndmask(Elem, Elem);  // operand 2 ? operand 1 : operand 0
EvalFn inverted(Elem, Elem);
EvalFn andn1(Elem, Elem);
EvalFn andn2(Elem, Elem);
EvalFn orn1(Elem, Elem);
EvalFn orn2(Elem, Elem);
EvalFn nand(Elem, Elem);
EvalFn nor(Elem, Elem);
EvalFn xnor(Elem, Elem);
EvalFn lshlrev(Elem, Elem);
EvalFn lshrrev(Elem, Elem);
EvalFn ashrrev(Elem, Elem);
EvalFn bfe_packed_u(Elem, Elem);
EvalFn bfe_packed_i(Elem, Elem);
EvalFn bfe_u(Elem, Elem);
EvalFn bfe_i(Elem, Elem);
EvalFn bfi(Elem, Elem);
EvalFn bfm(Elem, Elem);
EvalFn brev(Elem, Elem);
EvalFn bcnt0(Elem, Elem);
EvalFn bcnt1(Elem, Elem);
EvalFn bcnt_add(Elem, Elem);
EvalFn ff0(Elem, Elem);
EvalFn ff1(Elem, Elem);
EvalFn flbit_u(Elem, Elem);
EvalFn flbit_i(Elem, Elem);
EvalFn bitset0(Elem, Elem);
EvalFn bitset1(Elem, Elem);
EvalFn iabs(Elem, Elem);
EvalFn absdiff(Elem, Elem);
EvalFn sext8(Elem, Elem);
EvalFn sext16(Elem, Elem);
EvalFn mul_hi_u(Elem, Elem);
EvalFn mul_hi_i(Elem, Elem);
EvalFn mul_i24(Elem, Elem);
EvalFn mul_u24(Elem, Elem);
EvalFn mul_hi_i24(Elem, Elem);
EvalFn mul_hi_u24(Elem, Elem);
EvalFn mad_i24(Elem, Elem);
EvalFn mad_u24(Elem, Elem);
EvalFn mad_lo(Elem, Elem);
EvalFn mad_u32_u16(Elem, Elem);
EvalFn mad_i32_i16(Elem, Elem);
EvalFn mad_u64(Elem, Elem);
EvalFn mad_i64(Elem, Elem);
EvalFn mad_u64_carry(Elem, Elem);
EvalFn mad_i64_carry(Elem, Elem);
EvalFn alignbit(Elem, Elem);
EvalFn alignbyte(Elem, Elem);
EvalFn lshl_add(Elem, Elem);
EvalFn add_lshl(Elem, Elem);
EvalFn lshl_or(Elem, Elem);
EvalFn and_or(Elem, Elem);
EvalFn or3(Elem, Elem);
EvalFn add3(Elem, Elem);
EvalFn xad(Elem, Elem);
EvalFn perm(Elem, Elem);
EvalFn min3_i(Elem, Elem);
EvalFn max3_i(Elem, Elem);
EvalFn med3_i(Elem, Elem);
EvalFn min3_u(Elem, Elem);
EvalFn max3_u(Elem, Elem);
EvalFn med3_u(Elem, Elem);
EvalFn sad_u32(Elem, Elem);
EvalFn sad_u8(Elem, Elem);
EvalFn mbcnt_lo(Elem, Elem);
EvalFn mbcnt_hi(Elem, Elem);
EvalFn wrap_inc(Elem, Elem);
EvalFn wrap_dec(Elem, Elem);
EvalFn cmpswap(Elem, Elem);  // old, new, expected
EvalFn cmpst(Elem, Elem);    // old, expected, new
template <unsigned N>
EvalFn shl_add(Elem, Elem);
template <unsigned N>
EvalFn shl_add_carry(Elem, Elem);
template <unsigned Halves>
EvalFn pack(Elem, Elem);
template <unsigned Bit>
EvalFn bitcmp(Elem, Elem);
/// True for the outcomes in the set: 1 less, 2 equal, 4 greater, 8 unordered.
template <unsigned Outcomes>
EvalFn scmp(Elem, Elem);
template <unsigned Outcomes>
EvalFn ucmp(Elem, Elem);
template <unsigned Outcomes>
EvalFn fcmp(Elem, Elem);

/// Floats. A NaN produced from numbers is the positive quiet one.
EvalFn fadd(Elem, Elem);
EvalFn fsub(Elem, Elem);
EvalFn fsubrev(Elem, Elem);
EvalFn fmul(Elem, Elem);
EvalFn fmul_legacy(Elem, Elem);
EvalFn ffma(Elem, Elem);
EvalFn fmad(Elem, Elem);  // two roundings
EvalFn fmin(Elem, Elem);
EvalFn fmax(Elem, Elem);
EvalFn fmin3(Elem, Elem);
EvalFn fmax3(Elem, Elem);
EvalFn fmed3(Elem, Elem);
EvalFn ftrunc(Elem, Elem);
EvalFn fceil(Elem, Elem);
EvalFn ffloor(Elem, Elem);
EvalFn frint(Elem, Elem);
EvalFn fract(Elem, Elem);
/// Hardware gives 1 ulp for these (2^-23 or so of rcp_f64 only); here they are correctly rounded, except
/// exp2, log2, sin and cos, which are the host's double functions rounded.
EvalFn rcp(Elem, Elem);
EvalFn rsq(Elem, Elem);
EvalFn fsqrt(Elem, Elem);
EvalFn exp2(Elem, Elem);
EvalFn log2(Elem, Elem);
EvalFn sin(Elem, Elem);
EvalFn cos(Elem, Elem);
EvalFn frexp_mant(Elem, Elem);
EvalFn frexp_exp(Elem, Elem);
EvalFn ldexp(Elem, Elem);
EvalFn fclass(Elem, Elem);
EvalFn cvt_rpi(Elem, Elem);
EvalFn cvt_flr(Elem, Elem);
EvalFn cvt_pk_u8(Elem, Elem);
EvalFn f32_to_f16(Elem, Elem);  // to nearest, ties to even
EvalFn f16_to_f32(Elem, Elem);
template <unsigned Byte>
EvalFn cvt_ubyte(Elem, Elem);
EvalFn div_scale(Elem, Elem);
EvalFn div_scale_flag(Elem, Elem);
EvalFn div_fmas(Elem, Elem);
EvalFn div_fixup(Elem, Elem);

}  // namespace kc::gcn_eval
