// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/bit_counts.h"

namespace kc::x64 {
namespace {

class Matcher {
 public:
  Matcher(const Function& wave, unsigned width) : w(wave), width_(width) {}

  // What follows gives no value where there is no such instruction, or no v.

  /// v = op(result, constant). The constant is a pattern of 64 bits.
  ValueId with_constant(ValueId v, Op op, uint64_t constant) const {
    const Inst* inst = defined(v, op);
    return inst && is(inst->operands[1], constant) ? inst->operands[0] : ValueId();
  }
  /// v = op(a, b), in the order given and in the other one for operations that commute.
  template <typename Parts>
  ValueId either(ValueId v, Op op, Parts&& parts) const {
    const Inst* inst = defined(v, op);
    if (!inst) return {};
    const ValueId a = inst->operands[0], b = inst->operands[1];
    if (const ValueId r = parts(a, b)) return r;
    return op == Op::sub ? ValueId() : parts(b, a);
  }

  ValueId set_bits(ValueId result) const {
    constexpr uint64_t kOdd = 0x5555555555555555, kPairs = 0x3333333333333333, kNibbles = 0x0f0f0f0f0f0f0f0f;
    const ValueId product = with_constant(result, Op::lshr, width_ - 8);
    const ValueId nibbles =
        with_constant(with_constant(product, Op::mul, 0x0101010101010101), Op::and_, kNibbles);
    const ValueId pairs = either(nibbles, Op::add, [&](ValueId x, ValueId moved) {
      return with_constant(moved, Op::lshr, 4) == x ? x : ValueId();
    });
    const ValueId bits = either(pairs, Op::add, [&](ValueId low, ValueId high) {
      const ValueId x = with_constant(low, Op::and_, kPairs);
      return with_constant(with_constant(high, Op::and_, kPairs), Op::lshr, 2) == x ? x : ValueId();
    });
    return either(bits, Op::sub, [&](ValueId x, ValueId odd) {
      return with_constant(with_constant(odd, Op::and_, kOdd), Op::lshr, 1) == x ? x : ValueId();
    });
  }

  /// v = ~(x | x >> 1 | ...): clear where no higher bit is set.
  ValueId above_highest_bit(ValueId v) const {
    ValueId x = with_constant(v, Op::xor_, ~uint64_t{0});
    for (unsigned shift = width_ / 2; x && shift > 0; shift /= 2)
      x = either(x, Op::or_, [&](ValueId low, ValueId moved) {
        return with_constant(moved, Op::lshr, shift) == low ? low : ValueId();
      });
    return x;
  }

 private:
  const Inst* defined(ValueId v, Op op) const {
    const InstId d = !v || w.is_inline(v) ? InstId() : w.def(v);
    return d && w.inst(d).op == op ? &w.inst(d) : nullptr;
  }
  bool is(ValueId v, uint64_t bits) const {
    return w.is_const(v) && w.value(v).bits << (64 - width_) == bits << (64 - width_);
  }

  const Function& w;
  const unsigned width_;
};

// The exponent of x as a float. Bits that could round it up to the next power of two are cleared first.
ValueId leading_zeros_by_float(Emit& e, ValueId a, VecType t) {
  const ValueId x = e.andn(e.lshr(a, 8, t), a, t);
  const ValueId exponent = e.lshr(e.vec(Op::x64_vcvtdq2ps, {x}, t.bytes), 23, t);
  const ValueId r = e.sub(e.constant(127 + 31, t), exponent, t);  // below 0 if the highest bit is set: a sign
  return e.min(true, e.max(true, r, e.zero(), t), e.constant(32, t), t);
}

}  // namespace

std::optional<BitCount> bit_count(const Function& wave, const Inst& inst) {
  const unsigned width = wave.type(inst.results[0]).bits();
  if (inst.op != Op::lshr || width < 32) return std::nullopt;
  const Matcher m(wave, width);
  const ValueId set = m.set_bits(inst.results[0]);
  if (!set) return std::nullopt;
  if (const ValueId x = m.above_highest_bit(set)) return BitCount{true, x};
  return BitCount{false, set};
}

ValueId count_bits(Emit& e, bool zeros, ValueId a, VecType t) {
  if (zeros && e.avx512) return e.vec(t.bits == 64 ? Op::x64_vplzcntq : Op::x64_vplzcntd, {a}, t.bytes);
  if (zeros) return leading_zeros_by_float(e, a, t);
  const VecType words = t.as(32);
  const ValueId table = e.bytes16({0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4}, t.bytes),
                nibble = e.constant(0x0f0f0f0f, words);
  auto counts = [&](ValueId v) { return e.vec(Op::x64_vpshufb, {table, e.and_(v, nibble, words)}, t.bytes); };
  const ValueId bytes = e.add(counts(a), counts(e.lshr(a, 4, words)), words);
  if (t.bits == 64) return e.vec(Op::x64_vpsadbw, {bytes, e.zero()}, t.bytes);
  const ValueId pairs = e.vec(Op::x64_vpmaddubsw, {bytes, e.constant(0x01010101, words)}, t.bytes);
  return e.vec(Op::x64_vpmaddwd, {pairs, e.constant(0x00010001, words)}, t.bytes);
}

}  // namespace kc::x64
