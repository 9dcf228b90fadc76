// SPDX-License-Identifier: Apache-2.0
#include "passes/transform/meld.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "ir/text.h"
#include "ir/verify.h"
#include "passes/transform/meld_plan.h"

using namespace kc;

namespace {

std::unique_ptr<Module> parse(const std::string& body) {
  auto module = parse_module("thread func @f(%0: ptr<global> p of i32, %1: ptr<global> q of i32) kernel {\n" +
                             body + "}\n");
  REQUIRE(module.has_value());
  REQUIRE(verify(*(*module).functions[0]).empty());
  return std::make_unique<Module>(std::move(*module));
}

bool meld_in(Function& f, const TargetCosts& costs, Meld mode = Meld::ByCost) {
  AnalysisCache analyses(f);
  return meld(f, analyses, costs, mode);
}

size_t count(const Function& f, Op op) {
  size_t n = 0;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) n += f.inst(i).op == op;
  return n;
}

// { load, `left`, store, br } in one arm and the same with `right` in the other.
std::string sides(const std::string& left, const std::string& right) {
  return R"(b0:
  %2: i32 = global_id dim=0
  %3: i32 = and %2, 1:i32
  %4: i1 = eq %3, 0:i32
  %5: ptr<global> = ptr_add %0, %3, scale=4
  br_if %4 -> b1, b2
b1:
  %6: i32 = load %5
  %7: i32 = )" +
         left + R"( %6, 3:i32
  store %5, %7
  br -> b3
b2:
  %8: i32 = load %5
  %9: i32 = )" +
         right + R"( %8, 3:i32
  store %5, %9
  br -> b3
b3:
  ret
)";
}

double profit(const std::string& body) {
  auto module = parse(body);
  const Function& f = *module->functions[0];
  return meld_profit(f, std::array{BlockId(1u)}, std::array{BlockId(2u)});
}

}  // namespace

TEST_CASE("profit is what the paper says", "[meld]") {
  CHECK(profit(sides("add", "add")) == Approx(208.0 / 416));
  CHECK(profit(sides("add", "mul")) == Approx(203.0 / 421));
  const std::string few = R"(b0:
  %2: i32 = global_id dim=0
  %3: i1 = eq %2, 0:i32
  br_if %3 -> b1, b2
b1:
  %4: i32 = add %2, 3:i32
  br -> b3(%4)
b2:
  %5: i32 = mul %2, 3:i32
  br -> b3(%5)
b3(%6: i32):
  store %0, %6
  ret
)";
  CHECK(profit(few) == Approx(3.0 / 21));
}

TEST_CASE("equal sides become one block", "[meld]") {
  auto module = parse(sides("add", "add"));
  Function& f = *module->functions[0];
  CHECK(meld_in(f, kCpuCosts));
  INFO(print(f));
  CHECK(verify(f).empty());
  CHECK(f.layout.size() == 1);
  CHECK(count(f, Op::load) == 1);
  CHECK(count(f, Op::store) == 1);
  CHECK(count(f, Op::select) == 0);
}

TEST_CASE("an operation that differs is done for both, and the result chosen", "[meld]") {
  auto module = parse(sides("add", "mul"));
  Function& f = *module->functions[0];
  CHECK(meld_in(f, kCpuCosts));
  INFO(print(f));
  CHECK(f.layout.size() == 1);
  CHECK(count(f, Op::load) == 1);
  CHECK(count(f, Op::store) == 1);
  CHECK(count(f, Op::select) == 1);
}

TEST_CASE("CPUs leave arms alone of which most waves take one: at borders, where floats are equal",
          "[meld]") {
  const std::string odd = "%4: i1 = eq %3, 0:i32", ids = "%4: i1 = slt %2, 100:i32",
                    equal = "%30: f32 = uitofp %3\n  %4: i1 = feq %30, 0x1.8p+1:f32",
                    less = "%30: f32 = uitofp %3\n  %4: i1 = flt %30, 0x1.8p+1:f32";
  const auto check = [&](const std::string& condition, bool melds) {
    INFO(condition);
    std::string body = sides("add", "mul");
    body.replace(body.find(odd), odd.size(), condition);
    auto module = parse(body);
    CHECK(meld_in(*module->functions[0], kCpuCosts) == melds);
    module = parse(body);
    CHECK(meld_in(*module->functions[0], kGcnCosts));
    module = parse(body);
    CHECK(meld_in(*module->functions[0], kCpuCosts, Meld::Always));
  };
  check(odd, true);
  check(ids, false);
  check(equal, false);
  check(less, true);
}

TEST_CASE("a branch that all take together, a barrier, and --no-meld leave the sides alone", "[meld]") {
  auto with = [](std::string body, const std::string& from, const std::string& to) {
    body.replace(body.find(from), from.size(), to);
    return body;
  };
  const std::string alike = sides("add", "add");
  for (const std::string& body :
       {with(alike, "global_id dim=0", "group_id dim=0"),
        with(alike, "  store %5, %7\n", "  sub_group_barrier flags=1\n  store %5, %7\n")}) {
    auto module = parse(body);
    CHECK_FALSE(meld_in(*module->functions[0], kCpuCosts, Meld::Always));
  }
  auto module = parse(alike);
  CHECK_FALSE(meld_in(*module->functions[0], kCpuCosts, Meld::Never));
}

// Two contiguous loads are cheap on a CPU; a single load that selects between them would be a gather. GCN has
// only gathers.
TEST_CASE("rows of memory stay rows where that is cheaper", "[meld]") {
  const std::string rows = R"(b0:
  %2: i32 = global_id dim=0
  %3: i32 = and %2, 1:i32
  %4: i1 = eq %3, 0:i32
  br_if %4 -> b1, b2
b1:
  %5: ptr<global> = ptr_add %0, %2, scale=4
  store %5, 1:i32
  br -> b3
b2:
  %6: ptr<global> = ptr_add %1, %2, scale=4
  store %6, 2:i32
  br -> b3
b3:
  ret
)";
  // Clamped, and mirrored where a select asks for ids, as at the borders of a picture.
  const std::string sums = "ptr_add %0, %2, scale=4";
  std::string borders = rows;
  borders.replace(borders.find(sums), sums.size(), "ptr_add %0, %22, scale=4");
  borders.replace(borders.find("  %3:"), 0, R"(  %20: i32 = add %2, -1:i32
  %21: i1 = slt %20, 0:i32
  %22: i32 = select %21, 1:i32, %20
)");
  for (const std::string& body : {rows, borders}) {
    INFO(body);
    auto cpu = parse(body), gcn = parse(body);
    meld_in(*cpu->functions[0], kCpuCosts);
    CHECK(count(*cpu->functions[0], Op::store) == 2);
    meld_in(*gcn->functions[0], kGcnCosts);
    CHECK(count(*gcn->functions[0], Op::store) == 1);
  }
}

// The number of a row that a uniform branch chooses would differ between lanes, and so would what is computed
// of it.
TEST_CASE("uniform branches stay uniform on CPUs", "[meld]") {
  const auto arm = [](int first, int block, const char* last) {
    return fmt::format(R"(b{1}:
  %{0}: i1 = slt %3, {2}
  br_if %{0} -> b{3}, b{4}(%3)
b{3}:
  %{5}: i32 = mul %3, %3
  br -> b{4}(%{5})
b{4}(%{6}: i32):
  %{7}: ptr<global> = ptr_add %0, %{6}, scale=4
  store %{7}, %2
  br -> b7
)",
                       first, block, last, block + 1, block + 2, first + 1, first + 2, first + 3);
  };
  const std::string body = R"(b0:
  %2: i32 = global_id dim=0
  %3: i32 = group_id dim=1
  %4: i32 = and %2, 1:i32
  %5: i1 = eq %4, 0:i32
  br_if %5 -> b1, b4
)" + arm(6, 1, "0:i32") + arm(10, 4, "9:i32") +
                           "b7:\n  ret\n";
  auto cpu = parse(body), gcn = parse(body);
  CHECK_FALSE(meld_in(*cpu->functions[0], kCpuCosts));
  CHECK(meld_in(*gcn->functions[0], kGcnCosts));
}
