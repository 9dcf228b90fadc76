// SPDX-License-Identifier: Apache-2.0
// The waves of kernels on CPUs: tiles of a grid or pieces of rows, and the number of lanes. The chapter
// `shapes` compares their results.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>

#include "tests/run/compiled_for_cpu.h"

using namespace kc;
using namespace kc::test;

namespace {

using Size3 = std::array<uint64_t, 3>;

// A kernel with two nested loops.
std::string kernel_with(const std::string& inner, const std::string& end) {
  return "kernel void k(global int* out) {\n"
         "  int x = get_global_id(0), y = get_global_id(1), n = 0;\n"
         "  for (int a = 0; a < x; a++)\n    for (int b = 0; b < y; b++) {\n      n++;\n" +
         inner + "    }\n" + end + "  out[y * 64 + x] = n;\n}\n";
}

Size3 tile_of(const std::string& source, const LaunchSpec& spec, bool avx512 = true, uint32_t width = 0) {
  const CpuForm form = form_of(source, spec, avx512, width);
  CHECK((form.tile[0] == 0 || form.layout.packed));
  return form.tile;
}

// Loops that work-items leave at different times, in as many arms of branches.
std::string gathering_kernel(int arms) {
  std::string text =
      "kernel void k(global const uint* a, global uint* out) {\n  uint v = get_global_id(0);\n"
      "  while (v & 7)\n    while (v & 63) {\n";
  for (int i = 0; i < arms; ++i)
    text +=
        fmt::format("      if (v & {}) {{ v += a[v * {}]; while (a[v] > {}) v = a[v ^ {}] + a[v + 1]; }}\n",
                    1 << i % 20, i + 3, i, i);
  return text + "    }\n  out[get_global_id(0)] = v;\n}\n";
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

TEST_CASE("waves of a narrow grid are parts of columns, or whole rows that fill pieces of vectors") {
  const std::string sums =
      "kernel void k(global const int* a, global int* out, int w) {\n"
      "  int at = get_global_id(1) * w + get_global_id(0);\n  out[at] = a[at] + 1;\n}\n";
  const auto grid = [](uint64_t w, uint64_t h) {
    return LaunchSpec{.dims = 2, .global = {w, h, 1}, .local = {1, 1, 1}};
  };
  CHECK(tile_of(sums, grid(1, 640)) == Size3{1, 64, 1});
  CHECK(tile_of(sums, grid(3, 600)) == Size3{1, 60, 1});
  CHECK(tile_of(sums, grid(7, 640)) == Size3{1, 64, 1});
  CHECK(tile_of(sums, grid(4, 100)) == Size3{4, 10, 1});
  CHECK(form_of(sums, grid(3, 640), true, 0).width == 64);
  CHECK(form_of(sums, grid(1, 14), true, 0).width == 16);
  // Nothing divides the grid, or there is nothing; rows nearly fill a wave; groups are seen.
  CHECK(tile_of(sums, grid(0, 640)) == kNoTile);
  CHECK(tile_of(sums, grid(3, 0)) == kNoTile);
  CHECK(tile_of(sums, grid(3, 641)) == kNoTile);
  CHECK(tile_of(sums, grid(12, 640)) == kNoTile);
  const std::string seen = "kernel void k(global int* out) { out[get_global_id(1)] = get_group_id(1); }\n";
  CHECK(tile_of(seen, grid(1, 640)) == kNoTile);
}

TEST_CASE("groups that are lines along y have lanes along y only where these are faster") {
  const auto kernel = [](const char* at) {
    return fmt::format(
        "kernel void k(global const float* a, global float* out, int w) {{\n"
        "  int x = get_global_id(0), y = get_global_id(1);\n  out[{0}] = a[{0}] + a[{0} + 1];\n}}\n",
        at);
  };
  const LaunchSpec lines{.dims = 2, .global = {256, 256, 1}, .local = {1, 16, 1}};
  CHECK_FALSE(form_of(kernel("y * w + x"), lines, true, 0).layout.packed);
  CHECK(form_of(kernel("x * w + y"), lines, true, 0).rows_along == 1);
}

TEST_CASE("lanes lie along y where there are so many that waiting for gathers pays") {
  // Each step waits for the one before; the number is the same for all lanes along y.
  const std::string chain =
      "kernel void k(global const uchar* text, global uchar* out, constant uchar* table, int n) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n  uchar state = 0;\n"
      "  for (int i = 0; i < n; i++) state = table[(state + y) & 255] ^ text[x * n + i];\n"
      "  out[x * 16 + y] = state;\n}\n";
  const CpuForm form = form_of(chain, {.dims = 2, .global = {256, 64, 1}, .local = {16, 16, 1}});
  CHECK(form.rows_along == 1);
  CHECK(form.width == 64);
  CHECK(form_of(chain, {.dims = 2, .global = {256, 16, 1}, .local = {16, 16, 1}}).rows_along == 0);
}

TEST_CASE("lanes lie along the dimension whose neighbours are neighbours in memory") {
  const auto kernel = [](const char* at, const char* more) {
    return fmt::format(
        "kernel void k(global const float* a, global float* out, int w) {{\n"
        "  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
        "  {1};\n  out[{0}] = a[{0}] + a[{0} + 1];\n}}\n",
        at, more);
  };
  const LaunchSpec grid{.dims = 3, .global = {64, 96, 100}, .local = {1, 1, 1}};
  const auto rows_along = [&](const std::string& source, bool avx512) {
    return size_t{form_of(source, grid, avx512).rows_along};
  };
  for (bool avx512 : {false, true}) {
    CHECK(rows_along(kernel("(z * w + y) * w + x", ""), avx512) == 0);
    CHECK(rows_along(kernel("(z * w + x) * w + y", ""), avx512) == 1);
    CHECK(rows_along(kernel("(x * w + y) * w + z", ""), avx512) == 2);
    CHECK(rows_along(kernel("(x * w + y) * w + z", "barrier(CLK_GLOBAL_MEM_FENCE)"), avx512) == 0);
    // The order of work-items can be told from results.
    CHECK(rows_along(kernel("(x * w + y) * w + z", "printf(\"%d\", z)"), avx512) == 0);
    CHECK(rows_along(kernel("(x * w + y) * w + z", "if (atomic_inc((global int*)out) == 5) return"),
                     avx512) == 0);
    // Most accesses are side by side along z.
    CHECK(rows_along(kernel("(x * w + y) * w + z", "if (a[(x * w + z) * w + y] > 5) return"), avx512) == 2);
  }
  const LaunchSpec groups{.dims = 3, .global = {64, 96, 96}, .local = {2, 2, 16}};
  CHECK(form_of(kernel("(x * w + y) * w + z", "barrier(CLK_GLOBAL_MEM_FENCE)"), groups).rows_along == 2);
  const LaunchSpec flat{.dims = 2, .global = {64, 100, 1}, .local = {1, 1, 1}};
  CHECK(form_of(kernel("(x * w + y) * w + z", ""), flat).rows_along == 0);
}

TEST_CASE("groups across the dimension that lanes lie along do not change where these lie") {
  const std::string copy =
      "kernel void k(global const float* a, global float* out, int w) {\n"
      "  int at = get_global_id(0) * w + get_global_id(1);\n  out[at] = a[at] * 2;\n}\n";
  for (uint64_t rows : {10, 1000})
    for (uint32_t width : {0, 16}) {
      const CpuForm form =
          form_of(copy, {.dims = 2, .global = {512, rows, 1}, .local = {8, 1, 1}}, true, width);
      CHECK(form.rows_along == 1);
      CHECK_FALSE(form.layout.packed);
    }
  const CpuCompiler compiler = cpu_compiler_of(copy, true, 0);
  const LaunchSpec lines{.dims = 2, .global = {64, 64, 1}, .local = {1, 64, 1}};
  CHECK(compiler.choice().form(lines).rows_along == 1);
  CHECK(compiler.choice().any_form().rows_along == 0);
  const CpuForm of_object = compiler.choice().untransposed_form(lines);
  CHECK(of_object.rows_along == 0);
  CHECK(of_object.layout.varies[1]);
  CHECK(describe(compiler.choice().form(lines)).find("lanes along y") != std::string::npos);
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

TEST_CASE("many bytes fit into few registers") {
  const auto network = [](const std::string& type) {
    std::string values, sorted, sum;
    for (int v = 0; v < 14; ++v) values += fmt::format("{} v{} = a[i + {}]", v ? "," : type, v, v);
    for (int v = 0; v < 13; ++v) {
      sorted += fmt::format("    t = min(v{0}, v{1}), v{1} = max(v{0}, v{1}), v{0} = t;\n", v, v + 1);
      sum += fmt::format("v{} + ", v);
    }
    return "kernel void k(global const " + type + "* a, global int* out, int n) {\n" +
           "  int i = get_global_id(0);\n " + values +
           ", t;\n  for (int y = 0; y < n; y++) {\n    v0 += a[i * 2 + y];\n" + sorted +
           "  }\n  out[i] = " + sum + "v13;\n}\n";
  };
  const LaunchSpec line{.dims = 1, .global = {4096, 1, 1}, .local = {64, 1, 1}};
  for (const bool avx512 : {false, true}) {
    CHECK(form_of(network("uchar"), line, avx512).width == (avx512 ? 64 : 32));
    CHECK(form_of(network("uint"), line, avx512).width == (avx512 ? 32 : 16));
  }
}

TEST_CASE("loops that compute with little else than bytes have four vectors though lanes skip most of them") {
  const auto align = [](const std::string& type) {
    std::string steps;
    for (int x = 0; x < 16; ++x)
      steps += fmt::format(
          "    s = c == {} ? last + 3 : best - c, last = max(s, ({})(best ^ last)), c ^= s;\n", x, type);
    return "kernel void k(global const " + type +
           "* a, global int* out, int n) {\n  int i = get_global_id(0);\n  " + type +
           " best = 0, last = 0, s;\n  for (int y = 0; y < n; y++) {\n    " + type +
           " c = a[y * get_global_size(0) + i];\n    if (c == 4) continue;\n" + steps +
           "    best = max(best, last);\n    if (best == 77) break;\n  }\n  out[i] = best + last;\n}\n";
  };
  const LaunchSpec line{.dims = 1, .global = {4096, 1, 1}, .local = {64, 1, 1}};
  CHECK(form_of(align("uchar"), line, false).width == 32);
  CHECK(form_of(align("uint"), line, false).width == 16);
}

// 64 would be twice as many as there are work-items in a row.
TEST_CASE("rows of a grid that are shorter than a wave get fewer lanes") {
  const std::string source =
      "kernel void k(global const float* a, global float* b, int w) {\n"
      "  int i = get_global_id(1) * w + get_global_id(0);\n  b[i] = a[i] + 1;\n}\n";
  for (const auto& [row, lanes] :
       {std::pair(1024u, 64u), {64u, 64u}, {33u, 64u}, {32u, 32u}, {16u, 16u}, {12u, 16u}})
    CHECK(form_of(source, {.dims = 2, .global = {row, 64, 1}, .local = {1, 1, 1}}).width == lanes);
}

TEST_CASE("waves have 16 lanes where each lane walks along a row of its own, and 8 where it writes one") {
  const auto kernel = [](const std::string& address) {
    return "kernel void k(global const float* a, global float* out, int n) {\n"
           "  int i = get_global_id(0);\n  float s = 0;\n"
           "  for (int k = 0; k < n; k++) s += a[" +
           address + "];\n  out[i] = s;\n}\n";
  };
  const LaunchSpec line{.dims = 1, .global = {4096, 1, 1}, .local = {64, 1, 1}};
  for (bool avx512 : {true, false}) {
    const uint32_t most = avx512 ? 64 : 32;
    CHECK(form_of(kernel("i * n + k"), line, avx512).width == 16);
    CHECK(form_of(kernel("i * 1000 + k * 4"), line, avx512).width == 16);
    CHECK(form_of("kernel void k(global const float* a, global float* out, int n) {\n"
                  "  int i = get_global_id(0);\n  float s = 0;\n  global const float* p = a + i * n;\n"
                  "  for (int k = 0; k < n; k++) s += *p++;\n  out[i] = s;\n}\n",
                  line, avx512)
              .width == 16);
    CHECK(form_of(kernel("i * n + k] * a[k * n + i"), line, avx512).width == 16);
    const auto from_to = [](const std::string& from, const std::string& to) {
      return "kernel void k(global const float* a, global const int* rows, global float* out, int n) {\n"
             "  int i = get_global_id(0);\n  float s = 0;\n"
             "  for (int k = " +
             from + "; k < " + to + "; k++) s += a[k];\n  out[i] = s;\n}\n";
    };
    CHECK(form_of(from_to("i * n", "min(i * n + n, 100000)"), line, avx512).width == 16);
    CHECK(form_of(from_to("rows[i]", "rows[i] + n"), line, avx512).width != 16);  // a load says where
    CHECK(form_of("kernel void k(global const uchar* a, global uint* out, int n) {\n"
                  "  int i = get_global_id(0);\n  uint h = 0;\n"
                  "  for (int k = 0; k < n; k++) h = (h ^ a[i * n + k]) * 31;\n  out[i] = h;\n}\n",
                  line, avx512)
              .width == most);  // in words
    CHECK(form_of("kernel void k(global const uchar* text, global int* out, int n) {\n"
                  "  int i = get_global_id(0), sum = 0;\n"
                  "  for (int k = 0; k < n && text[i * n + k] != 10; k++) sum = sum * 10 + text[i * n + k];\n"
                  "  out[i] = sum;\n}\n",
                  line, avx512)
              .width > 16);  // a line of memory is many steps long
    std::string much =
        "kernel void k(global const int* a, global int* out, int n) {\n"
        "  int i = get_global_id(0), s = 0;\n  for (int k = 0; k < n; k++) {\n    int x = a[i * n + k];\n";
    for (int times = 0; times < 12; ++times) much += "    x = (x ^ x >> 3) * 5;\n";
    CHECK(form_of(much + "    s += x;\n  }\n  out[i] = s;\n}\n", line, avx512).width == most);
    CHECK(form_of("kernel void k(global const float* a, global float* out, int n) {\n"
                  "  int i = get_global_id(0) * n;\n  float s = 0;\n"
                  "  for (int k = 0; k < n; k++) out[i + k] = s += a[i + k];\n}\n",
                  line, avx512)
              .width == 8);
    CHECK(form_of(kernel("k * n + i"), line, avx512).width == most);       // neighbours
    CHECK(form_of(kernel("i * 8 + k"), line, avx512).width == most);       // near each other
    CHECK(form_of(kernel("i * n + k * 64"), line, avx512).width == most);  // a new line each time
    CHECK(form_of(kernel("(int)s & 1023"), line, avx512).width == most);   // as in a hash by table
  }
}

TEST_CASE("waves of groups with barriers are rows where these fill vectors") {
  const auto kernel = [](const std::string& use) {
    return "kernel void k(global const float* a, global float* out, int n) {\n"
           "  local float t[16][17];\n  int x = get_local_id(0), y = get_local_id(1);\n  float s = 0;\n"
           "  t[y][x] = a[y * n + x];\n  barrier(CLK_LOCAL_MEM_FENCE);\n" +
           use + "  out[get_global_id(1) * n + get_global_id(0)] = s;\n}\n";
  };
  auto grid = [](uint64_t x, uint64_t y) {
    return LaunchSpec{.dims = 2, .global = {256, 256, 1}, .local = {x, y, 1}};
  };
  for (bool avx512 : {true, false})
    for (const char* use : {"  s = t[15 - y][x];\n", "  s = t[x][y];\n",
                            "  for (int k = 0; k < n; k++) s += t[y][k] * t[k][x];\n"}) {
      INFO(use);
      const CpuForm full = form_of(kernel(use), grid(16, 16), avx512),
                    half = form_of(kernel(use), grid(8, 8), avx512);
      CHECK((!full.layout.packed && full.width == 16));
      CHECK((half.layout.packed && half.width >= 32));
      // Launches compare the other ones, too.
      const CpuFormChoice choice = cpu_compiler_of(kernel(use), avx512, 0).choice();
      auto packed_too = [](const CpuRival& r) { return r.form.layout.packed && r.form.width >= 32; };
      auto rows_too = [](const CpuRival& r) { return !r.form.layout.packed; };
      CHECK(std::ranges::any_of(choice.rivals(full, grid(16, 16)), packed_too));
      CHECK(std::ranges::any_of(choice.rivals(half, grid(8, 8)), rows_too));
    }
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

TEST_CASE("waves of a row are such that few lanes are idle") {
  const auto kernel = [](const std::string& barrier) {
    return "kernel void k(global int* out) {\n  local int t[256];\n  int i = get_local_id(0);\n"
           "  t[i] = i;\n" +
           barrier + "  out[get_global_id(0)] = t[i ^ 1];\n}\n";
  };
  auto along = [&](const std::string& source, std::array<uint64_t, 3> global, std::array<uint64_t, 3> local) {
    const CpuForm form = form_of(source, {.dims = 2, .global = global, .local = local});
    CHECK_FALSE(form.layout.packed);
    return form.width;
  };
  // One wave whose lanes are always the same, and full ones.
  for (const auto& [local, width] : {std::pair(7u, 8u),
                                     {24u, 32u},
                                     {40u, 64u},
                                     {48u, 64u},
                                     {72u, 32u},
                                     {96u, 32u},
                                     {128u, 64u},
                                     {50u, 64u}}) {
    INFO(local);
    const std::string meets = kernel("  barrier(CLK_LOCAL_MEM_FENCE);\n");
    CHECK(along(meets, {local * 100, 1, 1}, {local, 1, 1}) == width);
    // Rows of tiles, too, if packed waves would have pieces of them.
    if (local % 16 != 0) CHECK(along(meets, {local * 10, 40, 1}, {local, 4, 1}) == width);
  }
  const std::string apart = "kernel void k(global int* out) { out[get_global_id(0)] += get_global_id(1); }\n";
  for (const auto& [row, width] : {std::pair(48u, 16u), {96u, 32u}, {100u, 64u}, {128u, 64u}, {1000u, 64u}})
    CHECK(along(apart, {row, 40, 1}, {1, 1, 1}) == width);
}

TEST_CASE("groups with barriers are packed only if their rows fill a good part of a vector") {
  const std::string kernel =
      "kernel void k(global float* a, int n) {\n  local float t[1024];\n"
      "  int x = get_local_id(0), y = get_local_id(1), w = get_local_size(0);\n"
      "  t[y * w + x] = a[get_global_id(1) * n + get_global_id(0)];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  a[get_global_id(1) * n + get_global_id(0)] = t[(w - 1 - y) * w + x];\n}\n";
  for (const auto& [side, packed] : {std::pair(4u, true),
                                     {8u, true},
                                     {10u, false},
                                     {12u, false},
                                     {16u, false},
                                     {20u, false},
                                     {24u, false}}) {
    INFO(side);
    const LaunchSpec grid{.dims = 2, .global = {side * 8, side * 8, 1}, .local = {side, side, 1}};
    CHECK(form_of(kernel, grid).layout.packed == packed);
  }
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
  // Those of 64-bit values have eight vectors then, and get by with four.
  const std::string longs =
      "kernel void k(global double* out) {\n  local double t[64];\n  int i = get_local_id(0);\n"
      "  double x = out[get_global_id(0)];\n  t[i] = x * x + 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  out[get_global_id(0)] = x * t[i ^ 1] - t[i];\n}\n";
  CHECK(form_of(longs, line).width == 32);
  CHECK(form_of(longs, line, false).width == 16);
}

TEST_CASE("code outside of loops counts less in what is long") {
  auto kernel = [](bool loop) {
    std::string steps;
    for (int k = 0; k < 700; ++k) steps += "    x = (x ^ i) * 7 + (x >> 3);\n";
    return "kernel void k(global int* out, int n) {\n  int i = get_global_id(0), x = out[i];\n" +
           std::string(loop ? "  for (int k = 0; k < n; k++) x = x * 5 + k;\n" : "") + "  if (x == 77) {\n" +
           steps + "  }\n  out[i] = x;\n}\n";
  };
  const LaunchSpec line{.dims = 1, .global = {4096, 1, 1}, .local = {64, 1, 1}};
  CHECK(form_of(kernel(false), line).width == 16);
  CHECK(form_of(kernel(true), line).width == 32);
}

TEST_CASE("work-items run alone where lanes would wait for the longest of them") {
  const LaunchSpec line{.dims = 1, .global = {4096, 1, 1}, .local = {64, 1, 1}};
  const std::string rows =
      "kernel void k(global const int* first, global const int* column, global const float* x, global float* "
      "y) {\n"
      "  int row = get_global_id(0);\n  float sum = 0;\n"
      "  for (int i = first[row]; i < first[row + 1]; i++) sum += x[column[i]];\n  y[row] = sum;\n}\n";
  const std::string search =
      "kernel void k(global const int* weights, global int* found, int target) {\n"
      "  int id = get_global_id(0), depth = 0, sum = 0;\n  int w[12];\n  char taken[12];\n"
      "  for (int i = 0; i < 12; i++) w[i] = weights[id * 12 + i];\n"
      "descend:\n  if (sum == target) goto success;\n  if (depth == 12) goto back;\n"
      "  if (sum + w[depth] > target) {\n    taken[depth++] = 0;\n    goto descend;\n  }\n"
      "  taken[depth] = 1;\n  sum += w[depth++];\n  goto descend;\n"
      "back:\n  if (depth == 0) {\n    found[id] = 0;\n    return;\n  }\n"
      "  if (!taken[--depth]) goto back;\n  taken[depth] = 0;\n  sum -= w[depth++];\n  goto descend;\n"
      "success:\n  found[id] = depth;\n}\n";
  const std::string stream =
      "kernel void k(global float* y, global const float* x, float a) {\n"
      "  int i = get_global_id(0);\n  y[i] += a * x[i];\n}\n";
  const std::string escape =
      "kernel void k(global int* out, float left) {\n  int id = get_global_id(0), n = 0;\n"
      "  float c = left + id * 0.01f, x = 0;\n  while (n < 256 && x < 4) { x = x * x + c; n++; }\n"
      "  out[id] = n;\n}\n";
  for (bool avx512 : {false, true}) {
    CHECK(form_of(rows, line, avx512).width == 1);
    CHECK(form_of(search, line, avx512).width == 1);
    CHECK(form_of(stream, line, avx512).width > 8);
    CHECK(form_of(escape, line, avx512).width > 8);
  }
  // Groups along z are lines of neighbours, for which the estimate is another one.
  const LaunchSpec along_z{.dims = 3, .global = {16, 16, 64}, .local = {1, 1, 64}};
  const std::string several =
      "kernel void k(global const int* first, global const int* column, global const float* x, global float* "
      "y) {\n"
      "  int row = get_global_id(0), z = get_global_id(2), nz = get_global_size(2);\n  float sum = 0;\n"
      "  for (int i = first[row]; i < first[row + 1]; i++) sum += x[column[i] * nz + z];\n"
      "  y[row * nz + z] = sum;\n}\n";
  CHECK(form_of(several, line).width == 1);
  CHECK(form_of(several, along_z).width > 8);
  CHECK(form_of(rows, line, true, 32).width == 32);
  CHECK(form_of(stream, line, true, 1).width == 1);
}

// Three waves of 16 lanes do three times what one of 64 does once.
TEST_CASE("waves are wider than short rows where most of their work is the same for all lanes") {
  const LaunchSpec rows{.dims = 2, .global = {48, 1000, 1}, .local = {48, 1, 1}};
  const std::string bags =
      "kernel void k(global const float* table, global const int* at, global const float* w, global float* "
      "out, int n) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n  float sum = 0, all = 0;\n"
      "  for (int i = 0; i < n; i++) {\n"
      "    sum += w[y * n + i] * table[at[y * n + i] * 48 + x];\n    all += w[y * n + i];\n  }\n"
      "  out[y * 48 + x] = sum / all;\n}\n";
  const std::string plain =
      "kernel void k(global float* a, global const float* b) {\n"
      "  int i = get_global_id(1) * 48 + get_global_id(0);\n"
      "  a[i] = sqrt(a[i]) / (b[i] + 1) + sqrt(b[i]) / (a[i] + 2);\n}\n";
  CHECK(form_of(bags, rows, true, 0).width == 64);
  CHECK(form_of(plain, rows, true, 0).width == 16);
}

TEST_CASE("a group with barriers has waves of several lanes, whatever its loops do") {
  const std::string source =
      "kernel void k(global const int* first, global const int* column, global float* y) {\n"
      "  local float part[64];\n  int row = get_global_id(0), l = get_local_id(0);\n  float sum = 0;\n"
      "  for (int i = first[row]; i < first[row + 1]; i++) sum += column[column[i]];\n  part[l] = sum;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n  y[row] = part[63 - l];\n}\n";
  CHECK(form_of(source, {.dims = 1, .global = {4096, 1, 1}, .local = {64, 1, 1}}).width > 1);
}

TEST_CASE("waves are tiles where some accesses are contiguous along x and others along y") {
  const LaunchSpec grid{.dims = 2, .global = {64, 128, 1}, .local = {16, 16, 1}};
  const std::string transpose =
      "kernel void k(global float* a, global const float* b, int n, int m) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n  a[x * m + y] = b[y * n + x];\n}\n";
  CHECK(tile_of(transpose, grid) == Size3{8, 8, 1});
  const std::string rows =
      "kernel void k(global float* a, global const float* b, int n) {\n"
      "  int x = get_global_id(0), y = get_global_id(1);\n  a[y * n + x] += b[y * n + x];\n}\n";
  CHECK(tile_of(rows, grid) == kNoTile);
}

// What runs in waves of one lane only, as estimates are sure of, goes through the shared passes for one lane.
// That changes no code, and the other lanes can still be had.
TEST_CASE("long kernels that surely run in one lane are compiled for it from the start") {
  const auto machine_code = [](const std::string& source, bool told, uint32_t width, bool& one_lane) {
    FrontendResult compiled = compile_source(source, {});
    REQUIRE(compiled.module);
    const TargetDesc& target = *find_target("avx512");
    CompileOptions options;
    if (told) options.one_lane = one_lane_on({&target});
    auto shared = KernelCompiler::start(*compiled.module->functions.back(), std::move(options));
    REQUIRE(shared);
    one_lane = shared->one_lane();
    auto compiler = CpuCompiler::create(std::move(*shared), target, width);
    REQUIRE(compiler);
    CHECK(compiler->choice().any_form().width == (width ? width : 1));
    auto code = compiler->compile(compiler->choice().any_form(), true);
    REQUIRE(code);
    return code->machine.text;
  };
  for (const bool is_long : {false, true}) {
    const std::string source = gathering_kernel(is_long ? 400 : 10);
    bool told = false, untold = false;
    CHECK(machine_code(source, true, 0, told) == machine_code(source, false, 0, untold));
    CHECK(told == is_long);
    CHECK_FALSE(untold);
    CHECK(machine_code(source, true, 16, told) == machine_code(source, false, 16, untold));
    CHECK(told == is_long);
  }
}

// A barrier in front of loops whose lengths only data tell: with barriers in a loop, nobody knows what one
// lane would cost.
TEST_CASE("launches of groups compare one lane where no loop has barriers") {
  const auto compares_one_lane = [](const std::string& more, bool avx512) {
    const std::string text =
        "kernel void k(global const uchar* next, global const int* start, global int* out, int n) {\n"
        "  local uchar table[256];\n  int l = get_local_id(0), i = get_global_id(0), steps = 0;\n"
        "  table[l] = next[l];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  for (int j = 0; j < n; j += steps + 1)\n"
        "    for (uchar s = start[i * n + j]; s; s = table[s]) steps += s & 3;\n" +
        more + "  out[i] = steps;\n}\n";
    const LaunchSpec spec{.global = {4096, 1, 1}, .local = {64, 1, 1}};
    const CpuForm form = form_of(text, spec, avx512);
    REQUIRE(form.width > 1);
    const auto rivals = cpu_compiler_of(text, avx512, 0).choice().rivals(form, spec);
    return std::ranges::any_of(rivals, [](const CpuRival& r) { return r.form.width == 1; });
  };
  for (bool avx512 : {false, true}) {
    INFO(avx512);
    CHECK(compares_one_lane("", avx512));
    CHECK(!compares_one_lane("  for (int j = 0; j < n; j++) barrier(CLK_LOCAL_MEM_FENCE);\n", avx512));
  }
}

TEST_CASE("counters stay uniform where work-items begin the next iteration from several places") {
  const std::string first = "if (v & 1) { out[v & 1023] = j; ",
                    second = "s += v; s ^= s >> 3; s *= 7; s ^= s << 5; s = s % 1001 ^ v; s -= v / 9; ",
                    third = "if (s & 64) ", last = "s ^= v; out[s & 1023] = j; ";
  const std::string loops[] = {"while (j < n) { int v = a[j * g + i]; j++; " + first + "continue; } " +
                                   second + third + "continue; " + last + "}",
                               "for (; j + 3 < n; j += 3) { int v = a[j * g + i] * a[(j + 3) * g + i]; " +
                                   first + "} else { " + second + "} }",
                               "again: if (j < n) { int v = a[j * g + i]; j += 2; " + first +
                                   "goto again; } " + second + third + "goto again; " + last +
                                   "goto again; }"};
  for (const std::string& loop : loops) {
    INFO(loop);
    const std::string text = assembly_of(
        "kernel void k(global const int* a, global int* out, int n) {\n"
        "  int i = get_global_id(0), g = get_global_size(0), s = 0, j = 0;\n  " +
            loop + "\n  out[i] = s;\n}\n",
        false);
    CHECK(text.find("vpgather") == std::string::npos);
  }
}

TEST_CASE("AVX2 selects among the elements of small private arrays") {
  const auto gathers = [](const std::string& type, int elements, const char* index) {
    const std::string count = std::to_string(elements);
    const std::string text = assembly_of(
        "kernel void k(global const uint* a, global " + type +
            "* out, int n) {\n  int i = get_global_id(0), g = get_global_size(0);\n  " + type + " c[" +
            count + "] = {0};\n  for (int j = 0; j < n; j++) {\n    uint v = a[j * g + i] % " + count +
            ";\n    c[" + index + "] += v;\n  }\n  for (int k = 0; k < " + count +
            "; k++) out[k * g + i] = c[k];\n}\n",
        false);
    return text.find("vpgather") != std::string::npos;
  };
  for (int elements : {2, 3, 4, 6, 8}) {
    INFO(elements);
    CHECK(!gathers("int", elements, "v"));
  }
  CHECK(gathers("int", 9, "v"));
  CHECK(gathers("int", 16, "v"));
  CHECK(!gathers("int", 9, "j % 9"));
  // Of 64 bits, vectors are twice as many, and comparisons of words are widened.
  CHECK(!gathers("long", 2, "v"));
  CHECK(gathers("long", 6, "v"));
}

// Each of them would gain, but the code, and the time to allocate its registers, grow with all of them.
TEST_CASE("selections in place of private arrays are bounded in a kernel") {
  const auto arrays_in_memory = [](int arrays) {
    std::string text =
        "kernel void k(global const uint* a, global int* out, int n) {\n  int i = get_global_id(0);\n";
    for (int k = 0; k < arrays; ++k) text += fmt::format("  int c{}[8] = {{0}};\n", k);
    text += "  for (int j = 0; j < n; j++) {\n    int v = a[i + j] % 8;\n";
    for (int k = 0; k < arrays; ++k) text += fmt::format("    c{0}[(v + {0}) & 7] += j;\n", k);
    text += "  }\n";
    for (int k = 0; k < arrays; ++k)
      text += fmt::format("  for (int k = 0; k < 8; k++) out[i * 8 + k] += c{}[k];\n", k);
    const CpuCompiler compiler = cpu_compiler_of(text + "}\n", false, 16);
    return compiler.thread().objects.size();
  };
  CHECK(arrays_in_memory(20) == 0);
  CHECK(arrays_in_memory(120) > 40);
}
