// SPDX-License-Identifier: Apache-2.0
// Control-flow graphs of any size in the shapes that programs have, for tests of how passes grow.
#pragma once

#include <string_view>
#include <vector>

#include "ir/function.h"
#include "tests/property/synthetic_graphs.h"

namespace kc::test {

/// A function with this graph in which every branch is on one divergent condition; no values but it.
Function bare_function(const Graph& g);

struct LargeShape {
  std::string_view name;
  Graph (*make)(uint32_t n);  // with about n nodes
};
const std::vector<LargeShape>& large_shapes();

}  // namespace kc::test
