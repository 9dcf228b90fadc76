// SPDX-License-Identifier: Apache-2.0
// Lane values and masks: one machine instruction sequence for each vector of lanes.
#include "backends/x64/bit_counts.h"
#include "backends/x64/elements.h"
#include "backends/x64/float_facts.h"
#include "backends/x64/lower.h"
#include "backends/x64/small_code.h"
#include "ir/check.h"
#include "ir/known_bits.h"

namespace kc::x64 {
namespace {

std::optional<uint64_t> constant_of(const Function& f, ValueId v) {
  return f.is_const(v) ? std::optional(f.value(v).bits) : std::nullopt;
}
bool is_shift_by_32(const Function& f, ValueId v, Op op) {
  const Inst* shift = defined_by(f, v, op);
  const auto n = shift ? constant_of(f, shift->operands[1]) : std::nullopt;
  return n && (*n & 63) >= 32;
}

// Whether the instruction shows that a long is the zero extension, or the sign extension, of its lower half.
bool is_zero_extension(const Function& f, ValueId v) {
  if (const auto c = constant_of(f, v)) return *c <= low_ones(32);
  const Inst* mask = defined_by(f, v, Op::and_);
  const auto kept = mask ? constant_of(f, mask->operands[1]) : std::nullopt;
  return defined_by(f, v, Op::zext) || is_shift_by_32(f, v, Op::lshr) || (kept && *kept <= low_ones(32));
}
bool is_sign_extension(const Function& f, ValueId v) {
  if (const auto c = constant_of(f, v)) return static_cast<uint64_t>(static_cast<int32_t>(*c)) == *c;
  const Inst* wider = defined_by(f, v, Op::zext);
  return defined_by(f, v, Op::sext) || is_shift_by_32(f, v, Op::ashr) ||
         (wider && f.type(wider->operands[0]).bits() < 32);
}

// The lane, if the mask has no other one.
std::optional<unsigned> only_lane(const Function& w, ValueId mask, int depth = 4) {
  if (w.is_const(mask) && std::has_single_bit(w.value(mask).bits))
    return static_cast<unsigned>(std::countr_zero(w.value(mask).bits));
  const InstId d = w.def(mask);
  if (!d || depth == 0) return std::nullopt;
  const Inst& inst = w.inst(d);
  switch (inst.op) {
    case Op::mask_and:
      if (const auto lane = only_lane(w, inst.operands[1], depth - 1)) return lane;
      [[fallthrough]];
    case Op::mask_if:
    case Op::mask_cond:
    case Op::mask_andnot:
      return only_lane(w, inst.operands[0], depth - 1);
    default:
      return std::nullopt;
  }
}

}  // namespace

void X64Lowering::lane_op(const Inst& inst) {
  ValueId result = inst.results[0];
  Elem elem = w.type(inst.operands[0]).elem, to = w.type(result).elem;
  Lowered r;
  if (has_scalar(result)) r.scalar = uniform_op(inst);
  if (inst.op == Op::ptr_add) {
    lane_pointer_sum(inst, r);
    return bind(result, std::move(r));
  }
  if (inst.op == Op::select) {
    if (!lane_minimum(inst, r)) lane_select(inst, r);
    return bind(result, std::move(r));
  }
  if (lane_division(inst, r) || lane_product(inst, r) || product_of_shorts(inst, r) || lane_shift(inst, r) ||
      lane_range(inst, r))
    return bind(result, std::move(r));
  std::vector<std::vector<ValueId>> args;
  for (ValueId v : inst.operands) args.push_back(parts(v));
  const OpInfo& row = info(inst.op);
  bool conversion = row.signature == "T -> U";
  if (inst.op == Op::sext && signed_loads_[inst.operands[0].index]) {
    r.parts = args[0];
  } else if (conversion) {
    size_t per = element_bits(elem) == 64 ? 2 : 1;
    for (size_t k = 0; k < count_; ++k) {
      auto some = element_convert(e, inst.op, elem, to, bytes_, std::span(args[0]).subspan(k * per, per));
      r.parts.insert(r.parts.end(), some.begin(), some.end());
    }
  } else if (elem == Elem::I1) {
    for (size_t k = 0; k < count_; ++k) {
      ValueId a = args[0][k], b = args[1][k];
      switch (inst.op) {
        case Op::and_:
          r.parts.push_back(e.mask_and(a, b, vec32()));
          break;
        case Op::or_:
          r.parts.push_back(e.mask_or(a, b, vec32()));
          break;
        case Op::eq:
          r.parts.push_back(e.mask_xnor(a, b, vec32()));
          break;
        default:  // add, sub, xor and ne are the same on bits
          r.parts.push_back(e.mask_xor(a, b, vec32()));
      }
    }
  } else if (to == Elem::I1) {
    bool wide = element_bits(elem) == 64;
    for (size_t k = 0; k < count_; ++k) {
      auto one = [&](size_t i) { return element_compare(e, inst.op, elem, bytes_, args[0][i], args[1][i]); };
      if (!wide) {
        r.parts.push_back(one(k));
        continue;
      }
      ValueId low = one(2 * k), high = one(2 * k + 1);
      r.parts.push_back(e.mask_join(low, high, vec32()));
    }
  } else {
    std::vector<ValueId> some(args.size());
    for (size_t k = 0; k < args[0].size(); ++k) {
      for (size_t i = 0; i < args.size(); ++i) some[i] = args[i][k];
      r.parts.push_back(element_op(e, inst.op, elem, bytes_, some));
    }
  }
  bind(result, std::move(r));
}

ValueId X64Lowering::make_inverse(ValueId divisor, bool is_signed) {
  const Elem elem = w.type(divisor).elem;
  const VecType t = is_small(elem) ? vec32() : vec64();
  const double above_one = is_small(elem) ? kAboveOneF32 : kAboveOne;
  if (w.is_const(divisor)) {
    unsigned shift = 64 - w.type(divisor).bits();
    uint64_t bits = w.value(divisor).bits << shift;
    double d = is_signed ? static_cast<double>(static_cast<int64_t>(bits) >> shift)
                         : static_cast<double>(bits >> shift);
    return e.fconstant(above_one / d, t);
  }
  ValueId wide = extended(scalar(divisor), elem, is_signed, 8);
  ValueId d = e.vec(is_small(elem) ? Op::x64_cvtsi2ss : Op::x64_cvtsi2sd, {wide}, 16);
  const Op divide = is_small(elem) ? Op::x64_vdivss : Op::x64_vdivsd;
  return e.splat_vec(e.vec(divide, {e.fconstant(above_one, t), d}, 16), t);
}

/// Division by a uniform divisor of at most 32 bits, or by a constant: a product with its inverse.
bool X64Lowering::lane_division(const Inst& inst, Lowered& r) {
  if (!is_division(inst.op)) return false;
  ValueId divisor = inst.operands[1];
  const Elem elem = w.type(divisor).elem;
  if (w.is_const(divisor) && divides_by_product(inst.op, elem, w.value(divisor).bits)) {
    for (ValueId a : parts(inst.operands[0]))
      r.parts.push_back(divide_by_product(e, inst.op, elem, bytes_, a, w.value(divisor).bits));
    return true;
  }
  if (w.type(divisor).lane || w.is_undef(divisor) || w.type(divisor).bits() > 32) return false;
  bool is_signed = inst.op == Op::sdiv || inst.op == Op::srem;
  auto known = inverses_.find({divisor, is_signed});
  ValueId inverse = known != inverses_.end() ? known->second : make_inverse(divisor, is_signed);
  std::vector<ValueId> a = parts(inst.operands[0]), b = parts(divisor);
  for (size_t k = 0; k < a.size(); ++k)
    r.parts.push_back(element_divide(e, inst.op, w.type(divisor).elem, bytes_, a[k], b[k], inverse));
  return true;
}

/// A product of words that fit in shorts: `vpmaddwd` multiplies both halves of words and adds the products,
/// so the upper halves of one operand have to be zeros. On processors by Intel it takes half the time of
/// `vpmulld`, elsewhere as long.
bool X64Lowering::product_of_shorts(const Inst& inst, Lowered& r) {
  if (inst.op != Op::mul || w.type(inst.results[0]).elem != Elem::I32) return false;
  const InstId def = w.def(inst.results[0]);
  for (size_t k : {0, 1}) {
    const KnownBits& known = analyses_.ranges().operand(def, k);
    if (!known.fits_signed(16) || !analyses_.ranges().operand(def, 1 - k).fits_signed(16)) continue;
    const ValueId a = inst.operands[1 - k], b = inst.operands[k];
    std::vector<ValueId> x = parts(a), y;
    if (known.non_negative())
      y = parts(b);
    else if (w.is_const(b))
      y.assign(x.size(), e.constant(w.value(b).bits & low_ones(16), vec32()));
    else if (!w.type(b).lane && !w.is_undef(b))
      y = splat(e.gpr(Op::x64_and_, {scalar(b), e.number(low_ones(16))}, 4), Elem::I32);
    else
      continue;
    for (size_t v = 0; v < x.size(); ++v) r.parts.push_back(e.vec(Op::x64_vpmaddwd, {x[v], y[v]}, bytes_));
    return true;
  }
  return false;
}

/// A product of longs that are extensions of their lower halves, or of which one is, without AVX-512.
bool X64Lowering::lane_product(const Inst& inst, Lowered& r) {
  if (inst.op != Op::mul || w.type(inst.results[0]).elem != Elem::I64) return false;
  ValueId a = inst.operands[0], b = inst.operands[1];
  const bool is_unsigned = is_zero_extension(w, a) && is_zero_extension(w, b);
  const bool whole = is_unsigned || (is_sign_extension(w, a) && is_sign_extension(w, b));
  if (!whole && !e.avx512 && is_zero_extension(w, a)) std::swap(a, b);
  if (!whole && (e.avx512 || !is_zero_extension(w, b))) return false;
  // The instructions ignore the upper halves.
  auto low_half = [&](ValueId v) {
    const Inst* mask = defined_by(w, v, Op::and_);
    const bool drops =
        mask && constant_of(w, mask->operands[1]) == low_ones(32) && w.type(mask->operands[0]).lane;
    return drops ? mask->operands[0] : v;
  };
  const VecType t = vec64();
  const std::vector<ValueId> x = parts(whole ? low_half(a) : a), y = parts(low_half(b));
  for (size_t k = 0; k < x.size(); ++k) {
    ValueId product =
        e.vec(is_unsigned || !whole ? Op::x64_vpmuludq : Op::x64_vpmuldq, {x[k], y[k]}, t.bytes);
    if (!whole) {
      const ValueId upper = e.vec(Op::x64_vpmuludq, {e.lshr(x[k], 32, t), y[k]}, t.bytes);
      product = e.add(product, e.shl(upper, 32, t), t);
    }
    r.parts.push_back(product);
  }
  return true;
}

/// Shift by the same amount in all lanes.
bool X64Lowering::lane_shift(const Inst& inst, Lowered& r) {
  bool is_shift = inst.op == Op::shl || inst.op == Op::lshr || inst.op == Op::ashr;
  if (!is_shift) return false;
  Type type = w.type(inst.results[0]);
  if (!w.is_const(inst.operands[1])) {
    if (w.type(inst.operands[1]).lane || type.bits() < 32) return false;
    const VecType t = type.bits() == 64 ? vec64() : vec32();
    const ValueId n = e.gpr(Op::x64_and_, {scalar(inst.operands[1]), e.number(type.bits() - 1)}, 4);
    const ValueId amount = splat(n, type.elem)[0];
    for (ValueId a : parts(inst.operands[0]))
      r.parts.push_back(inst.op == Op::shl    ? e.shl(a, amount, t)
                        : inst.op == Op::lshr ? e.lshr(a, amount, t)
                                              : e.ashr(a, amount, t));
    return true;
  }
  if (const auto counted = bit_count(w, inst);
      counted && (!counted->zeros || e.avx512 || type.bits() == 32)) {
    for (ValueId a : parts(counted->of))
      r.parts.push_back(count_bits(e, counted->zeros, a, type.bits() == 64 ? vec64() : vec32()));
    return true;
  }
  auto n = static_cast<unsigned>(w.value(inst.operands[1]).bits & (type.bits() - 1));
  for (ValueId a : parts(inst.operands[0]))
    r.parts.push_back(element_shift(e, inst.op, type.elem, bytes_, a, n));
  return true;
}

/// `x < y ? x : y` and `x < y ? y : x` of floats: the semantics of vminps and vmaxps, also for NaN and zeros.
bool X64Lowering::lane_minimum(const Inst& inst, Lowered& r) {
  InstId def = w.def(inst.operands[0]);
  Elem elem = w.type(inst.results[0]).elem;
  if (!def || (elem != Elem::F32 && elem != Elem::F64)) return false;
  const Inst& test = w.inst(def);
  if (test.op != Op::flt) return false;
  bool is_min = inst.operands[1] == test.operands[0] && inst.operands[2] == test.operands[1];
  bool is_max = inst.operands[1] == test.operands[1] && inst.operands[2] == test.operands[0];
  if (!is_min && !is_max) return false;
  std::vector<ValueId> yes = parts(inst.operands[1]), no = parts(inst.operands[2]);
  VecType t = element_bits(elem) == 64 ? vec64() : vec32();
  for (size_t k = 0; k < yes.size(); ++k)
    r.parts.push_back(is_min ? e.raw_min(yes[k], no[k], t) : e.raw_max(yes[k], no[k], t));
  return true;
}

/// fmin and fmax of operands of which enough is known. vminps and vmaxps return their second operand if one
/// is a NaN, and if both are zeros.
bool X64Lowering::lane_bound(const Inst& inst, Lowered& r) {
  const bool is_min = inst.op == Op::fmin;
  const FloatFacts facts[] = {float_facts(w, inst.operands[0]), float_facts(w, inst.operands[1])};
  const std::vector<ValueId> values[] = {parts(inst.operands[0]), parts(inst.operands[1])};
  const VecType t = element_bits(w.type(inst.results[0]).elem) == 64 ? vec64() : vec32();
  auto each = [&](auto&& make) {
    for (size_t k = 0; k < values[0].size(); ++k) r.parts.push_back(make(values[0][k], values[1][k]));
    return true;
  };
  auto one = [&](ValueId a, ValueId b) { return is_min ? e.raw_min(a, b, t) : e.raw_max(a, b, t); };
  const bool no_signs = facts[0].sign_clear && facts[1].sign_clear;
  for (size_t second : {1, 0}) {
    const FloatFacts& b = facts[second];
    // Of zeros of both signs the second operand is the right one: +0 is the maximum.
    const bool is_bound = w.is_const(inst.operands[second]) && b.sign_clear == !is_min;
    if (!b.number || !(no_signs || b.nonzero || is_bound)) continue;
    return each([&](ValueId x, ValueId y) { return second ? one(x, y) : one(y, x); });
  }
  if (e.avx512 || !facts[0].number || !facts[1].number) return false;
  // Both orders differ for zeros of both signs alone.
  return each([&](ValueId x, ValueId y) {
    return is_min ? e.or_(one(x, y), one(y, x), t) : e.and_(one(x, y), one(y, x), t);
  });
}

/// fmin and fmax as vrange, which returns the other operand for a NaN and orders -0 < +0, but would return a
/// signalling NaN. Adding -0 makes such a NaN a quiet one, and keeps all else.
bool X64Lowering::lane_range(const Inst& inst, Lowered& r) {
  if (inst.op != Op::fmin && inst.op != Op::fmax) return false;
  const Elem elem = w.type(inst.results[0]).elem;
  if ((elem == Elem::F32 || elem == Elem::F64) && lane_bound(inst, r)) return true;
  if (!e.avx512) return false;
  constexpr int64_t kMin = 4, kMax = 5;  // with the sign of the chosen operand
  const bool wide = element_bits(w.type(inst.results[0]).elem) == 64;
  const VecType t = wide ? vec64() : vec32();
  auto quiet = [&](ValueId v) {
    if (quiet_.quiet(v)) return parts(v);
    std::vector<ValueId>& made = quieted_[{v, e.block}];
    if (made.empty())
      for (ValueId x : parts(v)) made.push_back(e.fadd(x, e.constant(uint64_t{1} << (t.bits - 1), t), t));
    return made;
  };
  const std::vector<ValueId> a = quiet(inst.operands[0]), b = quiet(inst.operands[1]);
  for (size_t k = 0; k < a.size(); ++k)
    r.parts.push_back(e.vec(wide ? Op::x64_vrangepd : Op::x64_vrangeps, {a[k], b[k]}, bytes_,
                            inst.op == Op::fmin ? kMin : kMax));
  return true;
}

void X64Lowering::lane_pointer_sum(const Inst& inst, Lowered& r) {
  ValueId p = inst.operands[0], i = inst.operands[1];
  int64_t scale = inst.attrs[0], offset = inst.attrs[1];
  bool wide = w.type(p).bits() == 64;
  Elem index_elem = w.type(i).elem;
  std::vector<ValueId> base = parts(p), index = parts(i);
  VecType t = wide ? vec64() : vec32();
  size_t n = count_ * (wide ? 2 : 1);
  for (size_t k = 0; k < n; ++k) {
    ValueId x;
    if (wide)
      x = index_elem == Elem::I64 ? index[k] : e.widen(index[k / 2], k % 2, true, vec32());
    else
      x = index_elem == Elem::I64 ? e.narrow(index[2 * k], index[2 * k + 1], vec32()) : index[k];
    auto u = static_cast<uint64_t>(scale);
    if ((u & (u - 1)) == 0 && u)
      x = e.shl(x, static_cast<unsigned>(__builtin_ctzll(u)), t);
    else
      x = e.mul(x, e.constant(u, t), t);
    x = e.add(base[k], x, t);
    if (offset) x = e.add(x, e.constant(static_cast<uint64_t>(offset), t), t);
    r.parts.push_back(x);
  }
}

void X64Lowering::lane_select(const Inst& inst, Lowered& r) {
  std::vector<ValueId> c = parts(inst.operands[0]), yes = parts(inst.operands[1]),
                       no = parts(inst.operands[2]);
  Elem elem = w.type(inst.results[0]).elem;
  bool wide = element_bits(elem) == 64;
  for (size_t k = 0; k < yes.size(); ++k) {
    if (elem == Elem::I1)
      r.parts.push_back(
          e.mask_or(e.mask_and(c[k], yes[k], vec32()), e.mask_andn(no[k], c[k], vec32()), vec32()));
    else if (wide)
      r.parts.push_back(e.blend(e.mask_half(c[k / 2], k % 2, vec32()), yes[k], no[k], vec64()));
    else
      r.parts.push_back(e.blend(c[k], yes[k], no[k], vec32()));
  }
}

void X64Lowering::merge(const Inst& inst) {
  Lowered r;
  if (has_scalar(inst.results[0])) r.scalar = scalar(inst.operands[1]);
  lane_select(inst, r);
  bind(inst.results[0], std::move(r));
}

// The lane boolean that v negates, or none.
ValueId negated(const Function& w, ValueId v) {
  InstId d = w.def(v);
  if (!d || w.inst(d).op != Op::xor_) return {};
  ValueId ones = w.inst(d).operands[1];
  return w.is_const(ones) && (w.value(ones).bits & 1) ? w.inst(d).operands[0] : ValueId();
}

void X64Lowering::mask_op(const Inst& inst) {
  Lowered r;
  auto two = [&](auto&& each) {
    std::vector<ValueId> a = parts(inst.operands[0]), b = parts(inst.operands[1]);
    for (size_t k = 0; k < count_; ++k) r.parts.push_back(each(a[k], b[k]));
  };
  switch (inst.op) {
    case Op::mask_cond:
      // A mask register may have bits set beyond the existing lanes; a vector mask may not.
      if (known_full(inst.operands[0]) && (!e.avx512 || lanes_per_part() == 16)) {
        r.parts = parts(inst.operands[1]);
        break;
      }
      if (ValueId x = negated(w, inst.operands[1])) {
        std::vector<ValueId> a = parts(inst.operands[0]), b = parts(x);
        for (size_t k = 0; k < count_; ++k) r.parts.push_back(e.mask_andn(a[k], b[k], vec32()));
        break;
      }
      [[fallthrough]];
    case Op::mask_and:
      two([&](ValueId a, ValueId b) { return e.mask_and(a, b, vec32()); });
      break;
    case Op::mask_or:
      two([&](ValueId a, ValueId b) { return e.mask_or(a, b, vec32()); });
      break;
    case Op::mask_andnot:
      two([&](ValueId a, ValueId b) { return e.mask_andn(a, b, vec32()); });
      break;
    case Op::mask_if: {
      ValueId all = e.mask_from_bool(scalar(inst.operands[1]), vec32());
      for (ValueId a : parts(inst.operands[0])) r.parts.push_back(e.mask_and(a, all, vec32()));
      break;
    }
    case Op::select: {
      ValueId all = e.mask_from_bool(scalar(inst.operands[0]), vec32());
      std::vector<ValueId> yes = parts(inst.operands[1]), no = parts(inst.operands[2]);
      for (size_t k = 0; k < count_; ++k)
        r.parts.push_back(
            e.mask_or(e.mask_and(yes[k], all, vec32()), e.mask_andn(no[k], all, vec32()), vec32()));
      break;
    }
    default:
      r.scalar = any_bit(inst.operands[0]);
  }
  bind(inst.results[0], std::move(r));
}

// Whether some lane of a full wave, or of its upper lanes, fulfils a comparison of ids with a number is known
// by one of them: no wave crosses a multiple of 2^31, so the ids of its lanes ascend.
std::optional<ScalarTest> X64Lowering::scalar_test(ValueId mask) {
  auto defined = [&](ValueId v) { return w.is_inline(v) || !w.def(v) ? nullptr : &w.inst(w.def(v)); };
  const Inst* cond = defined(mask);
  if (!cond || cond->op != Op::mask_cond) return std::nullopt;
  const ValueId among = cond->operands[0];
  unsigned first = 0;  // of the lanes
  if (!known_full(among)) {
    if (!w.is_const(among) || w.value(among).bits == 0) return std::nullopt;
    first = static_cast<unsigned>(std::countr_zero(w.value(among).bits));
    if (w.value(among).bits >> first != ~uint64_t{0} >> (64 - (w.width - first))) return std::nullopt;
  }
  const Inst* compare = defined(cond->operands[1]);
  if (!compare || class_of(compare->op) != OpClass::IntCompare || compare->op == Op::ne) return std::nullopt;
  const ValueId x = compare->operands[0], y = compare->operands[1];
  auto ascends = [&](ValueId v) {
    const Inst* d = defined(v);
    if (d && layout_.aligned && d->op == Op::sub) {
      const Inst *from = defined(d->operands[0]), *offset = defined(d->operands[1]);
      if (!from || !offset || from->op != Op::global_id || offset->op != Op::global_offset) return false;
      d = from;
    }
    const bool id = d && (d->op == Op::global_id || d->op == Op::local_id);
    return id && shapes_[v.index] == Shape{Shape::Strided, 1};
  };
  auto same = [&](ValueId v) { return has_scalar(v) && (w.is_inline(v) || shapes_[v.index].uniform()); };
  const bool left = ascends(x) && same(y), right = ascends(y) && same(x);
  const unsigned bits = w.type(x).bits(), size = bits / 8;
  if ((!left && !right) || bits < 32) return std::nullopt;
  const ValueId lanes = e.number(w.width);
  if (compare->op == Op::eq && first != 0) return std::nullopt;
  if (compare->op == Op::eq)
    return ScalarTest{e.gpr(Op::x64_sub, {scalar(left ? y : x), scalar(left ? x : y)}, size), lanes, size,
                      Below};
  const Condition cc = compare->op == Op::slt   ? Less
                       : compare->op == Op::sle ? LessEqual
                       : compare->op == Op::ult ? Below
                                                : BelowEqual;
  if (left) {
    const ValueId lowest = first ? e.gpr(Op::x64_add, {scalar(x), e.number(first)}, size) : scalar(x);
    return ScalarTest{lowest, scalar_or_imm(y), size, cc};
  }
  const ValueId last = e.gpr(Op::x64_add, {scalar(y), e.number(w.width - 1)}, size);
  return ScalarTest{scalar(x), last, size, cc};
}

ValueId X64Lowering::all_parts_or(ValueId mask) {
  if (dense_) return whole(mask);
  const bool bytes = small_.byte_masks.has(mask);
  const std::vector<ValueId> p = bytes ? SmallCode(*this).masks(mask, 1) : parts(mask);
  ValueId all = p[0];
  for (size_t k = 1; k < p.size(); ++k) all = e.mask_or(all, p[k], vec32());
  return all;
}

ValueId X64Lowering::all_parts_and(ValueId mask) {
  const std::vector<ValueId> p = parts(mask);
  ValueId all = p[0];
  for (size_t k = 1; k < p.size(); ++k) all = e.mask_and(all, p[k], vec32());
  return all;
}

ValueId X64Lowering::any_bit(ValueId mask) {
  auto [it, fresh] = any_bits_.try_emplace({mask, e.block}, ValueId());
  if (fresh) {
    ValueId all = all_parts_or(mask);
    Op test = dense_ ? Op::x64_setkortest64 : e.avx512 ? Op::x64_setkortest : Op::x64_setptest;
    it->second = e.gpr(test, {all, all}, SmallCode(*this).mask_vector_bytes(mask), 0, NotEqual);
  }
  return it->second;
}

void X64Lowering::first_lane(const Inst& inst) {
  ValueId value = inst.operands[1], result = inst.results[0];
  const ValueId mask = inst.operands[0];
  const bool lane0 = known_full(mask) || (w.is_const(mask) && w.value(mask).bits & 1);
  if (has_scalar(value) && (lane0 || shapes_[value.index].uniform()))
    return bind(result, {{}, scalar(value)});
  const Elem elem = w.type(value).elem;
  ValueId chosen = lane0 && elem != Elem::I1 ? e.to_gpr(parts(value)[0], element_bits(elem))
                                             : element_of_lane(mask, value, false);
  if (Type{elem}.is_float()) chosen = e.to_vec(chosen, element_bits(elem));
  bind(result, {{}, chosen});
}

// The element of the lowest or highest active lane in a general register. Parts are tested in such an order
// that the right one wins.
ValueId X64Lowering::element_of_lane(ValueId mask, ValueId value, bool highest) {
  Elem elem = w.type(value).elem;
  std::vector<ValueId> m = parts(mask), v = parts(value);
  unsigned bits = element_bits(elem);
  bool wide = bits == 64, mask_value = elem == Elem::I1;
  VecType t{bytes_, bits};
  if (const auto lane = only_lane(w, mask); lane && !mask_value)
    return e.extract(v[*lane / t.lanes()], *lane % t.lanes(), t);
  const size_t count = v.size();
  ValueId chosen;
  for (size_t n = 0; n < count; ++n) {
    const size_t k = highest ? n : count - 1 - n;
    ValueId lanes = wide ? e.mask_half(m[k / 2], k % 2, vec32()) : m[k];
    ValueId set = e.mask_bits(lanes, t);
    if (e.avx512 && t.lanes() < 16) set = e.gpr(Op::x64_and_, {set, e.number((1 << t.lanes()) - 1)}, 4);
    ValueId index = highest ? e.gpr(Op::x64_xor_, {e.gpr(Op::x64_lzcnt, {set}, 4), e.number(31)}, 4)
                            : e.gpr(Op::x64_tzcnt, {set}, 4);
    ValueId one;
    if (mask_value) {
      one = e.gpr(Op::x64_shrx, {e.mask_bits(v[k], t), index}, 4);
      one = e.gpr(Op::x64_and_, {one, e.number(1)}, 4);
    } else if (wide) {
      // Two words: 2i and 2i + 1.
      ValueId low = e.gpr(Op::x64_add, {index, index}, 8);
      ValueId both = e.gpr(Op::x64_or_, {e.gpr(Op::x64_shl_imm, {low, e.number(32)}, 8), low}, 8);
      ValueId step = e.gpr_const(uint64_t{1} << 32);
      both = e.gpr(Op::x64_or_, {both, step}, 8);
      one = e.to_gpr(e.vec(Op::x64_vpermd, {e.to_vec(both, 64), v[k]}, bytes_), 64);
    } else {
      one = e.to_gpr(e.vec(Op::x64_vpermd, {e.to_vec(index, 32), v[k]}, bytes_), 32);
    }
    chosen = chosen ? e.gpr(Op::x64_select, {set, one, chosen}) : one;
  }
  return chosen;
}

}  // namespace kc::x64
