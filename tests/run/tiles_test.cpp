// SPDX-License-Identifier: Apache-2.0
// Which kernels have waves that are tiles of a grid: what they compute so, the chapter `shapes` compares.
#include <catch2/catch.hpp>
#include <string>

#include "frontend/frontend.h"
#include "host/cpu_code.h"
#include "host/pipelines.h"

using namespace kc;

namespace {

using Size3 = std::array<uint64_t, 3>;

// A kernel with two loops, one in the other.
std::string kernel_with(const std::string& inner, const std::string& end) {
  return "kernel void k(global int* out) {\n"
         "  int x = get_global_id(0), y = get_global_id(1), n = 0;\n"
         "  for (int a = 0; a < x; a++)\n    for (int b = 0; b < y; b++) {\n      n++;\n" +
         inner + "    }\n" + end + "  out[y * 64 + x] = n;\n}\n";
}

Size3 tile_of(const std::string& source, const LaunchSpec& spec, bool avx512 = true, uint32_t width = 0) {
  FrontendResult compiled = compile_source(source, {});
  INFO(compiled.diagnostics);
  REQUIRE(compiled.module);
  auto thread = lower_thread(*compiled.module->functions.back());
  const CpuForm form = CpuFormChooser(*thread, avx512, width).form(spec);
  CHECK((form.tile[0] == 0 || form.layout.packed));
  return form.tile;
}

constexpr LaunchSpec kGrid{.dims = 2, .global = {64, 64, 1}, .local = {64, 1, 1}};
constexpr Size3 kNone{};

}  // namespace

TEST_CASE("waves of a grid are tiles where divergent loops are nested") {
  const std::string nested = kernel_with("      if (a + b >= x) break;\n", "");
  CHECK(tile_of(nested, kGrid, true, 32) == Size3{8, 8, 1});
  CHECK(tile_of(nested, kGrid, true, 64) == Size3{8, 8, 1});
  CHECK(tile_of(nested, kGrid, false, 8) == Size3{4, 8, 1});
  // The loop over b ends in the same round everywhere if the wave is a row.
  CHECK(tile_of(kernel_with("", ""), kGrid) == kNone);
}

TEST_CASE("waves are pieces of rows where loops access memory, groups are seen, or tiles do not fit") {
  const std::string ends = "      if (a + b >= x) break;\n";
  CHECK(tile_of(kernel_with("      n += out[y * 64 + x];\n" + ends, ""), kGrid) == kNone);
  CHECK(tile_of(kernel_with("      n += out[y];\n" + ends, ""), kGrid) == kNone);
  CHECK(tile_of(kernel_with(ends, "  n += get_local_id(0);\n"), kGrid) == kNone);
  const std::string nested = kernel_with(ends, "");
  CHECK(tile_of(nested, {.dims = 2, .global = {60, 64, 1}, .local = {4, 1, 1}}) == kNone);
  CHECK(tile_of(nested, {.dims = 2, .global = {64, 63, 1}, .local = {64, 1, 1}}) == kNone);
  CHECK(tile_of(nested, {.dims = 1, .global = {64, 1, 1}, .local = {64, 1, 1}}) == kNone);
}

TEST_CASE("what is the same for all lanes may be loaded in loops of tiles") {
  const std::string loads = kernel_with("      n += out[b];\n      if (a + b >= x) break;\n", "");
  CHECK(tile_of(loads, kGrid, true, 32) == Size3{8, 8, 1});
}
