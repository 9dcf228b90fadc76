// SPDX-License-Identifier: Apache-2.0
// Small kernels with every native control-flow shape, run and compared with equivalent C++.
#include "backends/structured/region_tree.h"

#include <regex>
#include <set>
#include <sstream>

#include "tests/spirv/device.h"

using namespace kc;
using namespace kc::test;

namespace {

constexpr const char* kCollatz =
    R"(thread func @collatz(%0: ptr<global> in of i32 const, %1: ptr<global> out of i32) kernel {
b0:
  %2: i64 = global_id dim=0 !2:7
  %3: ptr<global> = ptr_add %0, %2, scale=4 !3:7
  %4: i32 = load %3 !3:7
  br -> b1.loop(%4, 0:i32)
b1.loop(%5: i32, %6: i32):
  %7: i1 = eq %5, 1:i32 !5:7
  br_if %7 -> b5.done, b2 !5:7
b2:
  %8: i32 = and %5, 1:i32
  %9: i1 = eq %8, 0:i32
  %10: i32 = add %6, 1:i32
  br_if %9 -> b3, b4
b3:
  %11: i32 = lshr %5, 1:i32
  br -> b1.loop(%11, %10)
b4:
  %12: i32 = mul %5, 3:i32
  %13: i32 = add %12, 1:i32
  br -> b1.loop(%13, %10)
b5.done:
  %14: ptr<global> = ptr_add %1, %2, scale=4
  store %14, %6
  ret
}
)";

uint32_t collatz(uint32_t n) {
  uint32_t steps = 0;
  for (; n != 1; ++steps) n = n & 1 ? 3 * n + 1 : n >> 1;
  return steps;
}

// for (i = 0;; ++i) { if (i == 100) break; x = x*x + c; if (x > 4) break; }, with a short circuit
// `while (i < n && x < limit)` and an `if (a || b)` whose arm is shared.
constexpr const char* kShortCircuit = R"(thread func @short(%0: ptr<global> out of i32, %1: i32) kernel {
b0:
  %2: i32 = global_id dim=0
  %3: i64 = sext %2
  %4: ptr<global> = ptr_add %0, %3, scale=4
  br -> b1.loop(0:i32, %2)
b1.loop(%5: i32, %6: i32):
  %7: i1 = slt %5, %1
  br_if %7 -> b2.and, b9.end
b2.and:
  %8: i1 = slt %6, 1000:i32
  br_if %8 -> b3.body, b9.end
b3.body:
  %9: i32 = and %6, 3:i32
  %10: i1 = eq %9, 2:i32
  br_if %10 -> b5.then, b4.or
b4.or:
  %11: i32 = urem %6, 7:i32
  %12: i1 = eq %11, 3:i32
  br_if %12 -> b5.then, b6.else
b5.then:
  %13: i32 = mul %6, 2:i32
  br -> b7.next(%13)
b6.else:
  %14: i32 = add %6, 5:i32
  br -> b7.next(%14)
b7.next(%15: i32):
  %16: i32 = add %5, 1:i32
  br -> b1.loop(%16, %15)
b9.end:
  %17: i32 = mul %6, 1000:i32
  %18: i32 = add %17, %5
  store %4, %18
  ret
}
)";

uint32_t short_circuit(uint32_t id, int n) {
  int i = 0;
  uint32_t x = id;
  while (i < n && static_cast<int>(x) < 1000) {
    x = ((x & 3) == 2 || x % 7 == 3) ? x * 2 : x + 5;
    ++i;
  }
  return x * 1000 + static_cast<uint32_t>(i);
}

// Two nested loops; the inner one leaves both, continues the outer one, or returns.
constexpr const char* kMultiLevel = R"(thread func @multi(%0: ptr<global> out of i32) kernel {
b0:
  %1: i64 = global_id dim=0
  %2: i32 = trunc %1
  %3: ptr<global> = ptr_add %0, %1, scale=4
  br -> b1.outer(0:i32, %2)
b1.outer(%4: i32, %5: i32):
  %6: i1 = slt %4, 10:i32
  br_if %6 -> b2.inner(0:i32, %5), b8.after(%5)
b2.inner(%7: i32, %8: i32):
  %9: i32 = mul %8, 5:i32
  %10: i32 = add %9, %7
  %11: i32 = and %10, 15:i32
  switch %11, 3:i32, 7:i32, 9:i32, 12:i32 -> b3.more, b4.leave, b5.again, b6.give_up, b4.leave
b3.more:
  %12: i32 = add %7, 1:i32
  %13: i1 = slt %12, 6:i32
  br_if %13 -> b2.inner(%12, %10), b7.latch(%10)
b4.leave:
  %14: i32 = add %10, %4
  br -> b8.after(%14)
b5.again:
  %15: i32 = add %4, 2:i32
  br -> b1.outer(%15, %10)
b6.give_up:
  store %3, -1:i32
  ret
b7.latch(%16: i32):
  %17: i32 = add %4, 1:i32
  br -> b1.outer(%17, %16)
b8.after(%18: i32):
  store %3, %18
  ret
}
)";

uint32_t multi_level(uint32_t id) {
  uint32_t x = id;
  for (int i = 0; i < 10;) {
    bool again = false;
    for (int k = 0; k < 6; ++k) {
      x = x * 5 + static_cast<uint32_t>(k);
      switch (x & 15) {
        case 3:
        case 12:
          return x + static_cast<uint32_t>(i);
        case 7:
          again = true;
          break;
        case 9:
          return ~0u;
        default:
          break;
      }
      if (again) break;
    }
    i += again ? 2 : 1;
  }
  return x;
}

std::vector<uint32_t> run_u32(VulkanDevice& device, const char* text, const std::vector<uint32_t>* in,
                              size_t n, std::optional<uint32_t> scalar = {}) {
  Module module = parse_or_fail(text);
  SpirvOptions options = spirv_options(device.info(), {1, 1, 1});
  options.local_size = {8, 1, 1};
  options.source_name = "kernel.cl";
  VulkanImage image = emit_valid(*module.functions[0], options);
  Run run;
  if (in) run.add_buffer(*in);
  run.add_buffer(std::vector<uint32_t>(n));
  if (scalar) run.add_scalar(*scalar);
  run.global = {n, 1, 1};
  launch(device, image, run);
  return run.get<uint32_t>(in ? 1 : 0);
}

std::string regions_of(const char* text) {
  Module module = parse_or_fail(text);
  const Function& f = *module.functions[0];
  return structured::print_regions(f, structured::build_regions(f));
}

}  // namespace

TEST_CASE("a while loop with an if/else is native: no selector") {
  CHECK(regions_of(kCollatz) == R"(b0
loop b1
  b1
  if b1 edge 0 break j0
  b2
  select b2
    b3
    join j1 for b1
  or
    b4
    join j1 for b1
  end j1 {b1}
  continue for {b1} of j1
end j0 {b5}
b5
return
)");
  auto device = open_device();
  if (!device) return;
  std::vector<uint32_t> in(64), expected;
  for (uint32_t i = 0; i < 64; ++i) in[i] = i + 1, expected.push_back(collatz(i + 1));
  CHECK(run_u32(*device, kCollatz, &in, 64) == expected);
}

TEST_CASE("drawn regions: clusters in one another, breaks dashed, next rounds dotted") {
  Module module = parse_or_fail(kCollatz);
  const Function& f = *module.functions[0];
  std::string drawn = structured::draw_regions(f, structured::build_regions(f));
  CHECK(drawn.find(R"(b2 [label="b2:\l)") != std::string::npos);
  CHECK(drawn.find(R"(\l  br_if %7 -> b5.done, b2 !5:7\l"];)") != std::string::npos);
  drawn = std::regex_replace(drawn, std::regex(R"((b\d) \[label="b\d[^"]*"\];)"), "$1;");
  CHECK(drawn == R"(digraph "collatz" {
  node [shape=box, fontname=monospace];
  b0;
  subgraph cluster0 {
    label="loop b1";
    b1;
    b2;
    subgraph cluster1 {
      label="select b2";
      subgraph cluster2 {
        label="true";
        b3;
      }
      subgraph cluster3 {
        label="false";
        b4;
      }
    }
    j1 [shape=ellipse, label="j1 {b1}"];
  }
  j0 [shape=ellipse, label="j0 {b5}"];
  b5;
  b0 -> b1;
  b1 -> j0 [label="true", style=dashed];
  b1 -> b2 [label="false"];
  b2 -> b3 [label="true"];
  b3 -> j1;
  b2 -> b4 [label="false"];
  b4 -> j1;
  j1 -> b1 [label="b1", style=dotted];
  j0 -> b5;
}
)");
}

TEST_CASE("drawn regions have every block once, and edges between what is drawn") {
  for (const char* text : {kCollatz, kShortCircuit, kMultiLevel}) {
    Module module = parse_or_fail(text);
    const Function& f = *module.functions[0];
    const std::string drawn = structured::draw_regions(f, structured::build_regions(f));
    INFO(drawn);
    std::multiset<std::string> nodes;
    std::istringstream lines(drawn);
    const std::regex node(R"( *([bj]\d+) \[.*)"), edge(R"( *(\w+) -> (\w+)( \[.*)?;)");
    size_t edges = 0;
    std::smatch m;
    for (std::string line; std::getline(lines, line);) {
      if (std::regex_match(line, m, edge)) {
        ++edges;
        CHECK(nodes.count(m[1]) == 1);
        CHECK(nodes.count(m[2]) == 1);
      } else if (std::regex_match(line, m, node)) {
        nodes.insert(m[1]);
      }
    }
    CHECK(edges >= f.layout.size());
    for (size_t i = 0; i < f.layout.size(); ++i) CHECK(nodes.count("b" + std::to_string(i)) == 1);
  }
}

TEST_CASE("short circuits: two exits of a loop, and a shared arm") {
  auto device = open_device();
  if (!device) return;
  std::vector<uint32_t> expected;
  for (uint32_t i = 0; i < 256; ++i) expected.push_back(short_circuit(i, 40));
  CHECK(run_u32(*device, kShortCircuit, nullptr, 256, 40) == expected);
}

TEST_CASE("multi-level exits, a switch with a shared case, and an early return") {
  auto device = open_device();
  if (!device) return;
  std::vector<uint32_t> expected;
  for (uint32_t i = 0; i < 512; ++i) expected.push_back(multi_level(i));
  CHECK(run_u32(*device, kMultiLevel, nullptr, 512) == expected);
}

TEST_CASE("irreducible flow is refused with block and line, unless it is prepared") {
  Module module = parse_or_fail(R"(thread func @bad(%0: i1) kernel {
b0:
  br_if %0 -> b1, b2.side !4:3
b1:
  br -> b2.side !5:3
b2.side:
  br -> b1 !6:3
}
)");
  auto problems = check_spirv(*module.functions[0]);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].message.find("kernel bad: not supported by vulkan") == 0);
  CHECK(problems[0].message.find("irreducible") != std::string::npos);
  CHECK(problems[0].message.find("line ") != std::string::npos);
  emit_valid(*make_spirv_form(*module.functions[0]), {});
}

TEST_CASE("positions and parameters") {
  auto device = open_device();
  if (!device) return;
  Module module = parse_or_fail(
      R"(thread func @where(%0: ptr<global> out of i32, %1: i8, %2: i32, %3: i16, %4: f64) kernel {
b0:
  %5: i64 = global_id dim=0
  %6: i64 = global_offset dim=0
  %7: i64 = sub %5, %6
  %8: i64 = global_id dim=1
  %9: i64 = global_offset dim=1
  %10: i64 = sub %8, %9
  %11: i64 = global_size dim=0
  %12: i64 = mul %10, %11
  %13: i64 = add %7, %12
  %14: ptr<global> = ptr_add %0, %13, scale=48
  %15: i32 = global_id dim=1
  store %14, %15
  %16: i32 = local_id dim=0
  %17: ptr<global> = ptr_add %14, 1:i32, scale=4
  store %17, %16
  %18: i32 = group_id dim=0
  %19: ptr<global> = ptr_add %14, 2:i32, scale=4
  store %19, %18
  %20: i32 = num_groups dim=0
  %21: ptr<global> = ptr_add %14, 0:i32, scale=4, offset=12
  store %21, %20
  %22: i32 = local_size dim=1
  %23: ptr<global> = ptr_add %14, 4:i32, scale=4
  store %23, %22
  %24: i32 = work_dim
  %25: ptr<global> = ptr_add %14, 5:i32, scale=4
  store %25, %24
  %26: i32 = sext %1
  %27: ptr<global> = ptr_add %14, 6:i32, scale=4
  store %27, %26
  %28: ptr<global> = ptr_add %14, 7:i32, scale=4
  store %28, %2
  %29: i32 = zext %3
  %30: ptr<global> = ptr_add %14, 8:i32, scale=4
  store %30, %29
  %31: ptr<global> = ptr_add %14, 10:i32, scale=4
  store %31, %4
  ret
}
)");
  SpirvOptions options = spirv_options(device->info(), {1, 1, 1});
  options.local_size = {4, 2, 1};
  VulkanImage image = emit_valid(*module.functions[0], options);
  Run run;
  run.dims = 2;
  run.global = {12, 6, 1};
  run.offset = {100, 7, 0};
  run.add_buffer(std::vector<uint32_t>(12 * 6 * 12));
  run.add_scalar<int8_t>(-3);
  run.add_scalar<int32_t>(123456789);
  run.add_scalar<int16_t>(-2);
  run.add_scalar<double>(2.5);
  launch(*device, image, run);
  auto out = run.get<uint32_t>(0);
  for (uint32_t y = 0; y < 6; ++y)
    for (uint32_t x = 0; x < 12; ++x) {
      const uint32_t* item = &out[(y * 12 + x) * 12];
      double d = 0;
      std::memcpy(&d, item + 10, 8);
      std::vector<uint32_t> got(item, item + 9);
      REQUIRE(got == std::vector<uint32_t>{y + 7, x % 4, x / 4, 3, 2, 2, static_cast<uint32_t>(-3), 123456789,
                                           65534});
      REQUIRE(d == 2.5);
    }
}

TEST_CASE("a grid beyond the device's limit of groups") {
  auto device = open_device(false);
  if (!device) return;
  Module module = parse_or_fail(R"(thread func @big(%0: ptr<global> out of i8) kernel {
b0:
  %1: i64 = global_id dim=0
  %2: ptr<global> = ptr_add %0, %1
  %3: i8 = load %2
  %4: i8 = add %3, 1:i8
  store %2, %4
  ret
}
)");
  SpirvOptions options = spirv_options(device->info(), {1, 1, 1});
  VulkanImage image = emit_valid(*module.functions[0], options);
  const uint64_t n = uint64_t{device->info().max_group_count[0]} + 1000;
  if (n > 1u << 24) return;  // no such limit here
  Run run;
  run.global = {n, 1, 1};
  run.add_buffer(std::vector<uint8_t>(n));
  launch(*device, image, run);
  CHECK(run.get<uint8_t>(0) == std::vector<uint8_t>(n, 1));
}

TEST_CASE("accesses below their size's alignment") {
  auto device = open_device();
  if (!device) return;
  Module module = parse_or_fail(R"(thread func @unaligned(%0: ptr<global> data of i8) kernel {
b0:
  %1: ptr<global> = ptr_add %0, 1:i32
  %2: i32 = load %1, align=1
  %3: i32 = add %2, 1:i32
  %4: ptr<global> = ptr_add %0, 6:i32
  store %4, %3, align=2
  %5: ptr<global> = ptr_add %0, 4:i32
  %6: f64 = load %5, align=4
  %7: ptr<global> = ptr_add %0, 12:i32
  store %7, %6, align=4
  ret
}
)");
  VulkanImage image = emit_valid(*module.functions[0], spirv_options(device->info(), {1, 1, 1}));
  Run run;
  run.add_buffer(std::vector<uint8_t>{0xaa, 0xff, 2, 3, 4, 0xbb, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0});
  launch(*device, image, run);
  CHECK(run.get<uint8_t>(0) ==
        std::vector<uint8_t>{0xaa, 0xff, 2, 3, 4, 0xbb, 0, 3, 3, 4, 1, 2, 4, 0xbb, 0, 3, 3, 4, 1, 2});
}

TEST_CASE("a value of a loop that ends at different rounds") {
  auto device = open_device();
  if (!device) return;
  constexpr const char* kText =
      R"(thread func @carry(%0: ptr<global> in of i32, %1: ptr<global> out of i32) kernel {
b0:
  %2: i64 = global_id dim=0
  %3: ptr<global> = ptr_add %0, %2, scale=4
  %4: i32 = load %3
  br -> b1.loop(%4)
b1.loop(%5: i32):
  %6: i32 = mul %5, 1664525:i32
  %7: i32 = add %6, 12345:i32
  %8: i32 = mul %7, 1664525:i32
  %9: i32 = lshr %8, 28:i32
  %10: i1 = ult %9, 3:i32
  br_if %10 -> b2, b1.loop(%8)
b2:
  %11: i32 = xor %7, %8
  %12: ptr<global> = ptr_add %1, %2, scale=4
  store %12, %11
  ret
}
)";
  std::vector<uint32_t> in, expected;
  for (uint32_t i = 0; i < 256; ++i) {
    in.push_back(i * 977);
    uint32_t x = in.back(), a = 0;
    do {
      a = x * 1664525 + 12345;
      x = a * 1664525;
    } while (x >> 28 >= 3);
    expected.push_back(a ^ x);
  }
  CHECK(run_u32(*device, kText, &in, 256) == expected);
}

TEST_CASE("a loop of many rounds ends right or is reported") {
  auto device = open_device();
  if (!device) return;
  // for (i = 0; i < %1; ++i) for (k = 0; k < %2; ++k) x = x * 1664525 + 12345;
  constexpr const char* kText = R"(thread func @long(%0: ptr<global> out of i32, %1: i32, %2: i32) kernel {
b0:
  %3: i64 = global_id dim=0
  %4: ptr<global> = ptr_add %0, %3, scale=4
  br -> b1(0:i32, 1:i32)
b1(%5: i32, %6: i32):
  %7: i1 = ult %5, %1
  br_if %7 -> b2(0:i32, %6), b5
b2(%8: i32, %9: i32):
  %10: i1 = ult %8, %2
  br_if %10 -> b3, b4
b3:
  %11: i32 = mul %9, 1664525:i32
  %12: i32 = add %11, 12345:i32
  %13: i32 = add %8, 1:i32
  br -> b2(%13, %12)
b4:
  %14: i32 = add %5, 1:i32
  br -> b1(%14, %9)
b5:
  store %4, %6
  ret
}
)";
  Module module = parse_or_fail(kText);
  SpirvOptions options = spirv_options(device->info(), {1, 1, 1});
  options.local_size = {8, 1, 1};
  VulkanImage image = emit_valid(*module.functions[0], options);
  auto kernel = device->load(image);
  REQUIRE(kernel);
  auto out = device->create_buffer(32);
  REQUIRE(out);
  struct {
    uint64_t out;
    uint32_t outer, inner;
  } params{out->address(), 0, 0};
  for (auto [outer, inner] : {std::pair{3u, 5u}, {1u, 300000u}, {300000u, 1u}, {1000u, 300u}, {2u, 50000u}}) {
    params.outer = outer, params.inner = inner;
    VulkanLaunch spec;
    spec.global = {8, 1, 1};
    spec.params.resize(sizeof(params));
    std::memcpy(spec.params.data(), &params, sizeof(params));
    auto done = device->launch(*kernel, spec);
    INFO(outer << " times " << inner);
    if (!done) {
      CHECK(device->info().stops_long_loops);
      CHECK(done.error().kind == DeviceError::CutOff);
      CHECK(outer * inner > 65000);
      continue;
    }
    uint32_t x = 1, got = 0;
    for (uint32_t i = 0; i < outer * inner; ++i) x = x * 1664525 + 12345;
    std::memcpy(&got, out->bytes().data() + 28, 4);
    CHECK(got == x);
  }
}
