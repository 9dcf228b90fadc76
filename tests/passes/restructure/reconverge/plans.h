// SPDX-License-Identifier: Apache-2.0
// What tests ask of plans for `reconverge`.
#pragma once

#include <string>

#include "passes/restructure/reconverge_plan.h"
#include "tests/property/synthetic_graphs.h"

namespace kc::test {

/// Both graphs, for messages.
std::string text(const Graph& g, const ReconvergePlan& p, const std::vector<bool>& divergent);

/// Why the plan has not the property, by its definition, or why an edge does not lead where it did; empty
/// when all is well.
std::string fault(const Graph& g, const ReconvergePlan& p, const std::vector<bool>& divergent);

}  // namespace kc::test
