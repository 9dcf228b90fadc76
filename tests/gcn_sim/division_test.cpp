// SPDX-License-Identifier: Apache-2.0
// The instruction sequences for division, run through the table's functions, are correctly rounded for all
// classes of operands.
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "ir/op.h"

using namespace kc;

namespace {

template <typename F>
struct Machine {
  static constexpr bool kDouble = sizeof(F) == 8;
  using Bits = std::conditional_t<kDouble, uint64_t, uint32_t>;

  static uint64_t run(Op op, std::initializer_list<F> operands, bool bit = false, bool status = false) {
    const MachineInfo& m = info(op).machine;
    uint64_t a[5] = {};
    size_t n = 0;
    for (F x : operands) a[n++] = std::bit_cast<Bits>(x);
    a[n] = bit;
    return status ? m.status(m.source, Elem::I1)(a) : info(op).eval(m.source, m.dest)(a);
  }
  static F value(Op op, std::initializer_list<F> operands, bool bit = false) {
    return std::bit_cast<F>(static_cast<Bits>(run(op, operands, bit)));
  }

  static F divide(F n, F d) {
    constexpr Op kScale = kDouble ? Op::gcn_v_div_scale_f64 : Op::gcn_v_div_scale_f32;
    constexpr Op kFma = kDouble ? Op::gcn_v_fma_f64 : Op::gcn_v_fma_f32;
    constexpr Op kMul = kDouble ? Op::gcn_v_mul_f64 : Op::gcn_v_mul_f32;
    constexpr Op kRcp = kDouble ? Op::gcn_v_rcp_f64 : Op::gcn_v_rcp_f32;
    constexpr Op kFmas = kDouble ? Op::gcn_v_div_fmas_f64 : Op::gcn_v_div_fmas_f32;
    constexpr Op kFixup = kDouble ? Op::gcn_v_div_fixup_f64 : Op::gcn_v_div_fixup_f32;
    F ds = value(kScale, {d, d, n}), ns = value(kScale, {n, d, n});
    bool flag = run(kScale, {n, d, n}, false, true);
    // The hardware's estimate is inexact; this one is off by an ulp.
    F r = value(kRcp, {ds});
    if (std::isfinite(r) && r != 0) r = std::nextafter(r, F{0});
    F error = value(kFma, {-ds, r, F{1}});
    r = value(kFma, {error, r, r});
    if (kDouble) {
      error = value(kFma, {-ds, r, F{1}});
      r = value(kFma, {error, r, r});
    }
    F q = value(kMul, {ns, r});
    F rest = value(kFma, {-ds, q, ns});
    if (!kDouble) {
      q = value(kFma, {rest, r, q});
      rest = value(kFma, {-ds, q, ns});
    }
    F scaled = value(kFmas, {rest, r, q}, flag);
    return value(kFixup, {scaled, d, n});
  }

  static bool same(F a, F b) {
    return (std::isnan(a) && std::isnan(b)) || std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
  }

  static void check(uint64_t rounds) {
    const F special[] = {F{0},
                         -F{0},
                         F{1},
                         -F{3},
                         std::numeric_limits<F>::min(),
                         std::numeric_limits<F>::denorm_min(),
                         -std::numeric_limits<F>::denorm_min(),
                         std::numeric_limits<F>::max(),
                         std::numeric_limits<F>::infinity(),
                         -std::numeric_limits<F>::infinity(),
                         std::numeric_limits<F>::quiet_NaN(),
                         std::numeric_limits<F>::min() * F{0.7},
                         std::numeric_limits<F>::max() * F{0.4}};
    size_t wrong = 0;
    auto one = [&](F n, F d) {
      F got = divide(n, d), want = n / d;
      if (same(got, want)) return;
      if (++wrong < 10) {
        INFO(n << " / " << d << " = " << want << ", got " << got);
        CHECK(same(got, want));
      }
    };
    for (F n : special)
      for (F d : special) one(n, d);
    uint64_t x = 7;
    auto next = [&] {
      return x = x * 6364136223846793005u + 1442695040888963407u, std::rotl(x, 29) ^ (x >> 17);
    };
    for (uint64_t i = 0; i < rounds; ++i) {
      auto n = std::bit_cast<F>(static_cast<Bits>(next())), d = std::bit_cast<F>(static_cast<Bits>(next()));
      if (i % 3 == 0) n = std::ldexp(n, -200 * (kDouble ? 6 : 1));  // small numerators: results below normal
      if (i % 5 == 0) d = std::ldexp(d, -200 * (kDouble ? 6 : 1));
      one(n, d);
    }
    CHECK(wrong == 0);
  }
};

}  // namespace

TEST_CASE("f32 division is correctly rounded") { Machine<float>::check(300000); }
TEST_CASE("f64 division is correctly rounded") { Machine<double>::check(300000); }

TEST_CASE("square roots are correctly rounded") {
  uint64_t x = 7;
  auto f32 = info(Op::gcn_v_sqrt_f32).eval(Elem::F32, Elem::F32);
  for (int i = 0; i < 1000; ++i) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    uint64_t bits = (x >> 33) % 0x7f800000;
    float want = std::sqrt(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    CHECK(f32(&bits) == std::bit_cast<uint32_t>(want));
  }
}

TEST_CASE("integer functions against plain arithmetic") {
  auto eval = [](Op op, uint64_t a, uint64_t b = 0, uint64_t c = 0) {
    const MachineInfo& m = info(op).machine;
    uint64_t v[4] = {a, b, c, 0};
    return info(op).eval(m.source, m.dest)(v);
  };
  auto status = [](Op op, uint64_t a, uint64_t b, uint64_t c = 0) {
    uint64_t v[4] = {a, b, c, 0};
    return info(op).machine.status(info(op).machine.source, Elem::I1)(v);
  };
  CHECK(eval(Op::gcn_v_bfe_i32, 0x0000f080, 4, 8) == 0x08);
  CHECK(eval(Op::gcn_v_bfe_i32, 0x00000f80, 4, 8) == 0xfffffff8);
  CHECK(eval(Op::gcn_v_bfe_u32, 0xdeadbeef, 8, 16) == 0xadbe);
  CHECK(eval(Op::gcn_s_bfe_i64, 0xff00, 8 | 8 << 16) == ~uint64_t{0});
  CHECK(eval(Op::gcn_s_bfe_u32, 0x12345678, 4 | 12 << 16) == 0x567);
  CHECK(eval(Op::gcn_s_ff1_i32_b64, 0) == 0xffffffff);
  CHECK(eval(Op::gcn_s_ff1_i32_b64, uint64_t{1} << 40) == 40);
  CHECK(eval(Op::gcn_s_flbit_i32_b32, 0x00010000) == 15);
  CHECK(eval(Op::gcn_v_ffbh_i32, 0xfffffff0) == 28);
  CHECK(eval(Op::gcn_v_perm_b32, 0x11223344, 0x55667788, 0x07060100) == 0x11227788);
  CHECK(eval(Op::gcn_v_alignbit_b32, 0x1, 0x80000000, 31) == 3);
  CHECK(eval(Op::gcn_v_mul_hi_i32, 0xffffffff, 2) == 0xffffffff);
  CHECK(eval(Op::gcn_v_mul_hi_u32, 0xffffffff, 2) == 1);
  CHECK(eval(Op::gcn_v_med3_i32, 5, 0xffffffff, 3) == 3);
  CHECK(eval(Op::gcn_v_bcnt_u32_b32, 0xff, 5) == 13);
  CHECK(eval(Op::gcn_v_mbcnt_lo_u32_b32, 0xffffffff, 0, 63) == 32);
  CHECK(eval(Op::gcn_v_mbcnt_hi_u32_b32, 0xffffffff, 32, 63) == 63);
  CHECK(eval(Op::gcn_v_mad_u64_u32, 0xffffffff, 0xffffffff, 5) == 0xffffffffull * 0xffffffffull + 5);
  CHECK(status(Op::gcn_v_mad_u64_u32, 0xffffffff, 0xffffffff, ~uint64_t{0}) == 1);
  CHECK(eval(Op::gcn_s_addc_u32, 0xffffffff, 0, 1) == 0);
  CHECK(status(Op::gcn_s_addc_u32, 0xffffffff, 0, 1) == 1);
  CHECK(status(Op::gcn_s_subb_u32, 5, 5, 1) == 1);
  CHECK(status(Op::gcn_s_subb_u32, 5, 4, 1) == 0);
  CHECK(status(Op::gcn_s_add_i32, 0x7fffffff, 1) == 1);
  CHECK(status(Op::gcn_s_lshl2_add_u32, 0x40000000, 0) == 1);
  CHECK(status(Op::gcn_v_cmp_ne_u64, 1, uint64_t{1} << 32) == 1);
  CHECK(status(Op::gcn_v_cmp_lt_i16, 0xffff, 0) == 1);
  CHECK(status(Op::gcn_v_cmp_nlt_f32, 0x7fc00000, 0) == 1);
  CHECK(status(Op::gcn_v_cmp_class_f32, 0x80000000, 1 << 5) == 1);
}
