// SPDX-License-Identifier: Apache-2.0
// Uniform values: scalar instructions. Integers are zero-extended to 64 bits, i1 is 0 or 1. Operations
// without a short scalar form use the vector code with one element.
#include "backends/x64/bit_counts.h"
#include "backends/x64/elements.h"
#include "backends/x64/lower.h"
#include "ir/check.h"
#include "ir/division_factor.h"

namespace kc::x64 {
namespace {

int condition_of(Op op) {
  switch (op) {
    case Op::eq:
      return Equal;
    case Op::ne:
      return NotEqual;
    case Op::slt:
      return Less;
    case Op::sle:
      return LessEqual;
    case Op::ult:
      return Below;
    case Op::ule:
      return BelowEqual;
    default:
      return -1;
  }
}

}  // namespace

ValueId X64Lowering::uniform_op(const Inst& inst) {
  Elem result = w.type(inst.results[0]).elem, first = w.type(inst.operands[0]).elem;
  if (inst.op == Op::ptr_add) return pointer_sum(inst);
  if (inst.op == Op::select) return uniform_select(inst, result);
  if (class_of(inst.op) == OpClass::Conversion) return uniform_convert(inst, first, result);
  if (condition_of(inst.op) >= 0) return uniform_compare(inst, first);
  if (Type{first}.is_float()) return uniform_float(inst, first);
  return uniform_int(inst, first, Type{first}.bits() == 64 ? 8 : 4);
}

ValueId X64Lowering::cut(ValueId v, Elem elem) {
  if (elem == Elem::I8) return e.gpr(Op::x64_movzx8, {v});
  if (elem == Elem::I16) return e.gpr(Op::x64_movzx16, {v});
  return v;
}

ValueId X64Lowering::extended(ValueId v, Elem from, bool is_signed, unsigned size) {
  if (!is_signed) return v;
  switch (from) {
    case Elem::I1:
      return e.gpr(Op::x64_neg, {v}, size);
    case Elem::I8:
      return e.gpr(Op::x64_movsx8, {v}, size);
    case Elem::I16:
      return e.gpr(Op::x64_movsx16, {v}, size);
    case Elem::I32:
      return size == 8 ? e.gpr(Op::x64_movsx32, {v}) : v;
    default:
      return v;
  }
}

ValueId X64Lowering::uniform_int(const Inst& inst, Elem elem, unsigned size) {
  unsigned bits = Type{elem}.bits();
  auto two = [&](Op op) {
    ValueId a = inst.operands[0], b = inst.operands[1];
    if (w.is_const(a) && info(inst.op).has(Commutes)) std::swap(a, b);
    ValueId x = scalar(a);
    return cut(e.gpr(op, {x, scalar_or_imm(b)}, size), elem);
  };
  auto minmax = [&](bool is_signed, Condition cc) {
    ValueId a = scalar(inst.operands[0]), b = scalar(inst.operands[1]);
    ValueId x = is_small(elem) ? extended(a, elem, is_signed, 4) : a;
    ValueId y = is_small(elem) ? extended(b, elem, is_signed, 4) : b;
    return e.gpr(Op::x64_select_cmp, {x, y, a, b}, size, 0, cc);
  };
  auto shift = [&](Op by_imm, Op by_reg) {
    ValueId a = scalar(inst.operands[0]);
    if (inst.op == Op::ashr && is_small(elem)) a = extended(a, elem, true, 4);
    ValueId n = inst.operands[1];
    if (w.is_const(n))
      return cut(e.gpr(by_imm, {a, e.number(static_cast<int64_t>(w.value(n).bits & (bits - 1)))}, size),
                 elem);
    ValueId count = scalar(n);
    if (is_small(elem)) count = e.gpr(Op::x64_and_, {count, e.number(bits - 1)}, 4);
    return cut(e.gpr(by_reg, {a, count}, size), elem);
  };
  switch (inst.op) {
    case Op::add:
      return two(bits == 1 ? Op::x64_xor_ : Op::x64_add);
    case Op::sub:
      return two(bits == 1 ? Op::x64_xor_ : Op::x64_sub);
    case Op::and_:
      return two(Op::x64_and_);
    case Op::or_:
      return two(Op::x64_or_);
    case Op::xor_:
      return two(Op::x64_xor_);
    case Op::mul: {
      ValueId a = inst.operands[0], b = inst.operands[1];
      if (w.is_const(a)) std::swap(a, b);
      ValueId x = scalar(a);
      ValueId y = w.is_const(b) ? e.imm_or_gpr(w.value(b).bits, size) : scalar(b);
      return cut(e.gpr(m_.is_const(y) ? Op::x64_imul_imm : Op::x64_imul, {x, y}, size), elem);
    }
    case Op::shl:
      return shift(Op::x64_shl_imm, Op::x64_shlx);
    case Op::lshr:
      if (const auto counted = bit_count(w, inst))
        return e.gpr(counted->zeros ? Op::x64_lzcnt : Op::x64_popcnt, {scalar(counted->of)}, size);
      return shift(Op::x64_shr_imm, Op::x64_shrx);
    case Op::ashr:
      return shift(Op::x64_sar_imm, Op::x64_sarx);
    case Op::smin:
      return minmax(true, Less);
    case Op::smax:
      return minmax(true, Greater);
    case Op::umin:
      return minmax(false, Below);
    case Op::umax:
      return minmax(false, Above);
    default:
      return uniform_division(inst, elem, size);
  }
}

// By the formulas of divide_by_product (elements.cpp); 32-bit values use one 64-bit product.
ValueId X64Lowering::quotient_by_constant(ValueId a, uint64_t divisor, bool is_signed, unsigned size) {
  ValueId& q = quotients_[{a, divisor, is_signed, size, e.block}];
  if (q.valid()) return q;
  const unsigned bits = size * 8;
  const bool negative = is_signed && divisor >> (bits - 1);
  const uint64_t d = negative ? low_ones(bits) & -divisor : divisor;
  const auto s = static_cast<unsigned>(std::bit_width(d - 1));
  using Wide = unsigned __int128;
  auto shifted = [&](Op op, ValueId v, unsigned by) { return by == 0 ? v : e.gpr(op, {v, e.number(by)}, 8); };
  const ValueId x = is_signed && size == 4 ? e.gpr(Op::x64_movsx32, {a}) : a;
  auto high_product = [&](ValueId v, uint64_t m) {
    return m_.inst(e.row(Op::x64_mul_wide, {v, e.gpr_const(m)}, {kGpr, kGpr}, {8})).results[1];
  };
  if (is_signed) {
    const auto m = static_cast<uint64_t>((Wide{1} << (bits - 1 + s)) / d + 1);
    const ValueId sign = e.gpr(Op::x64_sar_imm, {x, e.number(63)}, 8);
    if (size == 8) {
      const ValueId excess = e.gpr(Op::x64_and_, {sign, e.gpr_const(m)}, 8);
      q = shifted(Op::x64_sar_imm, e.gpr(Op::x64_sub, {high_product(x, m), excess}, 8), s - 1);
    } else {
      q = shifted(Op::x64_sar_imm, e.gpr(Op::x64_imul, {x, e.gpr_const(m)}, 8), bits - 1 + s);
    }
    q = negative ? e.gpr(Op::x64_sub, {sign, q}, size) : e.gpr(Op::x64_sub, {q, sign}, size);
  } else if (const auto f = exact_factor(d, bits, low_ones(bits))) {
    const ValueId part = shifted(Op::x64_shr_imm, x, f->before);
    q = size == 8 ? shifted(Op::x64_shr_imm, high_product(part, f->factor), f->after)
                  : shifted(Op::x64_shr_imm, e.gpr(Op::x64_imul, {part, e.gpr_const(f->factor)}, 8),
                            bits + f->after);
  } else {
    const auto m = static_cast<uint64_t>((((Wide{1} << s) - d) << bits) / d + 1);
    if (size == 8) {
      const ValueId high = high_product(x, m);
      const ValueId rest = shifted(Op::x64_shr_imm, e.gpr(Op::x64_sub, {x, high}, 8), 1);
      q = shifted(Op::x64_shr_imm, e.gpr(Op::x64_add, {high, rest}, 8), s - 1);
    } else {
      const ValueId high = shifted(Op::x64_shr_imm, e.gpr(Op::x64_imul, {x, e.gpr_const(m)}, 8), bits);
      q = shifted(Op::x64_shr_imm, e.gpr(Op::x64_add, {high, x}, 8), s);
    }
  }
  return q;
}

ValueId X64Lowering::uniform_division(const Inst& inst, Elem elem, unsigned size) {
  bool is_signed = inst.op == Op::sdiv || inst.op == Op::srem;
  bool remainder = inst.op == Op::srem || inst.op == Op::urem;
  KC_CHECK(is_signed || inst.op == Op::udiv || inst.op == Op::urem, "x64: no uniform form of '{}'",
           name_of(inst.op));
  ValueId a = scalar(inst.operands[0]);
  if (is_small(elem)) a = extended(a, elem, is_signed, 4);
  if (const ValueId d = inst.operands[1]; w.is_const(d)) {
    const unsigned bits = size * 8;
    uint64_t divisor = w.value(d).bits;
    if (is_signed) divisor = low_ones(bits) & static_cast<uint64_t>(as_signed(bits_of(elem), divisor));
    if (divides_by_product(inst.op, size == 8 ? Elem::I64 : Elem::I32, divisor)) {
      const ValueId q = quotient_by_constant(a, divisor, is_signed, size);
      if (!remainder) return cut(q, elem);
      return cut(e.gpr(Op::x64_sub, {a, e.gpr(Op::x64_imul, {q, e.gpr_const(divisor)}, size)}, size), elem);
    }
  }
  ValueId b = scalar(inst.operands[1]);
  if (is_small(elem)) b = extended(b, elem, is_signed, 4);
  ValueId high =
      is_signed ? e.gpr(Op::x64_sar_imm, {a, e.number(size == 8 ? 63 : 31)}, size) : e.gpr_const(0);
  InstId row = e.row(is_signed ? Op::x64_sdiv : Op::x64_udiv, {a, high, b}, {kGpr, kGpr}, {size});
  return cut(m_.result(row, remainder ? 1 : 0), elem);
}

ValueId X64Lowering::uniform_compare(const Inst& inst, Elem elem) {
  bool is_signed = inst.op == Op::slt || inst.op == Op::sle;
  ValueId a = scalar(inst.operands[0]), b = scalar_or_imm(inst.operands[1]);
  if (is_small(elem) && is_signed) {
    a = extended(a, elem, true, 4);
    b = extended(scalar(inst.operands[1]), elem, true, 4);
  }
  return e.gpr(Op::x64_setcmp, {a, b}, Type{elem}.bits() == 64 ? 8 : 4, 0, condition_of(inst.op));
}

ValueId X64Lowering::uniform_convert(const Inst& inst, Elem from, Elem to) {
  ValueId a = scalar(inst.operands[0]);
  bool from_float = Type{from}.is_float(), to_float = Type{to}.is_float();
  switch (inst.op) {
    case Op::zext:
      return a;
    case Op::sext:
      return cut(extended(a, from, true, Type{to}.bits() == 64 ? 8 : 4), to);
    case Op::trunc:
      if (to == Elem::I1) return e.gpr(Op::x64_and_, {a, e.number(1)}, 4);
      return to == Elem::I32 ? e.gpr(Op::x64_movzx32, {a}) : cut(a, to);
    case Op::bitcast:
      if (from_float == to_float) return a;
      return from_float ? e.to_gpr(a, Type{from}.bits()) : e.to_vec(a, Type{from}.bits());
    case Op::fpext:
      return e.vec(Op::x64_cvtss2sd, {a}, 16);
    case Op::fptrunc:
      return e.vec(Op::x64_cvtsd2ss, {a}, 16);
    default:
      break;
  }
  bool single = to == Elem::F32;
  Op from_word = single ? Op::x64_cvtsi2ss32 : Op::x64_cvtsi2sd32,
     from_long = single ? Op::x64_cvtsi2ss : Op::x64_cvtsi2sd;
  if (inst.op == Op::sitofp)
    return from == Elem::I64 ? e.vec(from_long, {a}, 16) : e.vec(from_word, {extended(a, from, true, 4)}, 16);
  if (inst.op == Op::uitofp && from != Elem::I64)
    return e.vec(from == Elem::I32 ? from_long : from_word, {a}, 16);
  ValueId x = from_float ? a : e.to_vec(a, element_bits(from));
  ValueId r = element_convert(e, inst.op, from, to, 16, std::span(&x, 1))[0];
  return to_float ? r : e.to_gpr(r, element_bits(to));
}

ValueId X64Lowering::uniform_float(const Inst& inst, Elem elem) {
  std::vector<ValueId> args;
  for (ValueId v : inst.operands) args.push_back(scalar(v));
  bool single = elem == Elem::F32;
  auto row = [&](Op op32, Op op64) { return e.vec(single ? op32 : op64, args, 16); };
  switch (inst.op) {
    case Op::fadd:
      return row(Op::x64_vaddss, Op::x64_vaddsd);
    case Op::fsub:
      return row(Op::x64_vsubss, Op::x64_vsubsd);
    case Op::fmul:
      return row(Op::x64_vmulss, Op::x64_vmulsd);
    case Op::fdiv:
      return row(Op::x64_vdivss, Op::x64_vdivsd);
    case Op::ffma:
      return row(Op::x64_vfmadd213ss, Op::x64_vfmadd213sd);
    case Op::fsqrt:
      args.push_back(args[0]);
      return row(Op::x64_vsqrtss, Op::x64_vsqrtsd);
    case Op::feq:
    case Op::fne:
    case Op::flt:
    case Op::fle: {
      if (inst.op == Op::flt || inst.op == Op::fle) {
        std::swap(args[0], args[1]);
        return e.gpr(single ? Op::x64_setucomiss : Op::x64_setucomisd, args, 16, 0,
                     inst.op == Op::flt ? Above : AboveEqual);
      }
      ValueId mask = element_compare(e, inst.op, elem, 16, args[0], args[1]);
      ValueId bits = e.mask_bits(mask, {16, element_bits(elem)});
      return e.gpr(Op::x64_and_, {bits, e.number(1)}, 4);
    }
    default:
      return element_op(e, inst.op, elem, 16, args);
  }
}

ValueId X64Lowering::uniform_select(const Inst& inst, Elem elem) {
  ValueId yes = scalar(inst.operands[1]), no = scalar(inst.operands[2]);
  if (!Type{elem}.is_float()) return e.gpr(Op::x64_select, {scalar(inst.operands[0]), yes, no});
  const VecType t{16, Type{elem}.bits()};
  const InstId def = w.def(inst.operands[0]);
  const Elem compared =
      def && !w.inst(def).operands.empty() ? w.type(w.inst(def).operands[0]).elem : Elem::Void;
  // A comparison of floats gives the mask of its element directly.
  const bool direct =
      def && class_of(w.inst(def).op) == OpClass::FloatCompare && element_bits(compared) == t.bits;
  ValueId mask = direct ? element_compare(e, w.inst(def).op, compared, 16, scalar(w.inst(def).operands[0]),
                                          scalar(w.inst(def).operands[1]))
                        : e.mask_from_bool(scalar(inst.operands[0]), t);
  return e.blend(mask, yes, no, t);
}

// Constants that are added to an index of 32 bits go where the sum cannot wrap, and a number that is known
// not to be negative is extended as it is. `known` is of `index`, and also of lane 0 where that is inactive:
// ranges of wave IR know nothing of masks.
WideIndex X64Lowering::wide_index(const Inst& sum) {
  ValueId index = sum.operands[1];
  if (w.type(index).bits() == 64) return {index, scalar(index)};
  const IntegerRanges& ranges = analyses_.ranges();
  const KnownBits* known = &ranges.operand(w.def(sum.results[0]), 1);
  int64_t added = 0;
  for (InstId d = w.def(index); d && w.inst(d).op == Op::add; d = w.def(index)) {
    const Inst& inner = w.inst(d);
    if (!w.is_const(inner.operands[1]) || w.is_inline(inner.operands[0]) || !has_scalar(inner.operands[0]))
      break;
    const int64_t more = static_cast<int32_t>(w.value(inner.operands[1]).bits);
    const KnownBits& x = ranges.operand(d, 0);
    if (x.nothing || x.smin + more < INT32_MIN || x.smax + more > INT32_MAX) break;
    index = inner.operands[0], added += more, known = &x;
  }
  if (known->non_negative()) return {index, scalar(index), added};
  auto [at, fresh] = extended_.try_emplace({index, e.block});
  if (fresh) at->second = extended(scalar(index), Elem::I32, true, 8);
  return {index, at->second, added};
}

ValueId X64Lowering::scaled(ValueId index, int64_t scale) {
  const auto factor = static_cast<uint64_t>(scale);
  if (std::has_single_bit(factor)) return e.gpr(Op::x64_shl_imm, {index, e.number(std::countr_zero(factor))});
  const ValueId by = e.imm_or_gpr(factor, 8);
  return e.gpr(m_.is_const(by) ? Op::x64_imul_imm : Op::x64_imul, {index, by});
}

ValueId X64Lowering::pointer_sum(const Inst& inst) {
  ValueId base = scalar(inst.operands[0]), index = inst.operands[1];
  bool narrow = w.type(inst.results[0]).bits() == 32;
  int64_t scale = inst.attrs[0], offset = inst.attrs[1];
  unsigned bits = w.type(index).bits();
  if (w.is_const(index)) {
    auto i = static_cast<int64_t>(w.value(index).bits << (64 - bits)) >> (64 - bits);
    offset = static_cast<int64_t>(static_cast<uint64_t>(offset) +
                                  static_cast<uint64_t>(i) * static_cast<uint64_t>(scale));
    scale = 0;
  }
  bool near = offset == static_cast<int32_t>(offset);
  if (scale != 0) {
    const WideIndex at = wide_index(inst);
    ValueId i = at.index;
    offset += at.added * scale;
    near = offset == static_cast<int32_t>(offset);
    if (scale != 1 && scale != 2 && scale != 4 && scale != 8) i = scaled(i, std::exchange(scale, 1));
    const Op sum = narrow && near ? Op::x64_lea32_index : Op::x64_lea_index;
    base = m_.result(e.row(sum, {base, i}, {kGpr}, {8, 0, scale, near ? offset : 0}));
    if (sum == Op::x64_lea32_index) return base;
    if (near) offset = 0;
  }
  if (narrow && near) return m_.result(e.row(Op::x64_lea32, {base}, {kGpr}, {8, 0, 1, offset}));
  if (offset != 0) base = e.gpr(Op::x64_add, {base, e.imm_or_gpr(static_cast<uint64_t>(offset), 8)});
  return narrow ? e.gpr(Op::x64_movzx32, {base}) : base;
}

}  // namespace kc::x64
