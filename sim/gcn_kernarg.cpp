// SPDX-License-Identifier: Apache-2.0
#include "sim/gcn_kernarg.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <string_view>

namespace kc {
namespace {

constexpr uint64_t kMaxKernarg = uint64_t{1} << 20;

// A kind whose name ends in the dimension: its number, or nothing.
std::optional<size_t> dimension(std::string_view kind, std::string_view prefix) {
  if (kind.size() != prefix.size() + 1 || !kind.starts_with(prefix)) return std::nullopt;
  if (kind.back() < 'x' || kind.back() > 'z') return std::nullopt;
  return static_cast<size_t>(kind.back() - 'x');
}

// What a runtime writes; nothing for kinds that nobody knows.
std::optional<uint64_t> hidden_value(std::string_view kind, const LaunchSpec& spec) {
  if (auto d = dimension(kind, "hidden_global_offset_")) return spec.offset[*d];
  if (auto d = dimension(kind, "hidden_block_count_")) return spec.groups(*d);
  if (auto d = dimension(kind, "hidden_group_size_")) return spec.local[*d];
  if (auto d = dimension(kind, "hidden_remainder_")) return spec.global[*d] % spec.local[*d];
  if (kind == "hidden_grid_dims") return spec.dims;
  if (kind == "hidden_dynamic_lds_size") return spec.local_bytes;
  // Services that an emulator has not: a null pointer says so.
  for (std::string_view none :
       {"hidden_none", "hidden_printf_buffer", "hidden_hostcall_buffer", "hidden_default_queue",
        "hidden_completion_action", "hidden_multigrid_sync_arg", "hidden_heap_v1", "hidden_queue_ptr"})
    if (kind == none) return 0;
  return std::nullopt;
}

}  // namespace

bool is_hidden(const GcnArg& arg) { return arg.kind.starts_with("hidden_"); }

std::expected<std::vector<uint8_t>, std::string> fill_kernarg(const GcnKernel& kernel, const LaunchSpec& spec,
                                                              std::span<const uint64_t> values) {
  uint64_t bytes = kernel.kernarg_bytes;
  if (bytes > kMaxKernarg) return std::unexpected(fmt::format("{} bytes of arguments are too many", bytes));
  std::vector<uint8_t> segment(bytes);
  size_t next = 0;
  for (const GcnArg& arg : kernel.args) {
    uint64_t value = 0;
    if (is_hidden(arg)) {
      auto known = hidden_value(arg.kind, spec);
      if (!known) return std::unexpected(fmt::format("the hidden argument '{}' is not supported", arg.kind));
      value = *known;
    } else {
      if (next == values.size())
        return std::unexpected(fmt::format("kernel '{}' has more than {} arguments", kernel.name, next));
      value = values[next++];
    }
    if (arg.size > sizeof value)
      return std::unexpected(fmt::format("an argument of {} bytes is not supported", arg.size));
    if (arg.offset > bytes || arg.size > bytes - arg.offset)
      return std::unexpected(fmt::format("an argument at {} lies outside the {} bytes", arg.offset, bytes));
    std::memcpy(segment.data() + arg.offset, &value, arg.size);
  }
  if (next != values.size())
    return std::unexpected(
        fmt::format("kernel '{}' has {} arguments, not {}", kernel.name, next, values.size()));
  return segment;
}

}  // namespace kc
