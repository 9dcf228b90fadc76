// SPDX-License-Identifier: Apache-2.0
#include "ir/parameters.h"

#include <fmt/format.h>

#include <charconv>

namespace kc {

namespace {

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
  for (size_t i = 0; i < kernel.params.size() && !kernel.params[i].hidden; i += list.back().count)
    list.push_back(source_parameter(kernel, i));
  return list;
}

std::string part_name(std::string_view whole, uint64_t offset) { return fmt::format("{}.{}", whole, offset); }

uint64_t part_offset(const ParamInfo& part) {
  std::string_view digits = std::string_view(part.name).substr(part.name.find('.') + 1);
  uint64_t offset = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), offset);
  return offset;
}

}  // namespace kc
