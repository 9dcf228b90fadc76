// SPDX-License-Identifier: Apache-2.0
// The positions of the lanes of packed waves in their group; waves follow the linear local ids.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace kc {

class PackedSteps {
 public:
  /// Prepares for groups of this size and waves of this width. Results for the previous arguments are reused.
  void prepare(const std::array<uint64_t, 3>& local, uint32_t width);
  /// CpuWaveContext::steps of the wave that starts at this linear local id, a multiple of the width.
  const int32_t* of_wave(uint64_t first) const { return steps_.data() + 3 * first; }

 private:
  std::array<uint64_t, 3> local_{};
  uint32_t width_ = 0;
  std::vector<int32_t> steps_;  // by wave, dimension and lane
};

}  // namespace kc
