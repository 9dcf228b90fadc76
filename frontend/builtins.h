// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "frontend/types.h"
#include "ir/op.h"

namespace kc::front {

enum class BuiltinShape : uint8_t {
  WorkItem,  // size_t f(uint dimension)
  WorkDim,   // uint f()
  Min,
  Max,
  Clamp,    // of integers by the opcode's signedness; of floats by comparison
  Integer,  // integers to an integer of their type, one opcode
  Abs,      // integer to unsigned integer
  Multiply,
  MultiplyAdd,
  Rotate,  // integers
  Float,   // floats to a float, one opcode
  IsNan,   // float to int
};

struct BuiltinRow {
  std::string_view name;
  BuiltinShape shape{};
  int parameters = 0;
  Op op{};
  int otherwise = 0;
};

const BuiltinRow* find_builtin(std::string_view name);
std::vector<std::string_view> builtin_names();
// A function of OpenCL C that this version does not have.
bool is_unsupported_builtin(std::string_view name);
// `convert_T` or `as_T` with a scalar T: sets the kind of T. Rounding and saturating forms are not supported.
bool is_conversion_name(std::string_view name, std::string_view prefix, TypeKind& to);

}  // namespace kc::front
