// SPDX-License-Identifier: Apache-2.0
// The math library: its error, its special values, and identical bits on every engine. bench/math_ulp tests
// more arguments.
#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>

#include "driver/engines/engines.h"
#include "tests/prelude/run_math.h"

namespace {

using namespace kc::test;

// Machine code if the processor supports it; the interpreters are slow.
std::string fast_engine() { return "cpu"; }

template <class T>
void check_error(const MathFunction& f, size_t count) {
  Samples<T> s = samples<T>(f, count, 20);
  auto got = run_math<T>(call_of(f), fast_engine(), s);
  INFO(f.name);
  if (!got) UNSCOPED_INFO(got.error());
  REQUIRE(got.has_value());
  WorstError worst = worst_error<T>(*got, f, s);
  INFO(fmt::format("{}({:a}, {:a}, {}) gave {:a}", f.name, s.x[worst.at], s.y[worst.at], s.n[worst.at],
                   (*got)[worst.at]));
  CHECK(worst.ulp <= f.ulp);
}

template <class T>
bool same(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  return (a != a && b != b) || std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

// An engine may reject a program by name; any other failure is an error.
template <class T>
void check_engines(const std::string& expression, const Samples<T>& s) {
  auto want = run_math<T>(expression, "interp", s);
  INFO(expression);
  if (!want) UNSCOPED_INFO(want.error());
  REQUIRE(want.has_value());
  for (const char* engine : {"wave8", "avx2", "avx512", "gfx900", "vulkan"}) {
    auto got = run_math<T>(expression, engine, s);
    INFO(engine);
    if (!got && got.error().starts_with("refused: ")) continue;
    if (!got) UNSCOPED_INFO(got.error());
    REQUIRE(got.has_value());
    size_t differing = 0, first = 0;
    for (size_t i = 0; i < got->size(); ++i)
      if (!same((*got)[i], (*want)[i]) && differing++ == 0) first = i;
    INFO(fmt::format("x={:a} y={:a} n={} gives {:a}, not {:a}", s.x[first], s.y[first], s.n[first],
                     (*got)[first], (*want)[first]));
    CHECK(differing == 0);
  }
}

template <class T>
void check_engines(const MathFunction& f) {
  Samples<T> s = samples<T>(f, 1024, 30);
  // There are many pairs of special values; each engine compiles once for all.
  for (auto* v : {&s.x, &s.y}) v->resize(1024);
  s.n.resize(1024);
  check_engines<T>(call_of(f), s);
}

}  // namespace

TEST_CASE("errors of float functions are within the limits of OpenCL") {
  for (const MathFunction& f : math_functions()) check_error<float>(f, 40'000);
}

TEST_CASE("errors of double functions are within the limits of OpenCL") {
  for (const MathFunction& f : math_functions()) check_error<double>(f, 10'000);
}

TEST_CASE("all engines give the same floats") {
  for (const MathFunction& f : math_functions()) check_engines<float>(f);
}

TEST_CASE("all engines give the same doubles") {
  for (const MathFunction& f : math_functions()) check_engines<double>(f);
}

TEST_CASE("values beside poles and at the ends of quadrants") {
  Samples<float> f{.x = {1, -1, 0, -0.0f}, .y = {-0.0f, -0.0f, -0.0f, -0.0f}, .n = {0, 0, 0, 0}};
  auto angles = run_math<float>("atan2pi(x, y)", fast_engine(), f);
  REQUIRE(angles.has_value());
  CHECK(*angles == std::vector<float>{0.5f, -0.5f, 1, -1});
  Samples<double> d{.x = {1, -1, -0x1.6a000000002p7}, .y = {-0.0, -0.0, 0}, .n = {0, 0, 0}};
  auto wide =
      run_math<double>("isnotequal(y, 0) || fabs(x) == 1 ? atan2pi(x, y) : tgamma(x)", fast_engine(), d);
  REQUIRE(wide.has_value());
  CHECK(*wide == std::vector<double>{0.5, -0.5, 0x0.000000000017fp-1022});
}

TEST_CASE("half and native functions are the exact ones, or near them") {
  for (const char* name : {"exp", "exp2", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "powr"}) {
    const MathFunction* f = nullptr;
    for (const MathFunction& g : math_functions())
      if (g.name == name) f = &g;
    REQUIRE(f);
    Samples<float> s = samples<float>(*f, 4096, 40);
    auto exact = run_math<float>(call_of(*f), fast_engine(), s);
    REQUIRE(exact.has_value());
    for (const char* prefix : {"half_", "native_"}) {
      auto got = run_math<float>(prefix + call_of(*f), fast_engine(), s);
      INFO(prefix << name);
      REQUIRE(got.has_value());
      bool without_denormals = prefix + std::string(name) == "native_exp";
      size_t wrong = 0;
      for (size_t i = 0; i < got->size(); ++i) {
        bool flushed = without_denormals && (*exact)[i] < 0x1p-125f;
        bool overflown = without_denormals && (*exact)[i] > 0x1.6p127f;
        wrong += !same((*got)[i], (*exact)[i]) && !flushed && !overflown;
      }
      CHECK(wrong == 0);
    }
  }
}

// Functions with two results, against the functions that have one.
TEST_CASE("functions with a second result") {
  auto check = [](const char* pair, const char* single, auto zero) {
    using T = decltype(zero);
    Samples<T> s = samples<T>(math_functions()[0], 2'000, 50);
    auto got = run_math<T>(pair, fast_engine(), s), want = run_math<T>(single, fast_engine(), s);
    INFO(pair);
    if (!got) UNSCOPED_INFO(got.error());
    REQUIRE(got.has_value());
    REQUIRE(want.has_value());
    size_t wrong = 0;
    for (size_t i = 0; i < got->size(); ++i) wrong += !same((*got)[i], (*want)[i]);
    CHECK(wrong == 0);
  };
  check("({ float c; sincos(x, &c); c; })", "cos(x)", 0.0f);
  check("({ double c; sincos(x, &c); })", "sin(x)", 0.0);
  check("({ int q; remquo(x, y, &q); })", "remainder(x, y)", 0.0f);
  check("({ int q; remquo(x, y, &q); isfinite(x) && isnormal(y) && fabs(x / y) < 60 ? q : 0; })",
        "isfinite(x) && isnormal(y) && fabs(x / y) < 60 ? convert_int_rte((x - remainder(x, y)) / y) : 0",
        0.0);
  check("({ int g; lgamma_r(x, &g); })", "lgamma(x)", 0.0f);
  check("({ int g; lgamma_r(x, &g); x > -30 && x != rint(x) ? g : 0; })",
        "x > -30 && x != rint(x) ? sign(tgamma(x)) : 0", 0.0);
  check("x != 0 && isfinite(x) ? ilogb(x) : 0", "x != 0 && isfinite(x) ? logb(x) : 0", 0.0);
}
