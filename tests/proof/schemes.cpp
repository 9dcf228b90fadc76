// SPDX-License-Identifier: Apache-2.0
#include "tests/proof/schemes.h"

#include <array>
#include <catch2/catch.hpp>

#include "passes/pipeline.h"

namespace kc::test {

std::span<const std::string_view> proved_schemes() {
  static constexpr std::array<std::string_view, 20> kAll{"reconverge",
                                                         "reconverge:order=df",
                                                         "reconverge:order=dfpd",
                                                         "reconverge:order=bf",
                                                         "reconverge:order=rpot",
                                                         "frontier",
                                                         "structurize",
                                                         "structurize:switch=native",
                                                         "structurize:switch=tree",
                                                         "structurize:whole",
                                                         "structurize:head",
                                                         "linearize",
                                                         "linearize:plain",
                                                         "linearize:o1b",
                                                         "linearize:o1,o2",
                                                         "linearize:o3",
                                                         "linearize:max-stack=2",
                                                         "linearize:interleave",
                                                         "linearize:whole,merge",
                                                         "node-split"};
  return kAll;
}

std::unique_ptr<Function> restructured(const Function& f, std::string_view scheme) {
  auto options = parse_restructure(scheme);
  REQUIRE(options.has_value());
  PassState state{std::make_unique<Function>(f)};
  state.restructure = *options;
  run_pass(*find_pass(options->pass), state);
  return std::move(state.f);
}

}  // namespace kc::test
