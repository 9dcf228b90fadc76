// SPDX-License-Identifier: Apache-2.0
#include "ir/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "ir/check.h"

namespace kc {

namespace {

constexpr std::string_view kTypePrefix = "kernelc.", kSizePrefix = "size_";

// Of a BufferSize, the index of the other parameter follows.
std::string_view word_of(ParamRole role) {
  constexpr std::array<std::string_view, static_cast<size_t>(ParamRole::Count_)> words{
      "", "traps", "constants", "printf", kSizePrefix, "mask"};
  return words[static_cast<size_t>(role)];
}

bool is_part(const Function& f, size_t i) {
  const ParamInfo& p = f.params[i];
  return p.pointee_size > 0 && !f.type(f.block(f.entry()).params[i]).is_pointer() &&
         p.name.find('.') != std::string::npos;
}

std::string_view whole_of(const ParamInfo& p) { return std::string_view(p.name).substr(0, p.name.find('.')); }

}  // namespace

SourceParameter source_parameter(const Function& kernel, size_t first) {
  const ParamInfo& p = kernel.params[first];
  if (!is_part(kernel, first)) return {.name = p.name, .first = first};
  SourceParameter whole{.name = whole_of(p), .first = first, .size = p.pointee_size};
  auto belongs = [&](size_t i) {
    return i < kernel.params.size() && is_part(kernel, i) && whole_of(kernel.params[i]) == whole.name;
  };
  while (belongs(first + whole.count)) ++whole.count;
  return whole;
}

std::vector<SourceParameter> source_parameters(const Function& kernel) {
  std::vector<SourceParameter> list;
  for (size_t i = 0; i < kernel.params.size() && !kernel.params[i].hidden(); i += list.back().count)
    list.push_back(source_parameter(kernel, i));
  return list;
}

std::optional<size_t> param_with_role(const Function& f, ParamRole role) {
  for (size_t i = 0; i < f.params.size(); ++i)
    if (f.params[i].role == role) return i;
  return {};
}

ParamInfo hidden_parameter(ParamRole role, size_t sized) {
  ParamInfo p{.is_restrict = role == ParamRole::Printf, .role = role, .sized = static_cast<uint32_t>(sized)};
  p.name = role_word(p);
  return p;
}

ValueId add_hidden_parameter(Function& f, ParamRole role, size_t sized) {
  f.params.push_back(hidden_parameter(role, sized));
  return f.add_param(f.entry(), type_of_role(role));
}

Type type_of_role(ParamRole role) {
  switch (role) {
    case ParamRole::Traps:
    case ParamRole::Printf:
      return kPtrGlobal;
    case ParamRole::Constants:
      return kPtrConstant;
    case ParamRole::BufferSize:
      return kI64;
    case ParamRole::EntryMask:
      return kMask;
    case ParamRole::Explicit:
    case ParamRole::Count_:
      break;
  }
  KC_CHECK(false, "only the roles of hidden parameters have a type");
}

std::string role_word(const ParamInfo& hidden) {
  std::string word(word_of(hidden.role));
  return hidden.role == ParamRole::BufferSize ? word + std::to_string(hidden.sized) : word;
}

std::optional<ParamInfo> parse_role_word(std::string_view word) {
  for (size_t r = 1; r < static_cast<size_t>(ParamRole::Count_); ++r) {
    const auto role = static_cast<ParamRole>(r);
    if (role != ParamRole::BufferSize && word == word_of(role)) return hidden_parameter(role);
  }
  if (!word.starts_with(kSizePrefix)) return {};
  word.remove_prefix(kSizePrefix.size());
  uint32_t sized = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), sized);
  if (error != std::errc() || end != word.data() + word.size()) return {};
  return hidden_parameter(ParamRole::BufferSize, sized);
}

std::string why_no_role(const ParamInfo& hidden, kc::Type type,
                        std::span<const TargetNote::Argument> before) {
  const std::string word = role_word(hidden);
  if (type != type_of_role(hidden.role))
    return fmt::format("a parameter with the role '{}' is of type {}, not {}", word,
                       to_string(type_of_role(hidden.role)), to_string(type));
  if (hidden.role == ParamRole::BufferSize &&
      (hidden.sized >= before.size() || !before[hidden.sized].type.is_pointer()))
    return fmt::format("'{}' is the size of no buffer: parameter {} is not a pointer before it", word,
                       hidden.sized);
  if (std::ranges::find(before, hidden, &TargetNote::Argument::info) != before.end())
    return fmt::format("two parameters have the role '{}'", word);
  return {};
}

std::string role_type_name(const ParamInfo& hidden) { return std::string(kTypePrefix) + role_word(hidden); }
bool is_role_type_name(std::string_view type_name) { return type_name.starts_with(kTypePrefix); }
std::optional<ParamInfo> parse_role_type_name(std::string_view type_name) {
  if (!is_role_type_name(type_name)) return {};
  return parse_role_word(type_name.substr(kTypePrefix.size()));
}

std::string part_name(std::string_view whole, uint64_t offset) { return fmt::format("{}.{}", whole, offset); }

uint64_t part_offset(const ParamInfo& part) {
  std::string_view digits = std::string_view(part.name).substr(part.name.find('.') + 1);
  uint64_t offset = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), offset);
  return offset;
}

}  // namespace kc
