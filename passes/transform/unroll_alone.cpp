// SPDX-License-Identifier: Apache-2.0
// unroll_alone: unroll (unroll.cpp) with a higher limit, where work-items run alone.
//
// Loops of 160 to 400 instructions with a known trip count: one lane tests and jumps once for each iteration,
// as it would for a whole wave, and has registers to spare. Waves keep the loop: with masks for each arm of
// each iteration, long code was slower.
//
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   b1(%i: i32): %1 = ...                      %1 = ...
//     (40 instructions)                        (160 instructions)
//     br_if (slt %i, 4) -> b1, b2      ==>     br -> b2
#include "passes/transform/unroll_alone.h"

#include "passes/transform/unroll.h"

namespace kc {

bool unroll_alone(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  return unroll(f, analyses, remarks, {.most = 400, .where = " for work-items that run alone"});
}

}  // namespace kc
