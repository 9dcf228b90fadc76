// SPDX-License-Identifier: Apache-2.0
// A small Vulkan compute runtime: buffers with addresses, kernels from SPIR-V, blocking launches. A device is
// used by one thread at a time. Buffers and kernels keep the device objects they need alive.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/device_error.h"
#include "runtime/image.h"

namespace kc {

struct VulkanOptions {
  std::string library = "libvulkan.so.1";
  // substring of the device's name; empty selects the first usable one, GPUs before CPUs
  std::string device_name;
  bool validation = false;   // enables the Khronos validation layer if it is installed
  std::string cache_folder;  // keeps compiled pipelines between processes; empty disables it
};

// The order of sub-group lanes in a work-group: along its linear local ids, along x in each row, or unknown.
enum class VulkanLaneOrder : uint8_t { None, Linear, Rows };

// Device properties read or measured at opening.
struct VulkanDeviceInfo {
  std::string name;
  uint32_t api_version = 0;
  bool validation = false;  // the layer is present and enabled
  bool int8 = false, int16 = false, float64 = false;
  bool int64_atomics = false, local_int64_atomics = false;
  bool memory_model = false;                              // Vulkan's memory model, with device scope
  bool rounding_even32 = false, rounding_even64 = false;  // a module can require it
  bool signed_zero_inf_nan_preserve32 = false, signed_zero_inf_nan_preserve64 = false;
  bool denorm_preserve32 = false, denorm_preserve64 = false;
  // Measured.
  bool fused_fma32 = false, fused_fma64 = false;
  bool denormals_kept32 = false, denormals_kept64 = false;  // in additions and products
  bool loses_loop_values = false;     // of work-items that leave a loop before others of their sub-group
  bool stops_long_loops = false;      // silently, after about ten thousand iterations
  bool breaks_wide_compares = false;  // of sign-extended 32-bit numbers with constants
  VulkanLaneOrder lane_order = VulkanLaneOrder::None;
  // reconverge at the end of the module's selections and loops; known from the driver
  bool work_items_meet = false;
  uint32_t max_group_invocations = 0, max_shared_memory = 0, subgroup_size = 0;
  std::array<uint32_t, 3> max_group_size{}, max_group_count{};
  uint64_t cached_bytes = 0;  // pipelines read from the cache folder

  std::string version_string() const;
};

/// A device of the machine, opened or not; the measured part of its info is missing.
struct VulkanDeviceEntry {
  VulkanDeviceInfo info;
  std::string_view kind{};
  std::string missing;  // the required feature it lacks, or empty
};
DeviceResult<std::vector<VulkanDeviceEntry>> list_vulkan_devices(const VulkanOptions& options = {});

class VulkanDevice;
struct VulkanContext;

class VulkanBuffer {
 public:
  VulkanBuffer(VulkanBuffer&&) noexcept;
  VulkanBuffer& operator=(VulkanBuffer&&) noexcept;
  ~VulkanBuffer();
  uint64_t address() const;
  // The mapped memory, coherent between launches.
  std::span<std::byte> bytes() const;
  /// A store beside the buffer goes to a margin of its own and not to other memory: a byte that a launch has
  /// changed there, relative to the first one of the buffer. Farther stores and loads are not noticed.
  std::optional<int64_t> overrun() const;

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
  static DeviceResult<VulkanDevice> open(const VulkanOptions& options = {});
  VulkanDevice(VulkanDevice&&) noexcept;
  VulkanDevice& operator=(VulkanDevice&&) noexcept;
  ~VulkanDevice();

  const VulkanDeviceInfo& info() const;
  // Zero-initialized; a size of 0 gives a buffer with a valid address and no contents.
  DeviceResult<VulkanBuffer> create_buffer(uint64_t size);
  /// Uses the image's local size if it is sized at load; `local_lengths` are the image's local lengths, in
  /// order.
  DeviceResult<VulkanKernel> load(const VulkanImage& image, std::span<const uint32_t> local_lengths = {});
  // Runs the grid to completion. Returns milliseconds, of the device's clock if it has one.
  DeviceResult<double> launch(const VulkanKernel& kernel, const VulkanLaunch& launch);

 private:
  explicit VulkanDevice(std::shared_ptr<VulkanContext> context);
  std::shared_ptr<VulkanContext> context_;
};

}  // namespace kc
