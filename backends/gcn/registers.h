// SPDX-License-Identifier: Apache-2.0
// Registers with a meaning to this back end.
#pragma once

#include "backends/gcn/isa/models.h"
#include "ir/check.h"
#include "ir/op.h"

namespace kc::gcn {

/// Registers that the hardware initialises or that emission reserves; none is allocated.
enum Reserved : uint32_t {
  kScratchDescriptor = 0,  // s[0:3]
  kDispatchPtr = 4,        // s[4:5]
  kKernargPtr = 6,         // s[6:7]
  kGroupId = 8,            // s8, s9, s10
  kScratchOffset = 11,     // s11
  kSavedExec = 12,         // s[12:13]: exec around whole-wave copies
  kFarScratch = 14,        // s14: base of scratch beyond the range of an immediate offset
  kFarJump = 14,           // s[14:15]: target of a jump beyond the range of a branch
  kFirstSgpr = 16,
  kDescriptorSize = 4,  // with flat scratch there is no descriptor, and all registers above shift down
  kLocalId = 0,         // v0, v1, v2
  kSgprSpill = 3,       // from v3 on, as many as needed: lanes hold spilled scalar registers
};

/// Masks and lane conditions: their registers, and the scalar instructions on them.
struct LaneMasks {
  Type type;
  Op mov, not_, and_, andn2, or_, orn2, xor_, xnor;
};
inline const LaneMasks& lane_masks(const MachineModel& model) {
  static constexpr LaneMasks kOf64Lanes{.type = sgpr(2),
                                        .mov = Op::gcn_s_mov_b64,
                                        .not_ = Op::gcn_s_not_b64,
                                        .and_ = Op::gcn_s_and_b64,
                                        .andn2 = Op::gcn_s_andn2_b64,
                                        .or_ = Op::gcn_s_or_b64,
                                        .orn2 = Op::gcn_s_orn2_b64,
                                        .xor_ = Op::gcn_s_xor_b64,
                                        .xnor = Op::gcn_s_xnor_b64};
  KC_CHECK(kOf64Lanes.type == lane_mask(model), "gcn: no instructions on masks of {}", model.cpu);
  return kOf64Lanes;
}

}  // namespace kc::gcn
