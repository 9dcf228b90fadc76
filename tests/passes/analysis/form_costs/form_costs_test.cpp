// SPDX-License-Identifier: Apache-2.0
// What the estimates of work-items alone and in waves rest on.
#include "passes/analysis/form_costs.h"

#include <catch2/catch.hpp>
#include <string>

#include "frontend/frontend.h"
#include "host/compile.h"

using namespace kc;

namespace {

double time_of(const std::string& source, uint32_t width) {
  FrontendResult compiled = compile_source(source, {});
  INFO(compiled.diagnostics);
  REQUIRE(compiled.module);
  auto kernel = KernelCompiler::start(*compiled.module->functions.back());
  REQUIRE(kernel);
  AnalysisCache analyses(kernel->shared());
  return FormCosts(kernel->shared(), analyses, VectorModel{.lanes = 16, .scatters = true}).time(width);
}

}  // namespace

TEST_CASE("the ways out of a loop meet behind it") {
  const auto kernel = [](const std::string& body) {
    return "int find(global const int* sums, int n, int x) {\n  for (int i = 0; i < n; i++) {\n    int s = "
           "sums[i * x];\n" +
           body +
           "  }\n  return n;\n}\n"
           "kernel void k(global const int* sums, global const int* at, global float* out, int n) {\n"
           "  int i = get_global_id(0);\n  float x = find(sums, n, at[i]);\n"
           "  for (int j = 0; j < n; j++) x = x / (j + 2.0f) + 1;\n  out[i] = x;\n}\n";
  };
  const std::string one = kernel("    if (s == 1 || s == 5 || s == 9) return i;\n"),
                    three = kernel(
                        "    if (s == 1) return i;\n    if (s == 5) return i + 1;\n"
                        "    if (s == 9) return i + 2;\n");
  CHECK(time_of(three, 16) < 1.5 * time_of(one, 16));
}

TEST_CASE("atomic operations cost by the lane that executes them") {
  const auto kernel = [](const std::string& condition) {
    return "kernel void k(global const int* a, global int* out) {\n"
           "  int x = a[get_global_id(0)];\n" +
           condition + "    atomic_add(out + (x & 15), x);\n}\n";
  };
  const double always = time_of(kernel(""), 16);
  CHECK(time_of(kernel("  if (x > 5)\n"), 16) < 0.8 * always);
  CHECK(time_of(kernel("  if (x > 5)\n  if (x * x > 77)\n  if (x * 3 % 7 == 5)\n"), 16) < 0.5 * always);
}

TEST_CASE("one lane waits for each division of a chain, and so does a wave for all of its lanes") {
  const auto kernel = [](const std::string& step) {
    return "kernel void k(global const float* a, global float* out, int n) {\n"
           "  int i = get_global_id(0);\n  float x = a[i], q = x;\n"
           "  for (int j = 0; j < n; j++) q " +
           step + ";\n  out[i] = q;\n}\n";
  };
  // More work in each iteration, but only the sum waits for the one before.
  const std::string chain = kernel("= 3 - 1 / q"), apart = kernel("+= 1 / (x + j)");
  CHECK(time_of(chain, 1) > 1.3 * time_of(apart, 1));
  CHECK(time_of(chain, 1) > 8 * time_of(chain, 16));
}

TEST_CASE("ways that only large numbers take cost nothing") {
  const auto kernel = [](const std::string& bound) {
    return "kernel void k(global const float* a, global const int* at, global float* out) {\n"
           "  int i = get_global_id(0);\n  float x = a[i];\n"
           "  if (" +
           bound +
           " < fabs(x)) for (int j = 0; j < 9; j++) x = x / a[at[i + j]];\n"
           "  out[i] = x;\n}\n";
  };
  const std::string often = kernel("2.0f"), rarely = kernel("1e9f");
  CHECK(time_of(rarely, 1) < 0.5 * time_of(often, 1));
  CHECK(time_of(rarely, 64) < 0.3 * time_of(often, 64));
}

TEST_CASE("lanes iterate equally often from ids to a common bound") {
  const auto kernel = [](const std::string& first, const std::string& end) {
    return "kernel void k(global const int* starts, global float* out, int n) {\n"
           "  float x = 1;\n"
           "  for (int i = " +
           first + "; i < " + end +
           "; i += get_global_size(0))\n"
           "    for (int j = 0; j < n; j++) x = x / (j + 2.0f) + 1;\n"
           "  out[get_global_id(0)] = x;\n}\n";
  };
  const std::string even = kernel("get_global_id(0)", "n"), own = kernel("0", "starts[get_global_id(0)]");
  CHECK(time_of(even, 64) / time_of(even, 1) < 0.6 * time_of(own, 64) / time_of(own, 1));
}

TEST_CASE("constants say how often loops iterate") {
  const auto loop = [](const std::string& head) {
    return "kernel void k(global const int* a, global const int* b, global float* out, int n) {\n"
           "  int i = get_global_id(0), start = a[i] & 31;\n  float x = 1;\n#pragma nounroll\n  for (" +
           head + ") x = x / (b[j] + 2.0f) + 1;\n  out[i] = x;\n}\n";
  };
  const double hundred = time_of(loop("int j = 0; j < 100; j++"), 16),
               thousand = time_of(loop("int j = 0; j < 1000; j++"), 16);
  CHECK(thousand > 8 * hundred);
  CHECK(thousand < 12 * hundred);
  CHECK(time_of(loop("int j = 1000; j > 0; j -= 10"), 16) < 1.2 * hundred);
  // From anywhere: as if half of the way were left.
  const double left = time_of(loop("int j = start; j < 1000; j++"), 1),
               all = time_of(loop("int j = 0; j < 1000; j++"), 1);
  CHECK(left > 0.4 * all);
  CHECK(left < 0.7 * all);
  // What else ends a loop does so long before; few iterations are a limit for it, too.
  const double search = time_of(loop("int j = 0; j < 1000 && b[j] != start; j++"), 1);
  CHECK(search < 0.1 * all);
  CHECK(time_of(loop("int j = 0; j < 2 && b[j] != start; j++"), 1) < 0.7 * search);
}

TEST_CASE("loops from ids of loops over ids are even") {
  const auto kernel = [](const std::string& first, const std::string& last) {
    return "kernel void k(global const float* in, global const int* own, global float* out, int n, int w, "
           "int h) {\n"
           "  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
           "    int x = i % w * 2 - 1, y = i / w % h * 2 - 1;\n    float most = 0;\n"
           "    for (int b = max(y, 0); b < min(y + 3, h); b++)\n"
           "      for (int a = " +
           first + "; a < " + last + "; a++) most = max(most, in[b * w + a]);\n    out[i] = most;\n  }\n}\n";
  };
  const std::string even = kernel("max(x, 0)", "min(x + 3, w)"), own = kernel("own[i]", "min(x + 3, w)");
  CHECK(time_of(even, 64) / time_of(even, 1) < 0.8 * time_of(own, 64) / time_of(own, 1));
}

TEST_CASE("a least number of iterations is no limit") {
  const auto kernel = [](const std::string& least) {
    return "kernel void k(global const int* in, global int* out) {\n"
           "  int g = get_global_id(0), s = 0, i = 0;\n  for (;;) {\n"
           "    if (i == 1) s += in[s & 7];\n    s += in[(g * 13 + i * i) & 1023] & 7;\n    i++;\n"
           "    if (" +
           least + "in[(g * 37 + i * 11) & 1023] < s) break;\n  }\n  out[g] = s;\n}\n";
  };
  const std::string some = kernel("i > 1 & "), any = kernel("");
  CHECK(time_of(some, 16) > 0.9 * time_of(any, 16));
  CHECK(time_of(kernel("i > 1 | "), 16) < 0.6 * time_of(any, 16));
  // Nor is what only some iterations come to.
  const auto sometimes = [](const std::string& bound) {
    return "kernel void k(global const int* in, global int* out) {\n"
           "  int g = get_global_id(0), s = 0, i = 0;\n  for (;;) {\n    i++;\n"
           "    if (in[s & 1023] > g) {\n      if (i > " +
           bound +
           ") break;\n      out[i] = s;\n    }\n    s += in[(g * 13 + i * i) & 1023] & 7;\n  }\n"
           "  out[g] = s;\n}\n";
  };
  CHECK(time_of(sometimes("1"), 16) > 0.9 * time_of(sometimes("g"), 16));
}

TEST_CASE("rows of stored lengths are unequal") {
  const auto kernel = [](const std::string& more) {
    return "kernel void k(global const int* first, global const float* x, global float* y) {\n"
           "  int row = get_global_id(0);\n  float sum = 0;\n"
           "  for (int i = first[row]; i < first[row + 1]" +
           more + "; i++) sum += x[i];\n  y[row] = sum;\n}\n";
  };
  const std::string row = kernel(""), search = kernel(" && x[i] != 0");
  CHECK(time_of(row, 64) / time_of(row, 1) > 1.5 * time_of(search, 64) / time_of(search, 1));
}

TEST_CASE(
    "lanes that are late in an outer loop are those that iterate often in an inner one of the same length") {
  const auto kernel = [](const std::string& end) {
    return "kernel void k(global const int* ends, global const int* others, global float* out) {\n"
           "  int i = get_global_id(0), end = ends[i], other = others[i];\n  float x = other;\n"
           "  for (int m = 0; m < end; m++)\n    for (int n = m; n < " +
           end + "; n++) x = x * 0.5f + n;\n  out[i] = x;\n}\n";
  };
  // The most of 8 (64) lengths is 3.7 (6.4) times their mean here, and 1.75 (2.5) times that in the inner
  // loop.
  CHECK(time_of(kernel("end"), 8) < 0.55 * time_of(kernel("other"), 8));
  CHECK(time_of(kernel("end"), 64) < 0.45 * time_of(kernel("other"), 64));
  CHECK(time_of(kernel("end"), 1) == Approx(time_of(kernel("other"), 1)).epsilon(0.1));
}
