// SPDX-License-Identifier: Apache-2.0
// Rewrites between selection and register allocation: folds pairs of instructions into one, removes
// instructions and block parameters without effect, and chooses forms whose overwritten operand dies.
//
//   %3 = vpaddd %1, 1;  %4 = vblendvps %m, %3, %1   ->   %4 = vpsubd %1, %m
//   %3 = vpslld %1, 7;  %4 = vpsrld %1, 25;  %5 = vpord %3, %4   ->   %5 = vprold %1, 7
//   %3 = vcmpps_k %1, %2;  %4 = kand %m, %3         ->   %4 = vcmpps_m %m, %1, %2
#pragma once

#include <vector>

#include "ir/function.h"

namespace kc::x64 {

/// Fields of the launch record that a loop over the waves of a row changes become values of the loop.
void keep_row_in_registers(Function& machine);
/// Vectors that were stored to local memory are taken from registers where they are loaded, in
/// straight-line code. `whole_groups`: the function runs a group to its end, so nothing loads them later.
void forward_stores(Function& machine, bool avx512, bool whole_groups);
void combine(Function& machine);
/// Sums of products of the bytes of words become sums of products of shorts.
void join_byte_products(Function& machine);
/// Folds bitwise instructions of up to three different operands into vpternlogd. AVX-512 only: the rows that
/// it reads are not selected for AVX2.
void fold_ternary_logic(Function& machine);
/// Removes extensions of which nothing reads the upper bits, and other forms on general registers.
void choose_scalar_forms(Function& machine);
/// Superword-level parallelism: neighbouring scalars become vectors, in code for one work-item at a time.
void pack_scalars(Function& machine, bool avx512);
void eliminate_dead_code(Function& machine);
/// Moves what only one of the blocks uses, and no memory decides, to the start of that block: addresses and
/// constants of accesses under a mask that is nearly always full. Not into loops.
void sink_into(Function& machine, const std::vector<BlockId>& rare);
/// Moves what only an edge out of a loop passes on, and no memory decides, to a block on that edge.
void sink_to_exits(Function& machine);
/// Increases 32-bit indices of innermost loops by their steps instead of computing them anew. Memory that is
/// accessed is in objects below 2 GiB.
void reduce_strength(Function& machine);
/// Rematerialises constants at their uses outside loops: held since the entry block they would be spilled,
/// and a reload costs as much as a constant load.
void rematerialise_constants(Function& machine);
/// Has instructions that overwrite an operand overwrite one that dies, if there is one: of products and
/// bitwise operations either, of fused multiply-add each.
void choose_two_address_forms(Function& machine);

}  // namespace kc::x64
