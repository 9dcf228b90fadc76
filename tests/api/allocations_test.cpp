// SPDX-License-Identifier: Apache-2.0
// Repeated launches allocate no heap memory. A separate program, because it counts the allocations of all
// threads.
#include <sys/resource.h>

#include <atomic>
#include <cstdlib>

#include "tests/api/support.h"

namespace {
std::atomic<uint64_t> allocations{0};
}

// Replaces the functions of the C library, which new and oneTBB call, too.
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);

void* malloc(size_t size) { return ++allocations, __libc_malloc(size); }
void* calloc(size_t n, size_t size) { return ++allocations, __libc_calloc(n, size); }
void* realloc(void* p, size_t size) { return ++allocations, __libc_realloc(p, size); }
void* memalign(size_t alignment, size_t size) { return ++allocations, __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size) { return ++allocations, __libc_memalign(alignment, size); }
int posix_memalign(void** p, size_t alignment, size_t size) {
  ++allocations;
  *p = __libc_memalign(alignment, size);
  return *p ? 0 : 12;
}
}

namespace {

const char* const kPlain = "kernel void k(global int* p, int n) { p[get_global_id(0)] += n; }";
const char* const kTable =
    "constant int table[4] = { 1, 2, 3, 4 };\n"
    "kernel void k(global int* p, int n) { p[get_global_id(0)] += table[n % 4]; }";
const char* const kPrivate =
    "kernel void k(global int* p, int n) { int a[64]; for (int i = 0; i < 64; ++i) a[(i * n) % 64] = i;\n"
    "  p[get_global_id(0)] += a[(int)get_global_id(0) % 64]; }";
const char* const kBarrier =
    "kernel void k(global int* p, int n) { local int t[64]; size_t l = get_local_id(0); t[l] = n;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] += t[get_local_size(0) - 1 - l]; }";
const char* const kCanTrap =
    "kernel void k(global int* p, int n) { if (n < 0) throw n; p[get_global_id(0)] += n; }";

/// Allocations of a hundred launches after the first ones: the minimum over several iterations, because a
/// pool thread allocates memory when it first helps.
template <typename... More>
uint64_t count(const char* text, uint64_t items, uint32_t threads, const More&... more) {
  auto kernel = kernel_of(text);
  std::vector<int> p(items);
  auto launch = [&] {
    require_done(kernel.launch(kernelc::range(items).local(64).threads(threads), p, 3, more...));
  };
  uint64_t fewest = UINT64_MAX;
  for (int round = 0; round < 20 && fewest > 0; ++round) {
    uint64_t before = allocations;
    for (int i = 0; i < 100; ++i) launch();
    fewest = std::min(fewest, allocations - before);
  }
  return fewest;
}

}  // namespace

TEST_CASE("launches on the calling thread take no memory") {
  CHECK(count(kPlain, 64, 1) == 0);
  CHECK(count(kTable, 64, 1) == 0);
  CHECK(count(kPrivate, 4096, 1) == 0);
  CHECK(count(kBarrier, 4096, 1) == 0);
  CHECK(count(kCanTrap, 4096, 1) == 0);
  CHECK(count(kPlain, 64, 0) == 0);  // a single task
}

TEST_CASE("a local argument takes none, either") {
  const char* text =
      "kernel void k(global int* p, int n, local int* t, local char* u) { size_t l = get_local_id(0);\n"
      "  t[l] = n; u[l] = 1; barrier(CLK_LOCAL_MEM_FENCE); p[get_global_id(0)] += t[63 - l] + u[63 - l]; }";
  CHECK(count(text, 4096, 1, kernelc::local<int>(64), kernelc::local<char>(64)) == 0);
}

TEST_CASE("launches on several threads take none, either") {
  CHECK(count(kPlain, 1 << 16, 0) == 0);
  CHECK(count(kPlain, 1 << 16, 2) == 0);
}

TEST_CASE("many launches need no more memory than some") {
  auto kernel = kernel_of(kCanTrap);
  std::vector<int> p(64);
  auto peak = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  auto launch = [&](int times) {
    for (int i = 0; i < times; ++i) {
      auto done = kernel.launch(kernelc::range(p.size()), p, i % 8 ? 1 : -1);
      if (static_cast<bool>(done) != (i % 8 != 0)) FAIL("a launch went wrong");
    }
  };
  launch(10'000);
  long before = peak();
  launch(100'000);
  CHECK(peak() <= before + 64);  // in KiB
}
