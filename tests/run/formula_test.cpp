// SPDX-License-Identifier: Apache-2.0
// The parser of expectations: a formula parsed wrongly would misjudge engines.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/run/formula.h"

using namespace kc::test;

namespace {

FormulaNames names() {
  FormulaNames n;
  n.values["i"] = FormulaValue::of(int64_t{5});
  n.values["x"] = FormulaValue::of(1.5f);
  n.element = [](std::string_view buffer, int64_t index) {
    if (buffer != "in" || index < 0 || index > 9) throw FormulaError{"no element"};
    return FormulaValue::of(index * 10);
  };
  return n;
}

int64_t integer(std::string_view text) {
  auto v = evaluate_formula(text, names());
  INFO(text << ": " << (v ? "" : v.error()));
  REQUIRE(v);
  REQUIRE(!v->is_float());
  return static_cast<int64_t>(v->integer);
}
double number(std::string_view text) {
  auto v = evaluate_formula(text, names());
  INFO(text << ": " << (v ? "" : v.error()));
  REQUIRE(v);
  REQUIRE(v->is_float());
  return v->number;
}

}  // namespace

TEST_CASE("formulas follow C's precedence") {
  CHECK(integer("1 + 2 * 3") == 7);
  CHECK(integer("(1 + 2) * 3") == 9);
  CHECK(integer("10 - 4 - 3") == 3);
  CHECK(integer("1 << 2 + 1") == 8);
  CHECK(integer("7 & 3 == 3") == 1);
  CHECK(integer("1 | 6 ^ 2 & 3") == 5);
  CHECK(integer("1 ? 2 : 0 ? 3 : 4") == 2);
  CHECK(integer("0 || 2 && 3") == 1);
  CHECK(integer("-7 / 2") == -3);
  CHECK(integer("-7 % 2") == -1);
  CHECK(integer("-7 >> 1") == -4);
  CHECK(integer("!3 + ~0") == -1);
  CHECK(integer("3 - -2") == 5);
  CHECK(integer("i >= 5 && i <= 5 && !(i < 5) && i != 4") == 1);
}

TEST_CASE("formulas keep integers of 64 bits and floats of two widths") {
  CHECK(integer("u32(-1)") == 0xffffffff);
  CHECK(integer("i8(200)") == -56);
  CHECK(integer("u64(-1) / 2") == INT64_MAX);
  CHECK(integer("0xff") == 255);
  CHECK(integer("i32(2.9)") == 2);
  CHECK(number("f32(0.1)") == static_cast<double>(0.1f));
  CHECK(number("0.1f + 0.2f") == static_cast<double>(0.1f + 0.2f));
  CHECK(number("0.1f + 0.2") == static_cast<double>(0.1f) + 0.2);
  CHECK(number("x * 2") == 3.0);
  CHECK(number("0x1p-3") == 0.125);
  CHECK(number("1e3") == 1000.0);
  CHECK(std::isnan(number("nan")));
  CHECK(integer("as_u32(1.0f)") == 0x3f800000);
}

TEST_CASE("formulas read buffers and sum") {
  CHECK(integer("in[i] + in[1]") == 60);
  CHECK(integer("sum(k, 0, i, k * k)") == 30);
  CHECK(integer("sum(k, 0, 0, k)") == 0);
  CHECK(integer("sum(a, 0, 3, sum(b, 0, a, 1)) + 1") == 4);
  CHECK(integer("i > 9 ? in[99] : 1") == 1);
  CHECK(integer("max(min(i, 3), 1)") == 3);
}

TEST_CASE("wrong formulas are refused") {
  for (const char* text :
       {"", "1 +", "(1", "y", "1 / 0", "1 << 64", "in[10]", "foo(1)", "min(1)", "1 2", "i32(1e20)", "~1.0"}) {
    INFO(text);
    CHECK_FALSE(evaluate_formula(text, names()));
  }
}

TEST_CASE("lists are split at their own commas") {
  CHECK(split_list("{1, min(2, 3), in[4]}").size() == 3);
  CHECK(split_list(" { 1 } ").size() == 1);
  CHECK(split_list("1 + 2").empty());
}
