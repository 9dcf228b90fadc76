// SPDX-License-Identifier: Apache-2.0
// Every value that random functions compute satisfies the analysis' claim; the check detects false claims.
#include "passes/analysis/integer_range_analysis.h"

#include "fuzz/random.h"
#include "passes/pipeline.h"
#include "tests/passes/analysis/integer_range_analysis/checked.h"
#include "tests/passes/transform/instcombine/expressions.h"
#include "tests/property/graph_function.h"
#include "tests/property/running.h"

using namespace kc;
using namespace kc::test;

namespace {

std::string name_in(const Function& f, ValueId v) {
  InstId def = f.def(v);
  return def.valid() ? print(f, def) : print_operand(f, v);
}

void check_claims(const Function& f, const RunData& data) {
  IntegerRanges ranges(f);
  Function with_checks = checked(f, ranges);
  auto wrong = wrong_values(f, with_checks, data);
  if (!wrong.empty()) FAIL(name_in(f, ValueId(wrong[0])) << " is wrong in:\n" << print(f));
}

std::unique_ptr<Function> after(std::unique_ptr<Function> f, std::string_view passes) {
  PassState state{.f = std::move(f)};
  auto report = run_pipeline(state, split_pass_names(passes));
  REQUIRE(report.has_value());
  return std::move(state.f);
}

Function function_of(std::string_view text) {
  auto module = parse_module(text);
  if (!module) FAIL(module.error().render("input", text));
  return std::move(*module->functions[0]);
}

ValueId last_operand(const Function& f, Op op, InstId& at) {
  ValueId found;
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      if (f.inst(i).op == op) at = i, found = f.inst(i).operands.back();
  return found;
}

}  // namespace

TEST_CASE("random expressions are what is known of them") {
  for (uint64_t seed = 0; seed < seeds(800); ++seed) {
    INFO("seed " << seed);
    check_claims(*random_expressions(seed, 0), expression_data(seed));
  }
}

TEST_CASE("values of random functions are what is known of them") {
  const std::string_view forms[] = {
      "mem2reg", "mem2reg,instcombine,simplify_cfg,jump_threading,instcombine,simplify_cfg",
      "mem2reg,sccp,instcombine,simplify_cfg,if_convert,rotate,instcombine,licm"};
  for (uint64_t seed = 0; seed < seeds(450); ++seed) {
    INFO("seed " << seed);
    check_claims(*after(random_function(seed), forms[seed % 3]), make_data(seed));
  }
}

TEST_CASE("passes that use integer ranges keep what random expressions compute") {
  for (uint64_t seed = 0; seed < seeds(800); ++seed) {
    INFO("seed " << seed);
    auto f = random_expressions(seed, 0);
    RunData data = expression_data(seed);
    Reference expected = run_reference(*f, data);
    std::string text = print(*f);
    f = after(std::move(f),
              seed % 2 ? "range_simplify,narrow" : "instcombine,range_simplify,instcombine,narrow,dce");
    verified(*f);
    auto different = as_threads(*f, expected, data);
    if (!different.empty()) FAIL(different << "\n" << text << print(*f));
  }
}

TEST_CASE("a wrong claim is noticed") {
  size_t planted = 0, noticed = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    INFO("seed " << seed);
    auto f = after(random_function(seed, {.traps = false}), "mem2reg");
    IntegerRanges ranges(*f);
    fuzz::Random random(seed);
    // A known range, narrowed by one at one end.
    std::vector<Planted> ways;
    for (uint32_t v = 0; v < f->value_count(); ++v) {
      const KnownBits& known = ranges.of(ValueId(v));
      if (known.nothing || f->is_inline(ValueId(v)) || known.umax - known.umin > 64 || known.value())
        continue;
      KnownBits less = known;
      less.umax = (known.umin + known.umax) / 2;
      ways.push_back({ValueId(v), less});
    }
    if (ways.empty()) continue;
    ++planted;
    const Planted& way = random.pick_from(ways);
    auto wrong = wrong_values(*f, checked(*f, ranges, &way), make_data(seed));
    noticed += std::ranges::find(wrong, way.v.index) != wrong.end();
    for (uint32_t v : wrong) CHECK(v == way.v.index);
  }
  CAPTURE(planted, noticed);
  CHECK(planted > 40);
  CHECK(noticed * 2 > planted);
}

// All comparisons of x + c and y where a comparison of x and y is known, on all bytes.
TEST_CASE("a comparison decides others of the same values") {
  using Byte = uint64_t;
  struct Case {
    Op known, op;
    bool truth, turned;  // of `known`; whether y comes first in `op`
    int64_t addend;
    Byte mask;  // x has no other bits
  };
  auto text_of = [](const Case& c) {
    return fmt::format(R"(
thread func @f(%0: ptr<global> out of i8, %1: ptr<global> in of i8, %2: i32 n) kernel {{
b0:
  %3: i8 = load %0
  %4: i8 = and %3, {}:i8
  %5: i8 = load %1
  %6: i1 = {} %4, %5
  br_if %6 -> b{}, b{}
b1:
  %7: i8 = add %4, {}:i8
  %8: i1 = {} {}
  %9: i8 = zext %8
  store %0, %9
  ret
b2:
  ret
}}
)",
                       c.mask, info(c.known).name, c.truth ? 1 : 2, c.truth ? 2 : 1, c.addend,
                       info(c.op).name,
                       fmt::format(fmt::runtime(c.turned ? "%5, {0}" : "{0}, %5"), c.addend ? "%7" : "%4"));
  };
  auto results_of = [](const Case& c) {  // of all bytes for which the other comparison is as said
    const EvalFn known = info(c.known).eval(Elem::I8, Elem::I1), op = info(c.op).eval(Elem::I8, Elem::I1);
    std::array<bool, 2> seen{};
    for (Byte x = 0; x <= c.mask; ++x)
      for (Byte y = 0; y < 256; ++y) {
        if ((x & ~c.mask) || (known(std::array{x, y}.data()) != 0) != c.truth) continue;
        const Byte sum = (x + static_cast<Byte>(c.addend)) & 255;
        seen[op((c.turned ? std::array{y, sum} : std::array{sum, y}).data())] = true;
      }
    return seen;
  };
  constexpr std::array ops = {Op::eq, Op::ne, Op::slt, Op::sle, Op::ult, Op::ule};
  size_t decided = 0, possible = 0,
         sums = 0;  // of x itself, where it may be any byte; of sums that are decided
  for (Op known : ops)
    for (Op op : ops)
      for (bool truth : {false, true})
        for (bool turned : {false, true})
          for (int64_t addend : {0, 1, -1, 2, -2, 100, -100})
            for (Byte mask : {255, 63}) {
              const Case c{known, op, truth, turned, addend, mask};
              const auto seen = results_of(c);
              const Function f = function_of(text_of(c));
              const IntegerRanges ranges(f);
              InstId at;
              last_operand(f, Op::zext, at);
              const KnownBits& claim = ranges.operand(at, 0);
              INFO(text_of(c));
              for (bool result : {false, true})
                if (seen[result]) REQUIRE(claim.contains(result));
              const bool is_known = claim.value().has_value();
              if (addend != 0)
                sums += is_known;
              else if (mask == 255)
                decided += is_known, possible += seen[0] != seen[1];
            }
  CHECK(decided == possible);
  CHECK(sums > 100);
}

TEST_CASE("branches, loops and selects tell about values") {
  InstId at;
  SECTION("a guard bounds the index within") {
    Function f = function_of(R"(
thread func @f(%0: ptr<global> out of i32, %1: i32 n) kernel {
b0:
  %2: i32 = global_id dim=0
  %3: i64 = zext %2
  %4: i1 = ult %2, 100:i32
  br_if %4 -> b1, b2
b1:
  store %0, %3
  ret
b2:
  ret
}
)");
    IntegerRanges ranges(f);
    ValueId v = last_operand(f, Op::store, at);
    CHECK(ranges.of(v).umax == kMostId);
    CHECK(ranges.operand(at, 1).umax == 99);
  }
  SECTION("a counter stays below its limit") {
    Function f = function_of(R"(
thread func @f(%0: ptr<global> out of i32, %1: i32 n) kernel {
b0:
  br -> b1(0:i32)
b1(%2: i32):
  %3: i1 = slt %2, %1
  br_if %3 -> b2, b3
b2:
  store %0, %2
  %4: i32 = add %2, 4:i32
  %5: i1 = slt %4, 1000:i32
  br_if %5 -> b1(%4), b3
b3:
  ret
}
)");
    IntegerRanges ranges(f);
    ValueId v = last_operand(f, Op::store, at);
    CHECK(ranges.of(v).smin == 0);
    CHECK(ranges.of(v).smax == 999);
    CHECK((ranges.of(v).zeros & 3) == 3);
    CHECK(ranges.operand(at, 1).smax == 999);
  }
  SECTION("two entries into one loop") {
    Function f = function_of(R"(
thread func @f(%0: ptr<global> out of i32, %1: i32 n) kernel {
b0:
  %2: i1 = slt %1, 0:i32
  br_if %2 -> b1(8:i32), b2(16:i32)
b1(%3: i32):
  %4: i32 = add %3, 8:i32
  br -> b2(%4)
b2(%5: i32):
  store %0, %5
  %6: i1 = ult %5, 64:i32
  br_if %6 -> b1(%5), b3
b3:
  ret
}
)");
    IntegerRanges ranges(f);
    ValueId v = last_operand(f, Op::store, at);
    CHECK(ranges.of(v).umin == 16);
    CHECK(ranges.of(v).umax <= 71);
    CHECK((ranges.of(v).zeros & 7) == 7);
  }
  SECTION("the arm of a select knows the condition") {
    Function f = function_of(R"(
thread func @f(%0: ptr<global> out of i32, %1: i32 n) kernel {
b0:
  %2: i1 = slt %1, 0:i32
  %3: i32 = select %2, 0:i32, %1
  store %0, %3
  ret
}
)");
    IntegerRanges ranges(f);
    CHECK(ranges.of(last_operand(f, Op::store, at)).smin == 0);
  }
}

TEST_CASE("large graphs take time in proportion") {
  for (uint32_t blocks : {2000u, 8000u}) {
    Function f;
    Builder b(f);
    b.block = f.add_block();
    ValueId out = f.add_param(b.block, kPtrGlobal), x = f.add_param(b.block, kI32);
    f.params = {{.name = "out", .pointee = Elem::I32}, {.name = "x"}};
    // A loop around a chain of tests of one variable that changes in between.
    BlockId head = f.add_block(), end = f.add_block();
    ValueId state = f.add_param(head, kI32);
    b.br(head, {x});
    b.block = head;
    for (uint32_t k = 0; k < blocks; ++k) {
      ValueId c = b.make(Op::slt, kI1, {state, b.i32(static_cast<int32_t>(k))});
      BlockId yes = f.add_block(), next = f.add_block();
      ValueId changed = f.add_param(next, kI32);
      b.br_if(c, {yes, {}}, {next, {state}});
      b.block = yes;
      ValueId more = b.make(Op::add, kI32, {state, b.i32(1)});
      b.br(next, {more});
      b.block = next, state = changed;
    }
    b.emit(Op::store, {out, state});
    ValueId again = b.make(Op::slt, kI1, {state, x});
    b.br_if(again, {head, {state}}, {end, {}});
    b.block = end;
    b.ret();
    verified(f);
    IntegerRanges ranges(f);
    CAPTURE(blocks, ranges.names(), ranges.steps());
    CHECK(ranges.names() < 8 * size_t{blocks});
    CHECK(ranges.steps() < 60 * size_t{blocks});
  }
}
