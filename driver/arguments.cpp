// SPDX-License-Identifier: Apache-2.0
#include "driver/arguments.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include "ir/parameters.h"

namespace kc {
namespace {

constexpr uint64_t kMaxBuffer = uint64_t{1} << 36;

std::optional<uint64_t> parse_unsigned(std::string_view text) {
  uint64_t v = 0;
  auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return v;
}

// A C literal converted to the type, as an assignment would.
std::optional<uint64_t> parse_scalar(std::string_view text, ElementType type) {
  std::string s(text);
  if (s == "true") s = "1";
  if (s == "false") s = "0";
  if (s.empty()) return std::nullopt;
  bool hex = s.starts_with("0x") || s.starts_with("-0x") || s.starts_with("0X");
  bool floating = s.find_first_of(hex ? ".pP" : ".eE") != std::string::npos ||
                  s.find("inf") != std::string::npos || s.find("nan") != std::string::npos;
  while (!s.empty() && (floating ? s.find_first_of("fF") == s.size() - 1 && !s.ends_with("inf") && !hex
                                 : std::string_view("uUlL").find(s.back()) != std::string_view::npos))
    s.pop_back();
  char* end = nullptr;
  errno = 0;
  double as_double = 0;
  uint64_t as_int = 0;
  if (floating) {
    as_double = std::strtod(s.c_str(), &end);
  } else {
    as_int = s[0] == '-' ? static_cast<uint64_t>(std::strtoll(s.c_str(), &end, 0))
                         : std::strtoull(s.c_str(), &end, 0);
    as_double = s[0] == '-' ? static_cast<double>(static_cast<int64_t>(as_int)) : static_cast<double>(as_int);
  }
  if (end != s.c_str() + s.size() || (errno == ERANGE && !floating)) return std::nullopt;
  if (type.elem == Elem::F32) return std::bit_cast<uint32_t>(static_cast<float>(as_double));
  if (type.elem == Elem::F64) return std::bit_cast<uint64_t>(as_double);
  if (type.elem == Elem::I1) return (floating ? as_double != 0 : as_int != 0) ? 1 : 0;
  if (floating) {
    uint64_t bits = std::bit_cast<uint64_t>(as_double);
    return (type.is_unsigned ? eval::fptoui : eval::fptosi)(Elem::F64, type.elem)(&bits);
  }
  unsigned width = Type{type.elem}.bits();
  return width >= 64 ? as_int : as_int & ((uint64_t{1} << width) - 1);
}

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

// :zero, :iota, :fill(v), :rand(seed[,lo,hi])
std::expected<void, DriverError> fill(BufferArg& buffer, std::string_view filler) {
  size_t size = buffer.type.bytes(), n = buffer.bytes.size() / size;
  uint8_t* data = buffer.bytes.data();
  bool floating = Type{buffer.type.elem}.is_float();
  auto set = [&](size_t i, uint64_t bits) { store_element(data + i * size, size, bits); };
  auto from_double = [&](double v) {
    return buffer.type.elem == Elem::F32 ? std::bit_cast<uint32_t>(static_cast<float>(v))
                                         : std::bit_cast<uint64_t>(v);
  };
  if (filler == "zero") return {};
  if (filler == "iota") {
    for (size_t i = 0; i < n; ++i) set(i, floating ? from_double(static_cast<double>(i)) : i);
    return {};
  }
  size_t open = filler.find('(');
  if (open != std::string_view::npos && filler.ends_with(")")) {
    auto parts = split(filler.substr(open + 1, filler.size() - open - 2), ',');
    std::string_view name = filler.substr(0, open);
    if (name == "fill" && parts.size() == 1) {
      auto v = parse_scalar(parts[0], buffer.type);
      if (!v) return usage_error(fmt::format("'{}' is not a value to fill with", parts[0]));
      for (size_t i = 0; i < n; ++i) set(i, *v);
      return {};
    }
    if (name == "rand" && (parts.size() == 1 || parts.size() == 3)) {
      auto seed = parse_unsigned(parts[0]);
      if (!seed) return usage_error(fmt::format("'{}' is not a seed", parts[0]));
      if (floating) {
        double lo = 0, hi = 1;
        if (parts.size() == 3) {
          ElementType f64{Elem::F64, false};
          auto a = parse_scalar(parts[1], f64), b = parse_scalar(parts[2], f64);
          if (!a || !b) return usage_error(fmt::format("'{}' has bad bounds", filler));
          lo = std::bit_cast<double>(*a), hi = std::bit_cast<double>(*b);
        }
        for (size_t i = 0; i < n; ++i) {
          double unit = static_cast<double>(splitmix64(*seed + i) >> 11) * 0x1p-53;
          set(i, from_double(lo + unit * (hi - lo)));
        }
        return {};
      }
      uint64_t lo = 0, range = 0;  // range 0: all bits
      if (parts.size() == 3) {
        ElementType wide{Elem::I64, false};
        auto a = parse_scalar(parts[1], wide), b = parse_scalar(parts[2], wide);
        if (!a || !b || static_cast<int64_t>(*b) <= static_cast<int64_t>(*a))
          return usage_error(fmt::format("'{}' has bad bounds", filler));
        lo = *a, range = *b - *a;
      }
      for (size_t i = 0; i < n; ++i) {
        uint64_t v = splitmix64(*seed + i);
        set(i, range ? lo + v % range : v);
      }
      return {};
    }
  }
  return usage_error(fmt::format("unknown filler ':{}' (zero, iota, fill(v), rand(seed[,lo,hi]))", filler));
}

std::expected<BufferArg, DriverError> make_buffer(const ParamInfo& param, std::string_view spec) {
  BufferArg buffer{.name = param.name, .type = {param.pointee, param.is_unsigned}, .bytes = Bytes()};
  if (param.pointee == Elem::Void) buffer.type = {Elem::I8, true};
  std::string file;
  size_t at = spec.find('@');
  if (at != std::string_view::npos) file = spec.substr(at + 1), spec = spec.substr(0, at);
  std::optional<uint64_t> count;
  std::string_view filler;
  if (!spec.empty()) {
    size_t open = spec.find('['), close = spec.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open)
      return usage_error(fmt::format("argument '{}': expected TYPE[N], TYPE[N]:filler or @file, got '{}'",
                                     param.name, spec));
    auto type = parse_element_type(spec.substr(0, open));
    if (!type)
      return usage_error(
          fmt::format("argument '{}': '{}' is not an element type", param.name, spec.substr(0, open)));
    size_t want = Type{param.pointee}.bytes();
    bool raw = type->elem == Elem::I8 && type->is_unsigned;
    if (param.pointee_size && param.pointee_size % type->bytes() != 0)
      return usage_error(fmt::format("argument '{}': elements of {} bytes are not made of {}", param.name,
                                     param.pointee_size, spec.substr(0, open)));
    if (!raw && want && type->bytes() != want)
      return usage_error(fmt::format("argument '{}': elements are {} bytes, {} has {}", param.name, want,
                                     spec.substr(0, open), type->bytes()));
    buffer.type = *type;
    count = parse_unsigned(spec.substr(open + 1, close - open - 1));
    if (!count)
      return usage_error(fmt::format("argument '{}': '{}' is not a count", param.name,
                                     spec.substr(open + 1, close - open - 1)));
    filler = spec.substr(close + 1);
    if (!filler.empty() && filler[0] != ':')
      return usage_error(fmt::format("argument '{}': unexpected '{}'", param.name, filler));
  }
  if (!file.empty()) {
    if (!filler.empty()) return usage_error(fmt::format("argument '{}': a file and a filler", param.name));
    auto text = read_input(file);
    if (!text) return std::unexpected(text.error());
    if ((count && *count * buffer.type.bytes() != text->size()) || text->size() % buffer.type.bytes() != 0)
      return std::unexpected(DriverError{
          ExitIo, fmt::format("argument '{}': '{}' has {} bytes, expected {}", param.name, file, text->size(),
                              count ? fmt::format("{}", *count * buffer.type.bytes())
                                    : fmt::format("a multiple of {}", buffer.type.bytes()))});
    buffer.bytes = Bytes(text->size());
    std::memcpy(buffer.bytes.data(), text->data(), text->size());
    return buffer;
  }
  if (!count) return usage_error(fmt::format("argument '{}': a pointer needs TYPE[N] or @file", param.name));
  if (*count > kMaxBuffer / buffer.type.bytes())
    return usage_error(fmt::format("argument '{}': {} elements are too many", param.name, *count));
  buffer.bytes = Bytes(*count * buffer.type.bytes());
  if (!filler.empty())
    if (auto ok = fill(buffer, filler.substr(1)); !ok) return std::unexpected(ok.error());
  return buffer;
}

// TYPE[N], or a number of bytes.
std::expected<uint64_t, DriverError> local_size(const ParamInfo& param, std::string_view spec) {
  auto bytes = parse_unsigned(spec);
  size_t open = spec.find('[');
  if (!bytes && open != std::string_view::npos && spec.ends_with("]")) {
    auto type = parse_element_type(spec.substr(0, open));
    auto count = parse_unsigned(spec.substr(open + 1, spec.size() - open - 2));
    if (type && count && *count <= kMaxLocalBytes) bytes = *count * type->bytes();
  }
  if (!bytes || *bytes == 0 || *bytes > kMaxLocalBytes)
    return usage_error(fmt::format(
        "argument '{}': a local pointer needs TYPE[N] or a number of bytes, got '{}'", param.name, spec));
  return *bytes;
}

int find_param(std::span<const SourceParameter> params, std::string_view name) {
  for (size_t i = 0; i < params.size(); ++i)
    if (params[i].name == name) return static_cast<int>(i);
  return -1;
}

// (NUMBER,...) in the order of the parts, or @FILE with the bytes of the whole.
std::expected<void, DriverError> parse_parts(const Function& kernel, const SourceParameter& param,
                                             std::string_view spec, std::vector<ArgumentValue>& values) {
  const auto& types = kernel.block(kernel.entry()).params;
  std::optional<std::string> bytes;
  if (spec.starts_with("@")) {
    auto text = read_input(std::string(spec.substr(1)));
    if (!text) return std::unexpected(text.error());
    if (text->size() != param.size)
      return std::unexpected(
          DriverError{ExitIo, fmt::format("argument '{}': '{}' has {} bytes, expected {}", param.name,
                                          spec.substr(1), text->size(), param.size)});
    bytes = std::move(*text);
  } else if (!spec.starts_with("(") || !spec.ends_with(")")) {
    return usage_error(fmt::format(
        "argument '{}': a vector or structure needs (NUMBER,...) or @FILE, got '{}'", param.name, spec));
  } else {
    spec = spec.substr(1, spec.size() - 2);
  }
  for (size_t i = 0; i < param.count; ++i) {
    const ParamInfo& part = kernel.params[param.first + i];
    Type type = kernel.type(types[param.first + i]);
    ArgumentValue value;
    if (bytes) {
      std::memcpy(&value.bits, bytes->data() + part_offset(part), type.bytes());
    } else {
      std::string_view number = spec.substr(0, spec.find(','));
      bool last = number.size() == spec.size();
      if (last != (i + 1 == param.count))
        return usage_error(fmt::format("argument '{}' has {} numbers", param.name, param.count));
      while (number.starts_with(' ')) number.remove_prefix(1);
      auto bits = parse_scalar(number, {type.elem, part.is_unsigned});
      if (!bits)
        return usage_error(fmt::format("argument '{}': '{}' is not a value of type {}", param.name, number,
                                       to_string(type)));
      value.bits = *bits;
      spec.remove_prefix(last ? spec.size() : spec.find(',') + 1);
    }
    values.push_back(value);
  }
  return {};
}

}  // namespace

std::optional<ElementType> parse_element_type(std::string_view text) {
  struct Row {
    std::string_view name;
    Elem elem;
  };
  static constexpr Row rows[] = {{"8", Elem::I8}, {"16", Elem::I16}, {"32", Elem::I32}, {"64", Elem::I64}};
  if (text == "f32") return ElementType{Elem::F32, false};
  if (text == "f64") return ElementType{Elem::F64, false};
  if (text.empty() || (text[0] != 'i' && text[0] != 'u')) return std::nullopt;
  for (const Row& r : rows)
    if (r.name == text.substr(1)) return ElementType{r.elem, text[0] == 'u'};
  return std::nullopt;
}

namespace {

// What each parameter is given, by name or in order.
std::expected<std::vector<std::string>, DriverError> match_arguments(const Function& kernel,
                                                                     std::span<const SourceParameter> params,
                                                                     const std::vector<std::string>& specs) {
  std::vector<std::optional<std::string>> given(params.size());
  size_t next = 0;
  for (const std::string& spec : specs) {
    size_t eq = spec.find('=');
    int named = eq == std::string::npos ? -1 : find_param(params, std::string_view(spec).substr(0, eq));
    if (eq != std::string::npos && named < 0) {
      std::string names;
      for (const SourceParameter& p : params) names += fmt::format("{}{}", names.empty() ? "" : ", ", p.name);
      return usage_error(fmt::format("kernel '{}' has no parameter '{}' (it has: {})", kernel.name,
                                     spec.substr(0, eq), names));
    }
    size_t i = static_cast<size_t>(named);
    if (named < 0) {
      while (next < given.size() && given[next]) ++next;
      if (next >= given.size())
        return usage_error(fmt::format("kernel '{}' has no parameter for '--arg {}'", kernel.name, spec));
      i = next;
    }
    if (given[i]) return usage_error(fmt::format("parameter '{}' is given twice", params[i].name));
    given[i] = named < 0 ? spec : spec.substr(eq + 1);
  }
  std::vector<std::string> list;
  for (size_t i = 0; i < params.size(); ++i) {
    if (!given[i])
      return usage_error(
          fmt::format("parameter '{}' of kernel '{}' has no --arg", params[i].name, kernel.name));
    list.push_back(std::move(*given[i]));
  }
  return list;
}

}  // namespace

std::expected<KernelArguments, DriverError> parse_arguments(const Function& kernel,
                                                            const std::vector<std::string>& specs) {
  std::vector<SourceParameter> wholes = source_parameters(kernel);
  auto given = match_arguments(kernel, wholes, specs);
  if (!given) return std::unexpected(given.error());
  KernelArguments args;
  uint64_t local_bytes = 0;
  const auto& params = kernel.block(kernel.entry()).params;
  std::vector<std::pair<size_t, std::string>> shared;
  for (size_t i = 0; i < wholes.size(); ++i) {
    const std::string& spec = (*given)[i];
    const ParamInfo& p = kernel.params[wholes[i].first];
    Type type = kernel.type(params[wholes[i].first]);
    ArgumentValue value;
    if (wholes[i].has_parts()) {
      if (auto ok = parse_parts(kernel, wholes[i], spec, args.values); !ok)
        return std::unexpected(ok.error());
      continue;
    }
    if (!type.is_pointer()) {
      auto bits = parse_scalar(spec, {type.elem, p.is_unsigned});
      if (!bits)
        return usage_error(
            fmt::format("argument '{}': '{}' is not a value of type {}", p.name, spec, to_string(type)));
      value.bits = *bits;
    } else if (type == kPtrLocal) {
      auto bytes = local_size(p, spec);
      if (!bytes) return std::unexpected(bytes.error());
      local_bytes += *bytes;
      if (local_bytes > kMaxLocalBytes)
        return usage_error(
            fmt::format("argument '{}': more than {} MiB of local memory", p.name, kMaxLocalBytes >> 20));
      value.bits = *bytes;
      value.is_local = true;
    } else if (spec.starts_with("&")) {
      shared.emplace_back(wholes[i].first, spec.substr(1));
    } else {
      auto buffer = make_buffer(p, spec);
      if (!buffer) return std::unexpected(buffer.error());
      value.buffer = static_cast<int>(args.buffers.size());
      args.buffers.push_back(std::move(*buffer));
    }
    args.values.push_back(value);
  }
  for (auto& [i, name] : shared) {
    int other = find_param(wholes, name);
    int buffer = other < 0 ? -1 : args.values[wholes[static_cast<size_t>(other)].first].buffer;
    if (buffer < 0) return usage_error(fmt::format("'&{}' names no buffer", name));
    args.values[i].buffer = buffer;
  }
  return args;
}

uint64_t load_element(const BufferArg& buffer, size_t index) {
  uint64_t bits = 0;
  std::memcpy(&bits, buffer.bytes.data() + index * buffer.type.bytes(), buffer.type.bytes());
  return bits;
}

}  // namespace kc
