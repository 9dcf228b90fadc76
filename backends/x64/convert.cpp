// SPDX-License-Identifier: Apache-2.0
// Conversions between element types on machine vectors.
#include <cmath>

#include "backends/x64/elements.h"
#include "ir/check.h"

namespace kc::x64 {
namespace {

class Converter {
 public:
  Converter(Emit& emit, unsigned bytes) : e(emit), t{bytes, 32}, w{bytes, 64}, halves_(bytes == 16 ? 1 : 2) {}

  std::vector<ValueId> run(Op op, Elem from, Elem to, std::span<const ValueId> a) {
    switch (op) {
      case Op::bitcast:
        return {a.begin(), a.end()};
      case Op::zext:
      case Op::sext:
        return extend(op == Op::sext, from, to, a);
      case Op::trunc:
        return cut(from, to, a);
      case Op::fpext:
        return wide(
            [&](unsigned h) { return e.vec(Op::x64_vcvtps2pd, {e.extract_half(a[0], h, t)}, t.bytes); });
      case Op::fptrunc:
        return {join([&](unsigned h) { return e.vec(Op::x64_vcvtpd2ps, {a[h]}, t.bytes); })};
      case Op::sitofp:
      case Op::uitofp:
        return to_float(op == Op::sitofp, from, to, a);
      default:
        return to_int(op == Op::fptosi, from, to, a);
    }
  }

 private:
  template <typename F>
  std::vector<ValueId> wide(F&& each) {
    std::vector<ValueId> r;
    for (unsigned h = 0; h < halves_; ++h) r.push_back(each(h));
    return r;
  }
  // Converts each half to a vector of half the size, and joins them.
  template <typename F>
  ValueId join(F&& each) {
    ValueId low = each(0);
    return halves_ == 1 ? low : e.insert_half(low, each(1), t);
  }

  std::vector<ValueId> extend(bool is_signed, Elem from, Elem to, std::span<const ValueId> a) {
    if (from == Elem::I1) {
      auto value = [&](VecType v) { return is_signed ? e.ones() : e.constant(1, v); };
      if (bits_of(to) == 64)
        return wide([&](unsigned h) { return e.keep(e.mask_half(a[0], h, t), value(w), w); });
      return {cut_small(e, to, e.keep(a[0], value(t), t), t.bytes)};
    }
    ValueId x = is_signed ? sign_extend_small(e, from, a[0], t.bytes) : a[0];
    if (bits_of(to) == 64) return wide([&](unsigned h) { return e.widen(x, h, is_signed, t); });
    return {is_signed ? cut_small(e, to, x, t.bytes) : x};
  }

  ValueId low_words(std::span<const ValueId> a) { return e.narrow(a[0], halves_ == 1 ? a[0] : a[1], t); }

  std::vector<ValueId> cut(Elem from, Elem to, std::span<const ValueId> a) {
    ValueId x = bits_of(from) == 64 ? low_words(a) : a[0];
    if (to != Elem::I1) return {cut_small(e, to, x, t.bytes)};
    if (e.avx512) return {e.kreg(Op::x64_vptestmd, {x, e.constant(1, t)}, t.bytes)};
    return {e.ashr(e.shl(x, 31, t), 31, t)};
  }

  // --- integers to floats
  std::vector<ValueId> to_float(bool is_signed, Elem from, Elem to, std::span<const ValueId> a) {
    if (bits_of(from) == 64) {
      if (to == Elem::F64) return wide([&](unsigned h) { return long_to_double(is_signed, a[h]); });
      return {long_to_float(is_signed, a)};
    }
    ValueId x = is_signed ? sign_extend_small(e, from, a[0], t.bytes) : a[0];
    if (is_small(from)) is_signed = true;
    if (to == Elem::F64)
      return wide([&](unsigned h) { return word_to_double(is_signed, e.extract_half(x, h, t)); });
    return {word_to_float(is_signed, x)};
  }

  ValueId word_to_double(bool is_signed, ValueId x) {
    if (is_signed) return e.vec(Op::x64_vcvtdq2pd, {x}, t.bytes);
    if (e.avx512) return e.vec(Op::x64_vcvtudq2pd, {x}, t.bytes);
    x = e.xor_(x, e.constant(0x80000000u, t), t);
    return e.fadd(e.vec(Op::x64_vcvtdq2pd, {x}, t.bytes), e.fconstant(0x1p31, w), w);
  }
  ValueId word_to_float(bool is_signed, ValueId x) {
    if (is_signed) return e.vec(Op::x64_vcvtdq2ps, {x}, t.bytes);
    if (e.avx512) return e.vec(Op::x64_vcvtudq2ps, {x}, t.bytes);
    // The halves as exact floats 2^23 + low and 2^39 + high * 2^16; only the final addition rounds.
    ValueId low = e.or_(e.and_(x, e.constant(0xffff, t), t), e.constant(0x4b000000, t), t);
    ValueId high = e.or_(e.lshr(x, 16, t), e.constant(0x53000000, t), t);
    return e.fadd(e.fsub(high, e.fconstant(0x1p39 + 0x1p23, t), t), low, t);
  }
  ValueId long_to_double(bool is_signed, ValueId x) {
    if (e.avx512) return e.vec(is_signed ? Op::x64_vcvtqq2pd : Op::x64_vcvtuqq2pd, {x}, t.bytes);
    // 2^52 + low word and 2^84 + high word * 2^32; the high word is biased if signed.
    ValueId low = e.or_(e.and_(x, e.constant(0xffffffffu, w), w), e.constant(0x4330000000000000u, w), w);
    ValueId high = e.lshr(x, 32, w);
    high = e.xor_(high, e.constant(is_signed ? 0x4530000080000000u : 0x4530000000000000u, w), w);
    double bias = is_signed ? 0x1p84 + 0x1p63 + 0x1p52 : 0x1p84 + 0x1p52;
    return e.fadd(e.fsub(high, e.fconstant(bias, w), w), low, w);
  }
  ValueId long_to_float(bool is_signed, std::span<const ValueId> a) {
    if (e.avx512)
      return join([&](unsigned h) {
        return e.vec(is_signed ? Op::x64_vcvtqq2ps : Op::x64_vcvtuqq2ps, {a[h]}, t.bytes);
      });
    // 64-bit numbers are halved with a sticky bit, converted and doubled.
    std::vector<ValueId> lanes, big;
    for (unsigned h = 0; h < halves_; ++h) {
      ValueId x = a[h];
      if (!is_signed) {
        big.push_back(e.compare(true, Lt, x, e.zero(), w));
        ValueId half = e.or_(e.lshr(x, 1, w), e.and_(x, e.constant(1, w), w), w);
        x = e.blend(big.back(), half, x, w);
      }
      for (unsigned i = 0; i < (halves_ == 1 ? 1 : w.lanes()); ++i)
        lanes.push_back(e.to_gpr(e.vec(Op::x64_cvtsi2ss, {e.extract(x, i, w)}, 16), 32));
    }
    ValueId r = e.build(lanes, t);
    if (is_signed) return r;
    ValueId mask = halves_ == 1 ? e.narrow(big[0], big[0], t) : e.mask_join(big[0], big[1], t);
    return e.blend(mask, e.fadd(r, r, t), r, t);
  }

  // --- floats to integers
  std::vector<ValueId> to_int(bool is_signed, Elem from, Elem to, std::span<const ValueId> a) {
    if (bits_of(to) == 64) {
      return wide([&](unsigned h) {
        ValueId x =
            from == Elem::F64 ? a[h] : e.vec(Op::x64_vcvtps2pd, {e.extract_half(a[0], h, t)}, t.bytes);
        return saturated(is_signed, x, w);
      });
    }
    if (from == Elem::F32 && !is_small(to)) return {saturated(is_signed, a[0], t)};
    // The limits are exact in the float format, so clamping first is correct.
    unsigned n = bits_of(to);
    double low = is_signed ? -std::ldexp(1.0, static_cast<int>(n) - 1) : 0.0;
    double high = std::ldexp(1.0, static_cast<int>(n) - (is_signed ? 1 : 0)) - 1.0;
    auto clamped = [&](ValueId x, VecType v) {
      x = e.keep(e.fcompare(Ordered, x, x, v), x, v);
      return e.raw_min(e.raw_max(x, e.fconstant(low, v), v), e.fconstant(high, v), v);
    };
    if (from == Elem::F32)
      return {cut_small(e, to, e.vec(Op::x64_vcvttps2dq, {clamped(a[0], t)}, t.bytes), t.bytes)};
    if (is_signed || is_small(to))
      return {cut_small(
          e, to, join([&](unsigned h) { return e.vec(Op::x64_vcvttpd2dq, {clamped(a[h], w)}, t.bytes); }),
          t.bytes)};
    if (e.avx512)
      return {join([&](unsigned h) { return e.vec(Op::x64_vcvttpd2udq, {clamped(a[h], w)}, t.bytes); })};
    auto words =
        wide([&](unsigned h) { return e.fadd(e.round(clamped(a[h], w), 3, w), e.fconstant(0x1p52, w), w); });
    return {low_words(words)};
  }

  ValueId cut_to_int(ValueId x, VecType v) {
    if (v.bits == 32) return e.vec(Op::x64_vcvttps2dq, {x}, v.bytes);
    if (e.avx512) return e.vec(Op::x64_vcvttpd2qq, {x}, v.bytes);
    std::vector<ValueId> lanes;
    for (unsigned i = 0; i < (halves_ == 1 ? 1 : v.lanes()); ++i)
      lanes.push_back(e.gpr(Op::x64_cvttsd2si, {e.to_vec(e.extract(x, i, v), 64)}, 16));
    return e.build(lanes, v);
  }

  // The instruction returns MIN for all out-of-range inputs.
  ValueId saturated(bool is_signed, ValueId x, VecType v) {
    double limit = std::ldexp(1.0, static_cast<int>(v.bits) - 1);
    if (is_signed) {
      ValueId above = e.fcompare(Le, e.fconstant(limit, v), x, v);
      ValueId r = cut_to_int(x, v);
      r = e.blend(above, e.constant((uint64_t{1} << (v.bits - 1)) - 1, v), r, v);
      return e.keep(e.fcompare(Ordered, x, x, v), r, v);
    }
    x = e.raw_max(x, e.zero(), v);  // also for NaN
    if (e.avx512) return e.vec(v.bits == 32 ? Op::x64_vcvttps2udq : Op::x64_vcvttpd2uqq, {x}, v.bytes);
    ValueId upper = e.fcompare(Le, e.fconstant(limit, v), x, v);
    ValueId r = cut_to_int(e.fsub(x, e.and_(upper, e.fconstant(limit, v), v), v), v);
    r = e.xor_(r, e.and_(upper, e.constant(uint64_t{1} << (v.bits - 1), v), v), v);
    return e.or_(r, e.fcompare(Le, e.fconstant(2 * limit, v), x, v), v);
  }

  Emit& e;
  const VecType t, w;
  const unsigned halves_;
};

}  // namespace

std::vector<ValueId> element_convert(Emit& e, Op op, Elem from, Elem to, unsigned bytes,
                                     std::span<const ValueId> args) {
  return Converter(e, bytes).run(op, from, to, args);
}

}  // namespace kc::x64
