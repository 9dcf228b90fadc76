// SPDX-License-Identifier: Apache-2.0
// Every elementwise opcode at every type, as lane and as uniform operation, against the wave interpreter.
#include <fmt/format.h>

#include <bit>
#include <random>

#include "tests/x64/kernels.h"
#include "tests/x64/support.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr size_t kCases = 256;

// Edge-case bit patterns of the type first, then random ones.
std::vector<uint64_t> inputs(Elem e, unsigned seed) {
  std::vector<uint64_t> v;
  unsigned bits = Type{e}.bits();
  if (e == Elem::F32 || e == Elem::F64) {
    for (double d : {0.0,
                     -0.0,
                     1.0,
                     -1.0,
                     0.5,
                     -0.5,
                     1.5,
                     2.5,
                     -2.5,
                     1e10,
                     -1e10,
                     2147483648.0,
                     -2147483648.0,
                     2147483647.0,
                     4294967296.0,
                     4294967295.0,
                     9223372036854775808.0,
                     -9223372036854775808.0,
                     18446744073709551616.0,
                     127.5,
                     -128.5,
                     255.9,
                     65535.5,
                     1e-40,
                     -1e-40,
                     3e38,
                     std::numeric_limits<double>::infinity(),
                     -std::numeric_limits<double>::infinity(),
                     std::numeric_limits<double>::quiet_NaN(),
                     0.1,
                     123456.789})
      v.push_back(e == Elem::F32 ? std::bit_cast<uint32_t>(static_cast<float>(d))
                                 : std::bit_cast<uint64_t>(d));
  } else {
    for (uint64_t x : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{7}, ~uint64_t{0},
                       ~uint64_t{1}, uint64_t{1} << (bits - 1), (uint64_t{1} << (bits - 1)) - 1,
                       uint64_t{0x5555555555555555}, uint64_t{31}, uint64_t{32}, uint64_t{63}, uint64_t{100},
                       (uint64_t{1} << (bits / 2)), (uint64_t{1} << (bits / 2)) - 1})
      v.push_back(x);
  }
  std::mt19937_64 random(seed);
  size_t n = v.size();
  std::vector<uint64_t> r;
  for (size_t i = 0; i < kCases; ++i) {
    uint64_t x = random();
    // Numbers of every magnitude, and pairs of edge cases.
    if (random() % 3)
      r.push_back(v[random() % n]);
    else if (e == Elem::F64 || e == Elem::F32) {
      double d = std::ldexp(static_cast<double>(static_cast<int64_t>(x)), -static_cast<int>(random() % 80));
      r.push_back(e == Elem::F32 ? std::bit_cast<uint32_t>(static_cast<float>(d))
                                 : std::bit_cast<uint64_t>(d));
    } else {
      r.push_back(x >> (random() % 64));
    }
  }
  return r;
}

Bytes pack(const std::vector<uint64_t>& v, Elem e) {
  unsigned n = Type{e}.bytes();
  Bytes b(v.size() * n);
  for (size_t i = 0; i < v.size(); ++i) {
    uint64_t x = e == Elem::I1 ? v[i] & 1 : v[i];
    std::memcpy(b.data() + i * n, &x, n);
  }
  return b;
}

std::string describe(const Case& c) {
  std::string s(name_of(c.op));
  for (Elem e : c.args) s += " " + to_string(Type{e});
  return s + " -> " + to_string(Type{c.result});
}

void check_case(const Case& c, unsigned width, bool lanes) {
  Module m = parse_wave(kernel(c.op, c.args, c.result, width, lanes));
  const Function& f = *m.functions[0];
  REQUIRE(check_x64(f, {}).empty());
  X64Code code = compile(f);
  Launch launch;
  size_t items = lanes ? kCases : kCases * 8;
  launch.global = {items, 1, 1}, launch.local = {lanes ? items : 8, 1, 1};
  unsigned seed = 1;
  for (Elem e : c.args) launch.buffers.push_back(pack(inputs(e, seed++), e));
  Elem stored = c.result == Elem::I1 ? Elem::I8 : c.result;
  launch.buffers.push_back(Bytes(items * Type{stored}.bytes(), 0xee));
  Bytes want = run_interpreter(f, launch).back(), got = run_machine(code, launch).back();
  unsigned n = Type{stored}.bytes();
  for (size_t i = 0; i < items; ++i)
    if (!same(stored, want.data() + i * n, got.data() + i * n)) {
      std::string in;
      size_t at = lanes ? i : i / 8;
      for (size_t k = 0; k < c.args.size(); ++k) {
        unsigned b = Type{c.args[k]}.bytes();
        uint64_t x = 0;
        std::memcpy(&x, launch.buffers[k].data() + at * b, b);
        in += fmt::format(" {:#x}", x);
      }
      uint64_t x = 0, y = 0;
      std::memcpy(&x, want.data() + i * n, n), std::memcpy(&y, got.data() + i * n, n);
      FAIL(describe(c) << (lanes ? " lanes" : " uniform") << " width " << width << " item " << i << " of"
                       << in << ": " << fmt::format("expected {:#x}, got {:#x}", x, y) << "\n"
                       << code.text);
    }
}

}  // namespace

TEST_CASE("the table gives cases of every kind") { CHECK(cases().size() > 200); }

TEST_CASE("lane operations agree with the interpreter") {
  for (const Case& c : cases()) {
    check_case(c, 8, true);
    check_case(c, 16, true);
  }
}

TEST_CASE("uniform operations agree with the interpreter") {
  for (const Case& c : cases()) check_case(c, 8, false);
}

TEST_CASE("every operation is encoded for AVX-512") {
  for (const Case& c : cases())
    for (unsigned width : {8u, 16u, 32u})
      for (bool lanes : {true, false}) {
        Module m = parse_wave(kernel(c.op, c.args, c.result, width, lanes));
        X64Code code = compile(*m.functions[0], true);
        CHECK(code.code_bytes > 0);
      }
}

TEST_CASE("operations with literal results") {
  auto one = [](Op op, Elem t, std::vector<uint64_t> a, std::vector<uint64_t> b, Elem result) {
    Module m = parse_wave(kernel(op, {t, t}, result, 8, true));
    Launch launch;
    launch.global = launch.local = {a.size(), 1, 1};
    launch.buffers = {pack(a, t), pack(b, t), Bytes(a.size() * Type{result}.bytes())};
    return run_machine(compile(*m.functions[0]), launch).back();
  };
  using I = std::vector<int32_t>;
  std::vector<uint64_t> a{7, static_cast<uint32_t>(-7), 5, 0x80000000u, 0},
      b{2, 2, 0, static_cast<uint32_t>(-1), 0};
  CHECK(values_of<int32_t>(one(Op::sdiv, Elem::I32, a, b, Elem::I32)) == I{3, -3, -1, INT32_MIN, -1});
  CHECK(values_of<int32_t>(one(Op::srem, Elem::I32, a, b, Elem::I32)) == I{1, -1, 5, 0, 0});
  CHECK(values_of<int32_t>(one(Op::udiv, Elem::I32, a, b, Elem::I32)) == I{3, 0x7ffffffc, -1, 0, -1});
  CHECK(values_of<int32_t>(one(Op::shl, Elem::I32, {1, 1, 3}, {33, 31, 64}, Elem::I32)) ==
        I{2, INT32_MIN, 3});
}
