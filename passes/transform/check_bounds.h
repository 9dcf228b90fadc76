// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "passes/analysis/cache.h"

namespace kc {

/// Accesses through global and constant pointers trap if they are outside every buffer that the pointer can
/// be based on. Returns whether there are any such accesses.
bool check_bounds(Function& f, AnalysisCache& analyses);

/// If `hidden` passes the size in bytes of another parameter: the index of that parameter.
std::optional<size_t> sized_parameter(const ParamInfo& hidden);

}  // namespace kc
