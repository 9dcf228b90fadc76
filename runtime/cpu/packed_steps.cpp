// SPDX-License-Identifier: Apache-2.0
#include "runtime/cpu/packed_steps.h"

#include <cstddef>

namespace kc {

void PackedSteps::prepare(const std::array<uint64_t, 3>& local, uint32_t width) {
  if (local == local_ && width == width_) return;
  const uint64_t waves = (local[0] * local[1] * local[2] + width - 1) / width;
  steps_.clear();
  steps_.reserve(3 * width * waves);
  for (uint64_t wave = 0; wave < waves; ++wave)
    for (size_t d = 0; d < 3; ++d)
      for (uint64_t lane = 0; lane < width; ++lane) {
        auto along = [&](uint64_t linear) {
          return d == 0   ? linear % local[0]
                 : d == 1 ? linear / local[0] % local[1]
                          : linear / local[0] / local[1];
        };
        steps_.push_back(static_cast<int32_t>(along(wave * width + lane) - along(wave * width)));
      }
  local_ = local, width_ = width;
}

}  // namespace kc
