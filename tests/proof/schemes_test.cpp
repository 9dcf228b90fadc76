// SPDX-License-Identifier: Apache-2.0
// Every restructuring of every small graph is proved, and of large ones in seconds.
#include "tests/proof/schemes.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <ctime>

#include "ir/text.h"
#include "proof/product_walk.h"
#include "tests/proof/effect_graphs.h"
#include "tests/property/large_graphs.h"

using namespace kc;

namespace {

double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("every scheme keeps the control flow of every small graph", "[walk]") {
  size_t changed = 0;
  for (const std::string_view scheme : test::proved_schemes())
    for (const test::Graph& g : test::all_synthetic_graphs()) {
      const Function f = test::effect_function(g);
      const auto after = test::restructured(f, scheme);
      if (after->layout.size() != f.layout.size()) ++changed;
      const proof::WalkResult r = proof::walk(f, *after);
      if (r.verdict == proof::Verdict::Proved) continue;
      FAIL(scheme << "\n" << print(f) << "\nbecomes\n" << print(*after) << "\n" << proof::describe(r));
    }
  CHECK(changed > 30'000);  // proofs of what stays as it is would say little
}

TEST_CASE("a hundred thousand blocks are proved in seconds", "[walk]") {
  for (const test::LargeShape& shape : test::large_shapes())
    for (const std::string_view scheme : {"reconverge", "structurize", "linearize"}) {
      INFO(shape.name << " " << scheme);
      // On this shape the passes take long where each block has a condition of its own.
      const bool slow = shape.name == "nested loops that are left by two";
      const Function f = test::effect_function(shape.make(slow ? 1'000 : 100'000), false);
      const auto after = test::restructured(f, scheme);
      const std::clock_t start = std::clock();
      const proof::WalkResult r = proof::walk(f, *after);
      const double seconds = seconds_since(start);
      if (std::getenv("KC_TIMES"))
        std::printf("%6.2f s, %zu states: %s, %s, %zu blocks\n", seconds, r.states,
                    std::string(shape.name).c_str(), std::string(scheme).c_str(), after->layout.size()),
            std::fflush(stdout);
      INFO(r.reason);
      CHECK(r.verdict == proof::Verdict::Proved);
      CHECK(seconds < 20);
    }
}
