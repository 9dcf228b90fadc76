// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <expected>
#include <string>
#include <utility>

namespace kc {

enum class VulkanErrorKind {
  Unavailable,  // no library, no device, or a device without a required feature
  Limit,        // the driver did not complete the kernel: there are no results
  NoMemory,     // the device or the host has too little memory
  Lost,         // the device is lost; it must be reopened
  Failed,       // a call failed, or the validation layer reported an error
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
