// SPDX-License-Identifier: Apache-2.0
// Devices are opened once and shared by the kernels of this process: opening one takes long.
#pragma once

#include <atomic>
#include <expected>
#include <memory>
#include <mutex>

#include "api/runner.h"

namespace kc {

template <typename Device>
struct SharedDevice {
  explicit SharedDevice(Device opened) : device(std::move(opened)) {}
  /// Held by a launch from its first copy to its last, so that launches on the same buffers follow one
  /// another.
  std::mutex mutex;
  Device device;
  std::atomic<bool> lost = false;
};

/// Where kernels find the device; it is closed with the last kernel that holds it.
template <typename Device>
class DeviceSlot {
 public:
  /// `open` gives std::expected<Device, Failure>.
  template <typename Open>
  std::expected<std::shared_ptr<SharedDevice<Device>>, Failure> find(Open&& open) {
    std::lock_guard lock(mutex_);
    if (auto found = held_.lock(); found && !found->lost) return found;
    auto device = open();
    if (!device) return std::unexpected(std::move(device.error()));
    auto made = std::make_shared<SharedDevice<Device>>(std::move(*device));
    held_ = made;
    return made;
  }

 private:
  std::mutex mutex_;
  std::weak_ptr<SharedDevice<Device>> held_;
};

}  // namespace kc
