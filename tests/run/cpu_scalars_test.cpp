// SPDX-License-Identifier: Apache-2.0
// What code for one work-item at a time looks like, and operands in memory. side_by_side.cl compares its
// results.
#include <catch2/catch.hpp>
#include <regex>
#include <string>

#include "tests/run/compiled_for_cpu.h"

using namespace kc;
using namespace kc::test;

namespace {

const LaunchSpec kLine{.global = {4096, 1, 1}, .local = {64, 1, 1}};

std::string alone(const std::string& source, bool avx512) { return assembly_of(source, avx512, kLine, 1); }
bool has(const std::string& text, const char* pattern) {
  return std::regex_search(text, std::regex(pattern));
}

}  // namespace

TEST_CASE("numbers are extended only where their upper bits are read") {
  for (bool avx512 : {false, true}) {
    INFO(avx512);
    const std::string counts = alone(
        "kernel void k(global const uchar* a, global uchar* o) {\n"
        "  int g = get_global_id(0); uchar c[16];\n  for (int i = 0; i < 16; i++) c[i] = 0;\n"
        "  for (int i = 0; i < 64; i++) c[a[g * 64 + i] & 15]++;\n"
        "  for (int i = 0; i < 16; i++) o[g * 16 + i] = c[i];\n}\n",
        avx512);
    // A byte is an index as it is loaded, and a sum is stored without its upper bits.
    CHECK(!has(counts, "movzx e?\\w+, \\w+[lb]\n"));
    const std::string words = alone(
        "kernel void k(global const short* a, global const int* t, global int* o) {\n"
        "  int g = get_global_id(0);\n  o[g] = a[g] + t[a[g + 1]];\n}\n",
        avx512);
    CHECK(has(words, "movsx \\w+, word ptr"));
    CHECK(!has(words, "movzx"));
  }
}

TEST_CASE("constants are stored, and added to addresses where indices cannot wrap") {
  const std::string text = alone(
      "kernel void k(global int* o) {\n  int g = get_global_id(0) * 4;\n"
      "  o[g] = 1;\n  o[g + 1] = 0;\n  o[g + 3] = -5;\n}\n",
      true);
  CHECK(has(text, "mov dword ptr \\[[^\\]]*\\], 1\n"));
  CHECK(has(text, "mov dword ptr \\[[^\\]]* \\+ 12\\], -5\n"));
  CHECK(!has(text, "(add \\w+, 3|\\+ [13]\\])\n"));
}

TEST_CASE("scalars side by side are vectors") {
  for (bool avx512 : {false, true}) {
    INFO(avx512);
    const std::string sums = alone(
        "kernel void k(global const int* at, global const float* in, global float* out) {\n"
        "  int i = get_global_id(0);\n  float s[8] = {0};\n  for (int n = 0; n < at[i]; n++)\n"
        "    for (int k = 0; k < 8; k++) s[k] += in[at[n] * 8 + k];\n"
        "  for (int k = 0; k < 8; k++) out[i * 8 + k] = s[k];\n}\n",
        avx512);
    CHECK(has(sums, "vaddps xmm\\d+, xmm\\d+, xmmword ptr"));
    CHECK(!has(sums, "vaddss|vmovss"));
    const std::string bytes = alone(
        "kernel void k(global const int* at, global const uchar4* in, global uchar4* out) {\n"
        "  int i = get_global_id(0);\n  out[at[i]] = in[at[i + 1]] + (uchar4)(1, 2, 3, 4);\n}\n",
        avx512);
    CHECK(has(bytes, "vpaddb"));
    CHECK(!has(bytes, "byte ptr"));
  }
}

TEST_CASE("scalars are no vectors where memory between them may be theirs, or one is used elsewhere") {
  const std::string shifted = alone(
      "kernel void k(global int* a, int by) {\n  a += get_global_id(0) * 8;\n  global int* to = a + by;\n"
      "  to[0] = a[0] + 1;\n  to[1] = a[1] + 1;\n  to[2] = a[2] + 1;\n  to[3] = a[3] + 1;\n}\n",
      true);
  CHECK(!has(shifted, "xmm"));
  const std::string used = alone(
      "kernel void k(global const int4* a, global int4* o, global int* p) {\n  int i = get_global_id(0);\n"
      "  int4 x = a[i] * a[i + 1];\n  o[i] = x;\n  p[i] = x.y;\n}\n",
      true);
  CHECK(!has(used, "xmmword"));
  CHECK(has(used, "vpmulld"));  // of the two that are only stored
  const std::string in_order = alone(
      "kernel void k(volatile global int* p, int s) {\n  p[0] = s;\n  p[1] = s;\n  p[2] = s;\n  p[8] = 1;\n"
      "  p[3] = s;\n}\n",
      true);
  CHECK(!has(in_order, "xmm"));
}

TEST_CASE("a load with one use is an operand, but not behind a store") {
  const auto text = [](const std::string& body) {
    return assembly_of(
        "kernel void k(global float* restrict a, global float* b, global float* c) {\n"
        "  int i = get_global_id(0);\n" +
            body + "}\n",
        true, kLine, 16);
  };
  CHECK(has(text("  c[i] = a[i] + b[i];\n"), "vaddps zmm\\d+, zmm\\d+, zmmword ptr \\["));
  CHECK(has(text("  c[i] = a[i] * b[7];\n"), "\\{1to16\\}"));
  // b[7] is loaded before the store, which may change it.
  CHECK(!has(text("  float x = b[7];\n  c[i] = 1;\n  c[i + 64] = x * i;\n"), "\\[r[^\n]*1to16"));
}

TEST_CASE("loops compute only what the next iteration needs, over what dies") {
  const std::string probes = alone(
      "kernel void k(global const uint* t, global int* o, uint mask) {\n"
      "  int g = get_global_id(0), found = -1;\n  uint slot = t[g];\n"
      "  for (int n = 0; n < 256; n++) {\n    uint v = t[slot];\n"
      "    if (v == g) { found = slot; break; }\n    if (v < 61) break;\n"
      "    slot = mask & (slot + n);\n  }\n  o[g] = found;\n}\n",
      true);
  INFO(probes);
  // The number of a way out is written there, and no copy is made of a mask that stays.
  CHECK(!has(probes, "mov \\w+, 4294967295\n\tcmp"));
  CHECK(!has(probes, "mov (\\w+), \\w+\n\tand \\1"));
  const std::string counts = alone(
      "kernel void k(global int* o, int n) {\n  int g = get_global_id(0);\n"
      "  for (int i = n; i > 3; i -= o[i]) o[g] += i;\n}\n",
      true);
  CHECK(has(counts, "cmp \\w+, 3\n"));
  CHECK(!has(counts, "mov \\w+, 3\n"));
}

TEST_CASE("short loops are aligned") {
  CHECK(has(alone("kernel void k(global const int* a, global int* o, int n) {\n  int s = 0;\n"
                  "  for (int i = 0; i < n; i++) s += a[i];\n  o[get_global_id(0)] = s;\n}\n",
                  true),
            "\\.p2align\t5\n\\.L\\d+:\n"));
}

// What only a branch reads is loaded behind the jump around it.
TEST_CASE("members that a branch alone uses are loaded in it", "[sink]") {
  for (bool avx512 : {false, true}) {
    INFO(avx512);
    const std::string text = assembly_of(
        "kernel void k(global const float4* restrict in, global float* restrict out, int n) {\n"
        "  float x = get_global_id(0), sum = 0;\n  for (int j = 0; j < n; j++) {\n    float4 v = in[j];\n"
        "    if (fabs(v.x - x) < 0.5f) {\n      out[j] = sum / v.y;\n      sum += sqrt(v.z);\n    }\n  }\n"
        "  out[get_global_id(0)] = sum;\n}\n",
        avx512, {.global = {1024, 1, 1}, .local = {64, 1, 1}});
    const size_t root = text.find("vsqrtss");
    REQUIRE(root != std::string::npos);
    const size_t around = text.rfind("\tj", root), second = text.find(" + 4]", around);
    CHECK(second < root);
    CHECK(text.find(" + 8]", around) < root);
  }
}

TEST_CASE("loops of work-items that run alone are unrolled up to a higher limit") {
  for (bool avx512 : {false, true}) {
    INFO(avx512);
    const auto has_last = [&](const std::string& pragma, uint32_t width) {
      const std::string text = assembly_of(
          "kernel void k(global const uchar* restrict in, global uchar* restrict out, int n) {\n"
          "  int i = get_global_id(0);\n" +
              pragma +
              "  for (int j = 0; j < 30; j++) {\n    uchar c = in[j * n];\n"
              "    out[30 * i + j] = c < i ? c * i + j : j + n;\n  }\n}\n",
          avx512, {.global = {4096, 1, 1}, .local = {64, 1, 1}}, width);
      return text.find(" + 29]") != std::string::npos;
    };
    CHECK(has_last("", 1));
    CHECK(!has_last("  #pragma nounroll\n", 1));
    CHECK(!has_last("", 16));
  }
}

TEST_CASE("loops that count down end by the carry of the subtraction") {
  for (bool avx512 : {false, true})
    for (const char* type : {"int", "uint", "long"}) {
      INFO(avx512 << ' ' << type);
      const std::string text = alone(std::string("kernel void k(global int* o, ") + type +
                                         " n) {\n  global int* p = o + get_global_id(0);\n"
                                         "  while (n--) *p = *p * 3 + 1;\n}\n",
                                     avx512);
      CHECK(has(text, "(sub \\w+, 1|add \\w+, -1)\n\tj(b|ae) "));
    }
}
