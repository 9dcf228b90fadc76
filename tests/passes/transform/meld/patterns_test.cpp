// SPDX-License-Identifier: Apache-2.0
// The patterns that melding targets: afterwards, no divergent branch has work in both arms.
#include <catch2/catch.hpp>

#include "driver/session.h"
#include "host/compile.h"
#include "ir/text.h"
#include "passes/analysis/uniformity.h"
#include "passes/transform/meld_regions.h"

using namespace kc;

namespace {

// Counts divergent branches with work in both arms.
size_t two_sided(const std::string& file, const std::string& kernel, Meld mode, std::string_view target) {
  Options o;
  o.file = std::string(KC_SOURCE_DIR) + "/bench/melding/kernels/" + file;
  auto input = load_input(o);
  REQUIRE(input.has_value());
  const Function* k = input->module.find(kernel);
  REQUIRE(k);
  const auto thread = optimise(*k, *find_target(target), {.meld = mode});
  const Function& f = *thread;
  INFO(print(f));
  const Uniformity uniformity = analyse_uniformity(f);
  const Cfg cfg(f);
  const DominatorTree dom(f, cfg);
  const PostDominatorTree post(f, cfg);
  MeldRegions regions({f, cfg, dom, post, uniformity.cycles});
  size_t count = 0;
  for (BlockId b : cfg.rpo)
    if (uniformity.divergent_branch[b.index] && f.inst(f.terminator(b)).op == Op::br_if)
      count += regions.find(b).has_value();
  return count;
}

}  // namespace

TEST_CASE("the paper's patterns meld fully", "[meld]") {
  struct Row {
    const char *file, *kernel;
  };
  static constexpr Row kRows[] = {
      {"diamond.cl", "diamond"},       {"diamond.cl", "diamond_r"},
      {"regions.cl", "regions"},       {"regions.cl", "regions_r"},
      {"regions.cl", "several"},       {"regions.cl", "several_r"},
      {"three_ways.cl", "three_ways"}, {"three_ways.cl", "three_ways_r"},
      {"bitonic.cl", "bitonic"},       {"pcm.cl", "pcm"},
  };
  for (const Row& row : kRows) {
    INFO(row.kernel);
    CHECK(two_sided(row.file, row.kernel, Meld::Never, "avx512") > 0);
    for (const char* target : {"avx512", "gfx900"})
      CHECK(two_sided(row.file, row.kernel, Meld::ByCost, target) == 0);
  }
}

TEST_CASE("of three branches of N queens one is left, whose sides have nothing in common", "[meld]") {
  CHECK(two_sided("queens.cl", "queens", Meld::Never, "gfx900") == 3);
  CHECK(two_sided("queens.cl", "queens", Meld::ByCost, "gfx900") == 1);
}
