// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ir/function.h"

namespace kc {

/// Accesses through global and constant pointers trap when they are outside every buffer that the pointer can
/// come from. Returns whether there are any.
bool check_bounds(Function& f);

/// The position of the parameter whose size in bytes the launch passes in this hidden one, if it is such a
/// parameter.
std::optional<size_t> sized_parameter(const ParamInfo& hidden);

}  // namespace kc
