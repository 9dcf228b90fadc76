// SPDX-License-Identifier: Apache-2.0
#include "api/parameters.h"

#include <array>

#include "ir/parameters.h"

namespace kc {
namespace {

struct Row {
  std::string_view name;
  Elem elem;
  bool is_unsigned;
};
// By kc_type.
constexpr std::array<Row, 12> kTypes{{{"no type", Elem::Void, false},
                                      {"bool", Elem::I1, true},
                                      {"char", Elem::I8, false},
                                      {"uchar", Elem::I8, true},
                                      {"short", Elem::I16, false},
                                      {"ushort", Elem::I16, true},
                                      {"int", Elem::I32, false},
                                      {"uint", Elem::I32, true},
                                      {"long", Elem::I64, false},
                                      {"ulong", Elem::I64, true},
                                      {"float", Elem::F32, false},
                                      {"double", Elem::F64, false}}};

}  // namespace

kc_parameter_kind parameter_kind(Type type) {
  if (type == kPtrLocal) return KC_PARAMETER_LOCAL;
  return type.is_pointer() ? KC_PARAMETER_BUFFER : KC_PARAMETER_SCALAR;
}

kc_type type_of(Elem elem, bool is_unsigned) {
  bool sign_counts = Type{elem}.is_int();
  for (size_t i = 0; i < kTypes.size(); ++i)
    if (kTypes[i].elem == elem && (!sign_counts || kTypes[i].is_unsigned == is_unsigned))
      return static_cast<kc_type>(i);
  return KC_UNTYPED;
}

std::string_view type_name(const ParamInfo& p, Type type) {
  return type_name(type_of(type.elem, p.is_unsigned));
}

std::string_view type_name(uint32_t type) {
  return type < kTypes.size() ? kTypes[type].name : "an unknown type";
}

size_t type_size(uint32_t type) { return type < kTypes.size() ? Type{kTypes[type].elem}.bytes() : 0; }

size_t visible_parameters(const Function& kernel) {
  size_t count = 0;
  for (size_t i = 0; i < kernel.params.size() && !kernel.params[i].hidden(); ++count)
    i += source_parameter(kernel, i).count;
  return count;
}

}  // namespace kc
