// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/packed_waves.h"

#include <algorithm>
#include <cstddef>

namespace kc {

void PackedWaves::prepare(const std::array<uint64_t, 3>& local, uint32_t width) {
  if (local == local_ && width == width_) return;
  const uint64_t items = local[0] * local[1] * local[2];
  auto id = [&](uint64_t linear) {
    return std::array{linear % local[0], linear / local[0] % local[1], linear / local[0] / local[1]};
  };
  waves_.clear();
  steps_.clear();
  steps_.reserve(3 * ((items + width - 1) / width * width));
  for (uint64_t first = 0; first < items; first += width) {
    const uint64_t lanes = std::min<uint64_t>(width, items - first);
    waves_.push_back({.local = id(first), .mask = ~uint64_t{0} >> (64 - lanes)});
    for (size_t d = 0; d < 3; ++d)
      for (uint64_t lane = 0; lane < width; ++lane)
        steps_.push_back(static_cast<int32_t>(id(first + lane)[d] - waves_.back().local[d]));
  }
  for (size_t i = 0; i < waves_.size(); ++i) waves_[i].steps = steps_.data() + 3 * width * i;
  local_ = local, width_ = width;
}

}  // namespace kc
