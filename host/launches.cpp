// SPDX-License-Identifier: Apache-2.0
#include "host/launches.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/check.h"
#include "passes/transform/check_bounds.h"

namespace kc {
namespace {

// A little less than 2 GiB: what lies around an access counts, too.
constexpr uint64_t kSmallBuffer = (uint64_t{1} << 31) - 4096;

auto wrong(std::string what) { return std::unexpected(std::move(what)); }

// The largest divisor of X that is at most 64.
uint64_t default_row(uint64_t global) {
  uint64_t n = std::min<uint64_t>(64, std::max<uint64_t>(1, global));
  while (global % n) --n;
  return n;
}

std::expected<void, std::string> check_sizes(const LaunchSpec& spec) {
  // What the passes conclude from an id, and indices of 32 bits, rely on these limits.
  constexpr uint64_t kIdLimit = uint64_t{1} << 31, kMaxItems = uint64_t{1} << 32;
  constexpr uint64_t kMaxGroup = 1024;
  uint64_t group = 1, items = 1;
  for (size_t d = 0; d < 3; ++d) {
    if (spec.local[d] == 0 || spec.global[d] % spec.local[d] != 0)
      return wrong(fmt::format("global size {} is not a multiple of local size {} in dimension {}",
                               spec.global[d], spec.local[d], d));
    if (spec.local[d] > kMaxGroup / group)
      return wrong(fmt::format("a work-group of {}x{}x{} work-items is too large (at most {})", spec.local[0],
                               spec.local[1], spec.local[2], kMaxGroup));
    group *= spec.local[d];
  }
  for (size_t d = 0; d < 3; ++d) {
    if (spec.offset[d] >= kIdLimit || spec.global[d] >= kIdLimit - spec.offset[d])
      return wrong(fmt::format("ids of dimension {} reach 2^31", d));
    if (items && spec.global[d] > kMaxItems / items) return wrong("more than 2^32 work-items");
    items *= spec.global[d];
  }
  return {};
}

}  // namespace

std::expected<void, std::string> complete_launch(const Function& kernel, LaunchSpec& spec) {
  const auto& required = kernel.reqd_local;
  if (!spec.local[0])
    for (size_t d = 0; d < 3; ++d)
      spec.local[d] = required[0] ? required[d] : d == 0 ? default_row(spec.global[0]) : 1;
  if (required[0])
    for (size_t d = 0; d < 3; ++d)
      if (spec.local[d] != required[d])
        return wrong(fmt::format("kernel '{}' requires a local size of {},{},{}", kernel.name, required[0],
                                 required[1], required[2]));
  return check_sizes(spec);
}

bool is_small_buffer(uint64_t bytes) { return bytes < kSmallBuffer; }
bool has_small_hidden_buffers(const LaunchSpec& spec) {
  return spec.items() < kSmallBuffer / sizeof(TrapSlot);
}

BoundArguments::BoundArguments(const Function& kernel)
    : kernel_(kernel), own_local_bytes_(lay_out_objects(kernel, kPtrLocal).size) {
  if (std::ranges::any_of(kernel.params,
                          [](const ParamInfo& p) { return p.hidden && p.name == "constants"; }))
    constants_ = constant_bytes(kernel);
}

void BoundArguments::bind(std::span<const ArgumentValue> values, std::span<const MemoryRange> buffers,
                          LaunchSpec& spec) {
  KC_CHECK(!spec.small_buffers ||
               (has_small_hidden_buffers(spec) &&
                std::ranges::all_of(buffers, [](const MemoryRange& r) { return is_small_buffer(r.size); })),
           "code for small buffers gets a large one");
  bits.clear();
  range_of.clear();
  ranges.assign(buffers.begin(), buffers.end());
  spec.local_bytes = own_local_bytes_;
  for (const ArgumentValue& v : values) {
    bits.push_back(v.is_local     ? place_local_argument(v.bits, spec)
                   : v.buffer < 0 ? v.bits
                                  : ranges[static_cast<size_t>(v.buffer)].base);
    range_of.push_back(v.buffer);
  }
  for (const ParamInfo& p : kernel_.params) {
    if (!p.hidden) continue;
    if (p.name == "traps") {
      slots.assign(spec.items(), {});
      bind_hidden(slots.data(), slots.size() * sizeof(TrapSlot));
    } else if (p.name == "constants") {
      bind_hidden(constants_.data(), constants_.size());
    } else if (p.name == "printf") {
      uint64_t room = std::min(printf_bytes, kMaxPrintfBytes) / 8;
      messages.assign(PrintfHead::kBytes / 8 + room, 0);
      messages[PrintfHead::kCapacity / 8] = room * 8;
      bind_hidden(messages.data(), messages.size() * 8);
    } else if (auto sized = sized_parameter(p); sized && *sized < values.size()) {
      int buffer = values[*sized].buffer;
      bits.push_back(buffer < 0 ? 0 : ranges[static_cast<size_t>(buffer)].size);
      range_of.push_back(-1);
    }
  }
  spec_ = spec;
}

void BoundArguments::bind_hidden(const void* data, size_t size) {
  bits.push_back(reinterpret_cast<uint64_t>(data));
  range_of.push_back(static_cast<int>(ranges.size()));
  ranges.push_back({bits.back(), size});
}

PrintedText BoundArguments::printed() const { return printed_text(messages, kernel_, addresses); }

std::optional<TrapReport> BoundArguments::trap() const { return find_trap(slots, spec_, kernel_.traps); }

}  // namespace kc
