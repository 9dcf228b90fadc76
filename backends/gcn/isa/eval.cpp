// SPDX-License-Identifier: Apache-2.0
#include "backends/gcn/isa/eval.h"

#include <algorithm>
#include <array>
#include <bit>

namespace kc::gcn_eval {
namespace {

using U = uint64_t;

uint64_t keep(uint64_t bits, unsigned width) { return width >= 64 ? bits : bits & ((U{1} << width) - 1); }
int64_t sign(uint64_t bits, unsigned width) {
  return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
}
uint64_t low_mask(uint64_t count) { return count >= 64 ? ~U{0} : (U{1} << count) - 1; }

// Selects F::run<W> for the width of the element.
template <typename F>
EvalFn by_width(Elem e) {
  switch (Type{e}.bits()) {
    case 16:
      return [](const U* a) { return keep(F::template run<16>(a), 16); };
    case 32:
      return [](const U* a) { return keep(F::template run<32>(a), 32); };
    case 64:
      return [](const U* a) { return F::template run<64>(a); };
    default:
      return nullptr;
  }
}

}  // namespace

// GENERIC(name, expression of a[] and the width W); FIXED for functions of 32-bit operands.
#define GENERIC(name, ...)                   \
  namespace {                                \
  struct name##_fn {                         \
    template <unsigned W>                    \
    static uint64_t run(const uint64_t* a) { \
      __VA_ARGS__                            \
    }                                        \
  };                                         \
  }                                          \
  EvalFn name(Elem e, Elem) { return by_width<name##_fn>(e); }
#define FIXED(name, ...)                                      \
  EvalFn name(Elem, Elem) {                                   \
    return [](const uint64_t* a) -> uint64_t { __VA_ARGS__ }; \
  }
#define FIXED32(name, ...)                                                        \
  EvalFn name(Elem, Elem) {                                                       \
    return [](const uint64_t* a) -> uint64_t { return keep((__VA_ARGS__), 32); }; \
  }

FIXED(same, return a[0];)
FIXED(second, return a[1];)
GENERIC(subrev, return a[1] - a[0];)
// Opcodes without a carry-in leave a[2] at 0: the emulator clears unused operands.
GENERIC(addc, return a[0] + a[1] + (a[2] & 1);)
GENERIC(subb, return a[0] - a[1] - (a[2] & 1);)
GENERIC(subbrev, return a[1] - a[0] - (a[2] & 1);)
FIXED(carry, return (a[0] + a[1] + (a[2] & 1)) >> 32;)
FIXED(borrow, return a[1] + (a[2] & 1) > a[0];)
FIXED(borrow_rev, return a[0] + (a[2] & 1) > a[1];)
FIXED(add_overflow, int64_t r = sign(a[0], 32) + sign(a[1], 32); return r != static_cast<int32_t>(r);)
FIXED(sub_overflow, int64_t r = sign(a[0], 32) - sign(a[1], 32); return r != static_cast<int32_t>(r);)
FIXED(cselect, return a[2] & 1 ? a[0] : a[1];)
FIXED(cndmask, return a[2] & 1 ? a[1] : a[0];)

GENERIC(inverted, return ~a[0];)
GENERIC(andn1, return ~a[0] & a[1];)
GENERIC(andn2, return a[0] & ~a[1];)
GENERIC(orn1, return ~a[0] | a[1];)
GENERIC(orn2, return a[0] | ~a[1];)
GENERIC(nand, return ~(a[0] & a[1]);)
GENERIC(nor, return ~(a[0] | a[1]);)
GENERIC(xnor, return ~(a[0] ^ a[1]);)
GENERIC(lshlrev, return a[1] << (a[0] & (W - 1));)
GENERIC(lshrrev, return a[1] >> (a[0] & (W - 1));)
GENERIC(ashrrev, return static_cast<U>(sign(a[1], W) >> (a[0] & (W - 1)));)
GENERIC(bfe_packed_u, return (a[0] >> (a[1] & (W - 1))) & low_mask((a[1] >> 16) & 127);)
GENERIC(bfe_packed_i, U offset = a[1] & (W - 1); U width = std::min<U>((a[1] >> 16) & 127, W - offset);
        if (width == 0) return 0; return static_cast<U>(sign(a[0] >> offset, static_cast<unsigned>(width)));)
FIXED(bfe_u, return (a[0] >> (a[1] & 31)) & low_mask(a[2] & 31);)
FIXED32(bfe_i, (a[2] & 31) == 0 ? 0
                                : static_cast<U>(sign(static_cast<U>(sign(a[0], 32)) >> (a[1] & 31),
                                                      static_cast<unsigned>(a[2] & 31))))
FIXED32(bfi, (a[0] & a[1]) | (~a[0] & a[2]))
GENERIC(bfm, return low_mask(a[0] & (W - 1)) << (a[1] & (W - 1));)
GENERIC(brev, U r = 0; for (unsigned i = 0; i < W; ++i) r |= ((a[0] >> i) & 1) << (W - 1 - i); return r;)
GENERIC(bcnt0, return W - static_cast<unsigned>(std::popcount(a[0]));)
GENERIC(bcnt1, return static_cast<unsigned>(std::popcount(a[0]));)
FIXED32(bcnt_add, static_cast<unsigned>(std::popcount(a[0])) + a[1])
namespace {
constexpr uint64_t kNotFound = 0xffffffff;
}
EvalFn ff1(Elem, Elem) {
  return [](const U* a) { return a[0] ? static_cast<U>(std::countr_zero(a[0])) : kNotFound; };
}
GENERIC(ff0, U x = keep(~a[0], W); return x ? static_cast<U>(std::countr_zero(x)) : kNotFound;)
GENERIC(flbit_u, return a[0] ? static_cast<U>(std::countl_zero(a[0])) - (64 - W) : kNotFound;)
GENERIC(flbit_i, U x = keep(a[0] ^ static_cast<U>(sign(a[0], W) >> 63), W);
        return x ? static_cast<U>(std::countl_zero(x)) - (64 - W) : kNotFound;)
GENERIC(bitset0, return a[1] & ~(U{1} << (a[0] & (W - 1)));)
GENERIC(bitset1, return a[1] | (U{1} << (a[0] & (W - 1)));)
FIXED32(iabs, sign(a[0], 32) < 0 ? 0 - a[0] : a[0])
FIXED32(absdiff, iabs(Elem::I32, Elem::I32)(std::array<U, 1>{keep(a[0] - a[1], 32)}.data()))
FIXED32(sext8, static_cast<U>(sign(a[0], 8)))
FIXED32(sext16, static_cast<U>(sign(a[0], 16)))

FIXED(mul_hi_u, return (a[0] * a[1]) >> 32;)
FIXED32(mul_hi_i, static_cast<U>(sign(a[0], 32) * sign(a[1], 32)) >> 32)
FIXED32(mul_i24, static_cast<U>(sign(a[0], 24) * sign(a[1], 24)))
FIXED32(mul_u24, keep(a[0], 24) * keep(a[1], 24))
FIXED32(mul_hi_i24, static_cast<U>(sign(a[0], 24) * sign(a[1], 24)) >> 32)
FIXED32(mul_hi_u24, (keep(a[0], 24) * keep(a[1], 24)) >> 32)
FIXED32(mad_i24, static_cast<U>(sign(a[0], 24) * sign(a[1], 24)) + a[2])
FIXED32(mad_u24, keep(a[0], 24) * keep(a[1], 24) + a[2])
GENERIC(mad_lo, return a[0] * a[1] + a[2];)
FIXED32(mad_u32_u16, keep(a[0], 16) * keep(a[1], 16) + a[2])
FIXED32(mad_i32_i16, static_cast<U>(sign(a[0], 16) * sign(a[1], 16)) + a[2])
FIXED(mad_u64, return a[0] * a[1] + a[2];)
FIXED(mad_u64_carry, return a[0] * a[1] + a[2] < a[2];)
FIXED(mad_i64, return static_cast<U>(sign(a[0], 32) * sign(a[1], 32)) + a[2];)
FIXED(mad_i64_carry, int64_t r;
      return __builtin_add_overflow(sign(a[0], 32) * sign(a[1], 32), static_cast<int64_t>(a[2]), &r);)

FIXED32(alignbit, ((a[0] << 32) | a[1]) >> (a[2] & 31))
FIXED32(alignbyte, ((a[0] << 32) | a[1]) >> (8 * (a[2] & 3)))
FIXED32(lshl_add, (a[0] << (a[1] & 31)) + a[2])
FIXED32(add_lshl, (a[0] + a[1]) << (a[2] & 31))
FIXED32(lshl_or, (a[0] << (a[1] & 31)) | a[2])
FIXED(and_or, return (a[0] & a[1]) | a[2];)
FIXED(or3, return a[0] | a[1] | a[2];)
FIXED32(add3, a[0] + a[1] + a[2])
FIXED32(xad, (a[0] ^ a[1]) + a[2])
FIXED(
    perm, U source = (a[0] << 32) | a[1]; U r = 0; for (unsigned i = 0; i < 4; ++i) {
      U select = (a[2] >> (8 * i)) & 255;
      U byte = select < 8     ? (source >> (8 * select)) & 255
               : select < 12  ? ((source >> (16 * (select - 8) + 15)) & 1) * 255
               : select == 12 ? 0
                              : 255;
      r |= byte << (8 * i);
    } return r;)

namespace {
template <unsigned W>
uint64_t middle_s(const uint64_t* a) {
  int64_t x = sign(a[0], W), y = sign(a[1], W), z = sign(a[2], W);
  return static_cast<U>(std::max(std::min(x, y), std::min(std::max(x, y), z)));
}
}  // namespace
GENERIC(min3_i, return static_cast<U>(std::min({sign(a[0], W), sign(a[1], W), sign(a[2], W)}));)
GENERIC(max3_i, return static_cast<U>(std::max({sign(a[0], W), sign(a[1], W), sign(a[2], W)}));)
GENERIC(med3_i, return middle_s<W>(a);)
FIXED(min3_u, return std::min({a[0], a[1], a[2]});)
FIXED(max3_u, return std::max({a[0], a[1], a[2]});)
FIXED(med3_u, return std::max(std::min(a[0], a[1]), std::min(std::max(a[0], a[1]), a[2]));)
FIXED32(sad_u32, (a[0] > a[1] ? a[0] - a[1] : a[1] - a[0]) + a[2])
FIXED(
    sad_u8, U r = a[2]; for (unsigned i = 0; i < 32; i += 8) {
      U x = (a[0] >> i) & 255;
      U y = (a[1] >> i) & 255;
      r += x > y ? x - y : y - x;
    } return keep(r, 32);)
FIXED32(mbcnt_lo, static_cast<unsigned>(std::popcount(a[0] & keep(low_mask(a[2]), 32))) + a[1])
FIXED32(mbcnt_hi, static_cast<unsigned>(std::popcount(a[0] & (low_mask(a[2]) >> 32))) + a[1])
GENERIC(wrap_inc, return a[0] >= a[1] ? 0 : a[0] + 1;)
GENERIC(wrap_dec, return a[0] == 0 || a[0] > a[1] ? a[1] : a[0] - 1;)
FIXED(cmpswap, return a[0] == a[2] ? a[1] : a[0];)
FIXED(cmpst, return a[0] == a[1] ? a[2] : a[0];)

template <unsigned N>
FIXED32(shl_add, (a[0] << N) + a[1])
template <unsigned N>
FIXED(shl_add_carry, return ((a[0] << N) + a[1]) > 0xffffffff;)
template <unsigned H>
FIXED32(pack, ((a[0] >> (H & 2 ? 16 : 0)) & 0xffff) | (((a[1] >> (H & 1 ? 16 : 0)) & 0xffff) << 16))
namespace {
  template <unsigned Bit>
  struct Bitcmp {
    template <unsigned W>
    static uint64_t run(const uint64_t* a) {
      return ((a[0] >> (a[1] & (W - 1))) & 1) == Bit;
    }
  };
  template <unsigned Outcomes, bool IsSigned>
  struct Compare {
    template <unsigned W>
    static uint64_t run(const uint64_t* a) {
      bool less = IsSigned ? sign(a[0], W) < sign(a[1], W) : a[0] < a[1];
      return (Outcomes >> (a[0] == a[1] ? 1 : less ? 0 : 2)) & 1;
    }
  };
}  // namespace
template <unsigned Bit>
EvalFn bitcmp(Elem e, Elem) {
  return by_width<Bitcmp<Bit>>(e);
}
template <unsigned Outcomes>
EvalFn scmp(Elem e, Elem) {
  return by_width<Compare<Outcomes, true>>(e);
}
template <unsigned Outcomes>
EvalFn ucmp(Elem e, Elem) {
  return by_width<Compare<Outcomes, false>>(e);
}

#define MAKE(name, n) template EvalFn name<n>(Elem, Elem);
#define MAKE8(name) \
  MAKE(name, 0)     \
  MAKE(name, 1) MAKE(name, 2) MAKE(name, 3) MAKE(name, 4) MAKE(name, 5) MAKE(name, 6) MAKE(name, 7)
MAKE8(scmp)
MAKE8(ucmp)
MAKE(shl_add, 1)
MAKE(shl_add, 2)
MAKE(shl_add, 3)
MAKE(shl_add, 4)
MAKE(shl_add_carry, 1)
MAKE(shl_add_carry, 2)
MAKE(shl_add_carry, 3)
MAKE(shl_add_carry, 4)
MAKE(pack, 0)
MAKE(pack, 1)
MAKE(pack, 3)
MAKE(bitcmp, 0)
MAKE(bitcmp, 1)
#undef GENERIC
#undef FIXED
#undef FIXED32
#undef MAKE8
#undef MAKE

}  // namespace kc::gcn_eval
