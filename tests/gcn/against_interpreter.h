// SPDX-License-Identifier: Apache-2.0
// Wave kernels of three buffers, run on gfx900 and on the wave interpreter.
#pragma once

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "ir/text.h"
#include "sim/interpreter/wave_interpreter.h"
#include "tests/gcn/support.h"

namespace kc::test {

inline constexpr size_t kGroup = 48, kItems = 3 * kGroup;  // includes waves with missing lanes
inline const LaunchSpec kLine{.dims = 1, .global = {kItems, 1, 1}, .local = {kGroup, 1, 1}};

using Buffers = std::vector<Bytes>;

inline std::vector<uint64_t> addresses(Buffers& buffers, std::vector<MemoryRange>& memory) {
  std::vector<uint64_t> bits;
  for (Bytes& b : buffers) {
    bits.push_back(reinterpret_cast<uint64_t>(b.data()));
    memory.push_back({bits.back(), b.size()});
  }
  return bits;
}

// Runs on copies of the buffers; the buffers after the last input must be equal.
inline void check_against_interpreter(const Function& wave, const LaunchSpec& launch,
                                      const Buffers& buffers) {
  REQUIRE(render(wave, verify(wave)) == "");
  REQUIRE(check_gcn(wave).empty());
  Buffers want = buffers, got = buffers;
  std::vector<MemoryRange> memory, ranges;
  auto bits = addresses(want, memory);
  WaveRunResult expected = run_waves(wave, launch, bits, {.memory = memory, .packed = true});
  REQUIRE(expected.message == "");
  auto own = addresses(got, ranges);
  GcnResult ran = run_gfx900(wave, launch, own, ranges);
  REQUIRE(ran.message == "");
  CHECK(want == got);
}

inline Bytes random_bytes(size_t n, unsigned seed) {
  std::mt19937 random(seed);
  Bytes b(n);
  for (uint8_t& x : b) x = static_cast<uint8_t>(random());
  return b;
}

// Two inputs of 8-byte elements at most, and `rows` rows of results.
inline Buffers buffers_for(size_t rows) {
  return {random_bytes(kItems * 8, 1), random_bytes(kItems * 8, 2), Bytes(kItems * 8 * rows, 0xee)};
}

// Lanes with an odd number in the group.
inline ValueId odd_lanes(WaveKernel& k) {
  ValueId bit = k.b.make(Op::and_, kI64.lanes(), {k.id, k.b.i64(1)});
  return k.b.make(Op::mask_cond, kMask, {k.mask, k.b.make(Op::ne, kI1.lanes(), {bit, k.b.i64(0)})});
}

}  // namespace kc::test
