// SPDX-License-Identifier: Apache-2.0
// The most frequent vector instructions for all lanes at once, as loops that compilers vectorise.
// Equivalent to the evaluation functions of the opcode table; used for instructions without modifiers.
#pragma once

#include <cstdint>

#include "ir/op.h"

namespace kc::gcn_sim {

/// Results of kMostLanes lanes from up to three operands of 32 bits each.
using LaneLoop = void (*)(uint32_t* out, const uint32_t* a, const uint32_t* b, const uint32_t* c);
/// One bit per lane.
using CompareLoop = uint64_t (*)(const uint32_t* a, const uint32_t* b);

/// Null for other instructions, and on processors on which the loops would be slower.
LaneLoop lane_loop(Op op);
CompareLoop compare_loop(Op op);

}  // namespace kc::gcn_sim
