// SPDX-License-Identifier: Apache-2.0
#include "ir/case_clusters.h"

#include <catch2/catch.hpp>

#include "ir/text.h"

using namespace kc;

namespace {

// The clusters of the switch in the entry, as "first-last:target".
std::string clusters_of(const std::string& type, const std::string& cases, const std::string& targets) {
  std::string text = "thread func @f(%0: " + type + ") {\nb0:\n  switch %0" + cases + " -> " + targets + "\n";
  for (int b = 1; b <= 3; ++b) text += "b" + std::to_string(b) + (b == 3 ? "(%1: i32)" : "") + ":\n  ret\n";
  const auto module = parse_module(text + "}\n");
  REQUIRE(module.has_value());
  const Function& f = *module->functions[0];
  std::string all;
  for (const CaseCluster& c : case_clusters(f, f.inst(f.terminator(f.entry()))))
    all += std::to_string(c.first) + "-" + std::to_string(c.last) + ":" + std::to_string(c.target) + " ";
  return all;
}

}  // namespace

TEST_CASE("cases with adjacent values and one target are a cluster", "[switch]") {
  CHECK(clusters_of("i32", ", 5:i32, 3:i32, 4:i32", "b1, b2, b2, b2") == "3-5:2 ");
  CHECK(clusters_of("i32", ", 3:i32, 4:i32, 6:i32", "b1, b2, b2, b2") == "3-4:1 6-6:3 ");
  CHECK(clusters_of("i32", ", 3:i32, 4:i32, 5:i32", "b1, b2, b3(1:i32), b2") == "3-3:1 4-4:2 5-5:3 ");
}

TEST_CASE("targets with other arguments are other targets", "[switch]") {
  CHECK(clusters_of("i32", ", 1:i32, 2:i32", "b1, b3(7:i32), b3(7:i32)") == "1-2:1 ");
  CHECK(clusters_of("i32", ", 1:i32, 2:i32", "b1, b3(7:i32), b3(8:i32)") == "1-1:1 2-2:2 ");
}

TEST_CASE("cases that lead where the default does are left out, and part others", "[switch]") {
  CHECK(clusters_of("i32", ", 1:i32, 2:i32, 3:i32", "b1, b2, b1, b2") == "1-1:1 3-3:3 ");
  CHECK(clusters_of("i32", ", 1:i32, 2:i32", "b1, b1, b1").empty());
}

TEST_CASE("values are in unsigned order, to the ends of the type", "[switch]") {
  CHECK(clusters_of("i8", ", 255:i8, 0:i8, 254:i8", "b1, b2, b2, b2") == "0-0:2 254-255:3 ");
  CHECK(clusters_of("i64", ", -1:i64, -2:i64", "b1, b2, b2") ==
        "18446744073709551614-18446744073709551615:2 ");
}
