// SPDX-License-Identifier: Apache-2.0
#include "sim/gcn/lanes.h"

#include <bit>
#include <cmath>

#include "backends/gcn/isa/table.h"

// The whole file requires these features; lane_loop checks for them.
#pragma GCC target("avx2,fma")

namespace kc::gcn_sim {
namespace {

constexpr int kLanes = gcn::kMostLanes;

using U = uint32_t;
U as_bits(float x) { return std::bit_cast<U>(x); }
float as_float(U x) { return std::bit_cast<float>(x); }
int32_t as_int(U x) { return static_cast<int32_t>(x); }
U low(uint64_t x) { return static_cast<U>(x); }

template <auto F>
void one(U* out, const U* a, const U*, const U*) {
  for (int i = 0; i < kLanes; ++i) out[i] = F(a[i]);
}
template <auto F>
void two(U* out, const U* a, const U* b, const U*) {
  for (int i = 0; i < kLanes; ++i) out[i] = F(a[i], b[i]);
}
template <auto F>
void three(U* out, const U* a, const U* b, const U* c) {
  for (int i = 0; i < kLanes; ++i) out[i] = F(a[i], b[i], c[i]);
}
template <auto F>
uint64_t compare(const U* a, const U* b) {
  U answer[kLanes];
  for (int i = 0; i < kLanes; ++i) answer[i] = F(a[i], b[i]) ? 1u : 0u;
  uint64_t bits = 0;
  for (int i = 0; i < kLanes; ++i) bits |= uint64_t{answer[i]} << i;
  return bits;
}

}  // namespace

LaneLoop lane_loop(Op op) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return nullptr;
  switch (op) {
    case Op::gcn_v_mov_b32:
      return &one<([](U a) { return a; })>;
    case Op::gcn_v_not_b32:
      return &one<([](U a) { return ~a; })>;
    case Op::gcn_v_cvt_f32_i32:
      return &one<([](U a) { return as_bits(static_cast<float>(as_int(a))); })>;
    case Op::gcn_v_cvt_f32_u32:
      return &one<([](U a) { return as_bits(static_cast<float>(a)); })>;
    case Op::gcn_v_add_u32:
      return &two<([](U a, U b) { return a + b; })>;
    case Op::gcn_v_sub_u32:
      return &two<([](U a, U b) { return a - b; })>;
    case Op::gcn_v_subrev_u32:
      return &two<([](U a, U b) { return b - a; })>;
    case Op::gcn_v_and_b32:
      return &two<([](U a, U b) { return a & b; })>;
    case Op::gcn_v_or_b32:
      return &two<([](U a, U b) { return a | b; })>;
    case Op::gcn_v_xor_b32:
      return &two<([](U a, U b) { return a ^ b; })>;
    case Op::gcn_v_lshlrev_b32:
      return &two<([](U a, U b) { return b << (a & 31); })>;
    case Op::gcn_v_lshrrev_b32:
      return &two<([](U a, U b) { return b >> (a & 31); })>;
    case Op::gcn_v_ashrrev_i32:
      return &two<([](U a, U b) { return static_cast<U>(as_int(b) >> (a & 31)); })>;
    case Op::gcn_v_mul_lo_u32:
      return &two<([](U a, U b) { return a * b; })>;
    case Op::gcn_v_mul_hi_u32:
      return &two<([](U a, U b) { return low(uint64_t{a} * b >> 32); })>;
    case Op::gcn_v_mul_hi_i32:
      return &two<(
          [](U a, U b) { return low(static_cast<uint64_t>(int64_t{as_int(a)} * as_int(b)) >> 32); })>;
    case Op::gcn_v_min_u32:
      return &two<([](U a, U b) { return a < b ? a : b; })>;
    case Op::gcn_v_max_u32:
      return &two<([](U a, U b) { return a > b ? a : b; })>;
    case Op::gcn_v_min_i32:
      return &two<([](U a, U b) { return as_int(a) < as_int(b) ? a : b; })>;
    case Op::gcn_v_max_i32:
      return &two<([](U a, U b) { return as_int(a) > as_int(b) ? a : b; })>;
    case Op::gcn_v_add_f32:
      return &two<([](U a, U b) { return as_bits(as_float(a) + as_float(b)); })>;
    case Op::gcn_v_sub_f32:
      return &two<([](U a, U b) { return as_bits(as_float(a) - as_float(b)); })>;
    case Op::gcn_v_subrev_f32:
      return &two<([](U a, U b) { return as_bits(as_float(b) - as_float(a)); })>;
    case Op::gcn_v_mul_f32:
      return &two<([](U a, U b) { return as_bits(as_float(a) * as_float(b)); })>;
    case Op::gcn_v_fma_f32:
      return &three<(
          [](U a, U b, U c) { return as_bits(__builtin_fmaf(as_float(a), as_float(b), as_float(c))); })>;
    case Op::gcn_v_add3_u32:
      return &three<([](U a, U b, U c) { return a + b + c; })>;
    case Op::gcn_v_lshl_add_u32:
      return &three<([](U a, U b, U c) { return (a << (b & 31)) + c; })>;
    case Op::gcn_v_add_lshl_u32:
      return &three<([](U a, U b, U c) { return (a + b) << (c & 31); })>;
    case Op::gcn_v_lshl_or_b32:
      return &three<([](U a, U b, U c) { return a << (b & 31) | c; })>;
    case Op::gcn_v_and_or_b32:
      return &three<([](U a, U b, U c) { return (a & b) | c; })>;
    case Op::gcn_v_or3_b32:
      return &three<([](U a, U b, U c) { return a | b | c; })>;
    default:
      return nullptr;
  }
}

#define KC_COMPARES(kind, as)                                   \
  case Op::gcn_v_cmp_lt_##kind:                                 \
    return &compare<([](U a, U b) { return as(a) < as(b); })>;  \
  case Op::gcn_v_cmp_le_##kind:                                 \
    return &compare<([](U a, U b) { return as(a) <= as(b); })>; \
  case Op::gcn_v_cmp_gt_##kind:                                 \
    return &compare<([](U a, U b) { return as(a) > as(b); })>;  \
  case Op::gcn_v_cmp_ge_##kind:                                 \
    return &compare<([](U a, U b) { return as(a) >= as(b); })>; \
  case Op::gcn_v_cmp_eq_##kind:                                 \
    return &compare<([](U a, U b) { return as(a) == as(b); })>;

CompareLoop compare_loop(Op op) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return nullptr;
  switch (op) {
    KC_COMPARES(u32, U)
    KC_COMPARES(i32, as_int)
    KC_COMPARES(f32, as_float)
    case Op::gcn_v_cmp_ne_u32:
    case Op::gcn_v_cmp_ne_i32:
      return &compare<([](U a, U b) { return a != b; })>;
    case Op::gcn_v_cmp_neq_f32:
      return &compare<([](U a, U b) { return !(as_float(a) == as_float(b)); })>;
    default:
      return nullptr;
  }
}
#undef KC_COMPARES

}  // namespace kc::gcn_sim
