// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"

namespace kc {

/// Removes loops without effects whose values nothing uses and that certainly end. Returns whether f changed.
bool loop_deletion(Function& f, AnalysisCache& analyses);

}  // namespace kc
