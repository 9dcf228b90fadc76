// SPDX-License-Identifier: Apache-2.0
// Whether all waves of a group, with all their lanes, come to the same barriers in the same order. Then the
// code itself goes from one wave to the next at a barrier, and on with the first behind it, and nothing is
// asked:
//
//   loop:      br_if %s != 0 -> body, end     %s is made of arguments and sizes: it is the same for all waves
//   body:      %m = mask_cond %all, %tid < %s
//              br_if any(%m) -> add, join     waves differ, but no barrier depends on this branch
//   join:      lane_barrier %all
#pragma once

#include "ir/function.h"

namespace kc::x64 {

/// Of a wave function. What is loaded, from other memory than constant one, counts as different for each
/// wave: waves load one after the other, and memory may change in between. False where there is no barrier.
bool groups_meet(const Function& wave);

}  // namespace kc::x64
