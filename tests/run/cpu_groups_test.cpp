// SPDX-License-Identifier: Apache-2.0
// Code for small groups: what is stored to local memory is taken from registers.
#include <fmt/format.h>

#include <regex>

#include "compiled_for_cpu.h"
#include "runtime/image.h"

using namespace kc;
using namespace kc::test;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string kernel(const std::string& body) {
  return "kernel void k(global const int* in, global int* out, local int* own, uint n) {\n  local int "
         "s[64];\n"
         "  int l = get_local_id(0), g = get_global_id(0), x = in[g];\n" +
         body + "  out[g] = x;\n}\n";
}

std::string code(const std::string& body, bool avx512) {
  return assembly_of(kernel(body), avx512, {.global = {6400, 1, 1}, .local = {64, 1, 1}, .local_bytes = 256},
                     avx512 ? 64 : 32);
}

constexpr const char* kBarrier = "  barrier(CLK_LOCAL_MEM_FENCE);\n";

// Not those of spills.
size_t stored_vectors(const std::string& text) {
  const std::regex store(R"(vmovups [xyz]mmword ptr \[r(?!sp))");
  return static_cast<size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), store), {}));
}

}  // namespace

TEST_CASE("prefix sums of a small group are done in registers") {
  for (const char* array : {"s", "own"})
    for (bool avx512 : {false, true}) {
      const std::string text = code(
          fmt::format("  {0}[l] = x;\n{1}  for (int d = 1; d < 64; d *= 2) {{\n"
                      "    int y = l >= d ? {0}[l - d] : 0;\n{1}    {0}[l] += y;\n{1}  }}\n  x = {0}[l];\n",
                      array, kBarrier),
          avx512);
      INFO(text);
      CHECK(has(text, avx512 ? "valignd" : "vpalignr"));
      if (!avx512) CHECK(has(text, "vperm2i128"));
      CHECK(stored_vectors(text) == (avx512 ? 4 : 8));  // the result
    }
}

// All waves of a group side by side would compute steps that no lane of theirs takes.
TEST_CASE("a group is a loop over its waves where only the launch tells how many lanes go on") {
  const auto tree = [](const std::string& first) {
    return fmt::format(
        "  s[l] = x;\n{0}  for (int d = {1}; d > 0; d /= 2) {{\n    if (l < d) s[l] += s[l + d];\n"
        "{0}  }}\n  if (l == 0) x += s[0];\n",
        kBarrier, first);
  };
  const std::string to_next_record = fmt::format("add rdi, {}\n", sizeof(CpuWaveContext));
  CHECK(has(code(tree("n"), false), to_next_record));
  CHECK_FALSE(has(code(tree("32"), false), to_next_record));
}

TEST_CASE("a tree in a small group stores nothing to local memory") {
  for (bool avx512 : {false, true}) {
    const std::string text = code(
        fmt::format("  s[l] = x;\n{0}  for (int d = 32; d > 0; d /= 2) {{\n    if (l < d) s[l] += s[l + d];\n"
                    "{0}  }}\n  x = s[0];\n",
                    kBarrier),
        avx512);
    INFO(text);
    CHECK(stored_vectors(text) == (avx512 ? 4 : 8));  // the result
  }
}

TEST_CASE("stores stay where something unknown may load them, and loads where something unknown was stored") {
  const std::string turn = "  s[l] = x;\n" + std::string(kBarrier), use = "  if (l >= 3) x += s[l - 3];\n";
  for (bool avx512 : {false, true}) {
    const char* shuffle = avx512 ? "valignd" : "vpalignr";
    CHECK(has(code(turn + use, avx512), shuffle));
    for (const char* anywhere : {"s[x & 63] = l", "own[x & 63] = l", "*(local int*)n = 7"})
      CHECK_FALSE(has(code(turn + "  " + anywhere + ";\n" + kBarrier + use, avx512), shuffle));
    CHECK(has(code(turn + "  own[l] = 7;\n" + kBarrier + use + "  x += own[l];\n", avx512), shuffle));
    const std::string loaded = code(turn + "  x += s[x & 63];\n" + use, avx512);
    CHECK(stored_vectors(loaded) == 2 * stored_vectors(code(turn + use, avx512)));
  }
}
