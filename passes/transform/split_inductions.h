// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Splits variables of loops with barriers that all work-items increase by the same amounts into what they
/// start with and a uniform sum. Returns whether f changed.
bool split_inductions(Function& f, AnalysisCache& analyses);

}  // namespace kc
