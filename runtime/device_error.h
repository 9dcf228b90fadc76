// SPDX-License-Identifier: Apache-2.0
// Why a device, or the library that it is reached through, did not do what was asked.
#pragma once
#include <cstdint>
#include <expected>
#include <string>
#include <utility>

namespace kc {

struct DeviceError {
  enum Kind : uint8_t {
    Absent,       // no library, no device, or a device without a required feature
    Build,        // the compiler of the device rejected the source
    CutOff,       // the driver did not complete the kernel: there are no results
    OutOfMemory,  // of the device or of the host
    Lost,         // the device is lost; it must be reopened
    Failed,       // a call failed, or the validation layer reported an error
  } kind = Failed;
  std::string message;
};
template <typename T>
using DeviceResult = std::expected<T, DeviceError>;

inline std::unexpected<DeviceError> device_absent(std::string message) {
  return std::unexpected(DeviceError{DeviceError::Absent, std::move(message)});
}
inline std::unexpected<DeviceError> device_failed(std::string message) {
  return std::unexpected(DeviceError{DeviceError::Failed, std::move(message)});
}

}  // namespace kc
