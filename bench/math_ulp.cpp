// SPDX-License-Identifier: Apache-2.0
// math_ulp [--engine NAME] [--samples N] [--every N] [--float] [--double] [--table] [NAME...]: the largest
// error of each math function in units of the last place. With --every float functions of one argument see
// every Nth float there is. --table writes the table of docs/math.md.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include "tests/prelude/run_math.h"

namespace {

using namespace kc::test;

struct Choice {
  std::string engine = "cpu";
  size_t count = 200'000;
  uint64_t every = 0;
  bool only_float = false, only_double = false, table = false;
  std::set<std::string> names;
};

template <class T>
void show(const MathFunction& f, const Samples<T>& s, const std::string& engine, double& worst,
          std::string& where) {
  auto got = run_math<T>(call_of(f), engine, s);
  if (!got) {
    where = got.error().substr(0, 160);
    return;
  }
  WorstError e = worst_error<T>(*got, f, s);
  if (e.ulp <= worst) return;
  worst = e.ulp;
  where = fmt::format("{:a} {:a} {} -> {:a}", s.x[e.at], s.y[e.at], s.n[e.at], (*got)[e.at]);
}

template <class T>
double measure(const MathFunction& f, const Choice& c) {
  double worst = -1;
  std::string where;
  if (c.every && sizeof(T) == 4 && f.arguments == Arguments::One) {
    constexpr size_t piece = 1u << 22;
    for (uint64_t next = 0; next < uint64_t{1} << 32;) {
      Samples<float> s;
      for (; s.x.size() < piece && next < uint64_t{1} << 32; next += c.every)
        s.x.push_back(std::bit_cast<float>(static_cast<uint32_t>(next)));
      s.y.resize(s.x.size()), s.n.resize(s.x.size());
      show<float>(f, s, c.engine, worst, where);
    }
  } else {
    show<T>(f, samples<T>(f, c.count, 1), c.engine, worst, where);
  }
  if (c.table) return worst;
  fmt::print("{:<18} {:<7} {:>10.3f} of {:<4} {} {}\n", f.name, sizeof(T) == 8 ? "double" : "float", worst,
             f.ulp, worst > f.ulp || worst < 0 ? "FAIL" : "    ", where);
  std::fflush(stdout);
  return worst;
}

// A row of docs/math.md. Errors are rounded up; 0 says that every result was the nearest there is.
void show_row(const MathFunction& f, double single, double twice) {
  constexpr double undefined = 1e9;
  auto text = [&](double error) {
    if (error < 0 || error > 1e20) return std::string("**wrong**");
    return error == 0 || f.ulp == undefined ? fmt::format("{:.0f}", error)
                                            : fmt::format("{:.2f}", std::ceil(error * 100) / 100);
  };
  fmt::print("| `{}` | {} | {} | {} |\n", f.name, text(single), text(twice),
             f.ulp == undefined ? std::string("undefined") : fmt::format("{:.0f}", f.ulp));
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  Choice c;
  for (int i = 1; i < count; ++i) {
    std::string a = arguments[i];
    bool more = i + 1 < count;
    if (a == "--every" && more)
      c.every = std::strtoull(arguments[++i], nullptr, 10);
    else if (a == "--float")
      c.only_float = true;
    else if (a == "--double")
      c.only_double = true;
    else if (a == "--table")
      c.table = true;
    else if (a == "--engine" && more)
      c.engine = arguments[++i];
    else if (a == "--samples" && more)
      c.count = std::strtoull(arguments[++i], nullptr, 10);
    else
      c.names.insert(a);
  }
  for (const MathFunction& f : math_functions()) {
    if (!c.names.empty() && !c.names.contains(f.name)) continue;
    double single = c.only_double ? 0 : measure<float>(f, c);
    double twice = c.only_float ? 0 : measure<double>(f, c);
    if (c.table) show_row(f, single, twice);
  }
}
