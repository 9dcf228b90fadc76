// SPDX-License-Identifier: Apache-2.0
// The math library: its error, its special values, and the same bits on every engine. bench/math_ulp looks
// at more arguments.
#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>

#include "driver/engines.h"
#include "tests/prelude/run_math.h"

namespace {

using namespace kc::test;

// Machine code where the processor has it: the interpreters are slow.
std::string fast_engine() { return "cpu"; }

template <class T>
void check_error(const MathFunction& f, size_t count) {
  Samples<T> s = samples<T>(f, count, 20);
  auto got = run_math<T>(call_of(f), fast_engine(), s);
  INFO(f.name);
  if (!got) INFO(got.error());
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

// An engine may refuse to run something, by name; nothing else may go wrong.
template <class T>
void check_engines(const std::string& expression, const Samples<T>& s) {
  auto want = run_math<T>(expression, "interp", s);
  INFO(expression);
  if (!want) INFO(want.error());
  REQUIRE(want.has_value());
  for (const char* engine : {"wave8", "avx2", "avx512", "gfx900", "vulkan"}) {
    auto got = run_math<T>(expression, engine, s);
    INFO(engine);
    if (!got && got.error().starts_with("refused: ")) continue;
    if (!got) INFO(got.error());
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
  // Pairs of special values are many; each engine compiles once for all.
  for (auto* v : {&s.x, &s.y}) v->resize(1024);
  s.n.resize(1024);
  check_engines<T>(call_of(f), s);
}

}  // namespace

TEST_CASE("errors of float functions are within the limits of OpenCL") {
  for (const MathFunction& f : math_functions()) check_error<float>(f, 40'000);
}

TEST_CASE("all engines give the same floats") {
  for (const MathFunction& f : math_functions()) check_engines<float>(f);
}
