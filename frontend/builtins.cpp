// SPDX-License-Identifier: Apache-2.0
#include "frontend/builtins.h"

#include <algorithm>

#include "ir/fold.h"

namespace kc::front {

namespace {

constexpr BuiltinRow Builtins[] = {
#define BUILTIN(name, shape, parameters, op, otherwise) \
  {#name, Builtin::name, BuiltinShape::shape, parameters, op, otherwise},
#define PRELUDE(name, shape, parameters) \
  {#name, Builtin::name, BuiltinShape::shape, parameters, Op::Count_, 0, true},
#include "frontend/builtins.def"
#undef BUILTIN
#undef PRELUDE
};

// Families by prefix, then single names.
constexpr std::string_view UnsupportedPrefixes[] = {
    "atomic_",    "atom_",         "vload",       "vstore",   "read_image", "write_image",
    "get_image_", "native_",       "half_",       "convert_", "as_",        "async_work_group",
    "sub_group_", "get_sub_group", "work_group_", "enqueue_", "read_pipe",  "write_pipe"};
constexpr std::string_view UnsupportedNames[] = {
    "wait_group_events", "printf",      "cross",          "dot", "distance", "length",  "normalize",
    "fast_distance",     "fast_length", "fast_normalize", "any", "all",      "shuffle", "shuffle2",
    "vec_step"};

}  // namespace

bool BuiltinRow::has_effects() const {
  return (shape >= BuiltinShape::Barrier && shape <= BuiltinShape::AtomicStep) ||
         (shape >= BuiltinShape::Split && shape <= BuiltinShape::SplitQuotient);
}

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

namespace {

std::optional<TypeKind> scalar_kind(std::string_view name) {
  for (int k = static_cast<int>(TypeKind::Char); k <= static_cast<int>(TypeKind::Double); ++k)
    if (name == scalar_name(static_cast<TypeKind>(k))) return static_cast<TypeKind>(k);
  return std::nullopt;
}

}  // namespace

bool BuiltinRow::is_meeting() const {
  return op == Op::sub_group_barrier ||
         (shape >= BuiltinShape::SubGroupBallot && shape <= BuiltinShape::SubGroupBits);
}

std::optional<Conversion> find_conversion(std::string_view name) {
  if (!name.starts_with("convert_")) return std::nullopt;
  name.remove_prefix(8);
  Conversion c;
  static constexpr std::pair<std::string_view, Rounding> Suffixes[] = {{"_rte", Rounding::ToEven},
                                                                       {"_rtz", Rounding::ToZero},
                                                                       {"_rtp", Rounding::Up},
                                                                       {"_rtn", Rounding::Down}};
  for (auto [suffix, rounding] : Suffixes)
    if (name.ends_with(suffix) && c.rounding == Rounding::Default) {
      c.rounding = rounding;
      name.remove_suffix(suffix.size());
    }
  c.saturate = name.ends_with("_sat");
  if (c.saturate) name.remove_suffix(4);
  std::optional<TypeKind> kind = scalar_kind(name);
  if (!kind) return std::nullopt;
  c.to = *kind;
  return c;
}

std::optional<TypeKind> find_reinterpretation(std::string_view name) {
  return name.starts_with("as_") ? scalar_kind(name.substr(3)) : std::nullopt;
}

}  // namespace kc::front
