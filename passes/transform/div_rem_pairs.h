// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"

namespace kc {

/// Computes remainders from quotients of the same operands. Returns whether f changed.
bool div_rem_pairs(Function& f, AnalysisCache& analyses);

}  // namespace kc
