// SPDX-License-Identifier: Apache-2.0
// What operations cost, for passes that weigh one form of the code against another.
#pragma once

#include "ir/function.h"

namespace kc {

/// What it costs to compute an instruction where it may not be wanted, in simple operations of a wave;
/// kNeverSpeculate for what must not run, or is worth a branch by itself.
inline constexpr int kNeverSpeculate = 1000;
int speculation_cost(const Function& f, const Inst& inst);

/// Of a machine, in simple operations of a wave. A region that none of a wave's lanes enters is jumped over
/// if its operations together cost more than the jump, else it runs with an empty mask; operations that both
/// arms of a branch have are executed once if that saves more than the selection of operands costs.
struct TargetCosts {
  uint32_t jump = 12;   // including the expected cost of mispredictions
  uint32_t memory = 1;  // a load or store without lanes
  uint32_t slow = 1;    // a division, a square root
  bool rows = false;    // lanes that access neighbouring places do it as one, for much less than others
};
/// gfx9: branches on exec are cheap, and what is issued without lanes costs an issue slot. 12 instructions is
/// what LLVM's backend takes.
inline constexpr TargetCosts kGcnCosts{.jump = 12, .memory = 6, .slow = 12};
/// CPUs: a wrong guess is 20 cycles, and with two vectors for each lane value an operation takes about one;
/// gathers, divisions and square roots take their whole time for an empty mask too.
inline constexpr TargetCosts kCpuCosts{.jump = 20, .memory = 20, .slow = 20, .rows = true};
/// Vulkan devices mask by themselves, and most are GPUs, where an access costs the same wherever its lanes
/// go.
inline constexpr TargetCosts kVulkanCosts = kGcnCosts;

uint32_t masked_cost(const Function& f, const Inst& inst, const TargetCosts& costs);

}  // namespace kc
