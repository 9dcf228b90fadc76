// SPDX-License-Identifier: Apache-2.0
#include "host/launches.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/check.h"
#include "ir/launch.h"
#include "ir/parameters.h"
#include "passes/analysis/shape.h"
#include "runtime/cpu/features.h"

namespace kc {
namespace {

// A little less than 2 GiB: what lies around an access counts, too.
constexpr uint64_t kSmallBuffer = (uint64_t{1} << 31) - kRoomBehindBuffer;

// Further from all buffers than indices of 32 bits reach, an address says nothing.
constexpr uint64_t kFarAway = uint64_t{1} << 34;

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
  const auto required = required_groups(kernel);
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
bool overlap(const MemoryRange& a, const MemoryRange& b) {
  return a.base < b.base ? b.base - a.base < a.size && b.size != 0 : a.base - b.base < b.size && a.size != 0;
}
bool exceeds_caches(uint64_t bytes) { return bytes > last_level_cache(); }

bool has_small_hidden_buffers(const LaunchSpec& spec) {
  return spec.items() < kSmallBuffer / sizeof(TrapSlot);
}

namespace {

// Whether some of the arguments that are buffers overlap.
bool any_overlap(std::span<const ArgumentValue> values, std::span<const MemoryRange> buffers) {
  auto is_buffer = [](const ArgumentValue& v) { return !v.is_local && v.buffer >= 0; };
  for (size_t k = 0; k < values.size(); ++k)
    for (size_t n = 0; n < k && is_buffer(values[k]); ++n)
      if (is_buffer(values[n]) && overlap(buffers[static_cast<size_t>(values[k].buffer)],
                                          buffers[static_cast<size_t>(values[n].buffer)]))
        return true;
  return false;
}

}  // namespace

BoundArguments::BoundArguments(const Function& kernel)
    : kernel_(kernel), own_local_bytes_(lay_out_objects(kernel, kPtrLocal).size) {
  if (!param_with_role(kernel, ParamRole::Constants)) return;
  const std::vector<uint8_t> bytes = constant_bytes(kernel);
  constant_bytes_ = bytes.size();
  constants_.resize((bytes.size() + sizeof(Line) - 1) / sizeof(Line));
  if (!bytes.empty()) std::memcpy(constants_.data(), bytes.data(), bytes.size());
}

void BoundArguments::bind(std::span<const ArgumentValue> values, std::span<const MemoryRange> buffers,
                          LaunchSpec& spec) {
  KC_CHECK(!spec.small_buffers ||
               (has_small_hidden_buffers(spec) &&
                std::ranges::all_of(buffers, [](const MemoryRange& r) { return is_small_buffer(r.size); })),
           "code for small buffers gets a large one");
  KC_CHECK(!spec.disjoint_buffers || !any_overlap(values, buffers),
           "code for buffers that do not overlap gets some that do");
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
  for (const ParamInfo& p : kernel_.params)
    if (p.hidden()) bind_hidden(p, values, spec);
  spec_ = spec;
}

void BoundArguments::bind_hidden(const ParamInfo& p, std::span<const ArgumentValue> values,
                                 const LaunchSpec& spec) {
  switch (p.role) {
    case ParamRole::Traps:
      slots.assign(spec.items(), {});
      return bind_buffer(slots.data(), slots.size() * sizeof(TrapSlot));
    case ParamRole::Constants:
      return bind_buffer(constants_.data(), constant_bytes_);
    case ParamRole::Printf: {
      const uint64_t room = std::min(printf_bytes, kMaxPrintfBytes) / 8;
      messages.assign(PrintfHead::kBytes / 8 + room, 0);
      messages[PrintfHead::kCapacity / 8] = room * 8;
      return bind_buffer(messages.data(), messages.size() * 8);
    }
    case ParamRole::BufferSize: {
      const ArgumentValue sized = p.sized < values.size() ? values[p.sized] : ArgumentValue();
      bits.push_back(sized.is_local     ? sized.bits
                     : sized.buffer < 0 ? 0
                                        : ranges[static_cast<size_t>(sized.buffer)].size);
      return range_of.push_back(-1);
    }
    case ParamRole::EntryMask:  // each wave computes its own
    case ParamRole::Explicit:
    case ParamRole::Count_:
      return;
  }
}

void BoundArguments::bind_buffer(const void* data, size_t size) {
  bits.push_back(reinterpret_cast<uint64_t>(data));
  range_of.push_back(static_cast<int>(ranges.size()));
  ranges.push_back({bits.back(), size});
}

std::string BoundArguments::describe_address(uint64_t address) const {
  const MemoryRange* nearest = nullptr;
  std::string_view name;
  uint64_t least = kFarAway;
  bool after = false;
  for (size_t i = 0; i < range_of.size() && i < kernel_.params.size(); ++i) {
    if (range_of[i] < 0 || kernel_.params[i].hidden()) continue;
    const MemoryRange& r = ranges[static_cast<size_t>(range_of[i])];
    const bool behind = address >= r.base;
    const uint64_t end = r.base + r.size, far = !behind         ? r.base - address
                                                : address < end ? 0
                                                                : address - end;
    if (far < least) nearest = &r, name = kernel_.params[i].name, least = far, after = behind;
  }
  if (!nearest) return "outside every buffer";
  const std::string size =
      fmt::format("'{}', which has {} byte{}", name, nearest->size, nearest->size == 1 ? "" : "s");
  if (least == 0)
    return (address < nearest->base + nearest->size ? "across the end of " : "at the end of ") + size;
  return fmt::format("{} byte{} {} {}", least, least == 1 ? "" : "s", after ? "after the end of" : "before",
                     size);
}

PrintedText BoundArguments::printed() const { return printed_text(messages, kernel_, addresses); }

std::optional<TrapReport> BoundArguments::trap() const { return find_trap(slots, spec_, kernel_.traps); }

}  // namespace kc
