// SPDX-License-Identifier: Apache-2.0
#include "host/device_memory.h"

#include <algorithm>
#include <numeric>

namespace kc {

LaunchError launch_error(const DeviceError& error) {
  switch (error.kind) {
    case DeviceError::Absent:
      return {LaunchError::Absent, error.message};
    case DeviceError::CutOff:
      return {LaunchError::CutOff, error.message};
    case DeviceError::OutOfMemory:
      return {LaunchError::OutOfMemory, error.message};
    case DeviceError::Lost:
      return {LaunchError::Lost, error.message};
    case DeviceError::Build:
    case DeviceError::Failed:
      break;
  }
  return {LaunchError::Failed, error.message};
}

DeviceBlocks device_blocks(std::span<const MemoryRange> ranges) {
  DeviceBlocks made{.blocks = {}, .block_of = std::vector<size_t>(ranges.size())};
  std::vector<size_t> order(ranges.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return ranges[i].base; });
  for (size_t i : order) {
    const MemoryRange& r = ranges[i];
    DeviceBlock* last = made.blocks.empty() ? nullptr : &made.blocks.back();
    if (last && r.base < last->base + last->size)
      last->size = std::max(last->size, r.base + r.size - last->base);
    else
      made.blocks.push_back({r.base, r.size});
    made.block_of[i] = made.blocks.size() - 1;
  }
  return made;
}

std::vector<uint64_t> device_bits(const BoundArguments& bound, const DeviceBlocks& blocks,
                                  std::span<const uint64_t> addresses) {
  std::vector<uint64_t> bits = bound.bits;
  for (size_t i = 0; i < bits.size(); ++i) {
    if (bound.range_of[i] < 0 || !bits[i]) continue;
    const size_t block = blocks.block_of[static_cast<size_t>(bound.range_of[i])];
    bits[i] = addresses[block] + blocks.blocks[block].padding() + (bits[i] - blocks.blocks[block].base);
  }
  return bits;
}

}  // namespace kc
