// SPDX-License-Identifier: Apache-2.0
// Drivers may compute fma as a product and a sum, or flush denormals, without saying so:
// ask the hardware, on cases where the ways to compute differ.
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "runtime/vulkan/context.h"

namespace kc {

namespace {

constexpr uint32_t Probe32[] = {
#include "probe32.inc"
};
constexpr uint32_t Probe64[] = {
#include "probe64.inc"
};

template <typename T>
struct Record {
  T a, b, c, x, y, fma, sum, product;
};

template <typename T>
std::array<Record<T>, 4> make_records() {
  const T eps = std::numeric_limits<T>::epsilon(), tiny = std::numeric_limits<T>::denorm_min();
  const int half = std::numeric_limits<T>::digits / 2;
  const T near_one = 1 + std::ldexp(T{1}, -half);
  std::array<Record<T>, 4> records{};
  // The product's last bit survives only without an intermediate rounding.
  records[0] = {near_one, near_one, -(1 + std::ldexp(T{1}, 1 - half)), tiny, tiny, 0, 0, 0};
  // Just above a midpoint: rounding twice, through a wider type, breaks the tie the wrong way.
  records[1] = {near_one, near_one, std::ldexp(T{1}, -3 * half - 40), tiny, 1, 0, 0, 0};
  records[2] = {1 + eps, 1 - eps, -1, 3 * tiny, -tiny, 0, 0, 0};
  records[3] = {tiny, T{0.5}, tiny, std::numeric_limits<T>::min(), T{0.5}, 0, 0, 0};
  return records;
}

template <typename T>
struct Measured {
  bool fused = true, denormals_kept = true;
};

template <typename T>
VulkanResult<Measured<T>> measure(VulkanDevice& device, std::span<const uint32_t> words) {
  auto records = make_records<T>();
  VulkanImage image;
  image.kernel = image.entry_point = "probe";
  image.params = {{"records", ImageParamKind::Pointer, 8, 0}};
  image.params_size = 8;
  image.words.assign(words.begin(), words.end());
  auto kernel = device.load(image);
  if (!kernel) return std::unexpected(kernel.error());
  auto buffer = device.create_buffer(sizeof(records));
  if (!buffer) return std::unexpected(buffer.error());
  std::memcpy(buffer->bytes().data(), records.data(), sizeof(records));
  VulkanLaunch launch;
  launch.global = {records.size(), 1, 1};
  launch.params.resize(8);
  const uint64_t address = buffer->address();
  std::memcpy(launch.params.data(), &address, 8);
  if (auto r = device.launch(*kernel, launch); !r) return std::unexpected(r.error());
  std::memcpy(records.data(), buffer->bytes().data(), sizeof(records));
  Measured<T> result;
  for (const auto& r : records) {
    result.fused &= r.fma == std::fma(r.a, r.b, r.c);
    result.denormals_kept &= r.sum == r.x + r.y && r.product == r.x * r.y;
  }
  return result;
}

}  // namespace

VulkanResult<void> probe_arithmetic(VulkanDevice& device, VulkanDeviceInfo& info) {
  auto single = measure<float>(device, Probe32);
  if (!single) return std::unexpected(single.error());
  info.fused_fma32 = single->fused;
  info.denormals_kept32 = single->denormals_kept;
  if (!info.float64) return {};
  auto dual = measure<double>(device, Probe64);
  if (!dual) return std::unexpected(dual.error());
  info.fused_fma64 = dual->fused;
  info.denormals_kept64 = dual->denormals_kept;
  return {};
}

}  // namespace kc
