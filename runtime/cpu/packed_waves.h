// SPDX-License-Identifier: Apache-2.0
// The packed waves of a group: they follow the linear local ids.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace kc {

struct PackedWave {
  std::array<uint64_t, 3> local{};  // id of lane 0
  uint64_t mask = 0;
  const int32_t* steps = nullptr;  // as in CpuWaveContext
};

class PackedWaves {
 public:
  /// Prepares for groups of this size and waves of this width. Results for the previous arguments are reused.
  void prepare(const std::array<uint64_t, 3>& local, uint32_t width);
  std::span<const PackedWave> all() const { return waves_; }

 private:
  std::array<uint64_t, 3> local_{};
  uint32_t width_ = 0;
  std::vector<PackedWave> waves_;
  std::vector<int32_t> steps_;  // by wave, dimension and lane
};

}  // namespace kc
