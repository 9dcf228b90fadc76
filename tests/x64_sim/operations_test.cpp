// SPDX-License-Identifier: Apache-2.0
// Every elementwise opcode at every type: AVX2 code in the emulator and on this processor, which validates
// the emulator, and AVX-512 code in the emulator against the wave interpreter, which validates the code.
#include <fmt/format.h>

#include <bit>
#include <random>

#include "tests/x64/kernels.h"
#include "tests/x64_sim/emulated.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr size_t kItems = 176;

// Numbers of every magnitude, including the limits of all types and their neighbours.
uint64_t interesting(Elem e, std::mt19937_64& random) {
  unsigned bits = Type{e}.bits();
  uint64_t kind = random() % 4;
  bool is_float = e == Elem::F32 || e == Elem::F64;
  if (is_float && kind != 0) {
    double d;
    if (kind == 1) {
      constexpr double kSpecial[] = {0.0, -0.0, 0.5, 1.5, 2.5, 1e-40, 3e38, 1e-310, 0.1, INFINITY, -INFINITY};
      d = kSpecial[random() % std::size(kSpecial)];
    } else if (kind == 2) {
      d = std::ldexp(1.0, static_cast<int>(random() % 66)) + static_cast<double>(random() % 5) - 2;
    } else {
      d = std::ldexp(static_cast<double>(static_cast<int64_t>(random())), -static_cast<int>(random() % 90));
    }
    if (random() % 2) d = -d;
    return e == Elem::F32 ? std::bit_cast<uint32_t>(static_cast<float>(d)) : std::bit_cast<uint64_t>(d);
  }
  // Any bits: for floats also NaNs of both kinds.
  if (is_float) {
    uint64_t nan = e == Elem::F32 ? 0x7f800000u : 0x7ff0000000000000u;
    return random() % 3 ? random() : nan | (random() & (random() % 2 ? 0x7fffff : 3)) | 1;
  }
  if (kind == 0) return (uint64_t{1} << (random() % bits)) + random() % 3 - 1;
  if (kind == 1) return random() % 5 - 2;
  return random() >> (random() % 64);
}

Launch launch_of(const Case& c, bool lanes) {
  Launch launch;
  size_t items = lanes ? kItems : kItems * 8;
  launch.global = {items, 1, 1}, launch.local = {lanes ? items : 8, 1, 1};
  std::mt19937_64 random(static_cast<uint64_t>(c.op) * 64 + static_cast<uint64_t>(c.result));
  for (Elem e : c.args) {
    unsigned n = Type{e}.bytes();
    Bytes b(kItems * n);
    for (size_t i = 0; i < kItems; ++i) {
      uint64_t x = interesting(e, random);
      if (e == Elem::I1) x &= 1;
      std::memcpy(b.data() + i * n, &x, n);
    }
    launch.buffers.push_back(b);
  }
  unsigned n = c.result == Elem::I1 ? 1 : Type{c.result}.bytes();
  launch.buffers.push_back(Bytes(items * n, 0xee));
  return launch;
}

// With the machine's NaNs, the results have the same bits.
void compare(const Case& c, const Bytes& want, const Bytes& got, bool exact, const std::string& text) {
  Elem stored = c.result == Elem::I1 ? Elem::I8 : c.result;
  unsigned n = Type{stored}.bytes();
  for (size_t at = 0; at < want.size(); at += n) {
    bool equal = exact ? std::memcmp(want.data() + at, got.data() + at, n) == 0
                       : same(stored, want.data() + at, got.data() + at);
    if (equal) continue;
    uint64_t x = 0, y = 0;
    std::memcpy(&x, want.data() + at, n), std::memcpy(&y, got.data() + at, n);
    FAIL(name_of(c.op) << " " << to_string(Type{c.args[0]}) << " -> " << to_string(Type{c.result}) << " item "
                       << at / n << ": " << fmt::format("expected {:#x}, got {:#x}", x, y) << "\n"
                       << text);
  }
}

void check_all(unsigned width, bool lanes, bool avx512) {
  std::vector<Case> all = cases();
  std::vector<Module> modules;
  std::vector<X64Code> codes;
  for (const Case& c : all) {
    modules.push_back(parse_wave(kernel(c.op, c.args, c.result, width, lanes)));
    codes.push_back(compile(*modules.back().functions[0], avx512));
  }
  std::vector<X64Program> programs = load(codes);
  for (size_t i = 0; i < all.size(); ++i) {
    Launch launch = launch_of(all[i], lanes);
    Bytes got = run_emulator(programs[i], codes[i], launch).back();
    Bytes want = avx512 ? run_interpreter(*modules[i].functions[0], launch).back()
                        : run_machine(codes[i], launch).back();
    compare(all[i], want, got, !avx512, codes[i].text);
  }
}

}  // namespace

TEST_CASE("AVX2 operations on lanes: the emulator and this processor agree bit for bit") {
  if (!have_emulator()) return;
  for (unsigned width : {8u, 16u}) check_all(width, true, false);
}

TEST_CASE("AVX2 operations on scalars: the emulator and this processor agree bit for bit") {
  if (have_emulator()) check_all(8, false, false);
}

TEST_CASE("AVX-512 operations on lanes: the emulator and the wave interpreter agree") {
  if (!have_emulator()) return;
  for (unsigned width : {8u, 16u, 32u}) check_all(width, true, true);
}

TEST_CASE("AVX-512 operations on scalars: the emulator and the wave interpreter agree") {
  if (have_emulator()) check_all(8, false, true);
}
