// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "driver/argument_values.h"
#include "frontend/source/nearest_name.h"

namespace kc {
namespace {

// A quarter of the address space where that is small.
constexpr uint64_t kMaxBuffer = std::min(uint64_t{1} << 36, uint64_t{SIZE_MAX} / 4 + 1);

void store_element(uint8_t* at, size_t bytes, uint64_t bits) { std::memcpy(at, &bits, bytes); }

uint64_t splitmix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (size_t at = 0;;) {
    size_t comma = text.find(by, at);
    parts.push_back(text.substr(at, comma == std::string_view::npos ? comma : comma - at));
    if (comma == std::string_view::npos) return parts;
    at = comma + 1;
  }
}

// :rand(seed[,lo,hi]): splitmix64 of seed + index, as a float in [lo, hi), or modulo hi - lo.
std::expected<void, std::string> fill_random(BufferArg& buffer, std::span<const std::string_view> parts) {
  const size_t size = buffer.type.bytes(), n = buffer.bytes.size() / size;
  auto set = [&](size_t i, uint64_t bits) { store_element(buffer.bytes.data() + i * size, size, bits); };
  auto seed = parse_unsigned(parts[0]);
  if (!seed) return std::unexpected(fmt::format("'{}' is not a seed, a number from 0 on", parts[0]));
  const bool floating = buffer.type.is_float(), bounded = parts.size() == 3;
  const ElementType bounds_type = floating ? ElementType{Elem::F64, false} : ElementType{Elem::I64, false};
  std::expected<uint64_t, std::string> bounds[2];
  for (size_t i = 0; bounded && i < 2; ++i) {
    bounds[i] = parse_scalar(parts[i + 1], bounds_type);
    if (!bounds[i]) return std::unexpected(bounds[i].error());
  }
  if (floating) {
    const double lo = bounded ? std::bit_cast<double>(*bounds[0]) : 0,
                 hi = bounded ? std::bit_cast<double>(*bounds[1]) : 1;
    for (size_t i = 0; i < n; ++i) {
      double unit = static_cast<double>(splitmix64(*seed + i) >> 11) * 0x1p-53;
      set(i, float_bits(buffer.type, lo + unit * (hi - lo)));
    }
    return {};
  }
  if (bounded && static_cast<int64_t>(*bounds[1]) <= static_cast<int64_t>(*bounds[0]))
    return std::unexpected(fmt::format("the bounds {} and {} have nothing between them", parts[1], parts[2]));
  const uint64_t lo = bounded ? *bounds[0] : 0, range = bounded ? *bounds[1] - lo : 0;  // range 0: all bits
  for (size_t i = 0; i < n; ++i) {
    uint64_t v = splitmix64(*seed + i);
    set(i, range ? lo + v % range : v);
  }
  return {};
}

// zero, iota, fill(v), rand(seed[,lo,hi])
std::expected<void, std::string> fill(BufferArg& buffer, std::string_view filler) {
  const size_t size = buffer.type.bytes(), n = buffer.bytes.size() / size;
  auto set = [&](size_t i, uint64_t bits) { store_element(buffer.bytes.data() + i * size, size, bits); };
  if (filler == "zero") return {};
  if (filler == "iota") {
    const bool floating = buffer.type.is_float();
    for (size_t i = 0; i < n; ++i) set(i, floating ? float_bits(buffer.type, static_cast<double>(i)) : i);
    return {};
  }
  const size_t open = filler.find('(');
  if (open != std::string_view::npos && filler.ends_with(")")) {
    auto parts = split(filler.substr(open + 1, filler.size() - open - 2), ',');
    const std::string_view name = filler.substr(0, open);
    if (name == "fill" && parts.size() == 1) {
      auto v = parse_scalar(parts[0], buffer.type);
      if (!v) return std::unexpected(v.error());
      for (size_t i = 0; i < n; ++i) set(i, *v);
      return {};
    }
    if (name == "rand" && (parts.size() == 1 || parts.size() == 3)) return fill_random(buffer, parts);
  }
  return std::unexpected(fmt::format(
      "unknown filler ':{}': the fillers are :zero, :iota, :fill(VALUE) and :rand(SEED[,LO,HI])", filler));
}

// TYPE[N]:FILLER, taken apart.
struct ArraySpec {
  std::string_view type_name, filler;
  ElementType type;
  uint64_t count = 0;
  uint64_t bytes() const { return count * type.bytes(); }
};

std::expected<ArraySpec, std::string> parse_array(std::string_view spec) {
  const size_t open = spec.find('['), close = spec.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return std::unexpected(fmt::format("a buffer is TYPE[N], TYPE[N]:FILLER or @FILE, not '{}'", spec));
  ArraySpec array{.type_name = spec.substr(0, open), .filler = spec.substr(close + 1), .type = {}};
  auto type = parse_element_type(array.type_name);
  if (!type) {
    static constexpr std::string_view names[] = {"i8",  "u8",  "i16", "u16", "i32", "u32",
                                                 "i64", "u64", "f16", "f32", "f64"};
    std::string_view near;  // `int`, as the language calls it
    for (std::string_view name : names)
      if (language_name(*parse_element_type(name)) == array.type_name) near = name;
    return std::unexpected(fmt::format("'{}' is not an element type: these are {}{}", array.type_name,
                                       fmt::join(names, " "), front::did_you_mean(near)));
  }
  array.type = *type;
  const std::string_view number = spec.substr(open + 1, close - open - 1);
  auto count = parse_unsigned(number);
  if (!count) return std::unexpected(fmt::format("'{}' is not a number of elements", number));
  if (*count > kMaxBuffer / type->bytes())
    return std::unexpected(
        fmt::format("{} elements are too many: a buffer has at most {} GiB", number, kMaxBuffer >> 30));
  array.count = *count;
  if (!array.filler.empty() && !array.filler.starts_with(':'))
    return std::unexpected(fmt::format("unexpected '{}' after {}", array.filler, spec.substr(0, close + 1)));
  return array;
}

// Why elements of this type cannot be those of the parameter; empty if they can. Bytes are those of anything.
std::string misfit(const ParamInfo& param, ElementType type) {
  const bool raw = type.elem == Elem::I8 && type.is_unsigned;
  if (param.pointee_size && param.pointee_size % type.bytes() != 0)
    return fmt::format("elements of {} bytes are not made of {}", param.pointee_size, short_name(type));
  if (raw || param.pointee == Elem::Void || param.pointee == Elem::I1) return {};
  const ElementType own{param.pointee, param.is_unsigned, param.is_half};
  if (own.bytes() != type.bytes())
    return fmt::format("elements are {} bytes, {} has {}; write {}[N]", own.bytes(), short_name(type),
                       type.bytes(), short_name(own));
  const bool bits_of_half = own.is_half && !type.is_float();
  if (own.is_float() != type.is_float() && !bits_of_half)
    return fmt::format("elements are {}, not {}; write {}[N], or u8[N] for bytes as they are",
                       language_name(own), language_name(type), short_name(own));
  return {};
}

// The bytes of what the parameter points to, as far as its declaration says.
uint64_t element_bytes(const ParamInfo& param) {
  return param.pointee_size ? param.pointee_size : std::max<uint64_t>(Type{param.pointee}.bytes(), 1);
}

std::string uneven(const ParamInfo& param, std::string_view what, uint64_t bytes) {
  return fmt::format("{} has {} bytes, which is not a multiple of the {} bytes of an element", what, bytes,
                     element_bytes(param));
}

std::unexpected<DriverError> wrong(const ParamInfo& param, const std::string& what, int status = ExitUsage) {
  return failed(status, fmt::format("argument '{}': {}", param.name, what));
}

}  // namespace

std::string short_name(ElementType type) {
  return fmt::format("{}{}", type.is_float() ? 'f' : type.is_unsigned ? 'u' : 'i', 8 * type.bytes());
}

std::expected<void, DriverError> check_buffer(const ParamInfo& param, const BufferArg& buffer) {
  if (std::string why = misfit(param, buffer.type); !why.empty()) return wrong(param, why);
  const uint64_t bytes = buffer.bytes.size();
  if (bytes % element_bytes(param) != 0)
    return wrong(param, uneven(param, fmt::format("buffer '{}'", buffer.name), bytes));
  return {};
}

std::expected<BufferArg, DriverError> make_buffer(const ParamInfo& param, std::string_view spec) {
  BufferArg buffer{
      .name = param.name, .type = {param.pointee, param.is_unsigned, param.is_half}, .bytes = Bytes()};
  if (param.pointee == Elem::Void) buffer.type = {Elem::I8, true};
  const size_t at = spec.find('@');
  const bool from_file = at != std::string_view::npos && at + 1 < spec.size();
  std::optional<ArraySpec> array;
  if (at != 0) {
    auto parsed = parse_array(from_file ? spec.substr(0, at) : spec);
    if (!parsed) return wrong(param, parsed.error());
    array = *parsed;
    if (std::string why = misfit(param, array->type); !why.empty()) return wrong(param, why);
    if (array->type.bytes() == 1 && buffer.type.is_float()) buffer.pointee = buffer.type;
    buffer.type = array->type;
    if (from_file && !array->filler.empty()) return wrong(param, "a file and a filler exclude each other");
    if (uint64_t bytes = array->bytes(); bytes % element_bytes(param) != 0)
      return wrong(param, uneven(param, spec, bytes));
  }
  if (!from_file) {
    if (!array) return wrong(param, "'@' needs the name of a file");
    buffer.bytes = Bytes(array->bytes());
    if (array->filler.empty()) return buffer;
    if (auto ok = fill(buffer, array->filler.substr(1)); !ok) return wrong(param, ok.error());
    return buffer;
  }
  const std::string file(spec.substr(at + 1));
  auto text = read_input(file, kMostDataBytes);
  if (!text) return std::unexpected(text.error());
  if (array && array->bytes() != text->size())
    return wrong(param, fmt::format("'{}' has {} bytes, expected {}", file, text->size(), array->bytes()),
                 ExitIo);
  if (text->size() % element_bytes(param) != 0)
    return wrong(param, uneven(param, fmt::format("'{}'", file), text->size()), ExitIo);
  buffer.bytes = Bytes(text->size());
  if (!text->empty()) std::memcpy(buffer.bytes.data(), text->data(), text->size());
  return buffer;
}

std::expected<uint64_t, DriverError> local_size(const ParamInfo& param, std::string_view spec) {
  auto bytes = parse_unsigned(spec);
  const size_t open = spec.find('[');
  if (!bytes && open != std::string_view::npos && spec.ends_with("]")) {
    auto type = parse_element_type(spec.substr(0, open));
    auto count = parse_unsigned(spec.substr(open + 1, spec.size() - open - 2));
    if (type && count && *count <= kMaxLocalBytes) bytes = *count * type->bytes();
  }
  if (!bytes || *bytes == 0 || *bytes > kMaxLocalBytes)
    return usage_error(fmt::format(
        "argument '{}': a local pointer needs TYPE[N] or a number of bytes, got '{}'", param.name, spec));
  if (*bytes % element_bytes(param) != 0)
    return wrong(param, uneven(param, fmt::format("'{}'", spec), *bytes), ExitUsage);
  return *bytes;
}

}  // namespace kc
