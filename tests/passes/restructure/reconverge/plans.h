// SPDX-License-Identifier: Apache-2.0
// Properties of plans for `reconverge`.
#pragma once

#include <string>

#include "passes/restructure/reconverge_plan.h"
#include "tests/property/synthetic_graphs.h"

namespace kc::test {

/// Both graphs, for messages.
std::string text(const Graph& g, const ReconvergePlan& p, const std::vector<bool>& divergent);

/// Why the plan lacks the property, by its definition, or why an edge leads elsewhere than before; empty if
/// the plan is correct.
std::string fault(const Graph& g, const ReconvergePlan& p, const std::vector<bool>& divergent);

}  // namespace kc::test
