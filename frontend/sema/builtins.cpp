// SPDX-License-Identifier: Apache-2.0
#include "frontend/sema/builtins.h"

#include <algorithm>
#include <string>

#include "frontend/preprocess/keywords.h"
#include "frontend/source/nearest_name.h"
#include "ir/fold.h"

namespace kc::front {

namespace {

constexpr BuiltinRow Builtins[] = {
#define BUILTIN(name, shape, parameters, op, otherwise) \
  {#name, Builtin::name, BuiltinShape::shape, parameters, op, otherwise},
#define PRELUDE(name, shape, parameters) \
  {#name, Builtin::name, BuiltinShape::shape, parameters, Op::Count_, 0, true},
#include "frontend/sema/builtins.def"
#undef BUILTIN
#undef PRELUDE
};

// Prefixes of unsupported families.
constexpr std::string_view UnsupportedPrefixes[] = {
    "atomic_",          "atom_",      "vload",         "vstore",     "native_", "half_", "convert_", "as_",
    "async_work_group", "sub_group_", "get_sub_group", "work_group_"};

}  // namespace

bool BuiltinRow::is_barrier() const {
  return shape == BuiltinShape::Barrier || shape == BuiltinShape::AsyncWait ||
         (shape >= BuiltinShape::GroupVote && shape <= BuiltinShape::GroupFold);
}

int64_t BuiltinRow::fold_of(const Type* type) const {
  Fold fold{static_cast<uint8_t>(otherwise & ~kExclusiveScan)};
  if (!type->is_signed() && !type->is_floating())
    fold = fold == Fold::Smin ? Fold::Umin : fold == Fold::Smax ? Fold::Umax : fold;
  return static_cast<int64_t>(fold);
}

bool BuiltinRow::is_same_in_group() const {
  return shape == BuiltinShape::GroupVote || shape == BuiltinShape::GroupBroadcast ||
         (shape == BuiltinShape::GroupFold && op == Op::reduce);
}

bool BuiltinRow::has_effects() const {
  return (shape >= BuiltinShape::Barrier && shape <= BuiltinShape::AtomicStep) || is_barrier() ||
         (shape >= BuiltinShape::Split && shape <= BuiltinShape::SplitQuotient);
}

const BuiltinRow* find_builtin(std::string_view name) {
  for (const BuiltinRow& row : Builtins)
    if (row.name == name) return &row;
  return nullptr;
}

std::optional<GnuFunction> find_gnu_function(std::string_view name) {
  if (!name.starts_with("__builtin_")) return std::nullopt;
  name.remove_prefix(10);
  const BuiltinRow* row = find_builtin(name);
  bool single = !row && name.ends_with('f');
  if (single) row = find_builtin(name.substr(0, name.size() - 1));
  if (!row || row->shape < BuiltinShape::Float || row->shape == BuiltinShape::FromBits) return std::nullopt;
  return GnuFunction{row, single ? TypeKind::Float : TypeKind::Double};
}

bool is_language_function(std::string_view name) {
  return find_builtin(name) || find_conversion(name) || find_reinterpretation(name) ||
         find_vector_access(name) || find_gnu_function(name);
}

std::vector<std::string_view> builtin_names() {
  std::vector<std::string_view> names;
  for (const BuiltinRow& row : Builtins) names.push_back(row.name);
  return names;
}

bool is_unsupported_builtin(std::string_view name) {
  for (std::string_view prefix : UnsupportedPrefixes)
    if (name.starts_with(prefix)) return true;
  return false;
}

std::vector<std::string_view> functions_near(std::string_view name) {
  static const std::vector<std::string> Named = [] {
    std::vector<std::string> all;
    for (std::string_view row : builtin_names()) all.emplace_back(row);
    for (int kind = static_cast<int>(TypeKind::Char); kind <= static_cast<int>(TypeKind::Double); ++kind)
      for (const char* length : {"", "2", "3", "4", "8", "16"}) {
        std::string type = std::string(scalar_name(static_cast<TypeKind>(kind))) + length;
        all.push_back("as_" + type);
        for (const char* mode : {"", "_sat", "_rte", "_rtz", "_sat_rte"})
          all.push_back("convert_" + type + mode);
      }
    for (const char* access : {"vload", "vstore"})
      for (const char* length : {"2", "3", "4", "8", "16", "_half"})
        all.push_back(access + std::string(length));
    return all;
  }();
  std::vector<std::string_view> family;  // names that begin in the same way
  for (const std::string& known : Named)
    if (known.substr(0, 3) == name.substr(0, 3)) family.push_back(known);
  std::string_view near = nearest_name(name, family);
  size_t parts = static_cast<size_t>(std::ranges::count(name, '_'));
  const bool alike = !near.empty() && static_cast<size_t>(std::ranges::count(near, '_')) == parts;
  return alike ? std::vector{near} : std::vector<std::string_view>();
}

bool BuiltinRow::is_meeting() const {
  return op == Op::sub_group_barrier || op == Op::ballot ||
         (shape >= BuiltinShape::SubGroupBallot && shape <= BuiltinShape::SubGroupBits);
}

namespace {

Rounding take_rounding(std::string_view& name) {
  static constexpr std::pair<std::string_view, Rounding> Suffixes[] = {{"_rte", Rounding::ToEven},
                                                                       {"_rtz", Rounding::ToZero},
                                                                       {"_rtp", Rounding::Up},
                                                                       {"_rtn", Rounding::Down}};
  for (auto [suffix, rounding] : Suffixes)
    if (name.ends_with(suffix)) {
      name.remove_suffix(suffix.size());
      return rounding;
    }
  return Rounding::Default;
}

bool take_prefix(std::string_view& name, std::string_view prefix) {
  bool there = name.starts_with(prefix);
  if (there) name.remove_prefix(prefix.size());
  return there;
}

}  // namespace

std::optional<Conversion> find_conversion(std::string_view name) {
  if (!take_prefix(name, "convert_")) return std::nullopt;
  Conversion c;
  c.rounding = take_rounding(name);
  c.saturate = name.ends_with("_sat");
  if (c.saturate) name.remove_suffix(4);
  std::optional<TypeShape> type = find_number_type(name);
  if (!type) return std::nullopt;
  c.to = *type;
  return c;
}

std::optional<VectorAccess> find_vector_access(std::string_view name) {
  VectorAccess a;
  if (name.size() < 6 || name[0] != 'v') return std::nullopt;
  a.store = take_prefix(name, "vstore");
  if (!a.store && !take_prefix(name, "vload")) return std::nullopt;
  bool has_rounding =
      name.size() > 4 && name[name.size() - 4] == '_' && name.substr(name.size() - 4, 3) == "_rt";
  if (a.store) a.rounding = take_rounding(name);
  if (has_rounding && a.rounding == Rounding::Default) return std::nullopt;
  a.padded = take_prefix(name, "a");
  a.half = take_prefix(name, "_half");
  static constexpr std::pair<std::string_view, unsigned> Lengths[] = {
      {"2", 2}, {"3", 3}, {"4", 4}, {"8", 8}, {"16", 16}};
  for (auto [text, length] : Lengths)
    if (name == text) a.length = length;
  bool known = a.length > 1 || (a.half && name.empty());
  bool plain = !a.padded && a.rounding == Rounding::Default;
  return known && (a.half || plain) ? std::optional(a) : std::nullopt;
}

std::optional<TypeShape> find_reinterpretation(std::string_view name) {
  return name.starts_with("as_") ? find_number_type(name.substr(3)) : std::nullopt;
}

}  // namespace kc::front
