// SPDX-License-Identifier: Apache-2.0
// What operations cost, for passes that weigh one form of the code against another.
#pragma once

#include "ir/function.h"

namespace kc {

/// What it costs to compute an instruction where it may not be wanted, in simple operations of a wave;
/// kNeverSpeculate for what must not run, or is worth a branch by itself.
inline constexpr int kNeverSpeculate = 1000;
int speculation_cost(const Function& f, const Inst& inst);

/// Of a machine, in simple operations of a wave: when a wave should jump over a region that none of its lanes
/// enters. A region of operations that together cost more than the jump is jumped over, the others run with
/// an empty mask.
struct SkipCosts {
  uint32_t jump = 12;   // with what a wrong guess costs, as often as one is made
  uint32_t memory = 1;  // a load or store without lanes
  uint32_t slow = 1;    // a division, a square root
};
/// gfx9: branches on exec are cheap, and what is issued without lanes costs an issue slot. 12 instructions is
/// what LLVM's backend takes.
inline constexpr SkipCosts kGcnSkips{.jump = 12, .memory = 6, .slow = 12};
/// CPUs: a wrong guess is 20 cycles, and with two vectors for each lane value an operation takes about one;
/// gathers, divisions and square roots take their whole time for an empty mask too.
inline constexpr SkipCosts kCpuSkips{.jump = 20, .memory = 20, .slow = 20};

uint32_t skip_cost(const Function& f, const Inst& inst, const SkipCosts& costs);

}  // namespace kc
