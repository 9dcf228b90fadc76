// SPDX-License-Identifier: Apache-2.0
// The restructuring schemes that a user can choose, by name.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "passes/restructure/linearize.h"
#include "passes/restructure/reconverge.h"
#include "passes/restructure/structurize.h"

namespace kc {

/// A scheme is a pass that runs after the others on thread IR; what needs waves ends in `reconverge` besides.
struct RestructureOptions {
  std::string_view pass;  // empty: none
  StructurizeOptions structurize{};
  LinearizeOptions linearize{};
  bool chosen = false;  // of linearize's optimisations only those that were named are on
  ReconvergeOptions reconverge{};
};

/// "NAME" or "NAME:option,option". The error is a sentence that lists what there is.
std::expected<RestructureOptions, std::string> parse_scheme(std::string_view text);
/// All but "auto".
std::vector<std::string_view> scheme_names();

}  // namespace kc
