// SPDX-License-Identifier: Apache-2.0
// The hidden arguments that a runtime adds, wave occupancy, and the cost of local memory.
#include <catch2/catch.hpp>

#include "sim/gcn/estimate.h"
#include "sim/gcn/kernarg.h"
#include "tests/gcn_sim/support.h"

using namespace kc;

namespace {

GcnKernel kernel_with(std::vector<GcnArg> args, uint32_t bytes) {
  GcnKernel k;
  k.name = "k", k.args = std::move(args), k.kernarg_bytes = bytes;
  return k;
}

template <typename T>
T at(const std::vector<uint8_t>& bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

TEST_CASE("hidden arguments come from the launch") {
  LaunchSpec spec{.dims = 2, .global = {96, 8, 1}, .local = {32, 4, 1}, .offset = {5, 0, 7}};
  GcnKernel k = kernel_with({{0, 8, "global_buffer", "", ""},
                             {8, 4, "by_value", "", ""},
                             {16, 8, "hidden_global_offset_x", "", ""},
                             {24, 8, "hidden_global_offset_z", "", ""},
                             {32, 4, "hidden_block_count_x", "", ""},
                             {36, 4, "hidden_block_count_y", "", ""},
                             {40, 2, "hidden_group_size_x", "", ""},
                             {42, 2, "hidden_group_size_y", "", ""},
                             {44, 2, "hidden_remainder_x", "", ""},
                             {46, 2, "hidden_grid_dims", "", ""},
                             {48, 8, "hidden_printf_buffer", "", ""}},
                            56);
  const uint64_t values[] = {0x123456789abcdef0, 0xffffffff00000007};
  auto segment = fill_kernarg(k, spec, values);
  REQUIRE(segment.has_value());
  CHECK(segment->size() == 56);
  CHECK(at<uint64_t>(*segment, 0) == values[0]);
  CHECK(at<uint64_t>(*segment, 8) == 7);
  CHECK(at<uint64_t>(*segment, 16) == 5);
  CHECK(at<uint64_t>(*segment, 24) == 7);
  CHECK(at<uint32_t>(*segment, 32) == 3);
  CHECK(at<uint32_t>(*segment, 36) == 2);
  CHECK(at<uint16_t>(*segment, 40) == 32);
  CHECK(at<uint16_t>(*segment, 42) == 4);
  CHECK(at<uint16_t>(*segment, 44) == 0);
  CHECK(at<uint16_t>(*segment, 46) == 2);
  CHECK(at<uint64_t>(*segment, 48) == 0);
}

TEST_CASE("arguments that cannot be given are refused") {
  LaunchSpec spec;
  const uint64_t one[] = {1};
  auto error = [&](GcnArg arg, uint32_t bytes, std::span<const uint64_t> values) {
    auto r = fill_kernarg(kernel_with({std::move(arg)}, bytes), spec, values);
    return r ? std::string() : r.error();
  };
  CHECK(error({0, 8, "by_value", "", ""}, 8, one).empty());
  CHECK(error({0, 8, "hidden_crystal_ball", "", ""}, 8, {}) ==
        "the hidden argument 'hidden_crystal_ball' is not supported");
  CHECK(error({0, 12, "by_value", "", ""}, 12, one) == "kernel 'k' has more than 1 arguments");
  CHECK(error({0, 5000, "by_value", "", ""}, 5000, one) == "an argument of 5000 bytes is not supported");
  CHECK(error({4, 8, "by_value", "", ""}, 8, one) == "an argument at 4 lies outside the 8 bytes");
  CHECK(error({UINT64_MAX - 3, 8, "by_value", "", ""}, 8, one).ends_with("lies outside the 8 bytes"));
  CHECK(error({0, 8, "by_value", "", ""}, 8, {}) == "kernel 'k' has more than 0 arguments");
  CHECK(error({0, 8, "hidden_none", "", ""}, 8, one) == "kernel 'k' has 0 arguments, not 1");
  CHECK(error({0, 8, "hidden_none", "", ""}, 1u << 31, {}).ends_with("are too many"));
}

TEST_CASE("arguments by value are numbers one after the other") {
  auto parts = [](uint64_t size, std::string type) {
    std::string s;
    for (const GcnPart& p : parts_of({0, size, "by_value", "v", std::move(type)}))
      s += (s.empty() ? "" : " ") + to_string(p.type) + (p.is_unsigned ? "u@" : "@") +
           std::to_string(p.offset);
    return s;
  };
  CHECK(parts(4, "float") == "f32@0");
  CHECK(parts(2, "") == "i16u@0");
  CHECK(parts(8, "float2") == "f32@0 f32@4");
  CHECK(parts(16, "int3") == "i32@0 i32@4 i32@8");
  CHECK(parts(16, "struct{uchar@0,double@8}") == "i8u@0 f64@8");
  CHECK(parts(12, "struct camera") == "i32u@0 i32u@4 i32u@8");
  CHECK(parts(3, "") == "i8u@0 i8u@1 i8u@2");
  for (const char* damaged :
       {"struct{float@}", "struct{float@9}", "struct{float@18446744073709551615}", "struct{float}",
        "struct{@4}", "float99999999999999999999", "float3", "struct{"})
    CHECK(parts(12, damaged) == "i32u@0 i32u@4 i32u@8");
  GcnKernel k = kernel_with({{0, 4, "by_value", "n", "int"}, {8, 8, "by_value", "v", "float2"}}, 16);
  const uint64_t values[] = {7, 0x3f800000, 0x40000000};
  auto segment = fill_kernarg(k, {}, values);
  REQUIRE(segment.has_value());
  CHECK(at<uint32_t>(*segment, 0) == 7);
  CHECK(at<uint64_t>(*segment, 8) == 0x400000003f800000);
}

TEST_CASE("waves that fit") {
  CHECK(occupancy(24, 32, 0, 64).waves == 10);
  CHECK(occupancy(25, 32, 0, 64).by_vgprs == 9);
  CHECK(occupancy(128, 32, 0, 64).waves == 2);
  CHECK(occupancy(256, 32, 0, 64).waves == 1);
  CHECK(occupancy(8, 102, 0, 64).by_sgprs == 7);
  CHECK(occupancy(8, 16, 32768, 256).by_lds == 2);
  CHECK(occupancy(8, 16, 65536, 64).waves == 1);
}

TEST_CASE("banks of local memory") {
  // v0 is the lane. Times 4: each bank once in each half. Times 8: two lanes per bank. Times 128: all in one.
  auto cycles = [](int shift, std::string_view access) {
    std::string text = " v_lshlrev_b32 v1, " + std::to_string(shift) +
                       ", v0\n v_mov_b32 v2, 0\n v_mov_b32 v3, 0\n " + std::string(access) +
                       "\n s_waitcnt lgkmcnt(0)";
    auto object = load_assembly(test::gcn_frame(text, {.lds = 32768}));
    REQUIRE(object.has_value());
    GcnResult r = run_gcn(*object, "k", test::line(64, 64), test::arguments(uint64_t{0}), {});
    INFO(r.message);
    REQUIRE(r.status == GcnResult::Ok);
    return r.counters.lds_cycles;
  };
  CHECK(cycles(2, "ds_write_b32 v1, v2") == 2);
  CHECK(cycles(3, "ds_write_b32 v1, v2") == 4);
  CHECK(cycles(7, "ds_write_b32 v1, v2") == 64);
  CHECK(cycles(3, "ds_write_b64 v1, v[2:3]") == 8);
  // All write the same word.
  CHECK(cycles(2, "ds_write_b32 v2, v3") == 2);
}
