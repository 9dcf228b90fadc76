// SPDX-License-Identifier: Apache-2.0
// Probes of the device. Drivers may silently compute fma as a product and a sum, flush denormals, or lose
// loop values. Each probe uses inputs on which the alternatives give different results.
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
constexpr uint32_t ProbeLoop[] = {
#include "probe_loop.inc"
};
constexpr uint32_t ProbeRounds[] = {
#include "probe_rounds.inc"
};
constexpr uint32_t ProbeLanes[] = {
#include "probe_lanes.inc"
};
constexpr uint32_t ProbeCompare[] = {
#include "probe_compare.inc"
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
  // Just above a midpoint: double rounding through a wider type breaks the tie in the wrong direction.
  records[1] = {near_one, near_one, std::ldexp(T{1}, -3 * half - 40), tiny, 1, 0, 0, 0};
  records[2] = {1 + eps, 1 - eps, -1, 3 * tiny, -tiny, 0, 0, 0};
  records[3] = {tiny, T{0.5}, tiny, std::numeric_limits<T>::min(), T{0.5}, 0, 0, 0};
  return records;
}

// Runs a probe on a buffer that it changes in place.
DeviceResult<void> run_probe(VulkanDevice& device, std::span<const uint32_t> words,
                             std::array<uint32_t, 3> local, uint64_t items, std::span<std::byte> data) {
  VulkanImage image;
  image.kernel = image.entry_point = "probe";
  image.params = {{"data", ImageParamKind::Pointer, 8, 0}};
  image.params_size = 8;
  image.local_size = local;
  image.words.assign(words.begin(), words.end());
  auto kernel = device.load(image);
  if (!kernel) return std::unexpected(kernel.error());
  auto buffer = device.create_buffer(data.size());
  if (!buffer) return std::unexpected(buffer.error());
  std::memcpy(buffer->bytes().data(), data.data(), data.size());
  VulkanLaunch launch;
  launch.global = {items, local[1], local[2]};
  launch.params.resize(8);
  const uint64_t address = buffer->address();
  std::memcpy(launch.params.data(), &address, 8);
  if (auto r = device.launch(*kernel, launch); !r) return std::unexpected(r.error());
  std::memcpy(data.data(), buffer->bytes().data(), data.size());
  return {};
}

template <typename T>
struct Measured {
  bool fused = true, denormals_kept = true;
};

template <typename T>
DeviceResult<Measured<T>> measure(VulkanDevice& device, std::span<const uint32_t> words) {
  auto records = make_records<T>();
  auto done = run_probe(device, words, {1, 1, 1}, records.size(), std::as_writable_bytes(std::span(records)));
  if (!done) return std::unexpected(done.error());
  Measured<T> result;
  for (const auto& r : records) {
    result.fused &= r.fma == std::fma(r.a, r.b, r.c);
    result.denormals_kept &= r.sum == r.x + r.y && r.product == r.x * r.y;
  }
  return result;
}

uint32_t loop_result(uint32_t x) {
  for (;;) {
    uint32_t a = x * 1664525 + 1013904230, b = a * 1664525 + 1013904251;
    if ((b >> 24 & 1) == 0) return a ^ b;
    x = b;
  }
}

}  // namespace

DeviceResult<void> probe_loops(VulkanDevice& device, VulkanDeviceInfo& info) {
  std::array<uint32_t, 64> data;
  for (uint32_t i = 0; i < data.size(); ++i) data[i] = i;
  auto done = run_probe(device, ProbeLoop, {64, 1, 1}, data.size(), std::as_writable_bytes(std::span(data)));
  if (!done) return done;
  for (uint32_t i = 0; i < data.size(); ++i) info.loses_loop_values |= data[i] != loop_result(i);

  std::array<uint32_t, 1> rounds{70000};
  done = run_probe(device, ProbeRounds, {1, 1, 1}, 1, std::as_writable_bytes(std::span(rounds)));
  if (!done) return done;
  uint32_t x = 70000;
  for (uint32_t i = 0; i < 70000; ++i) x = x * 1664525 + 1013904230;
  info.stops_long_loops = rounds[0] != x;
  return {};
}

DeviceResult<void> probe_compares(VulkanDevice& device, VulkanDeviceInfo& info) {
  const std::array<int32_t, 8> numbers{0, 1, 96, 97, 98, -1, INT32_MAX, INT32_MIN};
  auto data = numbers;
  auto done =
      run_probe(device, ProbeCompare, {1, 1, 1}, data.size(), std::as_writable_bytes(std::span(data)));
  if (!done) return done;
  for (size_t i = 0; i < data.size(); ++i) info.breaks_wide_compares |= data[i] != (numbers[i] < 97);
  return {};
}

DeviceResult<void> probe_lanes(VulkanDevice& device, VulkanDeviceInfo& info) {
  if (info.lane_order == VulkanLaneOrder::None) return {};
  constexpr uint32_t kX = 5, kY = 3;
  std::array<uint32_t, kX * kY> data{};
  auto done = run_probe(device, ProbeLanes, {kX, kY, 1}, kX, std::as_writable_bytes(std::span(data)));
  if (!done) return done;
  // Lanes along the linear ids, or along x in each row, for sub-groups that start with their lane 0.
  auto expected = [&](bool rows, uint32_t i) {
    const uint32_t at = rows ? i % kX : i, end = rows ? kX : kX * kY;
    const uint32_t lane = at % info.subgroup_size, here = std::min(info.subgroup_size, end - (at - lane));
    return lane | ((1u << here) - 1) << 8;
  };
  info.lane_order = VulkanLaneOrder::None;
  for (VulkanLaneOrder order : {VulkanLaneOrder::Linear, VulkanLaneOrder::Rows}) {
    bool fits = true;
    for (uint32_t i = 0; i < data.size(); ++i) fits &= data[i] == expected(order == VulkanLaneOrder::Rows, i);
    if (fits) info.lane_order = order;
  }
  return {};
}

DeviceResult<void> probe_arithmetic(VulkanDevice& device, VulkanDeviceInfo& info) {
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
