// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Removes selections of lanes and masks whose other lanes are not demanded. Returns whether there were any.
bool demanded_lanes(Function& f, AnalysisCache& analyses);

}  // namespace kc
