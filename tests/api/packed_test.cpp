// SPDX-License-Identifier: Apache-2.0
// Groups of many shapes, with rows shorter than a wave. The results equal the interpreter's, whichever lanes
// share a wave.
#include <cstring>

#include "tests/api/support.h"

namespace {

// Elements of all sizes, alone and contiguous, with inactive lanes; at the end an exchange in local memory.
constexpr const char* kText = R"(
typedef TYPE T;
kernel void rows(global const T* in, global T* out, local uint* tile, uint n) {
  uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
  uint sx = get_local_size(0), sy = get_local_size(1), sz = get_local_size(2);
  uint x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
       z = get_global_id(2) - get_global_offset(2);
  uint gx = get_global_size(0), gy = get_global_size(1);
  uint at = (z * gy + y) * gx + x, group = (lz * sy + ly) * sx + lx;
  T sum = in[at];
  if (x % 5 != 1) sum += in[at + 1];               // in a row, with holes
  sum += in[y * 3 + z];                            // the same along x
  if (y % 3 == 1) sum += in[y] + in[z * 2 + y];    // the same, in some rows
  if (lx & 1) sum += in[2 * at % n];               // anywhere
  sum += (T)(get_group_id(0) + 3 * get_group_id(1) + 5 * get_group_id(2));
  tile[group] = (uint)get_global_id(0) * 64 + (uint)get_global_id(1) * 8 + (uint)get_global_id(2);
  barrier(CLK_LOCAL_MEM_FENCE);
  sum += (T)(tile[sx * sy * sz - 1 - group] & 63);
  if (lx + ly != 2) out[at] = sum;
  if (y == 1) out[n + x] = sum;
}
)";

struct Shape {
  std::array<uint64_t, 3> local, groups;
};
constexpr Shape kShapes[] = {
    {{8, 8, 1}, {2, 3, 1}},  {{4, 16, 1}, {3, 1, 2}}, {{16, 16, 1}, {2, 1, 1}}, {{2, 4, 1}, {5, 2, 1}},
    {{1, 1, 64}, {3, 2, 2}}, {{1, 16, 2}, {4, 2, 1}}, {{1, 48, 1}, {3, 2, 1}},  {{5, 3, 2}, {2, 2, 2}},
    {{12, 4, 1}, {2, 2, 1}}, {{3, 1, 7}, {2, 2, 2}},  {{8, 2, 4}, {2, 1, 3}},   {{4, 5, 3}, {1, 2, 2}},
    {{32, 2, 1}, {1, 2, 1}}, {{4, 1, 16}, {2, 2, 1}}, {{24, 3, 1}, {1, 2, 1}},
};

template <typename T>
std::vector<T> results(const std::string& target, const char* type, const Shape& s, uint32_t width) {
  kernelc::kernel_options options{.name = "rows", .target = target};
  options.width = width;
  std::string text = kText;
  text.replace(text.find("TYPE"), 4, type);
  auto kernel = kernel_of(text.c_str(), options);
  const auto& [local, groups] = s;
  const uint64_t n = local[0] * local[1] * local[2] * groups[0] * groups[1] * groups[2];
  std::vector<T> in(3 * n + 64), out(2 * n + 64);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * 37 % 61);
  require_done(kernel.launch(kernelc::range(local[0] * groups[0], local[1] * groups[1], local[2] * groups[2])
                                 .local(local[0], local[1], local[2])
                                 .offset(3, 1, 2)
                                 .threads(1),
                             std::as_const(in), out, kernelc::local<uint32_t>(n), static_cast<uint32_t>(n)));
  return out;
}

template <typename T>
void check(const char* type) {
  for (const Shape& s : kShapes) {
    auto expected = results<T>("interp", type, s, 0);
    for (const std::string& target : targets())
      for (uint32_t width : {0u, 8u, 16u, 32u, 64u}) {
        if (target == "interp" && width) continue;
        INFO(type << " on " << target << " with width " << width << ": " << s.local[0] << "x" << s.local[1]
                  << "x" << s.local[2]);
        auto out = results<T>(target, type, s, width);
        REQUIRE(std::memcmp(out.data(), expected.data(), out.size() * sizeof(T)) == 0);
      }
  }
}

}  // namespace

TEST_CASE("groups of any shape do the same: bytes and shorts") {
  check<uint8_t>("uchar");
  check<int16_t>("short");
}
TEST_CASE("groups of any shape do the same: words") {
  check<uint32_t>("uint");
  check<float>("float");
}
TEST_CASE("groups of any shape do the same: long words") {
  check<uint64_t>("ulong");
  check<double>("double");
}

TEST_CASE("sub-groups follow the linear local ids") {
  const char* text =
      "kernel void k(global uint* out) {\n"
      "  uint at = get_local_id(1) * 4 + get_local_id(0) + get_group_id(0) * 32;\n"
      "  out[4 * at] = get_sub_group_id(); out[4 * at + 1] = get_sub_group_local_id();\n"
      "  out[4 * at + 2] = sub_group_reduce_add(at % 32); out[4 * at + 3] = get_num_sub_groups();\n}\n";
  for (const std::string& target : targets()) {
    if (target == "interp") continue;
    INFO(target);
    kernelc::kernel_options options{.name = "k", .target = target};
    options.width = 16;
    auto kernel = kernel_of(text, options);
    std::vector<uint32_t> out(2 * 32 * 4);
    require_done(kernel.launch(kernelc::range(8, 8).local(4, 8), out));
    for (uint32_t i = 0; i < 64; ++i) {
      CHECK(out[4 * i] == i % 32 / 16);
      CHECK(out[4 * i + 1] == i % 16);
      CHECK(out[4 * i + 2] == (i % 32 < 16 ? 120 : 376));
      CHECK(out[4 * i + 3] == 2);
    }
  }
}
