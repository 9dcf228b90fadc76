// SPDX-License-Identifier: Apache-2.0
#include "runtime/vulkan/device.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <optional>

using namespace kc;

namespace {

// Skipped where there is no device at all.
std::optional<VulkanDevice> open_device() {
  VulkanOptions options;
  options.validation = true;
  auto device = VulkanDevice::open(options);
  if (device) return std::move(*device);
  if (device.error().kind != DeviceError::Absent) FAIL(device.error().message);
  WARN("skipped: " << device.error().message);
  return std::nullopt;
}

}  // namespace

TEST_CASE("a missing library is unavailable, not failed") {
  VulkanOptions options;
  options.library = "libno_such_vulkan.so.1";
  auto device = VulkanDevice::open(options);
  REQUIRE(!device);
  CHECK(device.error().kind == DeviceError::Absent);
  CHECK(device.error().message.find("libno_such_vulkan") != std::string::npos);
}

TEST_CASE("a device that nobody has is unavailable") {
  VulkanOptions options;
  options.device_name = "no such device";
  auto device = VulkanDevice::open(options);
  REQUIRE(!device);
  CHECK(device.error().kind == DeviceError::Absent);
}

TEST_CASE("what is measured at opening") {
  auto device = open_device();
  if (!device) return;
  const auto& info = device->info();
  CHECK(!info.name.empty());
  CHECK(info.api_version >= ((1u << 22) | (2u << 12)));
  CHECK(info.version_string().find("1.") == 0);
  CHECK(info.max_group_invocations >= 128);
  WARN(info.name << " " << info.version_string() << (info.validation ? ", validated" : ", not validated")
                 << ", fused fma 32/64: " << info.fused_fma32 << info.fused_fma64
                 << ", denormals kept 32/64: " << info.denormals_kept32 << info.denormals_kept64
                 << ", loses loop values: " << info.loses_loop_values << ", stops long loops: "
                 << info.stops_long_loops << ", breaks wide compares: " << info.breaks_wide_compares);
  // Mesa lowers fma to a product and a sum on this device.
  if (info.name.find("llvmpipe") != std::string::npos) CHECK(!info.fused_fma32);
}

TEST_CASE("buffers start zeroed, have an address and outlive the device object") {
  auto device = open_device();
  if (!device) return;
  auto empty = device->create_buffer(0);
  REQUIRE(empty);
  CHECK(empty->bytes().empty());
  CHECK(empty->address() != 0);
  auto buffer = device->create_buffer(1000);
  REQUIRE(buffer);
  REQUIRE(buffer->bytes().size() == 1000);
  for (std::byte b : buffer->bytes()) REQUIRE(b == std::byte{0});
  CHECK(buffer->address() % 16 == 0);
  device.reset();
  buffer->bytes()[999] = std::byte{7};
  CHECK(buffer->bytes()[999] == std::byte{7});
}

TEST_CASE("a buffer larger than the device's memory is an error, and the device goes on") {
  auto device = open_device();
  if (!device) return;
  for (uint64_t size : {uint64_t{1} << 48, uint64_t{1} << 63, UINT64_MAX - 15, UINT64_MAX}) {
    auto buffer = device->create_buffer(size);
    REQUIRE(!buffer);
    CHECK(buffer.error().kind == DeviceError::OutOfMemory);
    CHECK(buffer.error().message.ends_with(fmt::format("no memory for a buffer of {} bytes", size)));
  }
  CHECK(device->create_buffer(16));
}

TEST_CASE("an image that asks for too much is unavailable") {
  auto device = open_device();
  if (!device) return;
  VulkanImage image;
  image.kernel = image.entry_point = "big";
  image.local_size = {device->info().max_group_size[0] + 1, 1, 1};
  auto kernel = device->load(image);
  REQUIRE(!kernel);
  CHECK(kernel.error().kind == DeviceError::Absent);
  CHECK(kernel.error().message.find("local size") != std::string::npos);
}
