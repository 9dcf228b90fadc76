// SPDX-License-Identifier: Apache-2.0
// Control flow, masks and memory shapes on hand-written wave functions.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>

#include "passes/analysis/shape.h"
#include "tests/x64/kernels.h"
#include "tests/x64/support.h"

using namespace kc;
using namespace kc::test;

namespace {

int32_t collatz_steps(uint32_t n) {
  int32_t steps = 0;
  for (; n != 1; ++steps) n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}

}  // namespace

TEST_CASE("a divergent loop on lanes") {
  for (unsigned width : {8u, 16u, 32u, 64u}) {
    Module m = parse_wave(collatz(width));
    X64Code code = compile(*m.functions[0]);
    std::vector<int32_t> in(1003), want;
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int32_t>(i + 1);
    for (int32_t n : in) want.push_back(collatz_steps(static_cast<uint32_t>(n)));
    Launch launch{{in.size(), 1, 1}, {17, 1, 1}, {bytes_of(in), Bytes(in.size() * 4)}, {}};
    CHECK(values_of<int32_t>(run_machine(code, launch)[1]) == want);
    CHECK(values_of<int32_t>(run_machine(code, launch, 0)[1]) == want);
    compile(*m.functions[0], true);
  }
}

TEST_CASE("gathers, scatters and bytes touch only the lanes of the mask") {
  for (unsigned width : {8u, 16u, 32u})
    for (bool wide : {false, true})
      for (auto [elem, bytes] : {std::pair{"i8", 1u}, {"i16", 2u}, {"i32", 4u}, {"f32", 4u}, {"i64", 8u}}) {
        Module m = parse_wave(indirect(width, elem, bytes, wide));
        X64Code code = compile(*m.functions[0]);
        size_t n = 77;
        std::vector<uint32_t> index(n);
        for (size_t i = 0; i < n; ++i) index[i] = static_cast<uint32_t>((i * 37 + 11) % n);
        Bytes table(n * bytes), out((n * 11 + 2) * bytes, 0x5a);
        for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<uint8_t>(i * 7 + 3);
        Launch launch{{n, 1, 1}, {n, 1, 1}, {bytes_of(index), table, out}, {}};
        Bytes want = out;
        for (size_t i = 0; i < n; ++i)
          std::memcpy(want.data() + (i * 11 + 1) * bytes, table.data() + index[i] * bytes, bytes);
        INFO(elem << " width " << width << "\n" << code.text);
        CHECK(run_machine(code, launch)[2] == want);
        compile(*m.functions[0], true);
      }
}

TEST_CASE("runs of small elements leave the bytes behind them alone") {
  for (Elem elem : {Elem::I8, Elem::I16})
    for (unsigned width : {8u, 16u, 32u})
      for (size_t n : {1, 7, 8, 9, 40, 61}) {
        Module m = parse_wave(kernel(Op::add, {elem, elem}, elem, width, true));
        unsigned bytes = Type{elem}.bytes();
        Bytes a(n * bytes), b(n * bytes), out(n * bytes + 64, 0x77);
        for (size_t i = 0; i < a.size(); ++i)
          a[i] = static_cast<uint8_t>(i * 9), b[i] = static_cast<uint8_t>(i * 5 + 1);
        Launch launch{{n, 1, 1}, {n, 1, 1}, {a, b, out}, {}};
        CHECK(run_machine(compile(*m.functions[0]), launch)[2] ==
              run_interpreter(*m.functions[0], launch)[2]);
      }
}

TEST_CASE("mandelbrot gives the interpreter's counts") {
  for (unsigned width : {8u, 16u, 32u}) {
    Module m = parse_wave(mandelbrot(width));
    auto bits = [](float x) { return uint64_t{std::bit_cast<uint32_t>(x)}; };
    Launch launch{{61, 9, 1},
                  {61, 1, 1},
                  {Bytes(61 * 9 * 4)},
                  {bits(-2), bits(-1), bits(3.0f / 61), bits(2.0f / 9), 40, 61}};
    CHECK(run_machine(compile(*m.functions[0]), launch)[0] == run_interpreter(*m.functions[0], launch)[0]);
    compile(*m.functions[0], true);
  }
}

// Sums under a mask with several constants, and signs inside fused operations.
TEST_CASE("folded pairs of instructions keep their meaning") {
  const char* text = R"(wave func @f(%0: ptr<global>, %1: ptr<global>, %2: mask hidden) kernel width=16 {
b0 mask %2:
  %3: lane<i32> = global_id dim=0
  %4: lane<ptr<global>> = ptr_add %0, %3, scale=4
  %5: lane<i32> = lane_load %2, %4
  %6: lane<i32> = and %5, 3:i32
  %7: lane<i1> = ne %6, 0:i32
  %8: mask = mask_cond %2, %7
  %9: lane<i32> = add %5, 1:i32
  %10: lane<i32> = blend %8, %9, %5
  %11: lane<i32> = add %10, -1:i32
  %12: lane<i32> = blend %8, %11, %10
  %13: lane<i32> = add 77:i32, %12
  %14: lane<i32> = blend %8, %13, %12
  %15: lane<i64> = sext %14
  %16: lane<i64> = add %15, 5000000000:i64
  %17: lane<i64> = blend %8, %16, %15
  %18: lane<i64> = lshr %17, 3:i64
  %19: lane<i32> = trunc %18
  %20: lane<f32> = sitofp %19
  %21: lane<f32> = fneg %20
  %22: lane<f32> = ffma %21, %20, 0x1p+1:f32
  %23: lane<f32> = ffma %20, %21, %21
  %24: lane<f32> = ffma %20, %22, %21
  %25: lane<f32> = fadd %23, %24
  %26: lane<f32> = blend %8, %25, %23
  %27: lane<ptr<global>> = ptr_add %1, %3, scale=4
  lane_store %2, %27, %26
  ret
}
)";
  Module m = parse_wave(text);
  std::vector<int32_t> in(37);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int32_t>(i * 2654435761u);
  Launch launch{{37, 1, 1}, {37, 1, 1}, {bytes_of(in), Bytes(37 * 4)}, {}};
  CHECK(run_machine(compile(*m.functions[0]), launch)[1] == run_interpreter(*m.functions[0], launch)[1]);
  X64Code wide = compile(*m.functions[0], true);
  CHECK(wide.text.find("vpaddd zmm") != std::string::npos);
}

TEST_CASE("shapes of addresses") {
  Module m = parse_wave(R"(wave func @a(%0: ptr<global>, %1: i32, %2: mask hidden) kernel width=8 {
b0 mask %2:
  %3: lane<i64> = global_id dim=0
  %4: lane<i32> = trunc %3
  %5: lane<i32> = add %4, %1
  %6: lane<i64> = sext %5
  %7: lane<i64> = zext %4
  %8: lane<i64> = zext %5
  %9: lane<i32> = mul %4, 12:i32
  %10: lane<i32> = mul %4, %4
  %11: lane<ptr<global>> = ptr_add %0, %6, scale=4
  ret
}
)");
  const Function& f = *m.functions[0];
  std::vector<Shape> shapes = analyse_shapes(f);
  auto stride = [&](size_t n) {
    const Shape& s = shapes[f.result(f.block(f.entry()).insts[n]).index];
    return s.kind == Shape::Strided ? s.stride : -1;
  };
  CHECK(stride(3) == -1);  // sext of a sum that may wrap
  CHECK(stride(4) == 1);   // zext of an id
  CHECK(stride(5) == -1);  // zext of a sum that may wrap
  CHECK(stride(6) == 12);
  CHECK(stride(7) == -1);
  CHECK(stride(8) == 4);  // not as an index into a buffer
}

TEST_CASE("switches, uniform loops and values from the lowest lane") {
  const char* text = R"(wave func @s(%0: ptr<global>, %1: i32, %2: mask hidden) kernel width=16 {
b0 mask %2:
  %3: lane<i32> = global_id dim=0
  %4: lane<i1> = slt 4:i32, %3
  %5: mask = mask_cond %2, %4
  %6: i1 = any %5
  br_if %6 -> b1, b8
b1 mask %5:
  %7: i32 = first_lane %5, %3
  switch %1, 0:i32, 7:i32 -> b2, b3, b4
b2:
  br -> b5(100:i32)
b3:
  br -> b5(%7)
b4:
  %8: i32 = mul %7, 1000:i32
  br -> b5(%8)
b5(%9: i32) mask %5:
  br -> b6(%9, 0:i32)
b6(%10: i32, %11: i32) mask %5:
  %12: i32 = add %10, 1:i32
  %13: i32 = add %11, 1:i32
  %14: i1 = ult %13, 10:i32
  br_if %14 -> b6(%12, %13), b7
b7 mask %5:
  %15: lane<i32> = add %3, %12
  %16: lane<ptr<global>> = ptr_add %0, %3, scale=4
  lane_store %5, %16, %15
  br -> b8
b8 mask %2:
  ret
}
)";
  Module m = parse_wave(text);
  X64Code code = compile(*m.functions[0]);
  for (auto [which, base] : {std::pair{0u, 0}, {7u, 1}, {5u, 2}}) {
    Launch launch{{23, 1, 1}, {23, 1, 1}, {Bytes(23 * 4)}, {which}};
    std::vector<int32_t> want(23);
    for (int i = 5; i < 23; ++i) {
      int first = i < 16 ? 5 : 16;
      want[static_cast<size_t>(i)] = i + 10 + (base == 0 ? first : base == 1 ? first * 1000 : 100);
    }
    CHECK(values_of<int32_t>(run_machine(code, launch)[0]) == want);
    CHECK(run_interpreter(*m.functions[0], launch)[0] == run_machine(code, launch)[0]);
  }
}

namespace {

// Stores 100 * (t + 1) for a value whose case has the target t; t is 0 for the default.
std::string switch_of(const std::vector<std::pair<int64_t, size_t>>& cases, size_t targets) {
  std::string values, blocks, bodies;
  for (const auto& [value, target] : cases) {
    values += fmt::format(", {}:i32", value);
    blocks += fmt::format(", b{}", target + 1);
  }
  for (size_t k = 0; k <= targets; ++k)
    bodies += fmt::format("b{}:\n  br -> b{}({}:i32)\n", k + 1, targets + 2, 100 * (k + 1));
  return fmt::format(
      "wave func @s(%0: ptr<global>, %1: i32, %2: mask hidden) kernel width=8 {{\n"
      "b0 mask %2:\n  %3: lane<i32> = global_id dim=0\n  switch %1{} -> b1{}\n{}"
      "b{}(%4: i32) mask %2:\n  %5: lane<i32> = splat %4\n  %6: lane<ptr<global>> = ptr_add %0, %3, scale=4\n"
      "  lane_store %2, %6, %5\n  ret\n}}\n",
      values, blocks, bodies, targets + 2);
}

// What the machine stores for a value that is switched over.
int32_t stored_for(const X64Code& code, int64_t value) {
  const Launch launch{{1, 1, 1}, {1, 1, 1}, {Bytes(4)}, {static_cast<uint32_t>(value)}};
  return values_of<int32_t>(run_machine(code, launch)[0])[0];
}

size_t comparisons(const std::string& text) {
  size_t found = 0;
  for (size_t at = text.find("\tcmp "); at != std::string::npos; at = text.find("\tcmp ", at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("cases with adjacent values and one target are tested together") {
  std::vector<std::pair<int64_t, size_t>> digits, scattered;
  for (int64_t v = 48; v < 58; ++v) digits.emplace_back(v, 1), scattered.emplace_back(2 * v, 1);
  const X64Code together = compile(*parse_wave(switch_of(digits, 1)).functions[0]);
  const X64Code apart = compile(*parse_wave(switch_of(scattered, 1)).functions[0]);
  INFO(together.text);
  CHECK(comparisons(together.text) + 9 <= comparisons(apart.text));
  for (int64_t v = 40; v < 120; ++v) {
    CHECK(stored_for(together, v) == (v >= 48 && v < 58 ? 200 : 100));
    CHECK(stored_for(apart, v) == (v >= 96 && v < 116 && v % 2 == 0 ? 200 : 100));
  }
}

TEST_CASE("random switches lead to the same targets as their cases") {
  std::mt19937 random(1);
  for (int n = 0; n < 60; ++n) {
    const size_t targets = 1 + random() % 4;
    const int64_t span = 4 + random() % 30, start = n % 3 == 0   ? -span / 2
                                                    : n % 3 == 1 ? 0
                                                                 : INT32_MAX - span / 2;
    std::map<int32_t, size_t> cases;
    size_t target = 0;
    for (int64_t v = 0; v < span; ++v) {
      if (random() % 3 == 0) target = random() % (targets + 1);
      if (random() % 5) cases[static_cast<int32_t>(static_cast<uint32_t>(start + v))] = target;
    }
    std::vector<std::pair<int64_t, size_t>> shuffled(cases.begin(), cases.end());
    std::ranges::shuffle(shuffled, random);
    const std::string text = switch_of(shuffled, targets);
    INFO(text);
    const X64Code code = compile(*parse_wave(text).functions[0]);
    for (int64_t v = -2; v < span + 2; ++v) {
      const auto value = static_cast<int32_t>(static_cast<uint32_t>(start + v));
      const auto found = cases.find(value);
      REQUIRE(stored_for(code, value) ==
              static_cast<int32_t>(100 * (1 + (found == cases.end() ? 0 : found->second))));
    }
  }
}

TEST_CASE("bits are tested where they are, unless their value is used") {
  const auto text_of = [](const std::string& bits, const std::string& used) {
    const std::string text =
        "wave func @s(%0: ptr<global>, %1: i32, %2: i32, %3: mask hidden) kernel width=8 {\n"
        "b0 mask %3:\n  %4: i32 = uniform_load %0\n  %5: i32 = and " +
        bits +
        "\n  %6: i1 = eq %5, 0:i32\n  br_if %6 -> b2, b1\n"
        "b1 mask %3:\n  uniform_store %0, " +
        used + "\n  br -> b2\nb2 mask %3:\n  ret\n}\n";
    return compile(*parse_wave(text).functions[0]).text;
  };
  for (const char* bits : {"%1, 36:i32", "%1, %2", "%1, %4", "%4, %1", "%4, 36:i32"}) {
    const std::string alone = text_of(bits, "%2"), both = text_of(bits, "%5");
    INFO(alone << both);
    CHECK(alone.find("\ttest ") != std::string::npos);
    CHECK(alone.find("\tand ") == std::string::npos);
    CHECK(both.find("\tand ") != std::string::npos);
    const bool loads = std::string(bits).find("%4") != std::string::npos;
    CHECK((alone.find("\ttest dword ptr [") != std::string::npos) == loads);
  }
}

TEST_CASE("what cannot be compiled is named with its place") {
  Module m = parse_wave(R"(wave func @p(%0: ptr<private>, %1: mask hidden) kernel width=8 {
b0 mask %1:
  %2: i64 = uniform_load %0 !3:9
  ret
}
)");
  auto reasons = check_x64(*m.functions[0], {});
  REQUIRE(reasons.size() == 1);
  CHECK(reasons[0] == "3:9: private memory is different for each lane");
}

TEST_CASE("places near each other are asked for when they run") {
  Module m = parse_wave(neighbours(32));
  // Selected from two vectors, or gathered; stored contiguously, or scattered.
  const std::string avx512 = compile(*m.functions[0], true).text, avx2 = compile(*m.functions[0], false).text;
  for (const char* mnemonic : {"vpermi2d", "vpgatherdd", "vpscatterdd", "vmovdqu32"})
    CHECK(avx512.find(mnemonic) != std::string::npos);
  CHECK(avx2.find("vmaskmovps") != std::string::npos);
  CHECK(avx2.find("vpgatherdd") != std::string::npos);
}

TEST_CASE("a loop goes round by its test, and masks by comparisons") {
  Module m = parse_wave(uniform_steps(16));
  const std::string text = compile(*m.functions[0], true).text;
  INFO(text);
  // One jump per iteration; leaving lanes are removed by the opposite comparison.
  CHECK(text.find("\tjmp ") == std::string::npos);
  CHECK(text.find("kandnw") == std::string::npos);
  CHECK(text.find("vpcmpnlt") != std::string::npos);
}
