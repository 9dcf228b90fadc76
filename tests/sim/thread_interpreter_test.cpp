// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/thread_interpreter.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "tests/sim/support.h"

using namespace kc;
using namespace kc::test;
using Catch::Contains;

namespace {

// Runs one instruction with constant operands; returns the bits that it stores.
uint64_t bits_of(const std::string& type, const std::string& instruction) {
  std::string text = fmt::format(R"(thread func @f(%0: ptr<global>) kernel {{
b0:
  %1: {} = {}
  store %0, %1
  ret
}}
)",
                                 type, instruction);
  Module m = parse(text);
  std::vector<uint64_t> out(1);
  std::vector<MemoryRange> memory{range_of(out)};
  std::vector<uint64_t> arguments{address_of(out)};
  RunResult r = run_threads(*m.functions[0], line(1), arguments, {.memory = memory});
  INFO(r.message);
  REQUIRE(r.status == RunStatus::Ok);
  return out[0];
}
float f32_of(const std::string& instruction) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits_of("f32", instruction)));
}

// Runs @f(out) for `items` work-items with out[items] of int.
struct Ran {
  std::vector<int32_t> out;
  RunResult result;
};
Ran run(const std::string& text, uint64_t items, std::vector<uint64_t> more = {},
        uint64_t max_steps = 1000000) {
  Module m = parse(text);
  Ran r{std::vector<int32_t>(items, -7), {}};
  std::vector<MemoryRange> memory{range_of(r.out)};
  std::vector<uint64_t> arguments{address_of(r.out)};
  arguments.insert(arguments.end(), more.begin(), more.end());
  r.result = run_threads(*m.functions[0], line(items), arguments, {.memory = memory, .max_steps = max_steps});
  return r;
}

}  // namespace

TEST_CASE("integer corner cases are defined") {
  CHECK(bits_of("i32", "sdiv 5:i32, 0:i32") == 0xffffffff);
  CHECK(bits_of("i32", "udiv 5:i32, 0:i32") == 0xffffffff);
  CHECK(bits_of("i32", "srem -5:i32, 0:i32") == 0xfffffffb);
  CHECK(bits_of("i32", "urem 5:i32, 0:i32") == 5);
  CHECK(bits_of("i32", "sdiv -2147483648:i32, -1:i32") == 0x80000000);
  CHECK(bits_of("i32", "srem -2147483648:i32, -1:i32") == 0);
  CHECK(bits_of("i64", "sdiv -9223372036854775808:i64, -1:i64") == 0x8000000000000000);
  CHECK(bits_of("i32", "sdiv -7:i32, 2:i32") == 0xfffffffd);
  CHECK(bits_of("i32", "srem -7:i32, 2:i32") == 0xffffffff);
  CHECK(bits_of("i32", "shl 3:i32, 33:i32") == 6);
  CHECK(bits_of("i32", "lshr -1:i32, 60:i32") == 0xf);
  CHECK(bits_of("i32", "ashr -8:i32, 65:i32") == 0xfffffffc);
  CHECK(bits_of("i64", "shl 1:i64, 64:i64") == 1);
  CHECK(bits_of("i8", "shl 1:i8, 9:i8") == 2);
  CHECK(bits_of("i8", "add 127:i8, 1:i8") == 0x80);
  CHECK(bits_of("i32", "add 2147483647:i32, 1:i32") == 0x80000000);
  CHECK(bits_of("i32", "smin -1:i32, 1:i32") == 0xffffffff);
  CHECK(bits_of("i32", "umin -1:i32, 1:i32") == 1);
  CHECK(bits_of("i64", "sext -1:i32") == ~uint64_t{0});
  CHECK(bits_of("i64", "zext -1:i32") == 0xffffffff);
  CHECK(bits_of("i8", "trunc 511:i32") == 0xff);
  CHECK(bits_of("i32", "select true:i1, 11:i32, 22:i32") == 11);
  CHECK(bits_of("i32", "select false:i1, 11:i32, 22:i32") == 22);
  CHECK(bits_of("i32", "add undef:i32, 4:i32") == 4);
}

TEST_CASE("conversions from floats saturate and floats order their zeros") {
  CHECK(bits_of("i32", "fptosi 3000000000:f32") == 0x7fffffff);
  CHECK(bits_of("i32", "fptosi -3000000000:f32") == 0x80000000);
  CHECK(bits_of("i32", "fptosi -1.9:f32") == 0xffffffff);
  CHECK(bits_of("i32", "fptoui -1.9:f32") == 0);
  CHECK(bits_of("i32", "fptoui 5000000000:f32") == 0xffffffff);
  CHECK(bits_of("i32", "fptosi bits(0x7fc00000):f32") == 0);
  CHECK(bits_of("i8", "fptosi 300:f32") == 0x7f);
  CHECK(bits_of("i64", "fptoui 1e30:f64") == ~uint64_t{0});
  CHECK(f32_of("fmin bits(0x7fc00000):f32, 2:f32") == 2);
  CHECK(f32_of("fmax 2:f32, bits(0x7fc00000):f32") == 2);
  CHECK(std::isnan(f32_of("fmin bits(0x7fc00000):f32, bits(0x7fc00000):f32")));
  CHECK(std::signbit(f32_of("fmin 0:f32, -0:f32")));
  CHECK(!std::signbit(f32_of("fmax -0:f32, 0:f32")));
  CHECK(f32_of("frint 2.5:f32") == 2);
  CHECK(f32_of("sitofp -3:i32") == -3);
  CHECK(f32_of("uitofp -1:i32") == 4294967296.0f);
  CHECK(f32_of("ffma 16777217:f32, 1:f32, 1:f32") == 16777216.0f);
  CHECK(f32_of("fdiv 1:f32, 0:f32") == INFINITY);
}

TEST_CASE("addresses are formed with a sign-extended index") {
  Ran r = run(R"(thread func @f(%0: ptr<global>) kernel {
b0:
  %1: ptr<global> = ptr_add %0, 3:i32, scale=4
  %2: ptr<global> = ptr_add %1, -2:i32, scale=4, offset=4
  store %2, 5:i32
  %4: i32 = global_id dim=0
  %5: ptr<global> = ptr_add %0, %4, scale=4
  %6: i32 = load %5
  %7: i32 = add %6, %4
  store %5, %7
  ret
}
)",
              4);
  REQUIRE(r.result.status == RunStatus::Ok);
  CHECK(r.out == std::vector<int32_t>{-7, -6, 5, -4});
}

TEST_CASE("launch ids follow the launch") {
  const char* text = R"(thread func @f(%0: ptr<global>) kernel {
b0:
  %1: i64 = global_id dim=0
  %2: i64 = global_id dim=1
  %3: i64 = global_offset dim=1
  %4: i64 = sub %2, %3
  %5: i64 = global_size dim=0
  %6: i64 = mul %4, %5
  %7: i64 = add %1, %6
  %8: ptr<global> = ptr_add %0, %7, scale=32
  store %8, %1
  %9: ptr<global> = ptr_add %8, 1:i32, scale=4
  store %9, %2
  %10: i32 = local_id dim=0
  %11: ptr<global> = ptr_add %8, 2:i32, scale=4
  store %11, %10
  %12: i32 = group_id dim=0
  %13: ptr<global> = ptr_add %8, 3:i32, scale=4
  store %13, %12
  %14: i32 = local_size dim=1
  %15: ptr<global> = ptr_add %8, 4:i32, scale=4
  store %15, %14
  %16: i32 = num_groups dim=1
  %17: ptr<global> = ptr_add %8, 5:i32, scale=4
  store %17, %16
  %18: i32 = work_dim
  %19: ptr<global> = ptr_add %8, 6:i32, scale=4
  store %19, %18
  ret
}
)";
  Module m = parse(text);
  std::vector<int32_t> out(8 * 24);
  std::vector<MemoryRange> memory{range_of(out)};
  std::vector<uint64_t> arguments{address_of(out)};
  LaunchSpec spec{.dims = 2, .global = {6, 4, 1}, .local = {3, 2, 1}, .offset = {0, 10, 0}};
  RunResult r = run_threads(*m.functions[0], spec, arguments, {.memory = memory});
  REQUIRE(r.status == RunStatus::Ok);
  CHECK(r.steps == 24 * 27);
  auto slot = [&](size_t i) { return std::vector<int32_t>(out.begin() + 8 * i, out.begin() + 8 * i + 7); };
  CHECK(slot(0) == std::vector<int32_t>{0, 10, 0, 0, 2, 2, 2});
  CHECK(slot(22) == std::vector<int32_t>{4, 13, 1, 1, 2, 2, 2});
}

TEST_CASE("block parameters are assigned all at once") {
  // Three rotations of (1, 2, 3) by the edge into b1.
  Ran r = run(R"(thread func @f(%0: ptr<global>) kernel {
b0:
  br -> b1(1:i32, 2:i32, 3:i32, 0:i32)
b1(%1: i32, %2: i32, %3: i32, %4: i32):
  %5: i32 = add %4, 1:i32
  %6: i1 = slt %4, 4:i32
  br_if %6 -> b1(%2, %3, %1, %5), b2
b2:
  %7: i32 = mul %1, 100:i32
  %8: i32 = mul %2, 10:i32
  %9: i32 = add %7, %8
  %10: i32 = add %9, %3
  store %0, %10
  ret
}
)",
              1);
  CHECK(r.out[0] == 231);
}

TEST_CASE("an irreducible loop and a switch run per work-item") {
  // Even items enter the loop at b2, odd ones at b3; the switch leaves the loop depending on the item.
  const char* text = R"(thread func @f(%0: ptr<global>) kernel {
  var $n.0: i32
b0:
  %1: i32 = global_id dim=0
  %2: i32 = and %1, 1:i32
  %3: i1 = ne %2, 0:i32
  br_if %3 -> b3, b2
b2:
  %4: i32 = var_get var=$n.0
  %5: i32 = add %4, 10:i32
  var_set %5, var=$n.0
  br -> b3
b3:
  %6: i32 = var_get var=$n.0
  %7: i32 = add %6, 1:i32
  var_set %7, var=$n.0
  %8: i1 = slt %7, 30:i32
  br_if %8 -> b2, b4
b4:
  switch %1, 0:i32, 1:i32, 2:i32 -> b8, b5, b6, b7
b5:
  br -> b9(100:i32)
b6:
  br -> b9(200:i32)
b7:
  br -> b9(300:i32)
b8:
  br -> b9(400:i32)
b9(%9: i32):
  %10: i32 = var_get var=$n.0
  %11: i32 = add %9, %10
  %12: ptr<global> = ptr_add %0, %1, scale=4
  store %12, %11
  ret
}
)";
  Ran r = run(text, 4);
  REQUIRE(r.result.status == RunStatus::Ok);
  CHECK(r.out == std::vector<int32_t>{133, 234, 333, 434});
}

TEST_CASE("traps end one work-item and are reported for the lowest id") {
  const char* text = R"(thread func @f(%0: ptr<global>) kernel {
  site 0: throw "int" !3:9
  site 1: assert "" !4:2
b0:
  %1: i32 = global_id dim=0
  %2: ptr<global> = ptr_add %0, %1, scale=4
  store %2, %1
  %3: i1 = slt %1, 3:i32
  br_if %3 -> b2, b1
b1:
  %4: i32 = mul %1, 10:i32
  trap %4, site=1
b2:
  store %2, 9:i32
  ret
}
)";
  Ran r = run(text, 5);
  CHECK(r.result.status == RunStatus::Trapped);
  CHECK(r.out == std::vector<int32_t>{9, 9, 9, 3, 4});
  REQUIRE(r.result.trap);
  CHECK(r.result.trap->site.kind == TrapKind::Assert);
  CHECK(r.result.trap->site.loc.line == 4);
  CHECK(r.result.trap->value == 30);
  CHECK(r.result.trap->global_id[0] == 3);
  CHECK(r.result.trap->count == 2);
}

TEST_CASE("accesses outside the buffers stop the launch and name the instruction") {
  const char* text = R"(thread func @f(%0: ptr<global>, %1: i32) kernel {
b0:
  %2: i32 = global_id dim=0
  %3: i32 = add %2, %1
  %4: ptr<global> = ptr_add %0, %3, scale=4
  store %4, %2 !7:5
  ret
}
)";
  CHECK(run(text, 4, {0}).result.status == RunStatus::Ok);
  Ran after = run(text, 4, {1});
  CHECK(after.result.status == RunStatus::OutOfBounds);
  CHECK_THAT(after.result.message, Contains("work-item (3, 0, 0)") && Contains("store of 4 bytes") &&
                                       Contains("@f: store %4, %2 !7:5"));
  CHECK(after.out == std::vector<int32_t>{-7, 0, 1, 2});
  Ran before = run(text, 4, {uint64_t{0} - 1});
  CHECK(before.result.status == RunStatus::OutOfBounds);
  CHECK_THAT(before.result.message, Contains("work-item (0, 0, 0)"));
  Ran local =
      run("thread func @f(%0: ptr<global>) kernel {\nb0:\n  %1: i32 = load 64:ptr<local>\n  ret\n}\n", 1);
  CHECK(local.result.status == RunStatus::OutOfBounds);
}

TEST_CASE("an access that straddles the end of a buffer is outside it") {
  const char* text = R"(thread func @f(%0: ptr<global>) kernel {
b0:
  %1: ptr<global> = ptr_add %0, 0:i32, scale=1, offset=6
  %2: i32 = load %1
  ret
}
)";
  CHECK(run(text, 2).result.status == RunStatus::OutOfBounds);
  CHECK(run(text, 3).result.status == RunStatus::Ok);
}

TEST_CASE("endless loops stop at the step limit") {
  Ran r = run(R"(thread func @f(%0: ptr<global>) kernel {
b0:
  br -> b1
b1:
  br -> b1 !5:1
}
)",
              1, {}, 1000);
  CHECK(r.result.status == RunStatus::StepLimit);
  CHECK(r.result.steps == 1001);
  CHECK_THAT(r.result.message, Contains("more than 1000 steps") && Contains("br -> b1 !5:1"));
}

TEST_CASE("what cannot run is an error") {
  const char* text = "thread func @f(%0: ptr<global>) kernel {\nb0:\n  ret\n}\n";
  CHECK_THAT(run(text, 1, {1, 2}).result.message, Contains("takes 1 arguments, got 3"));
  Module m = parse(text);
  std::vector<uint64_t> arguments{0};
  CHECK_THAT(run_threads(*m.functions[0], line(7, 2), arguments, {}).message, Contains("does not divide"));
  Module wave = parse("wave func @w(%0: mask hidden) kernel width=8 {\nb0 mask %0:\n  ret\n}\n");
  CHECK_THAT(run_threads(*wave.functions[0], line(1), arguments, {}).message, Contains("is a wave function"));
  auto broken = parse_module("thread func @f(%0: i32) kernel {\nb0:\n  %1: i64 = add %0, %0\n  ret\n}\n");
  REQUIRE(broken.has_value());
  CHECK(run_threads(*broken->functions[0], line(1), arguments, {}).status == RunStatus::Error);
}

TEST_CASE("the sequence of blocks can be watched") {
  Module m = parse(R"(thread func @f(%0: ptr<global>) kernel {
b0:
  %1: i32 = global_id dim=0
  %2: i1 = eq %1, 0:i32
  br_if %2 -> b1, b2
b1:
  br -> b2
b2:
  ret
}
)");
  std::vector<uint64_t> arguments{0};
  std::string trace;
  ThreadRunOptions options;
  options.on_block = [&](uint64_t item, BlockId b) { trace += fmt::format("{}:{} ", item, b.index); };
  run_threads(*m.functions[0], line(2), arguments, options);
  const auto& layout = m.functions[0]->layout;
  CHECK(trace == fmt::format("0:{} 0:{} 0:{} 1:{} 1:{} ", layout[0].index, layout[1].index, layout[2].index,
                             layout[0].index, layout[2].index));
}
