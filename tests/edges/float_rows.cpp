// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>

#include "tests/edges/rows.h"

namespace kc::test {
namespace {

// $T the type, $I the integer of its size, $V a vector of four. Where OpenCL leaves the sign of a zero open,
// 0 is added.
constexpr const char* kSame[] = {
    "x + y",
    "x - y",
    "x * y",
    "x / y",
    "fma(x, y, z)",
    "sqrt(x)",
    "floor(x)",
    "ceil(x)",
    "trunc(x)",
    "rint(x)",
    "round(x)",
    "fabs(x)",
    "-x",
    "copysign(x, y)",
    "nextafter(x, y)",
    "fdim(x, y)",
    "fmod(x, y)",
    "remainder(x, y)",
    "ldexp(x, 3)",
    "ldexp(x, -30)",
    "ldexp(x, 2000)",
    "x < y ? x : y",
    "fmin(x, y) + 0",
    "fmax(x, y) + 0",
    "maxmag(x, y) + 0",
    "minmag(x, y) + 0",
    "sign(x)",
    "step(x, y)",
    "logb(x)",
    "select(x, y, ($I)(x < y ? -1 : 0))",
    "bitselect(x, y, z)",
    "({ $T p; fract(x, &p); }) + 0",
    "({ $T p; fract(x, &p); p; })",
    "({ $T p; modf(x, &p); })",
    "({ $T p; modf(x, &p); p; })",
    "({ int e; frexp(x, &e); })",
    "({ int e; remquo(x, y, &e); })",
    "clamp(x, ($T)-1, ($T)2)",
    "isnan(x) || isnan(y) ? 0 : max(x, y) + 0",
    "cross(($T3)(1, 2, 3), ($T3)(4, 5, 7)).y",
    "($V + $V.yzwx).s2",
    "($V / $V.yzwx).s1",
    "fmod($V, $V.wzyx).s0",
    "rint($V).s1",
    "copysign($V, $V.yxwz).s1",
};
constexpr const char* kInteger[] = {
    "isnan(x)",
    "isinf(x)",
    "isfinite(x)",
    "isnormal(x)",
    "signbit(x)",
    "isequal(x, y)",
    "isnotequal(x, y)",
    "isless(x, y)",
    "islessequal(x, y)",
    "isgreater(x, y)",
    "isgreaterequal(x, y)",
    "islessgreater(x, y)",
    "isordered(x, y)",
    "isunordered(x, y)",
    "x == y",
    "x != y",
    "x < y",
    "x <= y",
    "!x",
    "x && y",
    "x || y",
    "isnan($V).s1",
    "isless($V, $V.yzwx).s0",
    "($V < $V.yzwx).s2",
    "($V != $V.yzwx).s1",
    "any(isnan($V))",
    "all(isfinite($V))",
    "x == 0 || !isfinite(x) ? 0 : ilogb(x)",
    "isfinite(x) ? ({ int e; frexp(x, &e); e; }) : 0",
    "isfinite(x) && isfinite(y) && y != 0 && fabs(x / y) < 100 ? ({ int q; remquo(x, y, &q); q & 7; }) : 0",
    "isnan(x) ? 0 : as_$I(x)",
};

void add_conversions(EdgeType& t, Outcome other) {
  for (const char* how : {"", "_rte", "_rtz", "_rtp", "_rtn"}) {
    t.rows.push_back(
        {fmt::format("convert_{}{}(x)", other == Outcome::Float ? "float" : "double", how), other});
    t.rows.push_back(
        {fmt::format("({{ ushort h; vstore_half{}(x, 0, (private half*)&h); isnan(x) ? 1 : h; }})", how)});
    for (const std::string& to : kIntegerNames)
      t.rows.push_back({fmt::format("convert_{}_sat{}(x)", to, how)});
  }
  for (const std::string& to : kIntegerNames)
    t.rows.push_back({fmt::format("convert_{}4_sat_rtn(({}4)(x, y, z, x)).s1", to, t.name)});
}

// Limits of rounding, of integer types and of halves.
template <class T>
std::vector<uint64_t> edges() {
  using L = std::numeric_limits<T>;
  std::vector<T> v{0, T(0.25), T(0.5), 1, T(1.5), 2, T(2.5), T(3.5), 7, T(126.5), 127, T(127.5), 128};
  for (double more : {254.5,   255.0,          255.5,        256.0,        32767.5,      65535.5,
                      65536.0, 2147483520.0,   2147483647.5, 4294967040.0, 4294967296.0, 9007199254740993.0,
                      0x1p63,  0x1p64,         1e30,         65519.0,      65520.0,      0x1p-24,
                      0x1p-25, 0x1.000002p-25, 0x1.ff8p-15,  0x1p-14,      1e-30})
    v.push_back(static_cast<T>(more));
  for (T more : {L::denorm_min(), L::min() / 2, L::min(), L::max(), 1 - L::epsilon() / 2, 1 + L::epsilon(),
                 1 / L::epsilon() + 1, T(0.5) - L::epsilon() / 4, L::infinity()})
    v.push_back(more);
  std::vector<uint64_t> bits;
  for (T x : v)
    for (T y : {x, -x}) {
      if constexpr (sizeof(T) == 8)
        bits.push_back(std::bit_cast<uint64_t>(y));
      else
        bits.push_back(std::bit_cast<uint32_t>(y));
    }
  bits.push_back(sizeof(T) == 8 ? 0x7ff8000000000000 : 0x7fc00000);
  return bits;
}

EdgeType edge_type(const std::string& name, unsigned bytes, std::vector<uint64_t> edges) {
  EdgeType t{name, fmt::format("f{}", 8 * bytes), bytes, std::move(edges), {}};
  std::vector<Letter> letters{{'T', name}, {'I', bytes == 8 ? "long" : "int"}};
  letters.push_back({'V', fill_in("(($T4)(x, y, z, x))", letters)});
  Outcome own = bytes == 8 ? Outcome::Double : Outcome::Float;
  for (const char* pattern : kSame) t.rows.push_back({fill_in(pattern, letters), own});
  for (const char* pattern : kInteger) t.rows.push_back({fill_in(pattern, letters)});
  add_conversions(t, bytes == 8 ? Outcome::Float : Outcome::Double);
  return t;
}

}  // namespace

std::vector<EdgeType> float_edge_types() {
  return {edge_type("float", 4, edges<float>()), edge_type("double", 8, edges<double>())};
}

}  // namespace kc::test
