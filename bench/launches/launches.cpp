// SPDX-License-Identifier: Apache-2.0
// What a launch costs besides the work: small kernels launched very often through the library. Prints the
// time of one launch, and how much the peak of memory grew from the first tenth of the launches to the last.
//   bench_launches [COUNT]
#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdlib>

#include "api/include/kernelc/kernelc.hpp"

namespace {

struct Row {
  const char* what;
  const char* text;
  uint64_t items;
  uint32_t threads;
};

constexpr const char* kAdd = "kernel void k(global int* p) { p[get_global_id(0)] += 1; }";
constexpr const char* kBarrier =
    "kernel void k(global int* p) { local int t[64]; size_t l = get_local_id(0); t[l] = "
    "p[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] += t[get_local_size(0) - 1 - l]; }";
constexpr const char* kTrap =
    "kernel void k(global int* p) { p[get_global_id(0)] += 1; if (p[0] < 0) throw 1; }";
constexpr Row kRows[] = {
    {"64 work-items", kAdd, 64, 1},
    {"64 work-items with a barrier", kBarrier, 64, 1},
    {"64 work-items that can trap", kTrap, 64, 1},
    {"65,536 work-items, one thread", kAdd, 1 << 16, 1},
    {"65,536 work-items, two threads", kAdd, 1 << 16, 2},
    {"65,536 work-items, all cores", kAdd, 1 << 16, 0},
};

long peak_kib() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

int fail(const kernelc::error& error) {
  fmt::print(stderr, "{}\n", error.message());
  return 1;
}

int measure(const Row& row, uint64_t count) {
  auto program = kernelc::program::from_text(row.text);
  if (!program) return fail(program.error());
  auto kernel = program->kernel();
  if (!kernel) return fail(kernel.error());
  std::vector<int> p(row.items);
  const kernelc::range range = kernelc::range(row.items).local(64).threads(row.threads);
  auto launch = [&](uint64_t times) {
    for (uint64_t i = 0; i < times; ++i)
      if (!kernel->launch(range, p)) return false;
    return true;
  };
  if (!launch(count / 10 + 1)) return 1;
  long before = peak_kib();
  auto start = std::chrono::steady_clock::now();
  if (!launch(count)) return 1;
  double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
  fmt::print("{:<32} {:>9} launches {:>10.0f} ns each, peak memory {:+} KiB\n", row.what, count,
             ns / static_cast<double>(count), peak_kib() - before);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000;
  for (const Row& row : kRows)
    if (int status = measure(row, row.items > 64 ? count / 100 + 1 : count)) return status;
  return 0;
}
