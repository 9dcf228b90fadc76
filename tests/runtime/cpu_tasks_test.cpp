// SPDX-License-Identifier: Apache-2.0
// Launches of the CPU runtime whose waves are functions of this file: fork and join, workspaces, barriers,
// traps, several launching threads. Under ThreadSanitizer every access is checked, those of the waves, too.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <thread>
#include <vector>

#include "runtime/cpu/cpu.h"

namespace {

using namespace kc;

constexpr uint32_t kWidth = 8;

CpuImage image(bool barriers) {
  CpuImage made;
  made.kernel = "k";
  made.width = kWidth;
  made.has_barriers = made.uses_groups = barriers;
  made.frame_bytes = barriers ? 64 : 0;
  made.params = {{.name = "out", .kind = ImageParamKind::Pointer, .size = 8, .offset = 0}};
  return made;
}

CpuLaunch range(uint64_t global, uint64_t local, unsigned threads) {
  CpuLaunch launch;
  launch.global[0] = global, launch.local[0] = local, launch.threads = threads;
  return launch;
}

uint32_t* out(const CpuWaveContext* c) { return reinterpret_cast<uint32_t*>(c->args[0]); }

// out[i] = 3 * i
void triple(CpuWaveContext* c) {
  for (uint32_t k = 0; k < kWidth; ++k)
    if (c->mask >> k & 1) out(c)[c->global_id[0] + k] = static_cast<uint32_t>(3 * (c->global_id[0] + k));
}

// local[l] = g, a barrier, out[g] = the sum of local
void sum(CpuWaveContext* c) {
  auto* local = reinterpret_cast<uint32_t*>(c->local_memory);
  if (c->resume == 0) {
    for (uint32_t k = 0; k < kWidth; ++k)
      local[c->local_id[0] + k] = static_cast<uint32_t>(c->global_id[0] + k);
    c->resume = 1, c->arrived = c->mask, c->site = 0;
    return;
  }
  uint32_t total = 0;
  for (uint64_t l = 0; l < c->local_size[0]; ++l) total += local[l];
  for (uint32_t k = 0; k < kWidth; ++k) out(c)[c->global_id[0] + k] = total;
  c->resume = 0;
}

// Each wave waits for a barrier of its own.
void diverge(CpuWaveContext* c) {
  if (c->resume != 0) return void(c->resume = 0);
  c->site = c->local_id[0] / kWidth;
  c->resume = c->site + 1, c->arrived = c->mask;
}

std::vector<uint64_t> args(std::vector<uint32_t>& buffer) {
  return {reinterpret_cast<uint64_t>(buffer.data())};
}

uint32_t sum_of_group(uint64_t item, uint64_t local) {
  const uint64_t first = item / local * local;
  return static_cast<uint32_t>(local * first + local * (local - 1) / 2);
}

}  // namespace

TEST_CASE("what tasks store is seen after the launch, and what came before it by them") {
  const CpuKernel kernel = CpuKernel::load(image(false), triple);
  for (unsigned threads : {0u, 1u, 2u, 3u}) {
    INFO(threads);
    std::vector<uint32_t> buffer(200'000, 1);
    REQUIRE(kernel.run(range(buffer.size(), 200, threads), args(buffer)));
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < buffer.size(); ++i) wrong += buffer[i] != 3 * i;
    CHECK(wrong == 0);
  }
}

TEST_CASE("groups with barriers, launched by several threads at once") {
  const CpuKernel kernel = CpuKernel::load(image(true), sum);
  std::atomic<uint64_t> wrong{0};
  std::vector<std::thread> launchers;
  for (unsigned t = 0; t < 4; ++t)
    launchers.emplace_back([&, t] {
      for (uint64_t local : {8, 64, 128}) {
        std::vector<uint32_t> buffer(128 * 64);
        CpuLaunch launch = range(buffer.size(), local, t);
        launch.local_bytes = static_cast<uint32_t>(4 * local);
        if (!kernel.run(launch, args(buffer))) ++wrong;
        for (uint64_t i = 0; i < buffer.size(); ++i) wrong += buffer[i] != sum_of_group(i, local);
      }
    });
  for (std::thread& t : launchers) t.join();
  CHECK(wrong == 0);
}

TEST_CASE("divergent barriers of many groups are one trap") {
  const CpuKernel kernel = CpuKernel::load(image(true), diverge);
  std::vector<uint32_t> buffer(1);
  for (unsigned threads : {0u, 2u}) {
    const auto done = kernel.run(range(64 * 1000, 64, threads), args(buffer));
    REQUIRE(done);
    REQUIRE(done->divergent_barrier);
    CHECK(done->divergent_barrier->count == 64 * 1000);
    CHECK(done->divergent_barrier->global_id[0] == 0);
  }
}

// Two tasks that are certain to run at the same time: no order that TBB makes can hide their race. Relaxed
// atomic accesses order nothing themselves.
namespace planted {
std::atomic<int> here{0};
std::atomic<bool> alone{false};
uint64_t counter = 0;
thread_local bool met = false;

__attribute__((noinline)) void planted_count() { ++counter; }

void count(CpuWaveContext*) {
  if (met) return;
  met = true;
  here.fetch_add(1, std::memory_order_relaxed);
  const auto start = std::chrono::steady_clock::now();
  while (here.load(std::memory_order_relaxed) < 2)
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(20)) return void(alone = true);
  // Once could be missed: of two accesses at the very same time neither may see the other.
  for (int k = 0; k < 100; ++k) planted_count();
}
}  // namespace planted

TEST_CASE("planted race: waves", "[.]") {
  const CpuKernel kernel = CpuKernel::load(image(true), planted::count);
  std::vector<uint32_t> buffer(1);
  REQUIRE(kernel.run(range(64 * 1000, 8, 2), args(buffer)));
  REQUIRE(!planted::alone);
}

TEST_CASE("planted race: pieces", "[.]") {
  const CpuKernel kernel = CpuKernel::load(image(false), planted::count);
  std::vector<uint32_t> buffer(1);
  REQUIRE(kernel.run(range(1 << 20, 8, 2), args(buffer)));
  REQUIRE(!planted::alone);
}

namespace {

constexpr double kWorth = 1e6;  // nanoseconds before other forms are compiled

// out[i] += 1, in waves of 8 lanes or one, the latter sooner or later.
void count_lanes(CpuWaveContext* c, uint32_t width, unsigned rounds) {
  std::atomic<unsigned> idle = 0;
  while (idle.fetch_add(1, std::memory_order_relaxed) < rounds) {
  }
  for (uint32_t k = 0; k < width; ++k)
    if (c->mask >> k & 1) out(c)[c->global_id[0] + k] += 1;
}

CpuKernel counting(uint32_t width, unsigned rounds) {
  CpuImage made = image(false);
  made.width = width;
  return CpuKernel::load(made, [=](CpuWaveContext* c) { count_lanes(c, width, rounds); });
}

}  // namespace

TEST_CASE("two forms on trial run each work-item once, and the faster one is chosen") {
  constexpr unsigned kSlow = 800, kQuick = 16;
  for (unsigned threads : {1u, 2u})
    for (const bool first_is_slow : {true, false}) {
      INFO(threads << " " << first_is_slow);
      const CpuKernel eight = counting(8, first_is_slow ? kSlow : kQuick),
                      one = counting(1, first_is_slow ? kQuick / 8 : kSlow);
      unsigned made = 0;
      FormTrial trial(
          [&] {
            return made++ ? std::nullopt : std::optional(FormTrial::Form{&one, 0});
          },
          kWorth);
      std::vector<uint32_t> buffer(100'000);
      uint32_t launches = 0;
      while (trial.chosen() < 0 && launches < 2000) {
        REQUIRE(eight.run(range(buffer.size(), 100, threads), args(buffer), &trial));
        ++launches;
      }
      REQUIRE(eight.run(range(buffer.size(), 100, threads), args(buffer), &trial));
      ++launches;
      CHECK(trial.chosen() == (first_is_slow ? 1 : 0));
      CHECK(std::count(buffer.begin(), buffer.end(), launches) == static_cast<long>(buffer.size()));
    }
}

TEST_CASE("a second form that cannot be made is not asked for again") {
  const CpuKernel eight = counting(8, 800);
  std::atomic<unsigned> asked = 0;
  FormTrial trial(
      [&] {
        ++asked;
        return std::optional<FormTrial::Form>();
      },
      kWorth);
  std::vector<uint32_t> buffer(100'000);
  uint32_t launches = 0;
  for (; !trial.settled() && launches < 2000; ++launches)
    REQUIRE(eight.run(range(buffer.size(), 100, 2), args(buffer), &trial));
  for (unsigned n = 0; n < 3; ++n, ++launches)
    REQUIRE(eight.run(range(buffer.size(), 100, 2), args(buffer), &trial));
  CHECK(asked == 1);
  CHECK(trial.chosen() == 0);
  CHECK(std::count(buffer.begin(), buffer.end(), launches) == static_cast<long>(buffer.size()));
}

TEST_CASE("launches of one task are compared with each other") {
  const CpuKernel slow = counting(8, 400'000), quick = counting(1, 1);
  unsigned made = 0;
  FormTrial trial([&] { return made++ ? std::nullopt : std::optional(FormTrial::Form{&quick, 0}); }, kWorth);
  std::vector<uint32_t> buffer(200);
  uint32_t launches = 0;
  for (; trial.chosen() < 0 && launches < 2000; ++launches)
    REQUIRE(slow.run(range(buffer.size(), 200, 1), args(buffer), &trial));
  CHECK(trial.chosen() == 1);
  CHECK(std::count(buffer.begin(), buffer.end(), launches) == 200);
}

TEST_CASE("of three forms the fastest is chosen") {
  const CpuKernel eight = counting(8, 400), slow = counting(1, 4000), quick = counting(8, 8);
  const std::array<const CpuKernel*, 2> others{&slow, &quick};
  size_t made = 0;
  FormTrial trial(
      [&] {
        return made == others.size() ? std::nullopt : std::optional(FormTrial::Form{others[made++], 0});
      },
      kWorth);
  std::vector<uint32_t> buffer(100'000);
  uint32_t launches = 0;
  // The first comparison may be over before the third form is there.
  for (; !(trial.settled() && trial.count() == 3) && launches < 5000; ++launches)
    REQUIRE(eight.run(range(buffer.size(), 100, 2), args(buffer), &trial));
  CHECK(trial.chosen() == 2);
  CHECK(std::count(buffer.begin(), buffer.end(), launches) == static_cast<long>(buffer.size()));
}

TEST_CASE("divergent barriers are told whichever form meets them") {
  // Waves of the first form end at once.
  const CpuKernel ends = CpuKernel::load(image(true), [](CpuWaveContext*c) { c->resume = 0; }),
                  diverges = CpuKernel::load(image(true), diverge);
  unsigned made = 0;
  FormTrial trial([&] { return made++ ? std::nullopt : std::optional(FormTrial::Form{&diverges, 0}); }, 1);
  std::vector<uint32_t> buffer(1);
  for (uint32_t launches = 0; launches < 2000; ++launches) {
    const auto done = ends.run(range(64 * 1000, 64, 1), args(buffer), &trial);
    REQUIRE(done);
    if (trial.times()[1].tasks == 0) continue;
    REQUIRE(done->divergent_barrier);
    // More of the launch may have run in it, once it was chosen.
    CHECK(done->divergent_barrier->count >= 64 * trial.times()[1].tasks);
    CHECK(done->divergent_barrier->count % 64 == 0);
    return;
  }
  FAIL("the second form never ran");
}

TEST_CASE("a trial may end while a form is compiled") {
  const CpuKernel eight = counting(8, 800), one = counting(1, 100);
  std::atomic<bool> go = false;
  std::atomic<unsigned> asked = 0;
  std::vector<uint32_t> buffer(100'000);
  uint32_t launches = 0;
  {
    FormTrial trial(
        [&] {
          ++asked;
          go.wait(false);
          return std::optional(FormTrial::Form{&one, 0});
        },
        kWorth);
    for (; asked == 0; ++launches) REQUIRE(eight.run(range(buffer.size(), 100, 1), args(buffer), &trial));
    CHECK(trial.count() == 1);
    CHECK(!trial.settled());
    go = true;
    go.notify_all();
  }
  CHECK(std::count(buffer.begin(), buffer.end(), launches) == static_cast<long>(buffer.size()));
}
