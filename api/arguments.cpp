// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "api/parameters.h"
#include "api/runner.h"
#include "ir/parameters.h"

namespace kc {
namespace {

auto usage_error(std::string message) { return wrong(KC_USAGE_ERROR, std::move(message)); }

std::string name_of(size_t i, const ParamInfo& p) { return fmt::format("argument {} '{}'", i + 1, p.name); }

std::string_view kind_name(uint32_t kind) {
  switch (kind) {
    case KC_ARGUMENT_SCALAR:
      return "a number";
    case KC_ARGUMENT_BUFFER:
    case KC_ARGUMENT_CONST_BUFFER:
      return "a buffer";
    case KC_ARGUMENT_LOCAL:
      return "local memory";
    case KC_ARGUMENT_BYTES:
      return "the bytes of a vector or structure";
    default:
      return "of no known kind";
  }
}

bool is_float(uint32_t type) { return type == KC_FLOAT || type == KC_DOUBLE; }

// As an assignment would, but no integer changes its value.
std::expected<uint64_t, Failure> convert(size_t i, const ParamInfo& p, Type to, const kc_argument& a) {
  bool is_signed = a.type == KC_LONG;
  auto value = static_cast<int64_t>(a.value.bits);
  double number = a.type == KC_DOUBLE ? std::bit_cast<double>(a.value.bits)
                  : is_signed         ? static_cast<double>(value)
                                      : static_cast<double>(a.value.bits);
  if (a.type != KC_DOUBLE && a.type != KC_LONG && a.type != KC_ULONG)
    return usage_error(fmt::format("{}: a scalar of type {}", name_of(i, p), a.type));
  if (to == kF32)  // from integers rounded once
    return std::bit_cast<uint32_t>(a.type == KC_DOUBLE ? static_cast<float>(number)
                                   : is_signed         ? static_cast<float>(value)
                                                       : static_cast<float>(a.value.bits));
  if (to == kF64) return std::bit_cast<uint64_t>(number);
  if (is_float(a.type))
    return usage_error(fmt::format("{} is {}, not a floating-point number", name_of(i, p), type_name(p, to)));
  unsigned width = to == kI1 ? 1 : to.bits();
  bool to_signed = to != kI1 && !p.is_unsigned;
  uint64_t largest = (UINT64_MAX >> (64 - width)) >> to_signed;
  bool fits = is_signed && value < 0 ? to_signed && value >= -static_cast<int64_t>(largest) - 1
                                     : a.value.bits <= largest;
  if (!fits)
    return usage_error(
        is_signed
            ? fmt::format("{} is {} and cannot hold {}", name_of(i, p), type_name(p, to), value)
            : fmt::format("{} is {} and cannot hold {}", name_of(i, p), type_name(p, to), a.value.bits));
  return a.value.bits & (UINT64_MAX >> (64 - width));
}

std::expected<void, Failure> check_buffer(size_t i, const ParamInfo& p, const kc_argument& a) {
  if (a.kind == KC_ARGUMENT_CONST_BUFFER && !p.is_const)
    return usage_error(fmt::format("{} is written by the kernel; the buffer is const", name_of(i, p)));
  if (!a.value.data && a.size)
    return usage_error(fmt::format("{}: a null pointer to {} bytes", name_of(i, p), a.size));
  auto address = reinterpret_cast<uint64_t>(a.value.data);
  if (a.size > UINT64_MAX - address)
    return usage_error(fmt::format("{}: {} bytes do not fit behind {:#x}", name_of(i, p), a.size, address));
  size_t size = Type{p.pointee}.bytes();
  if (size && address % size)
    return usage_error(fmt::format("{}: the address {:#x} is not a multiple of {}, the size of {}",
                                   name_of(i, p), address, size, type_name(p, Type{p.pointee})));
  // Bytes may be anything; elements of another size or kind are a mistake.
  bool typed = a.type != KC_UNTYPED && a.type != KC_CHAR && a.type != KC_UCHAR && size;
  if (typed && (type_size(a.type) != size || is_float(a.type) != Type{p.pointee}.is_float()))
    return usage_error(fmt::format("{} points to {}, the buffer has elements of type {}", name_of(i, p),
                                   type_name(p, Type{p.pointee}), type_name(a.type)));
  return {};
}

std::expected<void, Failure> read_one(size_t i, const ParamInfo& p, Type type, const kc_argument& a,
                                      LaunchMemory& memory, uint64_t& local_bytes) {
  bool is_buffer = a.kind == KC_ARGUMENT_BUFFER || a.kind == KC_ARGUMENT_CONST_BUFFER;
  kc_parameter_kind kind = parameter_kind(type);
  bool match = kind == KC_PARAMETER_BUFFER  ? is_buffer
               : kind == KC_PARAMETER_LOCAL ? a.kind == KC_ARGUMENT_LOCAL
                                            : a.kind == KC_ARGUMENT_SCALAR;
  if (!match)
    return usage_error(
        fmt::format("{} is {}, and was given {}", name_of(i, p),
                    kind == KC_PARAMETER_SCALAR
                        ? type_name(p, type)
                        : kind_name(kind == KC_PARAMETER_BUFFER ? KC_ARGUMENT_BUFFER : KC_ARGUMENT_LOCAL),
                    kind_name(a.kind)));
  ArgumentValue value;
  if (is_buffer) {
    if (auto ok = check_buffer(i, p, a); !ok) return ok;
    value.buffer = static_cast<int>(memory.buffers.size());
    memory.buffers.push_back({reinterpret_cast<uint64_t>(a.value.data), a.size});
    memory.constant.push_back(a.kind == KC_ARGUMENT_CONST_BUFFER);
  } else if (kind == KC_PARAMETER_LOCAL) {
    if (a.size > kMaxLocalBytes - local_bytes)
      return usage_error(
          fmt::format("{}: more than {} MiB of local memory", name_of(i, p), kMaxLocalBytes >> 20));
    local_bytes += a.size;
    value.is_local = true;
    value.bits = a.size;
  } else {
    auto bits = convert(i, p, type, a);
    if (!bits) return std::unexpected(std::move(bits.error()));
    value.bits = *bits;
  }
  memory.values.push_back(value);
  return {};
}

std::expected<void, Failure> read_parts(size_t i, const Function& kernel, const SourceParameter& whole,
                                        const kc_argument& a, LaunchMemory& memory) {
  if (a.kind != KC_ARGUMENT_BYTES || a.size != whole.size || !a.value.data)
    return usage_error(
        fmt::format("argument {} '{}' is a vector or structure of {} bytes, and was given {}{}", i + 1,
                    whole.name, whole.size, kind_name(a.kind),
                    a.kind == KC_ARGUMENT_BYTES ? fmt::format(" of {} bytes", a.size) : ""));
  for (size_t k = whole.first; k < whole.first + whole.count; ++k) {
    ArgumentValue value;
    std::memcpy(&value.bits, static_cast<const char*>(a.value.data) + part_offset(kernel.params[k]),
                kernel.type(kernel.block(kernel.entry()).params[k]).bytes());
    memory.values.push_back(value);
  }
  return {};
}

}  // namespace

std::expected<void, Failure> read_arguments(const Function& kernel, std::span<const kc_argument> arguments,
                                            LaunchMemory& memory) {
  const auto& values = kernel.block(kernel.entry()).params;
  size_t visible = visible_parameters(kernel);
  if (arguments.size() != visible)
    return usage_error(fmt::format("kernel '{}' takes {} argument{}, not {}", kernel.name, visible,
                                   visible == 1 ? "" : "s", arguments.size()));
  memory.values.clear();
  memory.buffers.clear();
  memory.constant.clear();
  uint64_t local_bytes = 0;
  for (size_t i = 0, first = 0; i < visible; ++i) {
    SourceParameter whole = source_parameter(kernel, first);
    auto ok = whole.has_parts() ? read_parts(i, kernel, whole, arguments[i], memory)
                                : read_one(i, kernel.params[first], kernel.type(values[first]), arguments[i],
                                           memory, local_bytes);
    if (!ok) return ok;
    first += whole.count;
  }
  return {};
}

}  // namespace kc
