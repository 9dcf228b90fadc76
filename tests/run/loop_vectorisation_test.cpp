// SPDX-License-Identifier: Apache-2.0
// Which kernels run with iterations of their loops as lanes. The chapter `loop_vectorisation` compares their
// results.
#include <catch2/catch.hpp>
#include <string>

#include "tests/run/compiled_for_cpu.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr LaunchSpec kRows{.dims = 1, .global = {256, 1, 1}, .local = {1, 1, 1}, .disjoint_buffers = true};

std::string kernel_with(const std::string& body) {
  return "kernel void k(global const float* x, global float* y, global int* z, global uchar* b, int m) {\n"
         "  int i = get_global_id(0);\n" +
         body + "}\n";
}
std::string loop_with(const std::string& body, const std::string& behind = "") {
  return kernel_with("  int s = 0;\n  float t = 0;\n  for (int j = 0; j < m; j++) {\n    " + body +
                     "\n  }\n  " + behind + "\n");
}
LaunchSpec items(uint64_t count) {
  LaunchSpec spec = kRows;
  spec.global[0] = count;
  return spec;
}
// Whether lanes are iterations.
bool by_loops(const std::string& source, const LaunchSpec& spec = kRows, uint32_t width = 0) {
  const CpuForm form = form_of(source, spec, true, width);
  CHECK(form_of(source, spec, false, width).layout.copies == form.layout.copies);
  return form.layout.copies;
}

const std::string kScaled = loop_with("y[i * m + j] = x[i * m + j] * 2;");

}  // namespace

TEST_CASE("iterations are lanes where work-items walk along rows") {
  CHECK(by_loops(kScaled));
  CHECK(by_loops(loop_with("y[i * m + j] += x[j];")));
  CHECK(by_loops(loop_with("s += z[i * m + j];", "z[i] = s;")));
  CHECK(by_loops(loop_with("if (z[i * m + j] > 3) s = max(s, z[i * m + j]);", "z[i] = s;")));
  CHECK(by_loops(loop_with("s += z[i * m + j] > 0 ? z[i * m + j] : 0;", "z[i] = s;")));
  CHECK(by_loops(loop_with("y[i * m + j] = x[z[i * m + j]];")));
  CHECK(by_loops(
      kernel_with("  for (int k = 0; k < m; k++)\n"
                  "    for (int j = 0; j < m; j++) y[i * m + j] += x[i * m + k] * x[k * m + j];\n")));
}

TEST_CASE("there are as many lanes as a vector has elements of the largest size") {
  CHECK(form_of(kScaled, kRows).width == 16);
  CHECK(form_of(kScaled, kRows, false).width == 8);
  const std::string bytes = loop_with("b[i * m + j] ^= 7;");
  CHECK(form_of(bytes, kRows).width == 64);
  CHECK(form_of(bytes, kRows, false).width == 32);
  CHECK(form_of(loop_with("y[i * m + j] = b[i * m + j];"), kRows).width == 16);
}

TEST_CASE("iterations are no lanes where they depend on each other") {
  CHECK_FALSE(by_loops(loop_with("y[i * m + j + 1] = y[i * m + j];")));
  CHECK_FALSE(by_loops(loop_with("y[i * m + j] = y[i * m + j + 1];")));
  CHECK_FALSE(by_loops(loop_with("y[i * m + j] = y[z[j]];")));
  CHECK_FALSE(by_loops(loop_with("y[z[i * m + j]] = x[i * m + j];")));
  CHECK_FALSE(by_loops(loop_with("y[i] = x[i * m + j];")));
  CHECK_FALSE(by_loops(loop_with("t += x[i * m + j];", "y[i] = t;")));    // in this order
  CHECK_FALSE(by_loops(loop_with("z[i * m + j] = s += z[i * m + j];")));  // each sum is seen
  CHECK_FALSE(by_loops(loop_with("y[i * m + j] = 1; if (x[i * m + j] > 0) break;")));
  CHECK_FALSE(by_loops(loop_with("atomic_inc(z); y[i * m + j] = 1;")));
  CHECK_FALSE(by_loops(kernel_with("  int j = 0;\n  for (; j < m; j++) y[i * m + j] = 1;\n  z[i] = j;\n")));
}

TEST_CASE("work-items stay lanes where these are neighbours in memory, or one work-item is not alone") {
  CHECK_FALSE(by_loops(loop_with("y[j * m + i] = x[j * m + i] * 2;")));
  CHECK_FALSE(
      by_loops(kernel_with("  float p[8];\n  for (int j = 0; j < 8; j++) p[j] = x[z[j + i]];\n"
                           "  for (int j = 0; j < m; j++) y[i * m + j] = p[z[j] & 7];\n")));
  CHECK_FALSE(by_loops(kernel_with("  atomic_inc(z);\n  for (int j = 0; j < m; j++) y[i * m + j] = 1;\n")));
  CHECK_FALSE(
      by_loops(kernel_with("  i = get_local_id(0);\n  for (int j = 0; j < m; j++) y[i * m + j] = 1;\n")));
  CHECK_FALSE(by_loops(kScaled, kRows, 16));
  CHECK_FALSE(by_loops(kScaled, kRows, 1));
  LaunchSpec overlap = kRows;
  overlap.disjoint_buffers = false;
  CHECK_FALSE(by_loops(kScaled, overlap));
  LaunchSpec large = kRows;
  large.small_buffers = false;
  CHECK_FALSE(by_loops(kScaled, large));
  CHECK_FALSE(
      by_loops(kScaled, {.dims = 3, .global = {64, 2, 2}, .local = {1, 1, 1}, .disjoint_buffers = true}));
}

TEST_CASE("work-items stay lanes where they compute much outside of loops") {
  std::string much = "  t = x[i];\n";
  for (int k = 0; k < 4; ++k) much += "  t = exp(t) + sin(t);\n";
  const std::string source =
      kernel_with("  float t;\n" + much + "  for (int j = 0; j < m; j++) y[i * m + j] = t;\n");
  CHECK_FALSE(by_loops(source));
  CHECK(by_loops(source, items(1)));
}

TEST_CASE("a few work-items leave lanes to iterations whatever lies side by side") {
  const std::string same = loop_with("b[j] = z[j];");  // for all work-items
  CHECK(by_loops(same, items(1)));
  CHECK_FALSE(by_loops(same, items(256)));
  // One loop of two.
  const std::string half = loop_with("t += x[i * m + j];", "for (int j = 0; j < m; j++) y[i * m + j] = t;");
  CHECK(by_loops(half, items(4)));
  CHECK_FALSE(by_loops(half, items(5)));
}

TEST_CASE("launches measure work-items as lanes beside iterations") {
  for (const bool avx512 : {false, true}) {
    const CpuCompiler compiler = cpu_compiler_of(kScaled, avx512, 0);
    const CpuForm form = compiler.choice().form(kRows);
    REQUIRE(form.layout.copies);
    const auto rivals = compiler.choice().rivals(form, kRows);
    REQUIRE(rivals.size() == 1);
    CHECK_FALSE(rivals[0].form.layout.copies);
    CHECK_FALSE(rivals[0].form.layout.packed);
    CHECK(rivals[0].form.tile[0] == 0);
    CHECK(compiler.compile(rivals[0]));
    const auto again = form_of(*compiler.wave(form)->function);
    REQUIRE(again);
    CHECK(*again == form);
    CHECK(describe(form).find(" lanes along loops") != std::string::npos);
  }
}
