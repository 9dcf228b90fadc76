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

/// A scheme is a pass that runs last on thread IR; wave targets run `reconverge` after it.
struct RestructureOptions {
  std::string_view pass;  // empty: none
  StructurizeOptions structurize{};
  LinearizeOptions linearize{};
  bool chosen = false;  // only the optimisations of linearize that were named are on
  ReconvergeOptions reconverge{};
};

/// Parses "NAME" or "NAME:option,option". The error is a sentence that lists the choices.
std::expected<RestructureOptions, std::string> parse_restructure(std::string_view text);
/// All names but "auto".
std::vector<std::string_view> scheme_names();

}  // namespace kc
