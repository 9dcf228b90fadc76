// SPDX-License-Identifier: Apache-2.0
// Parameters of kernels in the terms of kernelc.h.
#pragma once

#include <string_view>

#include "api/include/kernelc/kernelc.h"
#include "ir/function.h"

namespace kc {

kc_parameter_kind parameter_kind(Type type);
kc_type type_of(Elem elem, bool is_unsigned);
/// "uint"; `type` is that of the scalar or of what the pointer points to.
std::string_view type_name(const ParamInfo& p, Type type);
/// Of a kc_type.
std::string_view type_name(uint32_t type);
size_t type_size(uint32_t type);

/// How many arguments a launch has: parameters of the runtime come last.
size_t visible_parameters(const Function& kernel);

}  // namespace kc
