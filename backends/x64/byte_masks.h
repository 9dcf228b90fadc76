// SPDX-License-Identifier: Apache-2.0
// Masks and truth values that AVX2 code keeps as bytes of ones or zeros, all lanes of a wave in one or two
// vectors, where bytes are compared and chosen.
//
//   %3: lane<i1> = ult %1, %2          one vpminub and one vpcmpeqb for 32 lanes
//   %5: mask = mask_cond %4, %3        one vpand; as words four, and the comparison becomes four vectors
//   %6: lane<i8> = blend %5, %1, %2    vpblendvb; masks of words are packed before
//
// AVX-512 has mask registers of 64 lanes instead (byte_lanes.h).
#pragma once

#include <functional>
#include <vector>

#include "ir/cfg.h"

namespace kc::x64 {

struct MaskModel {
  unsigned parts = 0;  // vectors of a lane value of words
  /// The bytes of the elements whose masks an instruction makes or uses: 1 or 2 for comparisons and choices
  /// of bytes and shorts, and for stores of runs of them to private memory; 4 for all others; 0 if it needs
  /// none.
  std::function<unsigned(InstId)> size;
};

class ByteMasks {
 public:
  /// An analysis that keeps all masks as words.
  ByteMasks() = default;
  /// Masks that are operands and results of each other's operations are decided on together: bytes, if this
  /// saves more than converting from and to words costs.
  ByteMasks(const Function& wave, const Cfg& cfg, const MaskModel& model);

  bool has(ValueId v) const { return v.index < bytes_.size() && bytes_[v.index]; }
  bool operator==(const ByteMasks&) const = default;

 private:
  std::vector<bool> bytes_;
};

/// Whether the results are 1 where a truth value holds, 0 elsewhere.
bool is_truth_as_number(const Function& wave, const Inst& inst);
/// Whether the result is a mask or truth value that is made of others, lane by lane.
bool combines_masks(const Function& wave, const Inst& inst);

}  // namespace kc::x64
