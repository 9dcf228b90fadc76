// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/uniformity.h"

namespace kc {

/// What it costs to compute an instruction where it may not be wanted, in simple operations of a wave;
/// kNeverSpeculate for what must not run, or is worth a branch by itself.
int speculation_cost(const Function& f, const Inst& inst);
inline constexpr int kNeverSpeculate = 1000;

/// Turns short pure sides of branches into straight code with selects, and chains of conditions with the same
/// two targets into one branch. Returns whether f changed.
bool if_convert(Function& f, UniformityOptions options = {});

}  // namespace kc
