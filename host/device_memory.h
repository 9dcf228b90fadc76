// SPDX-License-Identifier: Apache-2.0
// Buffers of a launch on a device with memory of its own: which blocks of it there are, what is copied to
// them, and what comes back.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "host/launches.h"
#include "runtime/device_error.h"

namespace kc {

/// Memory of this process that has a copy on the device.
struct DeviceBlock {
  uint64_t base = 0, size = 0;  // here, in bytes
  /// Bytes before it in the copy, so that what is aligned here to at most 16 bytes is aligned there, too.
  uint64_t padding() const { return base % 16; }
  uint64_t bytes() const { return padding() + size; }
};

/// Ranges that overlap lie in one block, so that what is written through one is read through the other.
struct DeviceBlocks {
  std::vector<DeviceBlock> blocks;
  std::vector<size_t> block_of;  // by range
};
DeviceBlocks device_blocks(std::span<const MemoryRange> ranges);

/// The bits of the arguments, with addresses of the device for those of this process; null stays null.
/// `addresses`: of the blocks' copies, padding included, in their order.
std::vector<uint64_t> device_bits(const BoundArguments& bound, const DeviceBlocks& blocks,
                                  std::span<const uint64_t> addresses);

/// What an error of the device means for a launch.
LaunchError launch_error(const DeviceError& error);

/// What a launch on a device gave.
struct DeviceRun {
  std::optional<TrapReport> trap;
  double ms = 0;  // of the launch itself, without copies
};

}  // namespace kc
