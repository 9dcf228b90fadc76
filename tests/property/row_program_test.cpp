// SPDX-License-Identifier: Apache-2.0
// Programs whose work-items walk along rows or with a stride, on every engine: on CPUs iterations of their
// loops become lanes, and lanes that leave a loop one by one have code for the iterations before.
//
//   KC_SEED=n the first seed, KC_SEEDS=n how many
//
// A difference names its seed: `kernelc fuzz --rows --seed N --count 1` reduces it, or `--strides`.
#include <catch2/catch.hpp>

#include "fuzz/random_rows.h"
#include "tests/property/fuzz_report.h"
#include "tests/property/setting.h"
#include "tests/run/compiled_for_cpu.h"

using namespace kc;
using namespace kc::fuzz;

namespace {

void compare(FuzzStyle style, const std::vector<std::string_view>& names, uint64_t count,
             const std::vector<std::string>& options) {
  FuzzPlan plan{.first = setting("KC_SEED", 0),
                .count = setting("KC_SEEDS", count),
                .options = options,
                .routes = {},
                .style = style};
  for (std::string_view name : names) plan.routes.push_back(find_engine(name));
  const FuzzReport report = test::expect_no_difference(plan);
  for (const FuzzCount& c : report.routes) CHECK((c.absent || c.run == plan.count));
}

}  // namespace

TEST_CASE("programs that walk along rows mean the same on every engine") {
  compare(FuzzStyle::Rows, {"passes", "wave16", "avx2", "avx512", "gfx900"}, 400, {"-O2"});
  compare(FuzzStyle::Rows, {"passes", "wave32", "avx2", "avx512"}, 100, {"--restructure=structurize"});
}

TEST_CASE("programs that walk with a stride mean the same on every engine") {
  compare(FuzzStyle::Strides, {"passes", "wave16", "avx2", "avx512", "gfx900"}, 400, {"-O2"});
  compare(FuzzStyle::Strides, {"wave32", "avx2", "avx512"}, 100, {"--restructure=structurize"});
}

TEST_CASE("a third of the programs that walk along rows can have iterations as lanes") {
  constexpr uint64_t kCount = 100;
  constexpr LaunchSpec kOneItem{.disjoint_buffers = true};
  uint64_t copies = 0;
  for (uint64_t seed = 0; seed < kCount; ++seed)
    copies += test::form_of(random_rows(seed).source, kOneItem).layout.copies;
  CHECK(copies > kCount / 3);
}
