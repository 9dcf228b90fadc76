// SPDX-License-Identifier: Apache-2.0
#include "frontend/sema/attributes.h"

#include <algorithm>

namespace kc::front {

namespace {

constexpr std::string_view OfFunctions[] = {"reqd_work_group_size",
                                            "reqd_sub_group_size",
                                            "intel_reqd_sub_group_size",
                                            "work_group_size_hint",
                                            "vec_type_hint",
                                            "always_inline",
                                            "noinline",
                                            "shared_region",
                                            "overloadable",
                                            "const",
                                            "pure",
                                            "unused"};
constexpr std::string_view OfOthers[] = {"aligned",     "packed",      "ext_vector_type",
                                         "vector_size", "fallthrough", "opencl_unroll_hint"};

}  // namespace

std::string_view plain_name(std::string_view attribute) {
  bool underlined = attribute.starts_with("__") && attribute.ends_with("__") && attribute.size() > 4;
  return underlined ? attribute.substr(2, attribute.size() - 4) : attribute;
}

std::span<const std::string_view> function_attributes() { return OfFunctions; }

bool is_known_attribute(std::string_view name) {
  auto among = [&](std::span<const std::string_view> list) {
    return std::ranges::find(list, plain_name(name)) != list.end();
  };
  return among(OfFunctions) || among(OfOthers);
}

}  // namespace kc::front
