// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <expected>
#include <string>
#include <utility>

namespace kc {

enum class VulkanErrorKind {
  Unavailable,  // no library, no device, or a device that lacks what we need
  Limit,        // the driver did not run the kernel to its end: there are no results
  NoMemory,     // the device, or the host for it, has too little
  Lost,         // the device is gone; it must be opened anew
  Failed,       // a call failed, or the validation layer complained
};
struct VulkanError {
  VulkanErrorKind kind = VulkanErrorKind::Failed;
  std::string message;
};
template <typename T>
using VulkanResult = std::expected<T, VulkanError>;

inline std::unexpected<VulkanError> vulkan_unavailable(std::string message) {
  return std::unexpected(VulkanError{VulkanErrorKind::Unavailable, std::move(message)});
}
inline std::unexpected<VulkanError> vulkan_failed(std::string message) {
  return std::unexpected(VulkanError{VulkanErrorKind::Failed, std::move(message)});
}

}  // namespace kc
