// SPDX-License-Identifier: Apache-2.0
#include "frontend/builtins.h"

#include <algorithm>

namespace kc::front {

namespace {

constexpr BuiltinRow Builtins[] = {
#define BUILTIN(name, shape, parameters, op, otherwise) \
  {#name, BuiltinShape::shape, parameters, op, otherwise},
#include "frontend/builtins.def"
#undef BUILTIN
};

// Families by prefix, then single names.
constexpr std::string_view UnsupportedPrefixes[] = {
    "atomic_",    "atom_",         "vload",       "vstore",   "read_image", "write_image",
    "get_image_", "native_",       "half_",       "convert_", "as_",        "async_work_group",
    "sub_group_", "get_sub_group", "work_group_", "enqueue_", "read_pipe",  "write_pipe"};
constexpr std::string_view UnsupportedNames[] = {"barrier",
                                                 "mem_fence",
                                                 "read_mem_fence",
                                                 "write_mem_fence",
                                                 "wait_group_events",
                                                 "prefetch",
                                                 "printf",
                                                 "acos",
                                                 "acosh",
                                                 "acospi",
                                                 "asin",
                                                 "asinh",
                                                 "asinpi",
                                                 "atan",
                                                 "atan2",
                                                 "atanh",
                                                 "atanpi",
                                                 "atan2pi",
                                                 "cbrt",
                                                 "copysign",
                                                 "cos",
                                                 "cosh",
                                                 "cospi",
                                                 "erf",
                                                 "erfc",
                                                 "exp",
                                                 "exp2",
                                                 "exp10",
                                                 "expm1",
                                                 "fdim",
                                                 "fmod",
                                                 "fract",
                                                 "frexp",
                                                 "hypot",
                                                 "ilogb",
                                                 "ldexp",
                                                 "lgamma",
                                                 "lgamma_r",
                                                 "log",
                                                 "log2",
                                                 "log10",
                                                 "log1p",
                                                 "logb",
                                                 "maxmag",
                                                 "minmag",
                                                 "modf",
                                                 "nan",
                                                 "nextafter",
                                                 "pow",
                                                 "pown",
                                                 "powr",
                                                 "remainder",
                                                 "remquo",
                                                 "rootn",
                                                 "round",
                                                 "rsqrt",
                                                 "sin",
                                                 "sincos",
                                                 "sinh",
                                                 "sinpi",
                                                 "tan",
                                                 "tanh",
                                                 "tanpi",
                                                 "tgamma",
                                                 "abs_diff",
                                                 "add_sat",
                                                 "hadd",
                                                 "rhadd",
                                                 "ctz",
                                                 "mad_hi",
                                                 "mad_sat",
                                                 "mul_hi",
                                                 "sub_sat",
                                                 "upsample",
                                                 "degrees",
                                                 "radians",
                                                 "mix",
                                                 "sign",
                                                 "step",
                                                 "smoothstep",
                                                 "cross",
                                                 "dot",
                                                 "distance",
                                                 "length",
                                                 "normalize",
                                                 "fast_distance",
                                                 "fast_length",
                                                 "fast_normalize",
                                                 "isequal",
                                                 "isnotequal",
                                                 "isgreater",
                                                 "isgreaterequal",
                                                 "isless",
                                                 "islessequal",
                                                 "islessgreater",
                                                 "isfinite",
                                                 "isinf",
                                                 "isnormal",
                                                 "isordered",
                                                 "isunordered",
                                                 "signbit",
                                                 "any",
                                                 "all",
                                                 "bitselect",
                                                 "select",
                                                 "shuffle",
                                                 "shuffle2",
                                                 "vec_step",
                                                 "assert"};

}  // namespace

const BuiltinRow* find_builtin(std::string_view name) {
  for (const BuiltinRow& row : Builtins)
    if (row.name == name) return &row;
  return nullptr;
}

std::vector<std::string_view> builtin_names() {
  std::vector<std::string_view> names;
  for (const BuiltinRow& row : Builtins) names.push_back(row.name);
  return names;
}

bool is_unsupported_builtin(std::string_view name) {
  for (std::string_view prefix : UnsupportedPrefixes)
    if (name.starts_with(prefix)) return true;
  return std::find(std::begin(UnsupportedNames), std::end(UnsupportedNames), name) !=
         std::end(UnsupportedNames);
}

bool is_conversion_name(std::string_view name, std::string_view prefix, TypeKind& to) {
  if (!name.starts_with(prefix)) return false;
  std::string_view type = name.substr(prefix.size());
  for (int k = static_cast<int>(TypeKind::Char); k <= static_cast<int>(TypeKind::Double); ++k) {
    to = static_cast<TypeKind>(k);
    if (type == scalar_name(to)) return true;
  }
  return false;
}

}  // namespace kc::front
