// SPDX-License-Identifier: Apache-2.0
// The waves of kernels on CPUs: tiles of a grid or pieces of rows, and the number of lanes. The chapter
// `shapes` compares their results.
#include <catch2/catch.hpp>
#include <string>

#include "frontend/frontend.h"
#include "host/cpu_code.h"

using namespace kc;

namespace {

using Size3 = std::array<uint64_t, 3>;

// A kernel with two nested loops.
std::string kernel_with(const std::string& inner, const std::string& end) {
  return "kernel void k(global int* out) {\n"
         "  int x = get_global_id(0), y = get_global_id(1), n = 0;\n"
         "  for (int a = 0; a < x; a++)\n    for (int b = 0; b < y; b++) {\n      n++;\n" +
         inner + "    }\n" + end + "  out[y * 64 + x] = n;\n}\n";
}

CpuForm form_of(const std::string& source, const LaunchSpec& spec, bool avx512 = true, uint32_t width = 0) {
  FrontendResult compiled = compile_source(source, {});
  INFO(compiled.diagnostics);
  REQUIRE(compiled.module);
  auto shared = KernelCompiler::start(*compiled.module->functions.back());
  REQUIRE(shared);
  auto compiler = CpuCompiler::create(std::move(*shared), *find_target(avx512 ? "avx512" : "avx2"), width);
  REQUIRE(compiler);
  return compiler->form(spec);
}
Size3 tile_of(const std::string& source, const LaunchSpec& spec, bool avx512 = true, uint32_t width = 0) {
  const CpuForm form = form_of(source, spec, avx512, width);
  CHECK((form.tile[0] == 0 || form.layout.packed));
  return form.tile;
}

constexpr LaunchSpec kGrid{.dims = 2, .global = {64, 64, 1}, .local = {64, 1, 1}};
constexpr Size3 kNoTile{};

}  // namespace

TEST_CASE("waves of a grid are tiles where divergent loops are nested") {
  const std::string nested = kernel_with("      if (a + b >= x) break;\n", "");
  CHECK(tile_of(nested, kGrid, true, 32) == Size3{8, 8, 1});
  CHECK(tile_of(nested, kGrid, true, 64) == Size3{8, 8, 1});
  CHECK(tile_of(nested, kGrid, false, 8) == Size3{4, 8, 1});
  // The loop over b ends uniformly if the wave is a row.
  CHECK(tile_of(kernel_with("", ""), kGrid) == kNoTile);
}

TEST_CASE("waves are pieces of rows where loops access memory, groups are seen, or tiles do not fit") {
  const std::string ends = "      if (a + b >= x) break;\n";
  CHECK(tile_of(kernel_with("      n += out[y * 64 + x];\n" + ends, ""), kGrid) == kNoTile);
  CHECK(tile_of(kernel_with("      n += out[y];\n" + ends, ""), kGrid) == kNoTile);
  CHECK(tile_of(kernel_with(ends, "  n += get_local_id(0);\n"), kGrid) == kNoTile);
  const std::string nested = kernel_with(ends, "");
  CHECK(tile_of(nested, {.dims = 2, .global = {60, 64, 1}, .local = {4, 1, 1}}) == kNoTile);
  CHECK(tile_of(nested, {.dims = 2, .global = {64, 63, 1}, .local = {64, 1, 1}}) == kNoTile);
  CHECK(tile_of(nested, {.dims = 1, .global = {64, 1, 1}, .local = {64, 1, 1}}) == kNoTile);
}

TEST_CASE("what is the same for all lanes may be loaded in loops of tiles") {
  const std::string loads = kernel_with("      n += out[b];\n      if (a + b >= x) break;\n", "");
  CHECK(tile_of(loads, kGrid, true, 32) == Size3{8, 8, 1});
}

TEST_CASE("waves have two vectors where lanes begin anew in a loop of all") {
  const auto kernel = [](const std::string& anew) {
    return "kernel void k(global int* out, int n) {\n"
           "  int i = get_global_id(0), steps = 0, x = i;\n"
           "  while (x != 1) {\n    x = x & 1 ? 3 * x + 1 : x >> 1;\n"
           "    if (++steps > n) {\n      out[i] = steps;\n" +
           anew + "    }\n  }\n}\n";
  };
  const LaunchSpec line{.dims = 1, .global = {4096, 1, 1}, .local = {64, 1, 1}};
  CHECK(form_of(kernel("      return;\n"), line).width == 64);
  const std::string next = "      i += n;\n      x = i % n;\n      steps = i / n;\n";
  CHECK(form_of(kernel(next), line).width == 32);
  CHECK(form_of(kernel(next), line, false).width == 16);
}

TEST_CASE("waves have four vectors where loops mostly compare bytes, which lie in one") {
  const auto kernel = [](const std::string& type) {
    std::string counts, tests, sum;
    for (char c = 'A'; c <= 'P'; ++c) {
      counts += std::string(", ") + c + " = 0";
      tests += std::string("    if (x == '") + c + "') " + c + "++;\n";
      sum += std::string(" ^ ") + c;
    }
    return "kernel void k(global const " + type + "* in, global int* out) {\n  int i = get_global_id(0)" +
           counts + ";\n  for (int at = i * 64;; at++) {\n    " + type +
           " x = in[at];\n    if (x == 0) break;\n" + tests + "  }\n  out[i] = 0" + sum + ";\n}\n";
  };
  const LaunchSpec line{.dims = 1, .global = {4096, 1, 1}, .local = {64, 1, 1}};
  CHECK(form_of(kernel("uchar"), line).width == 64);
  CHECK(form_of(kernel("int"), line).width == 32);
  CHECK(form_of(kernel("uchar"), line, false).width == 16);
}

TEST_CASE("kernels with barriers have four vectors, but two where they are rather long") {
  const auto kernel = [](int length, const std::string& middle) {
    std::string steps;
    for (int k = 0; k < length; ++k) steps += "  x = (x ^ i) * 7 + (x >> 3);\n";
    return "kernel void k(global int* out) {\n  int i = get_global_id(0), x = out[i];\n" + steps + middle +
           "  out[i] = x;\n}\n";
  };
  const LaunchSpec line{.dims = 1, .global = {4096, 1, 1}, .local = {64, 1, 1}};
  const std::string barrier = "  barrier(CLK_GLOBAL_MEM_FENCE);\n  x += out[i ^ 1];\n";
  CHECK(form_of(kernel(120, ""), line).width == 32);
  CHECK(form_of(kernel(120, barrier), line).width == 32);
  CHECK(form_of(kernel(20, barrier), line).width == 64);
  CHECK(form_of(kernel(20, barrier), line, false).width == 32);
}
