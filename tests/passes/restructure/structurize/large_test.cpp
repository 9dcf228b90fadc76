// SPDX-License-Identifier: Apache-2.0
// No step is quadratic on shapes that occur in programs.
#include <catch2/catch.hpp>
#include <ctime>

#include "ir/verify.h"
#include "passes/restructure/structurize.h"
#include "tests/property/large_graphs.h"

using namespace kc;

TEST_CASE("a hundred thousand blocks become structured in seconds", "[structurize]") {
  for (const test::LargeShape& shape : test::large_shapes()) {
    INFO(shape.name);
    Function f = test::bare_function(shape.make(100'000));
    std::clock_t start = std::clock();
    structurize(f);
    double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    CAPTURE(seconds);
    if (std::getenv("KC_TIMES"))
      std::printf("%.2f %s\n", seconds, std::string(shape.name).c_str()), std::fflush(stdout);
    CHECK(seconds < 20);
    CHECK(verify(f).empty());
    CHECK(check_structured(f) == "");
  }
}
