// SPDX-License-Identifier: Apache-2.0
// Iterations in which all lanes of a wave take part have code of their own, without masks, in loops that
// lanes leave one by one.
//
//   loop(%m, %i):                          test:      %m is full ? full : loop
//     %in = mask_cond %m, %i < %n    ==>   full(%i):  do all lanes go on? work : loop
//     any %in ? body : end                 work:      the work without masks, br full
//   body:                                  loop, body as before
//     the work under %in, br loop
//
// Where the condition compares numbers that ascend from lane to lane with one that is the same for all, as in
// `for (i = id; i < n; i += size)`, the last lane decides, and nothing is computed of the others.
#pragma once

#include <memory>

#include "ir/function.h"
#include "passes/analysis/shape.h"

namespace kc::x64 {

/// Null where no loop has such iterations, or where they would be too many instructions.
std::unique_ptr<Function> with_full_iterations(const Function& wave, const LaneLayout& layout, bool avx512);

}  // namespace kc::x64
