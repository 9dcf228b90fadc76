// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/edges/rows.h"

namespace kc::test {

const std::vector<std::string> kIntegerNames{"char", "uchar", "short", "ushort",
                                             "int",  "uint",  "long",  "ulong"};

std::string fill_in(std::string_view pattern, const std::vector<Letter>& letters) {
  std::string text;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] != '$') {
      text += pattern[i];
      continue;
    }
    ++i;
    for (const Letter& l : letters)
      if (l.letter == pattern[i]) text += l.text;
  }
  return text;
}

namespace {

// $T the type, $U and $S its unsigned and signed forms, $B its bits less one, $V a vector of eight.
constexpr const char* kPatterns[] = {
    "x + y",
    "x - y",
    "x & y",
    "x | y",
    "x ^ y",
    "~x",
    "!x",
    "x < y",
    "x >= y",
    "x == y",
    "($T)(x << (y & $B))",
    "($T)(x >> (y & $B))",
    "({ $T w = x; w += y; w; })",
    "({ $T w = x; w -= y; w; })",
    "x && y",
    "x || y",
    "x ? y : z",
    "y == 0 || y == ($T)-1 ? ($T)0 : x / y",
    "y == 0 || y == ($T)-1 ? ($T)0 : x % y",
    "abs(x)",
    "abs_diff(x, y)",
    "add_sat(x, y)",
    "sub_sat(x, y)",
    "hadd(x, y)",
    "rhadd(x, y)",
    "clz(x)",
    "popcount(x)",
    "mul_hi(x, y)",
    "mad_hi(x, y, z)",
    "mad_sat(x, y, z)",
    "max(x, y)",
    "min(x, y)",
    "clamp(x, min(y, z), max(y, z))",
    "rotate(x, y)",
    "bitselect(x, y, z)",
    "select(x, y, ($S)z)",
    "select(x, y, ($U)z)",
    "($V > $V.s76543210).s3",
    "any($V > $V.s10325476)",
    "all($V >= $V.s10325476)",
    "($V << ($V & ($T)$B)).s5",
    "($V >> ($V.s76543210 & ($T)$B)).s2",
    "add_sat($V, $V.s76543210).s6",
    "sub_sat($V, $V.s76543210).s6",
    "mul_hi($V, $V.s76543210).s3",
    "rotate($V, $V.s76543210).s3",
    "clz($V).s1",
    "select($V, $V.s76543210, $V < ($T)3).s4",
    "(convert_$S8($V) ? $V.s01010101 : $V).s1",
    "shuffle($V, ($U8)(7, 6, 5, 4, 3, 2, 1, 0)).s2",
    "shuffle2(($T2)(x, y), ($T2)(z, x), ($U4)(3, 2, 1, 0)).s0",
    "vec_step($V)",
    "(~$V).s4",
    "(!$V).s4",
    "($V && $V.s76543210).s2",
    "($V | $V.s76543210).s0",
    "({ $T8 w = $V; w.even = w.odd; w.s7; }) ^ ({ $T8 w = $V; w.lo = w.hi.wzyx; w.s0; })",
    "({ $T w[19]; vstore16(($T16)($V, $V), 0, w + 3); vload3(1, w + 4).s2; })",
    "as_$U(x)",
    "as_$U4(($T4)(x, y, z, x)).s2",
};

void add_conversions(EdgeType& t) {
  for (const std::string& to : kIntegerNames) {
    t.rows.push_back({fmt::format("convert_{}(x)", to)});
    t.rows.push_back({fmt::format("convert_{}_sat(x)", to)});
    t.rows.push_back({fmt::format("convert_{}4_sat(({}4)(x, y, z, x)).s1", to, t.name)});
    t.rows.push_back({fmt::format("convert_{}3(({}3)(x, y, z)).s2", to, t.name)});
  }
  for (Outcome to : {Outcome::Float, Outcome::Double})
    for (const char* how : {"", "_rte", "_rtz", "_rtp", "_rtn"})
      t.rows.push_back({fmt::format("convert_{}{}(x)", to == Outcome::Float ? "float" : "double", how), to});
}

EdgeType edge_type(const std::string& name, unsigned bytes, bool is_signed) {
  unsigned bits = 8 * bytes;
  EdgeType t{name, fmt::format("{}{}", is_signed ? 'i' : 'u', bits), bytes, {}, {}};
  uint64_t all = ~uint64_t{0} >> (64 - bits), top = uint64_t{1} << (bits - 1);
  for (uint64_t edge : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{7}, uint64_t{100}, top, top + 1,
                        top - 1, top - 2, all, all - 1, uint64_t{0} - 100})
    t.edges.push_back(edge & all);
  std::string u = is_signed ? "u" + name : name, s = is_signed ? name : name.substr(1);
  std::vector<Letter> letters{{'T', name}, {'U', u}, {'S', s}, {'B', std::to_string(bits - 1)}};
  letters.push_back({'V', fill_in("(($T8)(x, y, z, x, y, z, x, y))", letters)});
  for (const char* pattern : kPatterns) t.rows.push_back({fill_in(pattern, letters)});
  // Signed overflow is defined only in this language, and ushort promotes to int.
  t.rows.push_back({"x * y", Outcome::Integer, bytes != 2 || is_signed});
  t.rows.push_back({"-x", Outcome::Integer, bytes < 4 || !is_signed});
  if (bytes < 8) t.rows.push_back({fill_in("upsample(x, ($U)y)", letters)});
  if (bytes == 4) {
    t.rows.push_back({fill_in("mul24(($T)(x % 8388607), ($T)(y % 8388607))", letters)});
    t.rows.push_back({fill_in("mad24(($T)(x % 8388607), ($T)(y % 8388607), z)", letters)});
  }
  add_conversions(t);
  return t;
}

}  // namespace

std::vector<EdgeType> integer_edge_types() {
  std::vector<EdgeType> types;
  for (size_t i = 0; i < kIntegerNames.size(); ++i)
    types.push_back(edge_type(kIntegerNames[i], 1u << (i / 2), i % 2 == 0));
  return types;
}

}  // namespace kc::test
