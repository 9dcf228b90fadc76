// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/cache.h"

#include <catch2/catch.hpp>

#include "ir/text.h"

using namespace kc;

namespace {

constexpr const char* kText = R"(thread func @f(%0: ptr<global> p of i32, %1: i32 n) kernel {
b0:
  %2: i32 = local_id dim=1
  %3: i1 = slt %2, %1
  br_if %3 -> b1, b2
b1:
  %4: i32 = and %2, 7:i32
  store %0, %4
  br -> b2
b2:
  ret
}
)";

ValueId value(const Function& f, Op op) {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (f.inst(i).op == op) return f.result(i);
  return {};
}

}  // namespace

TEST_CASE("an analysis is computed once, and again after a change that does not preserve it") {
  auto module = parse_module(kText);
  REQUIRE(module.has_value());
  Function& f = *module->functions[0];
  AnalysisCache analyses(f);
  const BlockId last = f.layout[2];
  CHECK(analyses.dominators().idom[last.index] == f.entry());
  CHECK_FALSE(analyses.uniformity().divergent[value(f, Op::local_id).index]);
  CHECK(analyses.ranges().of(value(f, Op::and_)).umax == 7);
  CHECK(analyses.out_of_date() == "");

  // b0 no longer branches to b2: every analysis but that of ranges is wrong now.
  Inst& branch = f.inst(f.terminator(f.entry()));
  branch.op = Op::br;
  branch.operands.clear();
  branch.targets.pop_back();
  CHECK(analyses.dominators().idom[last.index] == f.entry());  // as it was
  CHECK(analyses.out_of_date() == "the graph");
  analyses.keep(UniformityOfValues | RangesOfValues);
  CHECK(analyses.dominators().idom[last.index] == f.layout[1]);
  CHECK(analyses.out_of_date() == "");
}

TEST_CASE("a stale uniformity and stale ranges are found") {
  auto module = parse_module(kText);
  REQUIRE(module.has_value());
  Function& f = *module->functions[0];
  AnalysisCache analyses(f, {.lane_y = true});
  CHECK(analyses.uniformity().divergent[value(f, Op::and_).index]);
  analyses.ranges();
  const ValueId sum = value(f, Op::and_);
  f.inst(f.def(sum)).operands[0] = f.block(f.entry()).params[1];
  CHECK(analyses.out_of_date() == "uniformity");
  analyses.keep(GraphAnalyses | RangesOfValues);
  CHECK(analyses.out_of_date() == "");
  f.inst(f.def(sum)).operands[1] = f.constant(kI32, 3);
  CHECK(analyses.out_of_date() == "integer ranges");
}

TEST_CASE("a copy of a function takes over what is known, but for other ids") {
  auto module = parse_module(kText);
  REQUIRE(module.has_value());
  const Function& f = *module->functions[0];
  AnalysisCache analyses(f);
  analyses.uniformity();
  const Function copy = f;
  AnalysisCache same(copy, {}, analyses), rows(copy, {.lane_y = true}, analyses);
  const ValueId id = value(copy, Op::local_id);
  CHECK_FALSE(same.uniformity().divergent[id.index]);
  CHECK(rows.uniformity().divergent[id.index]);
  CHECK(rows.out_of_date() == "");
}
