// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"

namespace kc {

/// Merges equal tails of blocks that jump to the same block; see merge_tails.cpp. Needs SSA form. Returns
/// whether f changed.
bool merge_tails(Function& f, AnalysisCache& analyses);

}  // namespace kc
