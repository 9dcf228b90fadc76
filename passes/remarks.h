// SPDX-License-Identifier: Apache-2.0
// Remarks about analyses, which change nothing and so have no pass of their own.
#pragma once

#include "ir/remarks.h"
#include "passes/analysis/uniformity.h"

namespace kc {

/// Remarks of "uniformity": for each divergent branch of thread IR in SSA form, the path from its condition
/// back to what differs between work-items.
void explain_divergence(const Function& thread, UniformityOptions options, Remarks& remarks);

/// Remarks of "shape": for each access to memory of a wave, whether its lanes lie side by side, and where the
/// address loses its step if it has none.
void explain_accesses(const Function& wave, Remarks& remarks);

/// Remarks of "reconverge": where the blocks lie that it added, those with an id from `first` on.
void explain_flow_blocks(const Function& thread, const Cfg& cfg, size_t first, Remarks& remarks);
/// And that the plan which was asked for will not do.
void explain_failed_plan(const Function& thread, Remarks& remarks);

}  // namespace kc
