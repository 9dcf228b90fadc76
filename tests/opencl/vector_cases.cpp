// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tests/opencl/cases.h"

namespace kc::test {
namespace {

struct Element {
  std::string name, buffer;  // in the source language; as in --arg
  unsigned bytes;
  std::string mask;  // the signed integer of that size
  bool is_float = false;
};
const std::vector<Element> kElements{{"char", "i8", 1, "char"},        {"uchar", "u8", 1, "char"},
                                     {"short", "i16", 2, "short"},     {"ushort", "u16", 2, "short"},
                                     {"int", "i32", 4, "int"},         {"uint", "u32", 4, "int"},
                                     {"long", "i64", 8, "long"},       {"ulong", "u64", 8, "long"},
                                     {"float", "f32", 4, "int", true}, {"double", "f64", 8, "long", true}};
constexpr unsigned kWidths[] = {2, 3, 4, 8, 16};
constexpr const char* kPrefix =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#pragma OPENCL FP_CONTRACT OFF\n";

// Component n of each row is stored after those of the previous rows. $V the vector type, $T its element, $M
// the mask vector, $U its unsigned form, $N the width.
constexpr const char* kBoth[] = {
    "a + b",
    "a - b",
    "a * b",
    "-a",
    "a + s",
    "s - b",
    "a *= b",
    "a += s",
    "max(a, b)",
    "min(a, b)",
    "max(a, s)",
    "clamp(a, min(b, c), max(b, c))",
    "select(a, b, m)",
    "select(a, b, u)",
    "bitselect(a, b, c)",
    "m ? a : b",
    "(s > ($T)1) ? a : b",
    "a.s1 = b.s0, a",
    "a.lo = b.hi, a.even = c.odd, a",
    "a.s10 = b.s01, a",
    "a.lo += b.lo, a",
    "*&a = b, a",
    "($V)($T)(any(m) + 2 * all(m))",
    "($V)($T)(any(a == b) + 2 * all(x == a))",
    "(($V*)&c)[0]",
    "($V)(s)",
    "($V)s",
};
constexpr const char* kIntegers[] = {
    "++a",
    "b--",
    "a & b",
    "a | ~b",
    "a ^ s",
    "a << (b & ($T)($B - 1))",
    "a >> (b & ($T)($B - 1))",
    "a / (c & ($T)63 | ($T)1)",
    "a % (c & ($T)63 | ($T)1)",
    "abs_diff(a, b) == abs_diff(b, a) ? a : b",
    "add_sat(a, b)",
    "sub_sat(a, b)",
    "hadd(a, b)",
    "rhadd(a, b)",
    "mul_hi(a, b)",
    "mad_hi(a, b, c)",
    "mad_sat(a, b, c)",
    "rotate(a, b)",
    "clz(a)",
    "popcount(a)",
    "as_$V(a > b) ^ c",
    "as_$V(a == b) - c",
    "as_$V(!a)",
    "as_$V(a && b) + as_$V(b || c)",
};
constexpr const char* kFloats[] = {
    "a / b",
    "floor(a)",
    "ceil(a)",
    "trunc(a)",
    "rint(a)",
    "round(a)",
    "fabs(a)",
    "fma(a, b, c)",
    "fmin(a, b)",
    "fmax(a, s)",
    "fdim(a, b)",
    "copysign(a, b)",
    "sqrt(fabs(a))",
    "fmod(a, b)",
    "step(a, b)",
    "sign(a)",
    "nextafter(a, b)",
    "convert_$V(a < b)",
    "convert_$V(isless(a, b) ^ isnan(a))",
    "convert_$V(isgreaterequal(a, b) + signbit(c))",
    "select(a, b, isequal(b, c))",
};

std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& letters) {
  for (const auto& [letter, what] : letters)
    for (size_t at; (at = text.find(letter)) != std::string::npos;) text.replace(at, letter.size(), what);
  return text;
}

// `.lo` of three components overlaps the fourth, which is unspecified.
bool fits(std::string_view row, unsigned width) {
  return width != 3 ||
         (row.find(".hi") == std::string_view::npos && row.find(".odd") == std::string_view::npos);
}

OpenclCase operations(const Element& t, unsigned width) {
  const std::vector<std::pair<std::string, std::string>> letters{{"$V", fmt::format("{}{}", t.name, width)},
                                                                 {"$T", t.name},
                                                                 {"$M", fmt::format("{}{}", t.mask, width)},
                                                                 {"$U", fmt::format("u{}{}", t.mask, width)},
                                                                 {"$N", std::to_string(width)},
                                                                 {"$B", std::to_string(8 * t.bytes)}};
  std::vector<std::string> rows(std::begin(kBoth), std::end(kBoth));
  if (t.is_float)
    rows.insert(rows.end(), std::begin(kFloats), std::end(kFloats));
  else
    rows.insert(rows.end(), std::begin(kIntegers), std::end(kIntegers));
  std::string body;
  size_t count = 0;
  for (const std::string& row : rows) {
    if (!fits(row, width)) continue;
    body += fmt::format("  {{ $V a = x, b = y, c = z; vstore$N({}{}{}, {} * n + i, out); }}\n", "(", row, ")",
                        count++);
  }
  std::string source = filled(
      "kernel void k(global const $T* in, global $T* out) {\n"
      "  size_t i = get_global_id(0), n = get_global_size(0);\n"
      "  $V x = vload$N(i, in), y = vload$N(i + 1, in), z = vload$N(i + 2, in);\n"
      "  $T s = in[i]; $M m = x > y; $U u = as_$U(y > z);\n" +
          body + "}\n",
      letters);
  std::string fill = t.is_float ? fmt::format("rand({},-9,9)", width) : fmt::format("rand({})", width);
  return {fmt::format("{}{}", t.name, width),
          kPrefix + source,
          {"--global", "16", "--arg", fmt::format("in={}[{}]:{}", t.buffer, 18 * width, fill), "--arg",
           fmt::format("out={}[{}]", t.buffer, 16 * width * count)}};
}

// To all types, with saturation and every rounding; the widths alternate.
OpenclCase conversions(const Element& from) {
  std::string body, parameters, name = "convert from " + from.name;
  std::vector<std::string> launch{"--global", "16", "--arg"};
  launch.push_back(fmt::format("in={}[512]:{}", from.buffer, from.is_float ? "rand(3,-300,300)" : "rand(3)"));
  size_t turn = 0;
  for (const Element& to : kElements) {
    parameters += fmt::format(", global {0}* to_{0}", to.name);
    size_t count = 0;
    for (const char* how : {"", "_rte", "_rtz", "_rtp", "_rtn"})
      for (unsigned k = 0; k < 2; ++k) {
        const unsigned width = kWidths[turn++ % 5];
        body += fmt::format("  vstore{0}(convert_{1}{0}{2}{3}(vload{0}(i, in)), i, to_{1} + {4});\n", width,
                            to.name, to.is_float ? "" : "_sat", how, 256 * count++);
      }
    launch.insert(launch.end(), {"--arg", fmt::format("to_{}={}[{}]", to.name, to.buffer, 256 * count)});
  }
  return {name,
          fmt::format("{}kernel void k(global const {}* in{}) {{\n  size_t i = get_global_id(0);\n{}}}\n",
                      kPrefix, from.name, parameters, body),
          launch};
}

// Every pair of types of one size, finally read as bytes.
OpenclCase reinterpretations() {
  std::string body;
  size_t at = 0;
  for (const Element& from : kElements)
    for (const Element& to : kElements)
      for (unsigned n : kWidths)
        for (unsigned m : kWidths) {
          if (from.bytes * n != to.bytes * m || from.is_float || (n == 3) != (m == 3)) continue;
          // The bits of a NaN are preserved.
          body += fmt::format(
              "  vstore{0}(as_{1}{0}(vload{2}(0, (global const {3}*)in)), 0, (global {1}*)(out + {4}));\n", m,
              to.name, n, from.name, at);
          at += 128;
        }
  return {"as_",
          fmt::format("{}kernel void k(global const uchar* in, global uchar* out) {{\n{}}}\n", kPrefix, body),
          {"--global", "1", "--arg", "in=u8[128]:rand(5)", "--arg", fmt::format("out=u8[{}]", at)}};
}

OpenclCase halves() {
  std::string body;
  size_t at = 0;
  for (unsigned width : {1u, 2u, 3u, 4u, 8u, 16u}) {
    const std::string n = width == 1 ? "" : std::to_string(width);
    auto numbers = [&](const char* type) {
      return width == 1 ? fmt::format("({})in[i]", type)
                        : fmt::format("convert_{0}{1}(vload{1}(i, in))", type, n);
    };
    body += width == 1 ? fmt::format("  floats[{} + i] = vload_half(i, (global const half*)in);\n", at)
                       : fmt::format(
                             "  vstore{0}(vload_half{0}(i, (global const half*)in), i, floats + {1});\n"
                             "  vstore{0}(vloada_half{0}(i, (global const half*)in), i, floats + {2});\n",
                             n, at, at + 256);
    for (const char* how : {"", "_rte", "_rtz", "_rtp", "_rtn"}) {
      body += fmt::format("  vstore_half{}{}({} / 3.0f, i, (global half*)halves + {});\n", n, how,
                          numbers("float"), at);
      if (width > 1)
        body += fmt::format("  vstorea_half{}{}({} * 1.1, i, (global half*)halves + {});\n", n, how,
                            numbers("double"), at + 256);
      at += 512;
    }
  }
  return {
      "halves",
      fmt::format("{}kernel void k(global const short* in, global float* floats, global ushort* halves) {{\n"
                  "  size_t i = get_global_id(0);\n{}}}\n",
                  kPrefix, body),
      {"--global", "16", "--arg", "in=i16[512]:rand(5)", "--arg", fmt::format("floats=f32[{}]", at), "--arg",
       fmt::format("halves=u16[{}]", at)}};
}

// Numbers without rounding error.
OpenclCase geometry() {
  std::string body;
  size_t at = 0;
  for (const char* t : {"float", "double"})
    for (unsigned n : {2u, 3u, 4u}) {
      auto row = [&](const std::string& e) { body += fmt::format("  out[{} * n + i] = {};\n", at++, e); };
      std::string a = fmt::format("convert_{0}{1}(vload{1}(i, in))", t, n),
                  b = fmt::format("convert_{0}{1}(vload{1}(i + 1, in))", t, n);
      row(fmt::format("dot({}, {})", a, b));
      row(fmt::format("length(({}{})(0, in[i]{}))", t, n, n == 2 ? "" : n == 3 ? ", 0" : ", 0, 0"));
      row(fmt::format("distance({0}, {0})", a));
      for (unsigned c = 0; n > 2 && c < n; ++c) row(fmt::format("cross({}, {}).s{}", a, b, c));
    }
  return {"geometry",
          fmt::format("{}kernel void k(global const char* in, global double* out) {{\n"
                      "  size_t i = get_global_id(0), n = get_global_size(0);\n{}}}\n",
                      kPrefix, body),
          {"--global", "16", "--arg", "in=i8[80]:rand(7)", "--arg", fmt::format("out=f64[{}]", at * 16)}};
}

OpenclCase shuffles(const Element& t) {
  std::string body;
  size_t at = 0;
  for (unsigned from : {2u, 4u, 8u, 16u})
    for (unsigned to : {2u, 4u, 8u, 16u}) {
      const std::string order = fmt::format("as_u{0}{1}(vload{1}(1, (global const {0}*)in))", t.mask, to);
      body += fmt::format("  vstore{1}(shuffle(vload{0}(i, in), {2}), i, out + {3});\n", from, to, order, at);
      body += fmt::format("  vstore{1}(shuffle2(vload{0}(i, in), vload{0}(i + 1, in), {2}), i, out + {3});\n",
                          from, to, order, at + 16);
      at += 32;
    }
  return {"shuffle of " + t.name,
          fmt::format("{0}kernel void k(global const {1}* in, global {1}* out) {{\n  size_t i = "
                      "get_global_id(0);\n{2}}}\n",
                      kPrefix, t.name, body),
          {"--global", "1", "--arg",
           fmt::format("in={}[64]:{}", t.buffer, t.is_float ? "rand(3,-30,30)" : "rand(3)"), "--arg",
           fmt::format("out={}[{}]", t.buffer, at)}};
}

}  // namespace

std::vector<OpenclCase> vector_cases() {
  std::vector<OpenclCase> cases{reinterpretations(), halves(), geometry()};
  for (const Element& t : kElements) {
    for (unsigned width : kWidths) cases.push_back(operations(t, width));
    cases.push_back(conversions(t));
    cases.push_back(shuffles(t));
  }
  return cases;
}

}  // namespace kc::test
