// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/float_facts.h"

#include <bit>
#include <cmath>

namespace kc::x64 {
namespace {

constexpr int kFloatDepth = 4;

// An integer that is not negative.
bool is_natural(const Function& f, ValueId v) {
  const unsigned sign = f.type(v).bits() - 1;
  if (f.is_const(v)) return (f.value(v).bits >> sign & 1) == 0;
  const InstId d = f.def(v);
  if (!d) return false;
  const Inst& inst = f.inst(d);
  switch (inst.op) {
    case Op::zext:
      return true;  // into a wider type
    case Op::and_:
      return is_natural(f, inst.operands[1]);
    case Op::lshr:
      return f.is_const(inst.operands[1]) && f.value(inst.operands[1]).bits % (sign + 1) != 0;
    case Op::splat:
      return is_natural(f, inst.operands[0]);
    default:
      return false;
  }
}

FloatFacts of_constant(double x) {
  return {.number = !std::isnan(x),
          .finite = std::isfinite(x),
          .sign_clear = !std::signbit(x),
          .nonzero = x != 0 && !std::isnan(x)};
}

FloatFacts facts(const Function& f, ValueId v, int depth) {
  const Type type = f.type(v);
  if (type.elem != Elem::F32 && type.elem != Elem::F64) return {};
  if (f.is_const(v)) {
    const uint64_t bits = f.value(v).bits;
    return of_constant(type.elem == Elem::F64 ? std::bit_cast<double>(bits)
                                              : double{std::bit_cast<float>(static_cast<uint32_t>(bits))});
  }
  const InstId d = f.def(v);
  if (!d || depth == 0) return {};
  const Inst& inst = f.inst(d);
  auto of = [&](size_t k) { return facts(f, inst.operands[k], depth - 1); };
  switch (inst.op) {
    case Op::uitofp:
      return {.number = true, .finite = true, .sign_clear = true};
    case Op::sitofp:
      return {.number = true, .finite = true, .sign_clear = is_natural(f, inst.operands[0])};
    case Op::splat:
    case Op::fpext:
    case Op::ffloor:
    case Op::fceil:
    case Op::ftrunc:
    case Op::frint: {
      FloatFacts a = of(0);
      a.nonzero &= inst.op == Op::splat || inst.op == Op::fpext;
      return a;
    }
    case Op::fabs: {
      FloatFacts a = of(0);
      a.sign_clear = true;
      return a;
    }
    case Op::fneg: {
      FloatFacts a = of(0);
      a.sign_clear = false;
      return a;
    }
    case Op::fptrunc: {  // may become infinite, or zero
      const FloatFacts a = of(0);
      return {.number = a.number, .sign_clear = a.sign_clear};
    }
    case Op::fadd: {
      const FloatFacts a = of(0), b = of(1);
      const bool positive = a.number && b.number && a.sign_clear && b.sign_clear;
      return {.number = positive || (a.finite && b.finite), .sign_clear = positive};
    }
    case Op::fsub: {
      const FloatFacts a = of(0), b = of(1);
      return {.number = a.finite && b.finite};
    }
    case Op::fmul: {  // infinity times zero is a NaN
      const FloatFacts a = of(0), b = of(1);
      const bool number = a.finite && b.finite;
      return {.number = number, .sign_clear = number && a.sign_clear && b.sign_clear};
    }
    case Op::fdiv: {
      const FloatFacts a = of(0), b = of(1);
      const bool number = a.number && b.finite && b.nonzero;
      return {.number = number, .sign_clear = number && a.sign_clear && b.sign_clear};
    }
    case Op::ffma:
      return {.number = of(0).finite && of(1).finite && of(2).finite};
    case Op::fsqrt: {
      const FloatFacts a = of(0);
      const bool number = a.number && a.sign_clear;
      return {.number = number, .finite = number && a.finite, .sign_clear = number};
    }
    case Op::fmin:
    case Op::fmax: {
      const FloatFacts a = of(0), b = of(1);
      const bool one = inst.op == Op::fmax && ((a.number && a.sign_clear) || (b.number && b.sign_clear));
      return {.number = a.number || b.number,
              .finite = a.finite && b.finite,
              .sign_clear = one || (a.sign_clear && b.sign_clear)};
    }
    case Op::select:
    case Op::blend: {
      const FloatFacts a = of(1), b = of(2);
      return {.number = a.number && b.number,
              .finite = a.finite && b.finite,
              .sign_clear = a.sign_clear && b.sign_clear,
              .nonzero = a.nonzero && b.nonzero};
    }
    default:
      return {};
  }
}

}  // namespace

FloatFacts float_facts(const Function& wave, ValueId v) { return facts(wave, v, kFloatDepth); }

}  // namespace kc::x64
