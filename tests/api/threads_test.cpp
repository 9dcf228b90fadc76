// SPDX-License-Identifier: Apache-2.0
// One kernel, many threads: launches, first launches that compile, and traps do not interfere.
#include <atomic>
#include <thread>

#include "tests/api/support.h"

namespace {

const char* const kText =
    "kernel void k(global uint* out, local uint* sum, uint seed, int limit) {\n"
    "  size_t l = get_local_id(0), g = get_global_id(0);\n"
    "  sum[l] = (uint)g * seed; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  uint total = 0; for (size_t i = 0; i < get_local_size(0); ++i) total += sum[i];\n"
    "  out[g] = total;\n  if ((int)g >= limit) throw seed;\n}\n";

// Launches with an individual size, seed and limit, and compares.
bool right(const kernelc::kernel& kernel, uint32_t seed, uint64_t local, bool traps) {
  std::vector<uint32_t> out(256);
  auto done = kernel.launch(kernelc::range(out.size()).local(local).threads(seed % 3), out,
                            kernelc::local<uint32_t>(local), seed, traps ? 200 : 256);
  for (uint64_t g = 0; g < out.size(); ++g) {
    uint32_t total = 0;
    for (uint64_t i = g / local * local; i < g / local * local + local; ++i)
      total += static_cast<uint32_t>(i) * seed;
    if (out[g] != total) return false;
  }
  if (!traps) return static_cast<bool>(done);
  const kernelc::trap* trap = done ? nullptr : done.error().trap();
  return trap && trap->count == 56 && trap->global_id[0] == 200 && trap->value == seed;
}

}  // namespace

TEST_CASE("several threads launch one kernel, from its first launch on") {
  for (const std::string& target : targets())
    for (int round = 0; round < 3; ++round) {
      INFO(target);
      auto kernel = kernel_of(kText, {.name = "", .target = target});
      std::atomic<int> wrong{0};
      std::vector<std::thread> threads;
      for (uint32_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
          for (uint32_t i = 0; i < (target == "interp" ? 5 : 50); ++i)
            if (!right(kernel, 1 + t * 100 + i, uint64_t{8} << (t + i) % 4, (t + i) % 2)) ++wrong;
        });
      for (std::thread& t : threads) t.join();
      CHECK(wrong == 0);
    }
}

// The first work-items of a small launch decide whether other threads are used.
TEST_CASE("small launches do all of their work once, be it light or heavy") {
  const char* text =
      "kernel void k(global uint* out, uint rounds) {\n"
      "  uint i = get_global_id(1) * (uint)get_global_size(0) + (uint)get_global_id(0), x = i;\n"
      "  for (uint r = 0; r < rounds; r++) x = x * 1664525u + 1013904223u;\n"
      "  out[i] += x;\n}\n";
  for (const std::string& target : targets()) {
    if (target == "interp") continue;
    INFO(target);
    auto kernel = kernel_of(text, {.name = "", .target = target});
    for (uint32_t threads : {0u, 1u, 2u, 3u})
      for (uint64_t size : {1u, 255u, 256u, 700u, 4096u, 4097u, 9000u})
        for (uint32_t rounds : {0u, 20000u}) {
          std::vector<uint32_t> out(3 * size, 5);
          require_done(kernel.launch(kernelc::range(size, 3).local(1).threads(threads), out, rounds));
          uint32_t factor = 1, addend = 0;
          for (uint32_t r = 0; r < rounds; ++r) {
            factor *= 1664525u;
            addend = addend * 1664525u + 1013904223u;
          }
          for (uint32_t i = 0; i < out.size(); ++i) REQUIRE(out[i] == i * factor + addend + 5);
        }
  }
}

TEST_CASE("several threads compile programs") {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i) {
        kernelc::compile_options options;
        options.defines = {"N=" + std::to_string(t * 10 + i)};
        auto program = kernelc::program::from_text(
            "kernel void k(global float* p) { p[get_global_id(0)] = N + sin(p[0]) * 0; }", options);
        if (!program) {
          ++wrong;
          continue;
        }
        auto kernel = program->kernel();
        std::vector<float> p(10);
        if (!kernel || !kernel->launch(kernelc::range(10), p) || p[9] != static_cast<float>(t * 10 + i))
          ++wrong;
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
}
