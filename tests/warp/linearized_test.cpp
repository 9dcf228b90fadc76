// SPDX-License-Identifier: Apache-2.0
// The cost of linearized graphs on a machine with a plain stack, against results from the literature and from
// independent models.
#include <algorithm>
#include <catch2/catch.hpp>

#include "ir/text.h"
#include "passes/restructure/linearize.h"
#include "passes/transform/mem2reg.h"
#include "tests/sim/support.h"
#include "tests/warp/warps.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr LinearizeOptions kWholePlain{
    .skip = false, .fold = false, .known = false, .late = false, .whole = true};

struct Executions {
  uint64_t original = 0, redundant = 0, stack = 0;  // executions of the original blocks
};

Executions run(const Function& f, uint64_t items, size_t blocks, WarpScheme scheme) {
  std::vector<uint32_t> out(items);
  std::vector<MemoryRange> memory{range_of(out)};
  std::vector<uint64_t> arguments{address_of(out)};
  Executions e;
  auto count = [&](uint64_t, BlockId b, const LaneSet&) { e.original += b.index < blocks; };
  auto r = WarpSimulator(f, priorities_of(f))
               .run(line(items, items), arguments,
                    {.memory = memory, .scheme = scheme, .width = 0, .on_block = count});
  INFO(r.message);
  REQUIRE(r.ok());
  e.redundant = r.statistics.redundant_executions();
  e.stack = r.statistics.max_stack;
  return e;
}

Executions linearized(const Graph& g, const LinearizeOptions& options) {
  PathFunction paths = path_function(g);
  linearize(paths.f, options);
  return run(paths.f, paths.items, g.size(), WarpScheme::Ipdom);
}

// Block executions of the function, by original layout position, for the given numbers in memory.
std::vector<uint64_t> executions(const char* text, std::vector<uint32_t> numbers, uint64_t items,
                                 const LinearizeOptions* options) {
  Module m = parse(text);
  Function& f = *m.functions[0];
  const std::vector<BlockId> blocks = f.layout;
  if (options) linearize(f, *options);
  std::vector<MemoryRange> memory{range_of(numbers)};
  std::vector<uint64_t> arguments{address_of(numbers)};
  std::vector<uint64_t> counts(blocks.size());
  auto count = [&](uint64_t, BlockId b, const LaneSet&) {
    if (auto at = std::ranges::find(blocks, b); at != blocks.end())
      ++counts[static_cast<size_t>(at - blocks.begin())];
  };
  auto r = WarpSimulator(f, priorities_of(f))
               .run(line(items, items), arguments, {.memory = memory, .width = 0, .on_block = count});
  REQUIRE(r.ok());
  return counts;
}

}  // namespace

TEST_CASE("linearized graphs run no block twice") {
  Executions plain, optimised;
  for (const Graph& g : all_synthetic_graphs()) {
    Executions a = linearized(g, kWholePlain), b = linearized(g, {.whole = true}), c = linearized(g, {});
    plain.original += a.original, optimised.original += b.original;
    plain.stack = std::max(plain.stack, a.stack), optimised.stack = std::max(optimised.stack, b.stack);
    CHECK(a.redundant == 0);
    CHECK(b.redundant == 0);
    CHECK(c.redundant == 0);
    CHECK(c.original == g.size());
  }
  CHECK(plain.original == 11063);
  CHECK(optimised.original == 11063);
  // One entry more than the branch nesting depth: consecutive guards add none, bypassed ones do. (A machine
  // that pushes both arms of a branch, even if one is the join block, has 3 entries for the plain chain.)
  CHECK(plain.stack == 2);
  CHECK(optimised.stack == 4);
}

TEST_CASE("the work-items of the short circuit in the linearization paper") {
  // B1 to B6 are 0 to 5. T1 and T2 reach B3 from B1, T3 from B2, T4 does not; T1 continues to B4.
  const char* text = R"(thread func @figure(%0: ptr<global> ways of i32) kernel {
b0:
  %1: i64 = global_id dim=0
  %2: ptr<global> = ptr_add %0, %1, scale=4
  %3: i32 = load %2
  %4: i32 = and %3, 1:i32
  %5: i1 = eq %4, 0:i32
  br_if %5 -> b2, b1
b1:
  %6: i32 = and %3, 2:i32
  %7: i1 = eq %6, 0:i32
  br_if %7 -> b2, b4
b2:
  %8: i32 = and %3, 4:i32
  %9: i1 = eq %8, 0:i32
  br_if %9 -> b3, b4
b3:
  br -> b5
b4:
  br -> b5
b5:
  ret
}
)";
  const std::vector<uint32_t> ways{0, 4, 5, 3};
  CHECK(executions(text, ways, 4, nullptr) == std::vector<uint64_t>{1, 1, 2, 1, 3, 1});
  for (const LinearizeOptions& options : {kWholePlain, LinearizeOptions{}})
    CHECK(executions(text, ways, 4, &options) == std::vector<uint64_t>(6, 1));
}

TEST_CASE("nested branches in a row need no stack") {
  // The paper's figure on stacks: B1 to B10 are 0 to 9, three nested branches.
  const Graph g{{1, 2}, {3, 4}, {9}, {5, 6}, {8}, {7}, {7}, {8}, {9}, {}};
  PathFunction paths = path_function(g);
  auto stack = [&](uint32_t most) {
    Function f = paths.f;
    linearize(f, {.max_stack = most});
    Executions e = run(f, paths.items, g.size(), WarpScheme::Ipdom);
    CHECK(e.redundant == 0);
    CHECK(e.original == g.size());
    return e.stack;
  };
  CHECK(stack(0) == 7);
  CHECK(stack(3) == 7);
  CHECK(stack(2) == 4);
  CHECK(stack(1) == 2);
}

TEST_CASE("merged loops run their bodies together in different rounds") {
  // for (i = 0; i < 2; i++) { S1; do S2; while (++j < trips[i]); S3; } with S2 in b2.
  const char* text = R"(thread func @loops(%0: ptr<global> trips of i32) kernel {
b0:
  %1: i32 = global_id dim=0
  br -> b1(0:i32)
b1(%2: i32):
  %3: i32 = mul %1, 2:i32
  %4: i32 = add %3, %2
  %5: ptr<global> = ptr_add %0, %4, scale=4
  %6: i32 = load %5
  br -> b2(0:i32)
b2(%7: i32):
  %8: i32 = add %7, 1:i32
  %9: i1 = slt %8, %6
  br_if %9 -> b2(%8), b3
b3:
  %10: i32 = add %2, 1:i32
  %11: i1 = slt %10, 2:i32
  br_if %11 -> b1(%10), b4
b4:
  ret
}
)";
  const std::vector<uint32_t> trips{10, 15, 15, 10};
  const LinearizeOptions merged{.merge = true},
      plainly{.skip = false, .fold = false, .known = false, .merge = true};
  CHECK(executions(text, trips, 2, nullptr)[2] == 30);
  CHECK(executions(text, trips, 2, &kWholePlain)[2] == 30);
  CHECK(executions(text, trips, 2, &merged)[2] == 25);
  CHECK(executions(text, trips, 2, &plainly)[2] == 25);
}
