// SPDX-License-Identifier: Apache-2.0
// A small Vulkan compute runtime: buffers with addresses, kernels from SPIR-V, launches that wait.
// One thread uses a device at a time. Buffers and kernels keep what they need of it alive.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/image.h"
#include "runtime/vulkan/error.h"

namespace kc {

struct VulkanOptions {
  std::string library = "libvulkan.so.1";
  std::string device_name;   // part of the device's name; empty takes the first usable one, GPUs before CPUs
  bool validation = false;   // use the Khronos validation layer when it is installed
  std::string cache_folder;  // keeps compiled pipelines between processes; empty keeps none
};

// How sub-groups cover a work-group: along its linear local ids, along x in each row, or in no way that we
// know.
enum class VulkanLaneOrder : uint8_t { None, Linear, Rows };

// What was read or measured when the device was opened.
struct VulkanDeviceInfo {
  std::string name;
  uint32_t api_version = 0;
  bool validation = false;  // the layer is there and on
  bool int8 = false, int16 = false, float64 = false;
  bool int64_atomics = false, local_int64_atomics = false;
  bool memory_model = false;                              // Vulkan's own, with the whole device as a scope
  bool rounding_even32 = false, rounding_even64 = false;  // can be demanded of a module
  bool signed_zero_inf_nan_preserve32 = false, signed_zero_inf_nan_preserve64 = false;
  bool denorm_preserve32 = false, denorm_preserve64 = false;
  // Measured.
  bool fused_fma32 = false, fused_fma64 = false;
  bool denormals_kept32 = false, denormals_kept64 = false;  // by additions and products
  bool loses_loop_values = false;     // of work-items that leave a loop before their neighbours
  bool stops_long_loops = false;      // after some ten thousand rounds, in silence
  bool breaks_wide_compares = false;  // of sign-extended 32-bit numbers with constants
  VulkanLaneOrder lane_order = VulkanLaneOrder::None;
  bool work_items_meet = false;  // where selections and loops of the module end; known of the driver
  uint32_t max_group_invocations = 0, max_shared_memory = 0, subgroup_size = 0;
  std::array<uint32_t, 3> max_group_size{}, max_group_count{};
  uint64_t cached_bytes = 0;  // of pipelines, read from the cache's folder

  std::string version_string() const;
};

/// One of the machine's devices, opened or not; the measured part of its info is missing.
struct VulkanDeviceEntry {
  VulkanDeviceInfo info;
  std::string_view kind{};
  std::string missing;  // what it lacks to be usable, or nothing
};
VulkanResult<std::vector<VulkanDeviceEntry>> list_vulkan_devices(const VulkanOptions& options = {});

class VulkanDevice;
struct VulkanContext;

class VulkanBuffer {
 public:
  VulkanBuffer(VulkanBuffer&&) noexcept;
  VulkanBuffer& operator=(VulkanBuffer&&) noexcept;
  ~VulkanBuffer();
  uint64_t address() const;
  // The memory itself, coherent between launches.
  std::span<std::byte> bytes() const;

 private:
  friend class VulkanDevice;
  struct Impl;
  explicit VulkanBuffer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

class VulkanKernel {
 public:
  VulkanKernel(VulkanKernel&&) noexcept;
  VulkanKernel& operator=(VulkanKernel&&) noexcept;
  ~VulkanKernel();
  const VulkanImage& image() const;

 private:
  friend class VulkanDevice;
  struct Impl;
  explicit VulkanKernel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

struct VulkanLaunch {
  uint32_t dims = 1;
  std::array<uint64_t, 3> global{1, 1, 1};  // multiples of the image's local size
  std::array<uint64_t, 3> offset{};
  std::vector<std::byte> params;  // image().params_size bytes: addresses and values at their offsets
};

class VulkanDevice {
 public:
  static VulkanResult<VulkanDevice> open(const VulkanOptions& options = {});
  VulkanDevice(VulkanDevice&&) noexcept;
  VulkanDevice& operator=(VulkanDevice&&) noexcept;
  ~VulkanDevice();

  const VulkanDeviceInfo& info() const;
  // Zeroed; a size of 0 gives a buffer whose address is valid but holds nothing.
  VulkanResult<VulkanBuffer> create_buffer(uint64_t size);
  /// The image's local size is obeyed if it is sized at load; `local_lengths` are its own, in order.
  VulkanResult<VulkanKernel> load(const VulkanImage& image, std::span<const uint32_t> local_lengths = {});
  // Runs the grid to its end; the result is the time in milliseconds, by the device's clock where it has one.
  VulkanResult<double> launch(const VulkanKernel& kernel, const VulkanLaunch& launch);

 private:
  explicit VulkanDevice(std::shared_ptr<VulkanContext> context);
  std::shared_ptr<VulkanContext> context_;
};

}  // namespace kc
