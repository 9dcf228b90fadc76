// SPDX-License-Identifier: Apache-2.0
// Runs kernels given as IR text on the machine's Vulkan device.
#pragma once

#include <catch2/catch.hpp>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "host/vulkan_code.h"
#include "ir/text.h"
#include "runtime/vulkan/spirv_tools.h"

namespace kc::test {

inline std::optional<VulkanDevice> open_device(bool validation = true) {
  VulkanOptions options;
  options.validation = validation;
  auto device = VulkanDevice::open(options);
  if (device) return std::move(*device);
  if (device.error().kind != DeviceError::Absent) FAIL(device.error().message);
  WARN("skipped: " << device.error().message);
  return std::nullopt;
}

inline Module parse_or_fail(const std::string& text) {
  auto module = parse_module(text);
  if (!module) FAIL(module.error().render("kernel", text));
  return std::move(*module);
}

/// Emits, and validates if SPIRV-Tools are available.
inline VulkanImage emit_valid(const Function& f, const SpirvOptions& options) {
  auto problems = check_spirv(f);
  for (const auto& p : problems) FAIL_CHECK(p.message);
  REQUIRE(problems.empty());
  VulkanImage image = emit_spirv(f, options);
  auto valid = validate_spirv(image.words);
  if (valid.status == SpirvToolsStatus::Failed) {
    UNSCOPED_INFO(valid.text);
    UNSCOPED_INFO(disassemble_spirv(image.words).text);
    FAIL("the module of kernel " << f.name << " is not valid:\n" << print(f));
  }
  return image;
}

/// Buffers are parameters in order; scalars follow as bytes.
struct Run {
  std::vector<std::vector<std::byte>> buffers;
  std::vector<std::vector<std::byte>> scalars;
  std::array<uint64_t, 3> global{1, 1, 1}, offset{};
  uint32_t dims = 1;

  template <typename T>
  void add_buffer(const std::vector<T>& data) {
    auto& bytes = buffers.emplace_back(data.size() * sizeof(T));
    if (!data.empty()) std::memcpy(bytes.data(), data.data(), bytes.size());
  }
  template <typename T>
  void add_scalar(T value) {
    scalars.emplace_back(sizeof(T));
    std::memcpy(scalars.back().data(), &value, sizeof(T));
  }
  template <typename T>
  std::vector<T> get(size_t i) const {
    std::vector<T> data(buffers[i].size() / sizeof(T));
    std::memcpy(data.data(), buffers[i].data(), buffers[i].size());
    return data;
  }
};

inline void launch(VulkanDevice& device, const VulkanImage& image, Run& run) {
  auto kernel = device.load(image);
  if (!kernel) FAIL(kernel.error().message);
  REQUIRE(image.params.size() == run.buffers.size() + run.scalars.size());
  VulkanLaunch spec;
  spec.dims = run.dims;
  spec.global = run.global;
  spec.offset = run.offset;
  spec.params.resize(image.params_size);
  std::vector<VulkanBuffer> buffers;
  for (size_t i = 0; i < image.params.size(); ++i) {
    std::byte* at = spec.params.data() + image.params[i].offset;
    if (i >= run.buffers.size()) {
      const auto& scalar = run.scalars[i - run.buffers.size()];
      REQUIRE(scalar.size() == image.params[i].size);
      std::memcpy(at, scalar.data(), scalar.size());
      continue;
    }
    auto buffer = device.create_buffer(run.buffers[i].size());
    if (!buffer) FAIL(buffer.error().message);
    std::memcpy(buffer->bytes().data(), run.buffers[i].data(), run.buffers[i].size());
    const uint64_t address = buffer->address();
    std::memcpy(at, &address, 8);
    buffers.push_back(std::move(*buffer));
  }
  auto done = device.launch(*kernel, spec);
  if (!done) FAIL(done.error().message);
  for (size_t i = 0; i < buffers.size(); ++i)
    std::memcpy(run.buffers[i].data(), buffers[i].bytes().data(), run.buffers[i].size());
}

}  // namespace kc::test
