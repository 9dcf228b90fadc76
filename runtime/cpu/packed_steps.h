// SPDX-License-Identifier: Apache-2.0
// Where the lanes of packed waves are in their group: waves follow the linear local ids.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace kc {

class PackedSteps {
 public:
  /// For groups of this size and waves of so many lanes. What was made for the same ones before is kept.
  void prepare(const std::array<uint64_t, 3>& local, uint32_t width);
  /// CpuWaveContext::steps of the wave that begins at this linear local id, a multiple of the width.
  const int32_t* of_wave(uint64_t first) const { return steps_.data() + 3 * first; }

 private:
  std::array<uint64_t, 3> local_{};
  uint32_t width_ = 0;
  std::vector<int32_t> steps_;  // by wave, dimension and lane
};

}  // namespace kc
