// SPDX-License-Identifier: Apache-2.0
// Which values of 64 lanes AVX-512 code keeps as bytes that steer control flow (backends/x64/byte_lanes.h),
// and which masks of 32 lanes are bytes in AVX2 code (byte_masks.h).
#include "tests/run/compiled_for_cpu.h"

using namespace kc;
using namespace kc::test;

namespace {

std::string code_of(const std::string& body) {
  return assembly_of(
      "kernel void k(global const uchar* s, global int* out, int n) {\n"
      "  int i = get_global_id(0), sum = 0, depth = 0;\n" +
          body + "  out[i] = sum + depth;\n}\n",
      true, {.global = {4096, 1, 1}, .local = {64, 1, 1}}, 64);
}

std::string avx2_code_of(const std::string& body) {
  return assembly_of(
      "kernel void k(global const uchar* s, global const float* x, global uchar* out, int n) {\n"
      "  int i = get_global_id(0);\n  uchar sum = 0;\n" +
          body + "  out[i] = sum;\n}\n",
      false);
}

// From the first such instruction to the end of its block.
std::string block_with(const std::string& text, const char* mnemonic) {
  const size_t at = text.find(mnemonic);
  return at == std::string::npos ? "" : text.substr(at, text.find("\n.L", at) - at);
}
bool has(const std::string& text, const char* mnemonic) { return text.find(mnemonic) != std::string::npos; }

}  // namespace

TEST_CASE("a mask that several words need is split once: comparisons of bytes stay") {
  const std::string text = code_of(
      "  bool quoted = false;\n  for (int j = 0; j < n; j++) {\n    uchar c = s[i * n + j];\n"
      "    if (c == '\"') quoted = !quoted;\n    else if (!quoted) {\n"
      "      if (c == '(' || c == '[' || c == '{') depth++, sum += depth;\n"
      "      else if (c == ')' || c == ']' || c == '}') depth--, sum ^= depth;\n    }\n  }\n");
  INFO(text);
  CHECK(has(text, "vpcmpequb"));
}

TEST_CASE("comparisons for one choice of words each are those of words") {
  const std::string text = code_of(
      "  for (int j = 0; j < n; j++) {\n    uchar c = s[i * n + j];\n"
      "    int d = c == 'I' ? 1 : c == 'V' ? 5 : c == 'X' ? 10 : c == 'L' ? 50 : 0;\n"
      "    sum += d < depth ? -d : d;\n    depth = d;\n  }\n");
  INFO(text);
  CHECK(!has(text, "vpcmpequb"));
}

TEST_CASE("bytes in private memory are one vector, and so are minima, truths and shifts of bytes") {
  const std::string text = code_of(
      "  uchar row[16];\n  for (int x = 0; x < 16; x++) row[x] = x;\n"
      "  for (int y = 0; y < n; y++) {\n    uchar c = s[y * get_global_size(0) + i], last = row[0];\n"
      "    for (int x = 1; x < 16; x++) {\n      uchar best = last + (c >> 4 != s[x]);\n      last = "
      "row[x];\n"
      "      row[x] = min(best, (uchar)(min(row[x], row[x - 1]) + 1));\n    }\n  }\n"
      "  sum = row[15];\n");
  INFO(text);
  CHECK(has(text, "vpcmpnequb"));
  CHECK(has(text, "vpsrlw zmm"));
  CHECK(has(text, "vpminub zmm"));
  CHECK(!has(text, "vpmovdb"));
}

TEST_CASE("bytes that are computed in other ways stay small") {
  const std::string text = code_of(
      "  uchar row[16];\n  for (int x = 0; x < 16; x++) row[x] = x + 1;\n"
      "  for (int y = 0; y < n; y++) {\n    uchar c = s[y * get_global_size(0) + i], last = row[0];\n"
      "    for (int x = 1; x < 16; x++) {\n      uchar best = last + (c != s[x]);\n      last = row[x];\n"
      "      row[x] = (best ^ c) * (uchar)(row[x - 1] * last + c);\n    }\n  }\n"
      "  sum = row[15];\n");
  INFO(text);
  CHECK(has(text, "vpmullw zmm"));
}

TEST_CASE("AVX2: masks of bytes are combined, tested and passed between blocks as bytes") {
  const std::string text = avx2_code_of(
      "  bool up = false;\n  uchar c = s[i];\n  for (int j = 0; j < n; j++) {\n    c = (c ^ j) + 7;\n"
      "    if (c == 3) up = !up;\n    else if (up && c > sum) sum = c;\n    if (sum == 77) break;\n  }\n");
  INFO(text);
  const std::string loop = block_with(text, "vpaddb");
  CHECK(has(loop, "vpblendvb"));
  CHECK(has(loop, "vptest"));
  CHECK(!has(loop, "vpacksswb"));
  CHECK(!has(loop, "vpmovsxbd"));
}

TEST_CASE("AVX2: truth values become bytes without words") {
  const std::string text = avx2_code_of(
      "  uchar c = s[i];\n  for (int j = 0; j < n; j++) {\n    c = (c ^ j) + 7;\n"
      "    sum += c == 3;\n    sum += c > 50;\n  }\n");
  INFO(text);
  const std::string loop = block_with(text, "vpaddb");
  CHECK(has(loop, "vpcmpeqb"));
  CHECK(!has(loop, "vpacksswb"));
  CHECK(!has(loop, "vpmovzxbd"));
}

TEST_CASE("AVX2: masks that mostly choose words are words") {
  const std::string text = avx2_code_of(
      "  float a = 0, b = 1;\n  for (int j = 0; j < n; j++) {\n    uchar c = s[j * get_global_size(0) + i];\n"
      "    if (c == 3) { a += x[j]; b *= a; sum++; }\n    else if (a > b) { b += a; a -= x[j]; }\n  }\n"
      "  sum += a + b;\n");
  INFO(text);
  CHECK(has(text, "vblendvps"));
  CHECK(!has(text, "vpmovsxbd"));
}

// Where a page ends in front of the last lane is asked, not whether all lanes are active.
TEST_CASE("AVX2 loads bytes and shorts whole although lanes are idle") {
  for (const char* type : {"uchar", "short"})
    for (const char* index : {"i", "max(i - 1, 0)", "n - i"}) {
      INFO(type << ' ' << index);
      const std::string text =
          assembly_of(std::string("kernel void k(global const ") + type +
                          "* s, global int* out, int n) {\n  int i = get_global_id(0), sum = 0;\n"
                          "  if (out[i] & 1) sum = s[" +
                          index + "];\n  out[i] = sum;\n}\n",
                      false);
      CHECK(has(text, ", 4095\n"));
    }
}

TEST_CASE("AVX2: what few lanes need follows the code that all need") {
  const std::string text = assembly_of(
      "kernel void k(global const uchar* s, global int* out, int n) {\n  int i = get_global_id(0), sum = 0;\n"
      "  if (out[i] & 1) sum = s[i];\n  out[i] = sum;\n}\n",
      false);
  INFO(text);
  REQUIRE(has(text, "vpgatherdd"));
  CHECK(text.find("vpgatherdd") > text.find("\tret\n"));
}

TEST_CASE("products of numbers that fit in shorts are products of shorts") {
  const auto products = [](const char* factors) {
    return assembly_of(
        std::string("kernel void k(global const short* a, global const uchar* b, short u, int w,"
                    " global int* out) {\n  int i = get_global_id(0);\n  out[i] = ") +
            factors + ";\n}\n",
        false);
  };
  for (const char* factors : {"a[i] * b[i]", "a[i] * u", "a[i] * -12345", "(a[i] >> 3) * (b[i] + 7)"}) {
    INFO(factors);
    CHECK(has(products(factors), "vpmaddwd"));
    CHECK(!has(products(factors), "vpmulld"));
  }
  for (const char* factors : {"a[i] * a[i + 1]", "a[i] * w", "a[i] * 40000", "(a[i] + 1) * b[i] * b[i]"}) {
    INFO(factors);
    CHECK(has(products(factors), "vpmulld"));
  }
}
