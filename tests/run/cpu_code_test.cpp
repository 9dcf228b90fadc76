// SPDX-License-Identifier: Apache-2.0
// What the code of CPUs looks like: which accesses it has, what it computes once, and where masks are. The
// chapters of this folder compare its results.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <regex>
#include <string>

#include "tests/run/compiled_for_cpu.h"

using namespace kc;
using namespace kc::test;

// Elements of a table that lie side by side are permutations of registers, not accesses to memory.
TEST_CASE("neighbours in a table of constants are looked up in registers") {
  const std::string pairs =
      "constant short t[16] = {0, 3, 5, 9, 3, 0, 4, 6, 5, 4, 0, 2, 9, 6, 2, 0};\n"
      "kernel void k(global const int* in, global int* out) {\n  int i = get_global_id(0), x = in[i] & 3;\n"
      "  out[i] = t[x] * 3 + t[x + 4] * 5 + t[x + 8];\n}\n";
  const LaunchSpec spec{.global = {1024, 1, 1}, .local = {256, 1, 1}};
  for (bool avx512 : {false, true}) {
    INFO(avx512);
    const std::string text = assembly_of(pairs, avx512, spec);
    CHECK(text.find("vpermd") != std::string::npos);
    for (const char* memory : {"gather", "vinserti", "vpextrq"})
      CHECK(text.find(memory) == std::string::npos);
  }
}

// The only scalar division is that of the first lane's id: without rows each lane divides, in vectors.
TEST_CASE("waves in one row of a flat id divide once") {
  const auto divides = [](const std::string& body) {
    return assembly_of(
               "kernel void k(int w, global const int* in, global int* out) {\n"
               "  int i = get_global_id(0);\n" +
                   body + "}\n",
               true)
               .find("\tdiv ") != std::string::npos;
  };
  CHECK(divides("  out[i] = in[i / w * (w + 2) + i % w];\n"));
  // A row that is shorter than a wave holds none.
  CHECK(!divides("  out[i] = in[i / 3 * w + i % 3];\n"));
  // A wave in no row would lose what borders of ids gain.
  CHECK(!divides("  out[i] = in[max(i - 1, 0)] + in[i / w];\n"));
}

TEST_CASE("vectors that a loop computes component by component stay as they lie in memory") {
  const auto shuffles = [](const std::string& body, bool avx512) {
    const std::string text = assembly_of(
        "kernel void k(global const float4* in, global float4* out, int n, float a) {\n"
        "  int i = get_global_id(0);\n  float4 sum = 0;\n" +
            body + "  out[i] = sum;\n}\n",
        avx512, {.global = {1024, 1, 1}, .local = {256, 1, 1}});
    const size_t stored =
        text.find(avx512 ? "\tvmovups zmmword ptr [" : "\tvmovups ymmword ptr [");  // of full waves
    REQUIRE(stored != std::string::npos);
    // Behind them come waves with idle lanes, whose masks are shuffled, but no data.
    return std::min(text.find("vperm"), text.find("vshuf")) < stored ||
           text.find("vpermi2d") != std::string::npos || text.find("vshufps") != std::string::npos;
  };
  for (bool avx512 : {false, true}) {
    INFO(avx512);
    CHECK(!shuffles("  for (int j = 0; j < n; j++) sum += in[j * 1024 + i] * a;\n", avx512));
    CHECK(!shuffles("  for (int j = 0; j < n; j++) if (j != 3) sum = max(sum, in[j * 1024 + i]);\n", avx512));
    CHECK(shuffles("  for (int j = 0; j < n; j++) sum = sum.yzwx + in[j * 1024 + i];\n", avx512));
  }
}

TEST_CASE("lanes that are likely contiguous are loaded at once, of all sizes") {
  const std::regex load(R"(v(movups|movdqu32|movdqu64|pmovzx\w+) [yz]mm\d+( \{[^\n]*)?, \w+ ptr \[r[^i])");
  for (const char* type : {"uchar", "ushort", "uint", "ulong"})
    for (bool avx512 : {false, true}) {
      INFO(type << " " << avx512);
      const std::string source = fmt::format(
          "kernel void k(uint n, uint s, global const {0}* in, global {0}* out) {{\n"
          "  uint i = get_global_id(0);\n  out[i] = in[(i + s) & (n - 1)];\n}}\n",
          type);
      const std::string text = assembly_of(source, avx512);
      CHECK(text.find("gather") != std::string::npos);
      CHECK(std::regex_search(text, load));
    }
}

TEST_CASE("of vectors that are likely contiguous only those are gathered that are not") {
  for (const char* type : {"uchar", "short", "int"})
    for (bool avx512 : {false, true}) {
      const std::string text =
          assembly_of(fmt::format("kernel void k(global const {0}* in, global {0}* out, int n) {{\n"
                                  "  int i = get_global_id(0);\n  out[i] = in[clamp(i + 1, 0, n - 1)];\n}}\n",
                                  type),
                      avx512, {.global = {1024, 1, 1}, .local = {64, 1, 1}}, avx512 ? 64 : 32);
      INFO(text);
      CHECK(text.find("gather") != std::string::npos);
      // Each has a block of its own.
      CHECK_FALSE(std::regex_search(text, std::regex("gather[^:]*gather")));
    }
}

TEST_CASE("an index that is loaded is extended by its load") {
  const std::string text = assembly_of(
      "kernel void k(global const int* at, global const int* in, global int* out) {\n"
      "  int i = get_global_id(0);\n  out[i] = in[at[i]];\n}\n",
      true, {.global = {4096, 1, 1}, .local = {64, 1, 1}}, 1);
  CHECK(std::regex_search(text, std::regex(R"(movsxd \w+, dword ptr)")));
}

// Waves store the address where they go on only if they stop at barriers.
TEST_CASE("groups with barriers are loops over their waves") {
  const auto kernel = [](const std::string& body) {
    return "kernel void k(global int* out, int n) {\n  local int s[256];\n  int t = get_local_id(0);\n"
           "  s[t] = out[t];\n  barrier(CLK_LOCAL_MEM_FENCE);\n" +
           body + "  out[get_global_id(0)] = s[255 - t];\n}\n";
  };
  const LaunchSpec spec{.global = {1024, 1, 1}, .local = {256, 1, 1}};
  const std::string tree = kernel(
      "  for (int m = 16 * n; m > 0; m >>= 1) {\n    if (t < m) s[t] += s[t + m];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n");
  const std::string again = kernel(
      "  bool c = s[t ^ 1] > n;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  if (c) s[t] += 5;\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (c) s[t] -= n;\n  barrier(CLK_LOCAL_MEM_FENCE);\n");
  const std::string only_some =
      kernel("  if (t < 64 * n) {\n    s[t] = n;\n    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n");
  const std::string counts = kernel("  atomic_inc(&s[out[t] & 255]);\n  barrier(CLK_LOCAL_MEM_FENCE);\n");
  for (bool avx512 : {false, true}) {
    INFO(avx512);
    const std::string resume = fmt::format("rdi + {}", offsetof(CpuWaveContext, resume));
    const std::string next_wave = fmt::format(", {}\n\tadd rdi, r", sizeof(CpuWaveContext));
    auto stops = [&](const std::string& text) { return text.find(resume) != std::string::npos; };
    CHECK_FALSE(stops(assembly_of(tree, avx512, spec)));
    CHECK_FALSE(stops(assembly_of(again, avx512, spec)));
    CHECK(stops(assembly_of(only_some, avx512, spec)));
    // Also if the last wave of a row is not full, or none is.
    for (const std::array<uint64_t, 3>& local :
         {std::array<uint64_t, 3>{100, 1, 1}, {24, 1, 1}, {12, 12, 1}}) {
      const LaunchSpec odd{.dims = 2, .global = {local[0] * 8, local[1] * 8, 1}, .local = local};
      INFO(local[0]);
      CHECK_FALSE(stops(assembly_of(again, avx512, odd, 0)));
    }
    // The loop ends early, after as many waves as the counter says.
    CHECK(assembly_of(tree, avx512, spec).find(next_wave) != std::string::npos);
    CHECK(assembly_of(again, avx512, spec).find(next_wave) == std::string::npos);
    // Of a wave whose lanes fit into one vector, only that is computed: the next lane is not below the bound.
    const std::string next = avx512 ? " + 16]\n\tcmp r" : " + 8]\n\tcmp r";
    CHECK(assembly_of(tree, avx512, spec).find(next) != std::string::npos);
    CHECK(assembly_of(again, avx512, spec).find(next) == std::string::npos);
    // Without a test of the lane's bit.
    CHECK(assembly_of(counts, avx512, spec).find("add dword ptr [r") != std::string::npos);
    CHECK(assembly_of(counts, avx512, spec).find("\tbt ") == std::string::npos);
  }
  // s[t + 1], at 20 bytes from the start of local memory: gathered, and in one access for waves inside of the
  // bounds.
  const std::string clamped =
      kernel("  int e = min(t + 1, n);\n  if (t < n) s[t] = s[e] + 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n");
  const std::string text = assembly_of(clamped, false, spec);
  CHECK(text.find("vpgatherdd") != std::string::npos);
  CHECK(text.find("+ 20]\n") != std::string::npos);
}

// No processor foresees which lanes are active.
TEST_CASE("atomic operations of some lanes take few branches") {
  const auto kernel = [](const std::string& body) {
    return "kernel void k(global const int* in, global int* out) {\n  local int s[256];\n"
           "  int t = get_local_id(0), v = in[get_global_id(0)];\n  s[t] = 0;\n"
           "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (v & 1) " +
           body + "\n  barrier(CLK_LOCAL_MEM_FENCE);\n  out[get_global_id(0)] = s[255 - t];\n}\n";
  };
  const LaunchSpec spec{.global = {1024, 1, 1}, .local = {256, 1, 1}};
  for (bool avx512 : {false, true}) {
    INFO(avx512);
    for (const char* body : {"atomic_add(&s[v >> 1 & 255], v);", "atomic_max(&s[v >> 1 & 255], v);",
                             "s[v & 255] = atomic_xchg(&s[v >> 1 & 255], v);"}) {
      INFO(body);
      CHECK(assembly_of(kernel(body), avx512, spec).find("\tbt ") == std::string::npos);
    }
    const std::string locked = assembly_of(kernel("atomic_add(&out[v >> 1], v);"), avx512, spec);
    CHECK(locked.find("lock add") != std::string::npos);
    CHECK((locked.find("vpcompressq") != std::string::npos) == avx512);
    CHECK((locked.find("vpcompressd") != std::string::npos) == avx512);
  }
}

// A step of a tree stores what the next one loads, in accesses of its size. How many steps there are only the
// launch tells, so the group is a loop over its waves.
TEST_CASE("the first lanes of a wave load and store as many words as there are, without a mask") {
  const std::string tree =
      "kernel void k(global const float* in, global float* out, local float* s, uint half_of_group) {\n"
      "  uint t = get_local_id(0);\n  s[t] = in[get_global_id(0)];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  for (uint m = half_of_group; m > 0; m >>= 1) {\n    if (t < m) s[t] += s[t + m];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n  if (t == 0) out[get_group_id(0)] = s[0];\n}\n";
  const LaunchSpec spec{.global = {1024, 1, 1}, .local = {256, 1, 1}, .local_bytes = 1024};
  for (bool avx512 : {false, true}) {
    const std::string text = assembly_of(tree, avx512, spec, 64);
    INFO(text);
    CHECK(text.find("vmovups xmmword ptr [r") != std::string::npos);
    CHECK(text.find("vmovsd qword ptr [r") != std::string::npos);
    // The last step, and the result.
    const std::regex one("vmovss dword ptr \\[r");
    CHECK(std::distance(std::sregex_iterator(text.begin(), text.end(), one), {}) == 2);
    if (avx512) CHECK(text.find("vmovups ymmword ptr [r") != std::string::npos);
  }
}

TEST_CASE("lanes at known distances that are not near are loaded and stored one by one") {
  const auto transpose = [](const std::string& type, const std::string& fill, const std::string& use) {
    return "kernel void k(global const " + type + "* a, global " + type + "* out, int n) {\n  local " + type +
           " t[16][17];\n  int x = get_local_id(0), y = get_local_id(1);\n  " + fill +
           " = a[y * n + x];\n  barrier(CLK_LOCAL_MEM_FENCE);\n  out[y * n + x] = " + use + ";\n}\n";
  };
  const LaunchSpec grid{.dims = 2, .global = {256, 256, 1}, .local = {16, 16, 1}};
  struct Row {
    const char *type, *load, *load512, *store;
  };
  for (bool avx512 : {false, true})
    for (uint32_t width : {16u, 64u})  // in rows, and several rows
      for (const Row& row : {Row{"float", "vblendps", "vbroadcastss xmm", "vpextrd"},
                             Row{"double", "vblendpd", "vpbroadcastq xmm", "vpextrq"},
                             Row{"uchar", "vpinsrb", "vpinsrb", "mov byte ptr"},
                             Row{"short", "vpinsrw", "vpinsrw", "mov word ptr"}}) {
        const std::string load = assembly_of(transpose(row.type, "t[y][x]", "t[x][y]"), avx512, grid, width),
                          store = assembly_of(transpose(row.type, "t[x][y]", "t[y][x]"), avx512, grid, width);
        INFO(load << store);
        CHECK(load.find(avx512 ? row.load512 : row.load) != std::string::npos);
        CHECK(store.find(row.store) != std::string::npos);
        for (const char* slow : {"gather", "scatter"}) {
          CHECK(load.find(slow) == std::string::npos);
          CHECK(store.find(slow) == std::string::npos);
        }
      }
}

TEST_CASE("a tree in a group of one wave has neither masks nor local memory") {
  const std::string tree =
      "kernel void k(global const float* a, global float* out) {\n  local float t[32];\n"
      "  int i = get_local_id(0);\n  t[i] = a[get_global_id(0)];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  for (int n = 16; n > 0; n /= 2) {\n    if (i < n) t[i] += t[i + n];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n  if (i == 0) out[get_group_id(0)] = t[0];\n}\n";
  const std::string text = assembly_of(tree, true, {.global = {3200, 1, 1}, .local = {32, 1, 1}}, 32);
  INFO(text);
  CHECK(text.find("vmovss dword ptr [") != std::string::npos);  // the sum
  for (const char* slow : {"{k1}", "vpcmp", "kortest", "\tj", "ymmword ptr [", "xmmword ptr ["})
    CHECK(text.find(slow) == std::string::npos);
}

// Of each step nothing is left but the waves that take part; the first loop is the one over all waves.
TEST_CASE("the steps of a tree are code for the waves that go on, if a launch tells the size of groups") {
  const std::string tree =
      "kernel void k(global const float* a, global float* out) {\n  local float t[256];\n"
      "  int i = get_local_id(0);\n  t[i] = a[get_global_id(0)];\n  barrier(CLK_LOCAL_MEM_FENCE);\n"
      "  for (int n = get_local_size(0) / 2; n > 0; n /= 2) {\n    if (i < n) t[i] += t[i + n];\n"
      "    barrier(CLK_LOCAL_MEM_FENCE);\n  }\n  if (i == 0) out[get_group_id(0)] = t[0];\n}\n";
  for (bool avx512 : {false, true}) {
    const std::string text =
        assembly_of(tree, avx512, {.global = {2560, 1, 1}, .local = {256, 1, 1}}, avx512 ? 64 : 32);
    INFO(text);
    CHECK(text.find("vmovss dword ptr [") != std::string::npos);
    for (const char* slow : {"{k1}", "vpcmp", "kortest", "vmovmsk"})
      CHECK(text.find(slow) == std::string::npos);
    CHECK(std::ranges::count(text, 'j') <= 2);  // of the loop over all waves
  }
}

// The last lane decides who goes on: nothing is computed of the indices of the others, nor moved for them.
TEST_CASE("iterations of all lanes have no masks") {
  for (const char* type : {"int", "uint", "size_t"})
    for (bool avx512 : {false, true}) {
      const std::string text = assembly_of(
          fmt::format(
              "kernel void k(global const float* x, global const float* y, global float* out, {0} n) {{\n"
              "  float s = 0;\n  for ({0} i = get_global_id(0); i < n; i += get_global_size(0))\n"
              "    s += x[i] * y[i];\n  out[get_global_id(0)] = s;\n}}\n",
              type),
          avx512);
      INFO(text);
      const size_t sum = text.find("vfmadd231ps "), start = text.rfind(":\n", sum),
                   end = text.find("\tj", sum);
      REQUIRE(end != std::string::npos);
      const std::string loop = text.substr(start, end - start);
      CHECK(std::ranges::count(loop, '\n') < 20);
      CHECK(loop.find("\tcmp ") != std::string::npos);
      for (const char* slow :
           {"{k", "vmaskmov", "vblend", "vpcmp", "vpadd", "vmovaps", "vpbroadcast", "gather"})
        CHECK(loop.find(slow) == std::string::npos);
    }
}

// Outside of the loop nothing has a mask.
TEST_CASE("a row of full waves is one call where lanes leave a loop one by one, too") {
  const std::string halves =
      "kernel void k(global const float* x, global float* y, int n) {\n  int i = get_global_id(0);\n"
      "  if (i >= n) return;\n  float s = x[i];\n  while (s > 1.0f) s *= x[(int)s];\n  y[i] = s;\n}\n";
  for (bool avx512 : {false, true}) {
    const CpuCompiler compiler = cpu_compiler_of(halves, avx512, 32);
    auto code = compiler.compile(compiler.choice().form({.global = {4096, 1, 1}, .local = {64, 1, 1}}), true);
    REQUIRE(code);
    const std::string& text = code->machine.text;
    INFO(text);
    CHECK(code->machine.image.takes_rows);
    CHECK(std::regex_search(text, std::regex(R"(vmovups [yz]mm\d+, [yz]mmword ptr \[r[^i][^\]]*\])")));
    CHECK(std::regex_search(text, std::regex(R"(vmovups [yz]mmword ptr \[r[^i][^\]]*\], [yz]mm)")));
  }
}

// Also where the size is a constant before sums are looked at.
TEST_CASE("the id of a group times its size, and a local id, are the global id") {
  const auto code = [](const std::string& id) {
    return assembly_of(
        "__attribute__((reqd_work_group_size(64, 1, 1)))\n"
        "kernel void k(global const float* a, global float* b) {\n  int i = " +
            id + ";\n  b[i] = a[i] * 2;\n}\n",
        true, {.global = {1024, 1, 1}, .local = {64, 1, 1}});
  };
  const std::string global = code("get_global_id(0) - get_global_offset(0)");
  CHECK(code("get_group_id(0) * get_local_size(0) + get_local_id(0)") == global);
  CHECK(code("get_local_id(0) + get_group_id(0) * 64") == global);
  CHECK(code("get_group_id(0) * 32 + get_local_id(0)") != global);
}

TEST_CASE("sums of products of bytes multiply shorts") {
  const std::string source =
      "kernel void k(global const char4* a, global const uchar4* b, global int* out, int n) {\n"
      "  int i = get_global_id(0), s = 0;\n  for (int k = 0; k < n; k++) {\n"
      "    char4 x = a[k];\n    uchar4 y = b[k * 1024 + i];\n"
      "    s += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;\n  }\n  out[i] = s;\n}\n";
  for (bool avx512 : {false, true}) {
    const std::string text = assembly_of(source, avx512);
    INFO(text);
    CHECK(text.find("vpmaddwd") != std::string::npos);
    CHECK(text.find("vpmulld") == std::string::npos);
  }
}

TEST_CASE("indices of an innermost loop are increased instead of being computed anew") {
  const std::string product =
      "kernel void k(global const float* a, global const float* b, global float* c, int n) {\n"
      "  int i = get_global_id(0), j = get_global_id(1);\n  float s = 0;\n"
      "  for (int k = 0; k < n; k++) s += a[j * n + k] * b[k * n + i];\n  c[j * n + i] = s;\n}\n";
  const LaunchSpec grid{.dims = 2, .global = {256, 256, 1}, .local = {16, 16, 1}};
  for (bool avx512 : {false, true})
    for (uint32_t width : {1u, 32u}) {
      const std::string text = assembly_of(product, avx512, grid, width);
      INFO(text);
      // A label, lines that jump nowhere, and a jump to the label.
      const std::regex loop("(\\.L\\d+):\n((?:\t[^j][^\n]*\n)+)\tj[a-z]+ \\1\n");
      size_t found = 0;
      for (std::sregex_iterator at(text.begin(), text.end(), loop), end; at != end; ++at) {
        const std::string body = (*at)[2];
        const bool masked = body.find("{k") != std::string::npos || body.find("vmask") != std::string::npos;
        if (masked || body.find("vfmadd") == std::string::npos) continue;
        ++found;
        for (const char* slow : {"movsxd", "imul"}) CHECK(body.find(slow) == std::string::npos);
      }
      CHECK(found > 0);
    }
}

TEST_CASE("sums of sub-groups whose lanes are all there take a permutation for each step") {
  const auto sum = [](const std::string& more) {
    return "kernel void k(global const float* a, global float* out) {\n  local float t[64];\n"
           "  int l = get_local_id(0);\n  float s = sub_group_reduce_add(a[get_global_id(0)]);\n" +
           more + "  t[l] = s;\n  barrier(CLK_LOCAL_MEM_FENCE);\n  out[get_global_id(0)] = t[l];\n}\n";
  };
  const LaunchSpec spec{.global = {6400, 1, 1}, .local = {64, 1, 1}};
  auto permutations = [&](const std::string& text) {
    size_t n = 0;
    for (size_t at = 0; (at = text.find("\tvpermd zmm", at)) != std::string::npos; ++at) ++n;
    return n;
  };
  const std::string all = assembly_of(sum(""), true, spec, 16);
  INFO(all);
  CHECK(permutations(all) == 4);
  for (const char* lookup : {"tzcnt", "vcvtudq2ps"}) CHECK(all.find(lookup) == std::string::npos);
  // Of some lanes, each looks for the one before.
  CHECK(permutations(assembly_of(sum("  if (l % 3) s = sub_group_reduce_add(s);\n"), true, spec, 16)) > 8);
}

TEST_CASE("elements of a row in local memory share its address") {
  const std::string text = assembly_of(
      "kernel void k(global const float* a, global float* out, int n) {\n  local float t[3][24];\n"
      "  int x = get_local_id(0), row = n % 3;\n  if (x < 24) t[row][x] = a[x];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n  float s = 0;\n"
      "  for (int k = 0; k < 24; k++) s += t[row][k];\n  out[get_global_id(0)] = s;\n}\n",
      true);
  INFO(text);
  size_t products = 0;
  for (size_t at = 0; (at = text.find(", 96\n", at)) != std::string::npos; ++at) ++products;
  CHECK(products >= 1);
  CHECK(products <= 6);  // the loads of the sum have one in common
}

TEST_CASE("a byte of a word is extended with its sign by two shifts") {
  const std::string text = assembly_of(
      "kernel void k(global const char4* a, global int* out) {\n  int i = get_global_id(0);\n"
      "  int4 x = convert_int4(a[i]);\n  out[i] = x.x * x.y + x.z * x.w;\n}\n",
      true);
  INFO(text);
  for (const char* shift : {"vpslld zmm[0-9]+, zmm[0-9]+, 24", "vpslld zmm[0-9]+, zmm[0-9]+, 16",
                            "vpslld zmm[0-9]+, zmm[0-9]+, 8", "vpsrad zmm[0-9]+, zmm[0-9]+, 24"})
    CHECK(std::regex_search(text, std::regex(shift)));
  for (const char* no : {"vpsrld", "vpand"}) CHECK(text.find(no) == std::string::npos);
}

TEST_CASE("a loop that ends at a pointer is left by all lanes together where rows are equally long") {
  const auto sum = [](const std::string& length) {
    return "kernel void k(global const float* a, int n, global float* out) {\n"
           "  int i = get_global_id(0);\n  global const float* row = a + i * n;\n  float s = 0;\n"
           "  for (global const float *p = row, *end = row + " +
           length + "; p < end; p++) s += *p;\n  out[i] = s;\n}\n";
  };
  const std::regex masked_add("vaddps zmm[0-9]+ \\{k");
  CHECK_FALSE(std::regex_search(assembly_of(sum("n"), true), masked_add));
  CHECK(std::regex_search(assembly_of(sum("(n - i)"), true), masked_add));
}

TEST_CASE("lanes next to each other stay so where arms with different addresses are melded") {
  const std::string arms =
      "kernel void k(global const float* a, global float* out, int d) {\n  local float t[64], u[64];\n"
      "  int l = get_local_id(0);\n  t[l] = a[get_global_id(0)];\n  u[l] = a[get_global_id(0) + 1];\n"
      "  barrier(CLK_LOCAL_MEM_FENCE);\n  float r, s;\n  if (l < d) {\n    float q = t[l] / u[l + d];\n"
      "    r = u[l] - t[l + d] * q;\n    s = -u[l + d] * q;\n  } else if (63 - l < d) {\n"
      "    float q = t[l] / u[l - d];\n    r = u[l] - t[l - d] * q;\n    s = -u[l - d] * q;\n  } else {\n"
      "    float q = t[l] / u[l - d], p = t[l] / u[l + d];\n    r = u[l] - t[l - d] * q - t[l + d] * p;\n"
      "    s = -u[l - d] * q - u[l + d] * p;\n  }\n  out[get_global_id(0)] = r * s;\n}\n";
  CHECK(assembly_of(arms, true, {.global = {6400, 1, 1}, .local = {64, 1, 1}}, 64).find("gather") ==
        std::string::npos);
}

TEST_CASE("members of an element that all lanes load share its address") {
  const std::string sums =
      "typedef struct { float x, y, z, w, u, v; } S;\n"
      "kernel void k(global const S* s, global float* out, int n) {\n  int i = get_global_id(0);\n  float f "
      "= 0;\n"
      "  for (int j = 0; j < n; j++) f += (s[j].x - i) * (s[j].y - i) * s[j].w * s[j].v;\n  out[i] = f;\n}\n";
  for (bool avx512 : {false, true}) {
    const std::string text = assembly_of(sums, avx512);
    INFO(text);
    const std::regex product("imul r[a-z0-9]+, r[a-z0-9]+, 24\n"),
        other("vbroadcastss [yz]mm[0-9]+, dword ptr \\[r|dword ptr \\[r[^\n]*1to16");
    const auto count = [&](const std::regex& r) {
      return std::distance(std::sregex_iterator(text.begin(), text.end(), r), {});
    };
    CHECK(count(product) > 0);
    CHECK(4 * count(product) <= count(other));
  }
}

TEST_CASE("the ids of the waves of a row stay in registers, and its end may be one vector") {
  const std::string guarded =
      "kernel void k(global const float* a, global float* b, int n) {\n  int i = get_global_id(0);\n"
      "  if (i < n) b[i] = a[i] * 3;\n}\n";
  const LaunchSpec spec{.global = {4096, 1, 1}, .local = {64, 1, 1}};
  const std::string x = fmt::format("[rdi + {}]", offsetof(CpuWaveContext, global_id));
  for (bool avx512 : {false, true}) {
    const std::string text = assembly_of(guarded, avx512, spec, 64);
    INFO(text);
    CHECK(text.find(", qword ptr " + x) == std::string::npos);
    CHECK(text.find("qword ptr " + x + ", r") == std::string::npos);
    // All vectors under a mask, and the first one by itself.
    const std::regex masked(avx512 ? "vmovdqu32 zmmword ptr \\[.*\\] \\{k" : "vmaskmovps ymmword ptr");
    const auto stores = std::distance(std::sregex_iterator(text.begin(), text.end(), masked), {});
    CHECK(stores == (avx512 ? 4 + 1 : 8 + 1));
  }
}

// A scatter of all lanes: out of the vectors, at indices that come out two at a time, with no other address
// for idle lanes.
TEST_CASE("on AVX2 lanes are stored from their vectors") {
  const std::string turned =
      "kernel void k(global const float* a, global float* b, int n) {\n  int i = get_global_id(0);\n"
      "  b[i * n] = a[i];\n}\n";
  const LaunchSpec spec{.global = {1024, 1, 1}, .local = {64, 1, 1}};
  const std::string text = assembly_of(turned, false, spec);
  CHECK(text.find("\tvpextrd dword ptr [r") != std::string::npos);
  CHECK(text.find("\tsar r") != std::string::npos);
  CHECK(text.find("\tvmovss dword ptr [r") != std::string::npos);
  CHECK(assembly_of(turned, true, spec).find("vscatterdps") == std::string::npos);
  CHECK(assembly_of(turned, true, spec).find("vpscatterdd") != std::string::npos);
}

TEST_CASE("packs that saturate stand for limits of the range of bytes and shorts") {
  const auto kernel = [](const std::string& value, const std::string& element) {
    return "kernel void k(global const int* a, global " + element +
           "* b, int n) {\n  int i = get_global_id(0), v = a[i] * n;\n  b[i] = " + value + ";\n}\n";
  };
  auto saturates = [&](const std::string& value, const std::string& element) {
    return assembly_of(kernel(value, element), false).find("vpackssdw") != std::string::npos;
  };
  CHECK(saturates("clamp(v, -32768, 32767)", "short"));
  CHECK(saturates("min(max(v, 0), 255)", "uchar"));
  CHECK(saturates("convert_uchar_sat(v)", "uchar"));
  CHECK(saturates("v > 32767 ? 32767 : v < -32768 ? -32768 : v", "short"));
  // Other ranges.
  CHECK_FALSE(saturates("v", "short"));
  CHECK_FALSE(saturates("clamp(v, -32767, 32767)", "short"));
  CHECK_FALSE(saturates("clamp(v, 0, 254)", "uchar"));
  CHECK_FALSE(saturates("clamp(v, -1, 255)", "uchar"));
}

// A guard that keeps a lane out sends the wave to code with a mask; the other waves store without one. Data
// differ from lane to lane: their test makes a mask at once, and what was loaded stays.
TEST_CASE("tests of ids are guards, tests of data are not") {
  auto stores_plainly = [](const std::string& condition) {
    const std::string text =
        assembly_of("kernel void k(global int* d, int n) {\n  int i = get_global_id(0), v = d[i];\n  if (" +
                        condition + ") d[i] = v + 1;\n}\n",
                    true);
    size_t plain = 0;
    for (size_t at = 0; (at = text.find("\tvmovups zmmword ptr [r", at)) != std::string::npos; ++at) ++plain;
    return plain > 0;
  };
  CHECK(stores_plainly("i < n"));
  CHECK_FALSE(stores_plainly("v < n"));
  CHECK_FALSE(stores_plainly("i < n && v < n"));
}

TEST_CASE("fmin and fmax with a bound, or of numbers without a sign, are one instruction") {
  auto corrects = [](const std::string& value, bool avx512) {
    const std::string text = assembly_of(
        "kernel void k(global const float* a, global const uchar* c, global float* b) {\n"
        "  int i = get_global_id(0);\n  b[i] = " +
            value + ";\n}\n",
        avx512);
    const bool plain = text.find("vmaxps") != std::string::npos || text.find("vminps") != std::string::npos;
    const bool compares =
        text.find("vcmpunordps") != std::string::npos || text.find("vcmpps") != std::string::npos;
    const bool range = text.find("vrangeps") != std::string::npos;
    CHECK(plain != range);
    CHECK((avx512 ? !compares : !range));
    return compares || range;
  };
  for (bool avx512 : {false, true}) {
    INFO(avx512);
    CHECK_FALSE(corrects("fmax(a[i], 0.0f)", avx512));
    CHECK_FALSE(corrects("fmin(1.0f, a[i])", avx512));
    CHECK_FALSE(corrects("fmin(a[i], -0.0f)", avx512));
    CHECK_FALSE(corrects("fmax(c[i] / 255.0f, c[i + 1] * 0.5f)", avx512));
    // The other zero, and numbers that may be anything.
    CHECK(corrects("fmax(a[i], -0.0f)", avx512));
    CHECK(corrects("fmin(a[i], 0.0f)", avx512));
    CHECK(corrects("fmax(a[i], a[i + 1])", avx512));
  }
}

TEST_CASE("launches larger than the caches store past them, into buffers that they do not read") {
  const auto kernel = [](const std::string& body) {
    return "kernel void k(global const float* a, global float* b, global uchar4* c, int n) {\n  int i = "
           "get_global_id(0);\n" +
           body + "}\n";
  };
  constexpr uint64_t kItems = uint64_t{1} << 28;
  const LaunchSpec large{.global = {kItems, 1, 1}, .local = {64, 1, 1}, .beyond_caches = true};
  LaunchSpec cached = large, few = large;
  cached.beyond_caches = false, few.global[0] = 64;
  const std::string triad = kernel("  b[i] = a[i] * 2 + 1;\n  c[i] = (uchar4)(1, 2, 3, 4);\n");
  for (bool avx512 : {false, true}) {
    INFO(avx512);
    CHECK(form_of(triad, large, avx512).streams);
    CHECK_FALSE(form_of(triad, cached, avx512).streams);
    CHECK_FALSE(form_of(triad, few, avx512).streams);
    CHECK(assembly_of(triad, avx512, large).find("vmovntps") != std::string::npos);
    CHECK(assembly_of(triad, avx512, cached).find("vmovntps") == std::string::npos);
  }
  const char* kept[] = {
      "  b[i] = b[i] * 2 + 1;\n",                         // the line is there anyway
      "  for (int k = 0; k < n; k++) b[i] = a[k];\n",     // stored again
      "  b[i] = a[i];\n  atomic_inc((global int*)c);\n",  // others may wait for it
      "  b[i] = a[i];\n  mem_fence(CLK_GLOBAL_MEM_FENCE);\n",
      "  global float* p = i & 1 ? b : (global float*)c;\n  *p = a[i];\n",  // anywhere
  };
  for (const char* body : kept) {
    INFO(body);
    CHECK_FALSE(form_of(kernel(body), large).streams);
  }
}

TEST_CASE("full waves of interleaved bytes and small tables have neither gathers nor scatters") {
  const std::string source =
      "constant uchar letters[64] = \"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/\";\n"
      "kernel __attribute__((reqd_work_group_size(64, 1, 1))) void k(global const uchar* in, global uchar* "
      "out) "
      "{\n"
      "  int i = get_global_id(0) * 3;\n  uchar a = in[i], b = in[i + 1], c = in[i + 2];\n"
      "  out[i] = letters[c & 63];\n  out[i + 1] = letters[a & 63];\n  out[i + 2] = letters[b & 63];\n}\n";
  for (bool avx512 : {false, true}) {
    const std::string text = assembly_of(source, avx512);
    CHECK(text.find("vpshufb") != std::string::npos);
    for (const char* slow : {"gather", "scatter", "vpextr"}) CHECK(text.find(slow) == std::string::npos);
  }
}

TEST_CASE("bytes of whole waves are loaded and stored at once") {
  const std::string text = assembly_of(
      "kernel void k(global const uchar* a, global uchar* b, int n) {\n  int i = get_global_id(0);\n"
      "  uchar c = a[i], kind = 0;\n  for (int r = 0; r < n; r++) {\n"
      "    if (c >= '0' && c <= '9') kind ^= 1;\n    else if (c == ' ' || c == '\\t' || c == '\\n') kind ^= "
      "2;\n"
      "    else if (c >= 'a' && c <= 'z') kind ^= 4;\n    else if (c == '_' || c == '$') kind ^= 8;\n"
      "    c = (uchar)(c + 1);\n  }\n  b[i] = kind;\n}\n",
      true, {.global = {4096, 1, 1}, .local = {64, 1, 1}}, 64);
  INFO(text);
  for (const char* at_once :
       {"vmovups zmm", "vmovdqu8 zmm", "vmovups zmmword ptr [r", "vmovdqu8 zmmword ptr [r"})
    CHECK(text.find(at_once) != std::string::npos);
  for (const char* words : {"vpmovdb", "vpmovzxbd"}) CHECK(text.find(words) == std::string::npos);
}

TEST_CASE("rotations and bitwise operations of three operands are one instruction with AVX-512") {
  const std::string text = assembly_of(
      "kernel void k(global uint* a, global ulong* b, uint n) {\n"
      "  int i = get_global_id(0);\n  uint x = a[i], y = rotate(x, 7u) ^ (x << n | x >> (32 - n));\n"
      "  a[i] = (x & y) ^ (~x & rotate(y, x)) ^ (n << 3 | n >> 29);\n"
      "  b[i] = b[i] >> 9 | b[i] << 55;\n}\n",
      true);
  for (const char* one : {"vprold", "vprolvd", "vprolq", "vpternlogd", "rorx"})
    CHECK(text.find(one) != std::string::npos);
  for (const char* several : {"vpsll", "vpsrl", "vpandd", "vpandnd", "vpord"})
    CHECK(text.find(several) == std::string::npos);
}

TEST_CASE("what all lanes load from an array is broadcast where it is used") {
  const std::string source =
      "kernel void k(global const float* a, global const float* x, global float* y, int n) {\n"
      "  int i = get_global_id(0);\n  float s = 0;\n"
      "  for (int j = 0; j < n; j++) s += a[j * get_global_size(0) + i] * x[j];\n  y[i] = s;\n}\n";
  CHECK(assembly_of(source, true, {}, 16).find("{1to16}") != std::string::npos);
  CHECK(assembly_of(source, false, {}, 8).find("vbroadcastss ymm") != std::string::npos);
}

TEST_CASE("of bytes that each lane reads one after the other, several are loaded at once") {
  const std::string source =
      "kernel void k(global const uchar* text, global uint* out, int n) {\n"
      "  int i = get_global_id(0);\n  uint h = 7;\n"
      "  for (int j = 0; j < n; j++) h = (h ^ text[i * n + j]) * 16777619;\n  out[i] = h;\n}\n";
  CHECK(assembly_of(source, true, {}, 64).find("vpgatherdq") != std::string::npos);
  CHECK(assembly_of(source, false, {}, 16).find("vpgatherdq") != std::string::npos);
}

TEST_CASE("the mask of all lanes, and the opposite of a mask, are one instruction") {
  const std::string text = assembly_of(
      "kernel void k(global const float* a, global float* b, int n) {\n"
      "  int at = get_global_id(0);\n"
      "  if (a[at] > 2 || a[at] < -2) {\n    b[at] = a[at];\n    return;\n  }\n"
      "  b[at] = a[at] + a[at - 1] + a[at + 1] + a[at - n] + a[at + n];\n}\n",
      true, {.global = {4096, 1, 1}, .local = {64, 1, 1}}, 64);
  INFO(text);
  CHECK(text.find("knotw") != std::string::npos);
  CHECK(text.find("65535") == std::string::npos);
}

// Loads of some lanes read 0 for the others, and in whole waves there are no others.
TEST_CASE("a guard that gives 0 chooses nothing") {
  for (const char* type : {"uint", "ulong"})
    for (bool avx512 : {false, true}) {
      const std::string text = assembly_of(
          fmt::format("kernel void k(global const {0}* in, global {0}* out) {{\n"
                      "  int i = get_global_id(0);\n  out[i] = in[i] + (i > 0 ? in[i - 1] : 0);\n}}\n",
                      type),
          avx512, {.global = {1024, 1, 1}, .local = {64, 1, 1}});
      INFO(text);
      CHECK(text.find("blend") == std::string::npos);
    }
}

TEST_CASE("rotations by whole bytes are permutations with AVX2") {
  const std::string text = assembly_of(
      "kernel void k(global uint* a, global ulong* b) {\n  int i = get_global_id(0);\n"
      "  a[i] = rotate(a[i], 16u) ^ rotate(a[i], 24u);\n"
      "  b[i] = rotate(b[i], 32ul) ^ rotate(b[i], 8ul);\n}\n",
      false);
  for (const char* one : {"vpshufb", "vpshufd"}) CHECK(text.find(one) != std::string::npos);
  for (const char* several : {"vpslld", "vpsllq", "vpsrld", "vpsrlq"})
    CHECK(text.find(several) == std::string::npos);
}

TEST_CASE("vectors whose components go the same way stay as they lie in memory") {
  auto moves = [](const std::string& parameters, const std::string& work, bool avx512) {
    const std::string text =
        assembly_of("__attribute__((reqd_work_group_size(64, 1, 1))) kernel void k(" + parameters +
                        ") {\n  int i = get_global_id(0);\n  " + work + "\n}\n",
                    avx512);
    INFO(text);
    for (const char* move : {"vperm", "vshuf", "vpshuf", "vpgather", "vpscatter", "vpinsr"})
      if (text.find(move) != std::string::npos) return true;
    return false;
  };
  const std::string floats = "global const float16* a, global float16* b, float k",
                    ints = "global const int4* a, global int4* b, global int* c";
  for (bool avx512 : {false, true}) {
    CHECK_FALSE(moves(floats, "b[i] = a[i] * k + 1.0f;", avx512));
    CHECK_FALSE(moves(ints, "int4 v = a[i]; b[i] = v > 9 ? v * 2 : 1 - v;", avx512));
    CHECK_FALSE(moves("global const uchar16* a, global int16* b", "b[i] = convert_int16(a[i]) * 3;", avx512));
    CHECK(moves(ints, "b[i] = a[i].yzwx;", avx512));
    CHECK(moves(ints, "int4 v = a[i] + 1; b[i] = v; c[i] = v.z;", avx512));
    CHECK(moves(ints, "b[i] = a[i] + i;", avx512));
    CHECK(moves(ints, "b[i] = a[i] + (int4)(0, 1, 2, 3);", avx512));
  }
}
