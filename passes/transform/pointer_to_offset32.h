// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Turns divergent pointers into 32-bit offsets from their buffer. Correct only if every buffer of the launch
/// is smaller than 2 GiB. Returns whether anything changed.
bool pointer_to_offset32(Function& f, AnalysisCache& analyses);

}  // namespace kc
