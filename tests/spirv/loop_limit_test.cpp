// SPDX-License-Identifier: Apache-2.0
// Loops on drivers that leave them after a fixed number of iterations.
#include <spirv/unified1/spirv.hpp11>

#include "tests/spirv/device.h"

using namespace kc;
using namespace kc::test;

namespace {

// for (i = 0; i < %2; ++i) { if (x > 1000000) break; x = x + x * %3; } on floats, x being in[id].
constexpr const char* kTwoExits =
    R"(thread func @grow(%0: ptr<global> io of f32, %1: ptr<global> rounds of i32, %2: i32, %3: f32) kernel {
b0:
  %4: i64 = global_id dim=0
  %5: ptr<global> = ptr_add %0, %4, scale=4
  %6: f32 = load %5
  br -> b1(0:i32, %6)
b1(%7: i32, %8: f32):
  %9: i1 = slt %7, %2
  br_if %9 -> b2, b4
b2:
  %10: i1 = flt 0x1.e848p+19:f32, %8
  br_if %10 -> b4, b3
b3:
  %11: f32 = fmul %8, %3
  %12: f32 = fadd %8, %11
  %13: i32 = add %7, 1:i32
  br -> b1(%13, %12)
b4:
  store %5, %8
  %14: ptr<global> = ptr_add %1, %4, scale=4
  store %14, %7
  ret
}
)";

// do { c = 0; do { out[id] = c; ++c; } while (c < %1); sum += c * %2; } while (sum < 0 signed); out[id] =
// sum. Every path to the inner loop's exit passes a store; c is live out of the loop.
constexpr const char* kInner = R"(thread func @inner(%0: ptr<global> out of i32, %1: i32, %2: i32) kernel {
b0:
  %3: i64 = global_id dim=0
  %4: ptr<global> = ptr_add %0, %3, scale=4
  br -> b1(0:i32)
b1(%5: i32):
  br -> b2(0:i32)
b2(%6: i32):
  store %4, %6
  %7: i32 = add %6, 1:i32
  %8: i32 = trunc %3
  %9: i32 = mul %1, %8
  %10: i1 = ult %7, %9
  br_if %10 -> b2(%7), b3
b3:
  %11: i32 = mul %7, %2
  %12: i32 = add %5, %11
  %13: i1 = slt %12, 0:i32
  br_if %13 -> b1(%12), b4
b4:
  store %4, %12
  ret
}
)";

size_t count(const VulkanImage& image, spv::Op op) {
  size_t n = 0;
  for (size_t i = 5; i < image.words.size(); i += image.words[i] >> 16)
    n += (image.words[i] & 0xffff) == static_cast<uint32_t>(op);
  return n;
}

}  // namespace

TEST_CASE("exits that can be asked again cost nothing in the loop") {
  Module module = parse_or_fail(kTwoExits);
  VulkanImage plain = emit_valid(*module.functions[0], {});
  VulkanImage careful =
      emit_valid(*module.functions[0], {.guard_loop_values = true, .detect_loop_limits = true});
  CHECK(count(careful, spv::Op::OpPhi) == count(plain, spv::Op::OpPhi));
  // The check ends the work-items that were cut off.
  CHECK(count(careful, spv::Op::OpBranchConditional) == count(plain, spv::Op::OpBranchConditional) + 1);

  // A store before an exit executes once more for a work-item that would leave only in the next iteration.
  std::string text = kTwoExits;
  const std::string at = "b2:\n";
  text.insert(text.find(at) + at.size(), "  store %5, %8\n");
  module = parse_or_fail(text);
  VulkanImage storing =
      emit_valid(*module.functions[0], {.guard_loop_values = true, .detect_loop_limits = true});
  CHECK(count(storing, spv::Op::OpPhi) > count(plain, spv::Op::OpPhi));
}

TEST_CASE("work-items that leave by either exit are right, and those that are cut are reported") {
  auto device = open_device();
  if (!device) return;
  Module module = parse_or_fail(kTwoExits);
  SpirvOptions options = spirv_options(device->info(), {1, 1, 1});
  options.local_size = {64, 1, 1};
  VulkanImage image = emit_valid(*module.functions[0], options);
  auto kernel = device->load(image);
  REQUIRE(kernel);
  auto io = device->create_buffer(256), rounds = device->create_buffer(256);
  REQUIRE((io && rounds));
  struct {
    uint64_t io, rounds;
    int32_t limit;
    float growth;
  } params{io->address(), rounds->address(), 0, 0};
  for (auto [limit, growth] : {std::pair{40, 0.25f}, {0, 1.0f}, {1000, 0.125f}, {200000, 0.0f}}) {
    params.limit = limit, params.growth = growth;
    std::array<float, 64> in;
    for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i * i * 40 + 1);
    if (growth == 0) in[3] = 2e6f;
    std::memcpy(io->bytes().data(), in.data(), 256);
    VulkanLaunch spec;
    spec.global = {64, 1, 1};
    spec.params.resize(sizeof(params));
    std::memcpy(spec.params.data(), &params, sizeof(params));
    auto done = device->launch(*kernel, spec);
    INFO(limit << " rounds, growth " << growth);
    if (!done) {
      CHECK(device->info().stops_long_loops);
      CHECK(done.error().kind == DeviceError::CutOff);
      CHECK(limit == 200000);
      continue;
    }
    std::array<float, 64> out;
    std::array<int32_t, 64> counted;
    std::memcpy(out.data(), io->bytes().data(), 256);
    std::memcpy(counted.data(), rounds->bytes().data(), 256);
    for (size_t i = 0; i < in.size(); ++i) {
      INFO("work-item " << i);
      float x = in[i];
      int32_t n = 0;
      for (; n < limit && !(x > 1000000); ++n) {
        const float more = x * growth;
        x = x + more;
      }
      CHECK(out[i] == x);
      CHECK(counted[i] == n);
    }
  }
}

// Sub-groups of the group run in turn; a work-item that is cut off in the inner loop leaves the outer one at
// once.
TEST_CASE("values leave inner loops, and who is cut in one is reported") {
  auto device = open_device();
  if (!device) return;
  Module module = parse_or_fail(kInner);
  SpirvOptions options = spirv_options(device->info(), {1, 1, 1});
  options.local_size = {61, 1, 1};
  VulkanImage image = emit_valid(*module.functions[0], options);
  auto kernel = device->load(image);
  REQUIRE(kernel);
  auto out = device->create_buffer(61 * 4);
  REQUIRE(out);
  struct {
    uint64_t out;
    uint32_t rounds, factor;
  } params{out->address(), 0, 5};
  for (uint32_t rounds : {1u, 9u, 100u, 4000u}) {
    params.rounds = rounds;
    VulkanLaunch spec;
    spec.global = {61, 1, 1};
    spec.params.resize(sizeof(params));
    std::memcpy(spec.params.data(), &params, sizeof(params));
    auto done = device->launch(*kernel, spec);
    INFO(rounds << " rounds");
    if (!done) {
      CHECK(device->info().stops_long_loops);
      CHECK(done.error().kind == DeviceError::CutOff);
      CHECK(rounds == 4000);
      continue;
    }
    std::array<uint32_t, 61> got;
    std::memcpy(got.data(), out->bytes().data(), sizeof got);
    for (uint32_t i = 0; i < got.size(); ++i) CHECK(got[i] == 5 * std::max(1u, i * rounds));
  }
}
