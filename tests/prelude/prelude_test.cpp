// SPDX-License-Identifier: Apache-2.0
// The math library: its error, its special values, and identical bits on every engine. bench/math_ulp tests
// more arguments.
#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

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

namespace {

// What a native function may miss, for arguments from `low` to `high`: so many ULP and, for each unit of the
// argument, so many more; or so much in absolute terms.
struct NativeLimit {
  const char* name;
  float low, high;
  double ulp, ulp_by_size = 0, absolute = 0;
};
constexpr NativeLimit kNativeLimits[] = {
    {"exp", -87, 88, 3},
    {"exp2", -126, 127.4f, 3},
    {"exp10", -37, 38, 3},
    {"log", 0x1p-126f, 3e38f, 3},
    {"log2", 0x1p-126f, 3e38f, 3, 0, 0x1p-23},
    {"log10", 0x1p-126f, 3e38f, 3, 0, 0x1p-23},
    {"sin", -100, 100, 4, 0, 0x1p-23},
    {"cos", -100, 100, 4, 0, 0x1p-23},
    {"tan", -1.5f, 1.5f, 5},
    {"powr", 0x1p-10f, 0x1p10f, 8, 16},
};

const MathFunction& function(std::string_view name) {
  for (const MathFunction& g : math_functions())
    if (g.name == name) return g;
  FAIL("no function is called " << name);
  return math_functions()[0];
}

}  // namespace

TEST_CASE("half functions are the exact ones, native functions are near them") {
  for (const NativeLimit& limit : kNativeLimits) {
    const MathFunction& f = function(limit.name);
    Samples<float> s = samples<float>(f, 4096, 40);
    auto exact = run_math<float>(call_of(f), fast_engine(), s);
    auto half = run_math<float>("half_" + call_of(f), fast_engine(), s);
    auto native = run_math<float>("native_" + call_of(f), fast_engine(), s);
    INFO(limit.name);
    REQUIRE((exact.has_value() && half.has_value() && native.has_value()));
    size_t wrong = 0, far = 0, tried = 0, first = 0;
    for (size_t i = 0; i < exact->size(); ++i) {
      wrong += !same((*half)[i], (*exact)[i]);
      if (!(limit.low <= s.x[i] && s.x[i] <= limit.high) || std::fabs((*exact)[i]) < 0x1p-125f) continue;
      if (f.name == "powr" && !(std::fabs(s.y[i]) < 16 && (*exact)[i] < 0x1p127f)) continue;
      ++tried;
      const double ulp = error_in_ulp<float>((*native)[i], f, s.x[i], s.y[i], s.n[i]);
      const double size = f.name == "powr" ? std::fabs(s.y[i]) : 0;
      if (ulp <= limit.ulp + limit.ulp_by_size * size) continue;
      if (std::fabs((*native)[i] - (*exact)[i]) <= limit.absolute) continue;
      if (far++ == 0) first = i;
    }
    CHECK(wrong == 0);
    INFO(fmt::format("native_{}({:a}, {:a}) gave {:a}, not {:a}", limit.name, s.x[first], s.y[first],
                     (*native)[first], (*exact)[first]));
    CHECK(far == 0);
    CHECK(tried > 100);
  }
}

TEST_CASE("native powers end in zero and infinity") {
  const float infinity = std::numeric_limits<float>::infinity();
  Samples<float> s{.x = {200, -200, 1000, -1000, infinity, -infinity}, .y = {}, .n = {0, 0, 0, 0, 0, 0}};
  s.y = s.x;
  for (const char* call : {"native_exp(x)", "native_exp2(x)", "native_exp10(x)", "native_powr(2.0f, x)"}) {
    INFO(call);
    auto got = run_math<float>(call, fast_engine(), s);
    REQUIRE(got.has_value());
    CHECK(*got == std::vector<float>{infinity, 0, infinity, 0, infinity, 0});
  }
}

TEST_CASE("native functions are the same on all engines") {
  for (const NativeLimit& limit : kNativeLimits) {
    Samples<float> s = samples<float>(function(limit.name), 1024, 30);
    for (auto* v : {&s.x, &s.y}) v->resize(1024);
    s.n.resize(1024);
    check_engines("native_" + call_of(function(limit.name)), s);
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
