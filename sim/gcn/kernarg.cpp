// SPDX-License-Identifier: Apache-2.0
#include "sim/gcn/kernarg.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>

namespace kc {
namespace {

constexpr uint64_t kMaxKernarg = uint64_t{1} << 20;

// The dimension of a kind whose name ends in one, or nothing.
std::optional<size_t> dimension(std::string_view kind, std::string_view prefix) {
  if (kind.size() != prefix.size() + 1 || !kind.starts_with(prefix)) return std::nullopt;
  if (kind.back() < 'x' || kind.back() > 'z') return std::nullopt;
  return static_cast<size_t>(kind.back() - 'x');
}

// The value that a runtime writes; nothing for unknown kinds.
std::optional<uint64_t> hidden_value(std::string_view kind, const LaunchSpec& spec) {
  if (auto d = dimension(kind, "hidden_global_offset_")) return spec.offset[*d];
  if (auto d = dimension(kind, "hidden_block_count_")) return spec.groups(*d);
  if (auto d = dimension(kind, "hidden_group_size_")) return spec.local[*d];
  if (auto d = dimension(kind, "hidden_remainder_")) return spec.global[*d] % spec.local[*d];
  if (kind == "hidden_grid_dims") return spec.dims;
  if (kind == "hidden_dynamic_lds_size") return spec.local_bytes;
  // Services that the emulator does not provide, denoted by a null pointer.
  for (std::string_view none :
       {"hidden_none", "hidden_printf_buffer", "hidden_hostcall_buffer", "hidden_default_queue",
        "hidden_completion_action", "hidden_multigrid_sync_arg", "hidden_heap_v1", "hidden_queue_ptr"})
    if (kind == none) return 0;
  return std::nullopt;
}

constexpr GcnScalar kScalars[] = {{"char", Elem::I8, false},   {"uchar", Elem::I8, true},
                                  {"short", Elem::I16, false}, {"ushort", Elem::I16, true},
                                  {"int", Elem::I32, false},   {"uint", Elem::I32, true},
                                  {"long", Elem::I64, false},  {"ulong", Elem::I64, true},
                                  {"float", Elem::F32, false}, {"double", Elem::F64, false}};
constexpr uint64_t kMostPartBytes = 4096;

std::optional<uint64_t> number(std::string_view text) {
  uint64_t n = 0;
  auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), n);
  return bad == std::errc() && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

// "float4", or kernelc's notation for structures: "struct{float@0,int@4}".
std::vector<GcnPart> named_parts(std::string_view name, uint64_t size) {
  std::vector<GcnPart> parts;
  auto add = [&](std::string_view scalar, uint64_t offset) {
    const GcnScalar* t = scalar_type(scalar);
    const bool fits = t && offset <= size && Type{t->elem}.bytes() <= size - offset;
    if (fits) parts.push_back({offset, Type{t->elem}, t->is_unsigned});
    return fits;
  };
  if (constexpr std::string_view head = "struct{"; name.starts_with(head) && name.ends_with('}')) {
    std::string_view rest = name.substr(head.size(), name.size() - head.size() - 1);
    while (!rest.empty()) {
      std::string_view field = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), field.size() + 1));
      const size_t at = field.find('@');
      auto offset = at == std::string_view::npos ? std::nullopt : number(field.substr(at + 1));
      if (!offset || !add(field.substr(0, at), *offset)) return {};
    }
    return parts;
  }
  const size_t digits = name.find_last_not_of("0123456789") + 1;
  const std::optional<uint64_t> lanes = digits == name.size() ? 1 : number(name.substr(digits));
  for (uint64_t i = 0; lanes && i < *lanes; ++i) {
    const uint64_t bytes = parts.empty() ? 0 : parts[0].type.bytes();
    if (!add(name.substr(0, digits), i * bytes)) return {};
  }
  const uint64_t whole = lanes && *lanes == 3 ? 4 : lanes.value_or(0);
  return !parts.empty() && whole * parts[0].type.bytes() == size ? parts : std::vector<GcnPart>();
}

}  // namespace

const GcnScalar* scalar_type(std::string_view name) {
  const GcnScalar* at = std::ranges::find(kScalars, name, &GcnScalar::name);
  return at == std::end(kScalars) ? nullptr : at;
}

std::vector<GcnPart> parts_of(const GcnArg& arg) {
  if (arg.kind != "by_value") return {{0, arg.size == 4 ? kI32 : kI64, true}};
  if (arg.size > kMostPartBytes) return {};
  std::vector<GcnPart> parts = named_parts(arg.type_name, arg.size);
  if (!parts.empty()) return parts;
  for (Type type : {kI8, kI16, kI32, kI64})
    if (type.bytes() == arg.size) return {{0, type, true}};
  const Type unit = arg.size % 4 == 0 ? kI32 : kI8;
  for (uint64_t at = 0; at < arg.size; at += unit.bytes()) parts.push_back({at, unit, true});
  return parts;
}

bool is_hidden(const GcnArg& arg) { return arg.kind.starts_with("hidden_"); }

std::expected<std::vector<uint8_t>, std::string> fill_kernarg(const GcnKernel& kernel, const LaunchSpec& spec,
                                                              std::span<const uint64_t> values) {
  uint64_t bytes = kernel.kernarg_bytes;
  if (bytes > kMaxKernarg) return std::unexpected(fmt::format("{} bytes of arguments are too many", bytes));
  std::vector<uint8_t> segment(bytes);
  size_t next = 0;
  for (const GcnArg& arg : kernel.args) {
    if (arg.offset > bytes || arg.size > bytes - arg.offset)
      return std::unexpected(fmt::format("an argument at {} lies outside the {} bytes", arg.offset, bytes));
    if (is_hidden(arg)) {
      auto known = hidden_value(arg.kind, spec);
      if (!known) return std::unexpected(fmt::format("the hidden argument '{}' is not supported", arg.kind));
      std::memcpy(segment.data() + arg.offset, &*known, std::min<uint64_t>(arg.size, sizeof *known));
      continue;
    }
    const std::vector<GcnPart> parts = parts_of(arg);
    if (parts.empty())
      return std::unexpected(fmt::format("an argument of {} bytes is not supported", arg.size));
    for (const GcnPart& part : parts) {
      if (next == values.size())
        return std::unexpected(fmt::format("kernel '{}' has more than {} arguments", kernel.name, next));
      std::memcpy(segment.data() + arg.offset + part.offset, &values[next++],
                  std::min<uint64_t>(arg.size, part.type.bytes()));
    }
  }
  if (next != values.size())
    return std::unexpected(
        fmt::format("kernel '{}' has {} arguments, not {}", kernel.name, next, values.size()));
  return segment;
}

}  // namespace kc
