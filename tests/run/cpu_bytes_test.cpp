// SPDX-License-Identifier: Apache-2.0
// Which values of 64 lanes AVX-512 code keeps as bytes that steer control flow (backends/x64/byte_lanes.h).
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
