// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "driver/argument_values.h"

namespace kc {
namespace {

// A literal without its suffix.
struct Literal {
  std::string digits;
  bool hex = false, floating = false;
  bool named() const { return digits.find('n') != std::string::npos; }  // inf, nan
  bool bit_pattern() const { return hex || (digits.size() > 1 && digits[0] == '0'); }
};

Literal split_suffix(std::string_view text) {
  Literal l{.digits = std::string(text)};
  if (text == "true") l.digits = "1";
  if (text == "false") l.digits = "0";
  std::string& s = l.digits;
  const size_t first = s.starts_with('-') || s.starts_with('+') ? 1 : 0;
  l.hex = s.compare(first, 2, "0x") == 0 || s.compare(first, 2, "0X") == 0;
  l.floating = l.named() || s.find_first_of(l.hex ? ".pP" : ".eE") != std::string::npos;
  if (l.floating) {
    if (!l.named() && (!l.hex || s.find_first_of("pP") != std::string::npos) &&
        (s.ends_with('f') || s.ends_with('F')))
      s.pop_back();
    return l;
  }
  if (!l.hex && (s.ends_with('f') || s.ends_with('F'))) {
    s.pop_back();
    l.floating = true;
  }
  while (!s.empty() && std::string_view("uUlL").find(s.back()) != std::string_view::npos) s.pop_back();
  return l;
}

std::string no_value(std::string_view text, ElementType type) {
  return fmt::format("'{}' is not a value of type {}", text, language_name(type));
}

std::expected<double, std::string> parse_double(std::string_view text, const Literal& l, ElementType type) {
  char* end = nullptr;
  errno = 0;
  double value = std::strtod(l.digits.c_str(), &end);
  if (l.digits.empty() || end != l.digits.c_str() + l.digits.size())
    return std::unexpected(no_value(text, type));
  const bool too_large = std::isinf(value) || std::isinf(float_value(type, float_bits(type, value)));
  if (too_large && !l.named())
    return std::unexpected(
        fmt::format("'{}' is too large for {}; infinity is written inf", text, language_name(type)));
  return value;
}

// An integer as sign and magnitude: no type of 64 bits holds all values that literals may have.
struct Whole {
  bool negative = false;
  uint64_t magnitude = 0;
};

std::expected<Whole, std::string> parse_whole(std::string_view text, const Literal& l, ElementType type) {
  Whole w{.negative = l.digits.starts_with('-')};
  if (l.floating) {
    auto value = parse_double(text, l, {Elem::F64, false});
    if (!value) return std::unexpected(no_value(text, type));
    if (!std::isfinite(*value) || *value != std::trunc(*value))
      return std::unexpected(
          fmt::format("'{}' is not a whole number, as {} needs", text, language_name(type)));
    if (std::abs(*value) >= 0x1p64) return std::unexpected(fmt::format("'{}' has more than 64 bits", text));
    w.magnitude = static_cast<uint64_t>(std::abs(*value));
    return w;
  }
  const char* digits = l.digits.c_str() + (l.digits.starts_with('-') || l.digits.starts_with('+') ? 1 : 0);
  char* end = nullptr;
  errno = 0;
  w.magnitude = std::strtoull(digits, &end, 0);
  if (*digits < '0' || *digits > '9' || *end != 0) return std::unexpected(no_value(text, type));
  if (errno == ERANGE) return std::unexpected(fmt::format("'{}' has more than 64 bits", text));
  return w;
}

}  // namespace

std::string language_name(ElementType type) {
  if (type.is_half) return "half";
  switch (type.elem) {
    case Elem::I1:
      return "bool";
    case Elem::F32:
      return "float";
    case Elem::F64:
      return "double";
    default:
      break;
  }
  const char* name = type.elem == Elem::I8    ? "char"
                     : type.elem == Elem::I16 ? "short"
                     : type.elem == Elem::I32 ? "int"
                                              : "long";
  return fmt::format("{}{}", type.is_unsigned ? "u" : "", name);
}

std::optional<uint64_t> parse_unsigned(std::string_view text) {
  uint64_t v = 0;
  auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), v);
  if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return v;
}

std::expected<uint64_t, std::string> parse_scalar(std::string_view text, ElementType type) {
  const Literal l = split_suffix(text);
  if (type.is_float()) {
    auto value = parse_double(text, l, type);
    if (!value) return std::unexpected(value.error());
    return float_bits(type, *value);
  }
  auto whole = parse_whole(text, l, type);
  if (!whole) return std::unexpected(whole.error());
  const auto [negative, magnitude] = *whole;
  if (type.elem == Elem::I1) return magnitude != 0 ? 1 : 0;
  const unsigned width = Type{type.elem}.bits();
  const uint64_t bits = UINT64_MAX >> (64 - width), half = uint64_t{1} << (width - 1);
  const bool all_bits = type.is_unsigned || l.bit_pattern();
  if (magnitude > (negative ? half : all_bits ? bits : half - 1))
    return std::unexpected(type.is_unsigned
                               ? fmt::format("'{}' is out of the range of {}: 0 to {}, and -{} to -1 as in C",
                                             text, language_name(type), bits, half)
                               : fmt::format("'{}' is out of the range of {}: -{} to {}", text,
                                             language_name(type), half, half - 1));
  return (negative ? 0 - magnitude : magnitude) & bits;
}

}  // namespace kc
