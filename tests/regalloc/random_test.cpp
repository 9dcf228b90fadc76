// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "ir/text.h"
#include "random_function.h"

using namespace kc;
using namespace kc::test;

namespace {

struct Totals {
  uint32_t functions = 0, spills = 0, reloads = 0, copies = 0;
};

void try_one(const Machine& machine, const Sizes& sizes, uint64_t seed, Totals& totals) {
  Random random(seed);
  Function f = random_function(machine, sizes, random);
  const Function before = f;
  RegTarget target = target_for(machine);
  auto result = allocate_registers(f, target);
  ++totals.functions;
  INFO((result ? std::string() : result.error()));
  REQUIRE(result.has_value());
  totals.spills += result->spills, totals.reloads += result->reloads, totals.copies += result->copies;
  auto messages = check_allocation(before, f, target);
  if (!messages.empty()) UNSCOPED_INFO("seed " << seed << "\n" << print(before) << "\n" << print(f));
  for (const std::string& m : messages) UNSCOPED_INFO(">> " << m);
  REQUIRE(messages.empty());
  for (uint64_t path = 0; path < 4; ++path)
    REQUIRE(run_values(before, target, path) == run_registers(f, target, before.inst_count(), path));
}

Totals try_many(const Machine& machine, const Sizes& sizes, uint32_t count) {
  Totals totals;
  for (uint64_t seed = 1; seed <= count; ++seed) try_one(machine, sizes, seed, totals);
  return totals;
}

}  // namespace

TEST_CASE("random functions: tiny files of single registers", "[regalloc]") {
  Totals t = try_many({.small = 4, .wide = 4, .tuples = false, .constrained = false}, {}, 300);
  CHECK(t.spills > 100);
}

TEST_CASE("random functions: tiny files with fixed registers and clobbers", "[regalloc]") {
  Totals t = try_many({.small = 5, .wide = 5, .tuples = false}, {}, 300);
  CHECK(t.copies > 100);
}

TEST_CASE("random functions: tuples without alignment", "[regalloc]") {
  try_many({.small = 4, .wide = 10, .constrained = false}, {.blocks = 10}, 300);
}

TEST_CASE("random functions: aligned tuples", "[regalloc]") {
  try_many({.small = 6, .wide = 12, .alignment = 0}, {.blocks = 12, .insts = 8}, 300);
}

TEST_CASE("random functions: ample registers", "[regalloc]") {
  Totals t = try_many({.small = 100, .wide = 256, .constrained = false}, {.blocks = 20, .insts = 12}, 100);
  CHECK(t.spills == 0);
}

TEST_CASE("random functions: long blocks with many parameters", "[regalloc]") {
  try_many({.small = 6, .wide = 8, .alignment = 0}, {.blocks = 5, .insts = 40, .params = 8}, 200);
}
