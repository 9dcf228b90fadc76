// SPDX-License-Identifier: Apache-2.0
// Control-flow graphs of any size in shapes that occur in programs, for scaling tests of passes.
#pragma once

#include <string_view>
#include <vector>

#include "ir/function.h"
#include "tests/property/synthetic_graphs.h"

namespace kc::test {

/// A function with this graph in which every branch uses one divergent condition; there are no other values.
Function bare_function(const Graph& g);

struct LargeShape {
  std::string_view name;
  Graph (*make)(uint32_t n);  // with about n nodes
};
const std::vector<LargeShape>& large_shapes();

}  // namespace kc::test
