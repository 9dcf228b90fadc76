// SPDX-License-Identifier: Apache-2.0
// The formulas for the expected contents of a buffer. Their parser and arithmetic share nothing with the
// compiler.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kc::test {

/// A value of a formula: 64-bit integers, signed or not, and the two kinds of floats.
struct FormulaValue {
  enum Kind : uint8_t { Int, Uint, F32, F64 } kind = Int;
  uint64_t integer = 0;  // of Int and Uint
  double number = 0;     // of F32 (a float's value, exactly) and F64

  bool is_float() const { return kind == F32 || kind == F64; }
  static FormulaValue of(int64_t v) { return {Int, static_cast<uint64_t>(v), 0}; }
  static FormulaValue of(double v) { return {F64, 0, v}; }
  static FormulaValue of(float v) { return {F32, 0, v}; }
  double as_double() const;
  bool truth() const { return is_float() ? number != 0 : integer != 0; }
};

/// The values of the names in a formula.
struct FormulaNames {
  std::map<std::string, FormulaValue, std::less<>> values;  // i, n, scalar arguments
  /// Element of a buffer before the launch; throws FormulaError if it does not exist.
  std::function<FormulaValue(std::string_view buffer, int64_t index)> element;
};

struct FormulaError {
  std::string message;
};

/// C's operators and precedence over 64-bit integers, floats and doubles. Integer literals are signed; `1.5f`
/// is a float and `1.5` a double. Functions: i8 u8 ... u64 f32 f64 (conversions that wrap or round), min,
/// max, abs, sqrt, floor, ceil, trunc, fma, pow2, as_u32, as_u64, as_f32, as_f64, sum(k, from, to,
/// expression). `name[x]` is an element of a buffer before the launch; `inf` and `nan` are doubles.
std::expected<FormulaValue, std::string> evaluate_formula(std::string_view text, const FormulaNames& names);

/// Splits `{a, b, c}` at its commas, except those within parentheses; empty if it is not a list.
std::vector<std::string_view> split_list(std::string_view text);

}  // namespace kc::test
