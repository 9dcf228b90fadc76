// SPDX-License-Identifier: Apache-2.0
// Preheaders: blocks in front of loops.
#pragma once

#include "ir/cfg.h"
#include "ir/function.h"
#include "passes/analysis/cycles.h"

namespace kc {

/// The block that jumps to the header of the reducible cycle c and that all edges from outside come through.
/// If there is none, a new one is made, at the end of the layout; the analyses are not up to date then.
BlockId preheader(Function& f, const Cfg& cfg, const Cycles& cycles, uint32_t c);

}  // namespace kc
