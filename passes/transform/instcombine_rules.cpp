// SPDX-License-Identifier: Apache-2.0
// The identities of `instcombine`. Every rule is exact for all inputs, -0 and NaN included (NaNs have no
// payload in this language). Constants are the right operand of commutative operations.
#include "passes/transform/instcombine_rules.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

#include "ir/forever.h"
#include "passes/ir_util.h"
#include "passes/rewrite_counts.h"

namespace kc {
namespace {

int64_t signed_bits(Type type, uint64_t bits) {
  unsigned shift = 64 - type.bits();
  return static_cast<int64_t>(bits << shift) >> shift;
}
std::optional<uint64_t> power_of_two(std::optional<uint64_t> bits) {
  if (!bits || !std::has_single_bit(*bits)) return std::nullopt;
  return static_cast<uint64_t>(std::countr_zero(*bits));
}

// --- integers

// (x op c1) op c2 = x op (c1 op c2), by the opcode's own evaluation.
bool reassociate(RuleContext& r) {
  Op op = r.inst().op;
  auto outer = r.bits(r.operand(1));
  const Inst* inner = r.defined_by(r.operand(0), op);
  if (!outer || !inner || r.outlives_its_update(*inner)) return false;
  auto inside = r.bits(inner->operands[1]);
  if (!inside) return false;
  Elem e = r.type().elem;
  const uint64_t both[] = {*inside, *outer};
  return r.become(op, {inner->operands[0], r.like(r.operand(0), info(op).eval(e, e)(both))});
}
bool right_zero(RuleContext& r) { return r.is(r.operand(1), 0) && r.value(r.operand(0)); }
bool right_one(RuleContext& r) { return r.is(r.operand(1), 1) && r.value(r.operand(0)); }
bool right_ones(RuleContext& r) { return r.is_ones(r.operand(1)) && r.value(r.operand(0)); }
bool zero_gives_zero(RuleContext& r) { return r.is(r.operand(1), 0) && r.constant(0); }
bool left_zero_gives_zero(RuleContext& r) { return r.is(r.operand(0), 0) && r.constant(0); }
bool ones_give_ones(RuleContext& r) {
  return r.is_ones(r.operand(1)) && r.constant(RuleContext::ones(r.type()));
}
bool same_gives_itself(RuleContext& r) { return r.operand(0) == r.operand(1) && r.value(r.operand(0)); }
bool same_gives_zero(RuleContext& r) { return r.operand(0) == r.operand(1) && r.constant(0); }
bool same_gives_true(RuleContext& r) { return r.operand(0) == r.operand(1) && r.constant(1); }
bool one_gives_zero(RuleContext& r) { return r.is(r.operand(1), 1) && r.constant(0); }

bool sub_constant(RuleContext& r) {
  auto c = r.bits(r.operand(1));
  return c && r.become(Op::add, {r.operand(0), r.like(r.operand(0), uint64_t{0} - *c)});
}
bool mul_power(RuleContext& r) {
  auto k = power_of_two(r.bits(r.operand(1)));
  return k && r.become(Op::shl, {r.operand(0), r.like(r.operand(0), *k)});
}
// Counts are taken modulo the width.
bool shift_count(RuleContext& r) {
  auto c = r.bits(r.operand(1));
  unsigned width = r.type().bits();
  if (!c) return false;
  if (*c % width == 0) return r.value(r.operand(0));
  if (*c >= width) return r.become(r.inst().op, {r.operand(0), r.like(r.operand(0), *c % width)});
  const Inst* inner = r.defined_by(r.operand(0), r.inst().op);
  if (!inner) return false;
  auto first = r.bits(inner->operands[1]);
  if (!first || *first >= width) return false;
  if (*first + *c < width)
    return r.become(r.inst().op, {inner->operands[0], r.like(r.operand(0), *first + *c)});
  if (r.inst().op == Op::ashr)
    return r.become(Op::ashr, {inner->operands[0], r.like(r.operand(0), width - 1)});
  return r.constant(0);
}

// not(comparison): the negated one.
bool negated_comparison(RuleContext& r) {
  if (r.type().elem != Elem::I1 || !r.is(r.operand(1), 1)) return false;
  const InstId def = r.f.def(r.operand(0));
  const auto negated = def ? negation_of(r.f.inst(def).op) : std::nullopt;
  if (!negated) return false;
  const ValueList& of = r.f.inst(def).operands;
  return r.become(negated->op, {of[negated->exchange], of[!negated->exchange]});
}

// --- comparisons

bool compare_extended(RuleContext& r) {
  auto c = r.bits(r.operand(1));
  if (!c) return false;
  for (Op op : {Op::zext, Op::sext})
    if (const Inst* ext = r.defined_by(r.operand(0), op)) {
      ValueId narrow = ext->operands[0];
      uint64_t low = *c & RuleContext::ones(r.type(narrow));
      Elem from = r.type(narrow).elem, to = r.type(r.operand(0)).elem;
      if (info(op).eval(from, to)(&low) != *c) return r.constant(!r.is_equality());
      return r.become(r.inst().op, {narrow, r.like(narrow, low)});
    }
  return false;
}
// x + c1 == c2, x ^ c1 == c2
bool compare_shifted(RuleContext& r) {
  auto c = r.bits(r.operand(1));
  if (!c) return false;
  for (Op op : {Op::add, Op::xor_})
    if (const Inst* inner = r.defined_by(r.operand(0), op); inner && !r.outlives_its_update(*inner))
      if (auto k = r.bits(inner->operands[1]))
        return r.become(r.inst().op,
                        {inner->operands[0], r.like(inner->operands[0], op == Op::add ? *c - *k : *c ^ *k)});
  return false;
}
bool below_zero_is_false(RuleContext& r) { return r.is(r.operand(1), 0) && r.constant(0); }
bool zero_at_most_is_true(RuleContext& r) { return r.is(r.operand(0), 0) && r.constant(1); }
// No unsigned number is below 0, and only 0 is below 1.
bool compare_with_zero(RuleContext& r) {
  bool strict = r.inst().op == Op::ult;
  ValueId left = r.operand(0), right = r.operand(1);
  if (r.type(left).is_pointer()) return false;
  if (r.is(right, strict ? 1 : 0)) return r.become(Op::eq, {left, r.like(left, 0)});
  return r.is(left, strict ? 0 : 1) && r.become(Op::ne, {right, r.like(right, 0)});
}

// --- conversions

bool extend_extended(RuleContext& r) {
  Op op = r.inst().op;
  if (const Inst* same = r.defined_by(r.operand(0), op)) return r.become(op, {same->operands[0]});
  // The top bit of a zero-extended value is 0.
  const Inst* zero = op == Op::sext ? r.defined_by(r.operand(0), Op::zext) : nullptr;
  return zero && r.become(Op::zext, {zero->operands[0]});
}
bool trunc_converted(RuleContext& r) {
  if (const Inst* inner = r.defined_by(r.operand(0), Op::trunc))
    return r.become(Op::trunc, {inner->operands[0]});
  for (Op op : {Op::zext, Op::sext})
    if (const Inst* ext = r.defined_by(r.operand(0), op)) {
      ValueId x = ext->operands[0];
      unsigned from = r.type(x).bits(), to = r.type().bits();
      if (from == to) return r.value(x);
      return r.become(from < to ? op : Op::trunc, {x});
    }
  return false;
}
// Launch ids and sizes exist in both widths.
bool trunc_launch_id(RuleContext& r) {
  InstId def = r.f.def(r.operand(0));
  if (!def.valid() || r.type().elem != Elem::I32) return false;
  const Inst& inst = r.f.inst(def);
  const OpInfo& row = info(inst.op);
  if (row.effects != Effects::None || !inst.operands.empty() || row.T != IdInt) return false;
  return r.become(inst.op, {}, {inst.attrs[0]});
}
// What a 32-bit value is the low half of, for sums and products that are cut to 32 bits: the wider number.
const Inst* low_half(RuleContext& r, ValueId v, bool cut) {
  const Inst* inst = r.f.def(v) ? &r.f.inst(r.f.def(v)) : nullptr;
  while (cut && inst && (inst->op == Op::trunc || inst->op == Op::zext) &&
         std::min(r.type(inst->operands[0]).bits(), r.type(inst->results[0]).bits()) == 32)
    inst = r.f.def(inst->operands[0]) ? &r.f.inst(r.f.def(inst->operands[0])) : nullptr;
  return inst;
}
// group_id * local_size, or the constant that it is, which may have become a shift.
bool is_start_of_group(RuleContext& r, const Inst& inst, int64_t dim, bool cut) {
  auto is = [&](ValueId v, Op op) {
    const Inst* x = low_half(r, v, cut);
    return x && x->op == op && x->attrs[0] == dim;
  };
  const uint32_t known = r.f.reqd_local[static_cast<size_t>(dim)];
  auto is_size = [&](ValueId v) { return is(v, Op::local_size) || (known && r.is(v, known)); };
  if (inst.op == Op::shl)
    return std::has_single_bit(known) && is(inst.operands[0], Op::group_id) &&
           r.is(inst.operands[1], static_cast<uint64_t>(std::countr_zero(known)));
  if (inst.op != Op::mul) return false;
  const ValueId x = inst.operands[0], y = inst.operands[1];
  return (is(x, Op::group_id) && is_size(y)) || (is(y, Op::group_id) && is_size(x));
}
// group_id * local_size + local_id is global_id - global_offset, and needs no groups: waves may follow the
// rows of the whole grid.
bool id_of_group(RuleContext& r) {
  const Elem e = r.type().elem;
  const bool cut = e == Elem::I32;
  if (r.type().lane || (!cut && e != Elem::I64)) return false;
  for (size_t k = 0; k < 2; ++k) {
    const Inst *local = low_half(r, r.operand(k), cut), *start = low_half(r, r.operand(1 - k), cut);
    if (!local || local->op != Op::local_id || !start) continue;
    const int64_t dim = local->attrs[0];
    if (!is_start_of_group(r, *start, dim, cut)) continue;
    ValueId id = r.make(Op::global_id, e, {}), offset = r.make(Op::global_offset, e, {});
    for (ValueId v : {id, offset}) r.f.inst(r.f.def(v)).attrs[0] = dim;
    return r.become(Op::sub, {id, offset});
  }
  return false;
}
bool bitcast_same(RuleContext& r) {
  if (r.type() == r.type(r.operand(0))) return r.value(r.operand(0));
  const Inst* inner = r.defined_by(r.operand(0), Op::bitcast);
  return inner && r.become(Op::bitcast, {inner->operands[0]});
}

// --- floats

bool fneg_negated(RuleContext& r) {
  const Inst* inner = r.defined_by(r.operand(0), Op::fneg);
  return inner && r.value(inner->operands[0]);
}
bool fabs_signed(RuleContext& r) {
  for (Op op : {Op::fneg, Op::fabs})
    if (const Inst* inner = r.defined_by(r.operand(0), op)) return r.become(Op::fabs, {inner->operands[0]});
  return false;
}
bool times_one(RuleContext& r) { return r.is_float(r.operand(1), 1.0) && r.value(r.operand(0)); }
bool plus_minus_zero(RuleContext& r) { return r.is_float(r.operand(1), -0.0) && r.value(r.operand(0)); }
bool minus_zero(RuleContext& r) { return r.is_float(r.operand(1), 0.0) && r.value(r.operand(0)); }
bool from_minus_zero(RuleContext& r) {
  return r.is_float(r.operand(0), -0.0) && r.become(Op::fneg, {r.operand(1)});
}
bool plus_negated(RuleContext& r) {
  if (const Inst* n = r.defined_by(r.operand(1), Op::fneg))
    return r.become(Op::fsub, {r.operand(0), n->operands[0]});
  const Inst* n = r.defined_by(r.operand(0), Op::fneg);
  return n && r.become(Op::fsub, {r.operand(1), n->operands[0]});
}
bool minus_negated(RuleContext& r) {
  const Inst* n = r.defined_by(r.operand(1), Op::fneg);
  return n && r.become(Op::fadd, {r.operand(0), n->operands[0]});
}
// The quotient and the product with an exact reciprocal round the same exact number.
bool fdiv_power(RuleContext& r) {
  auto c = r.bits(r.operand(1));
  if (!c) return false;
  bool narrow = r.type().elem == Elem::F32;
  double d = narrow ? std::bit_cast<float>(static_cast<uint32_t>(*c)) : std::bit_cast<double>(*c);
  int exponent = 0, limit = narrow ? 125 : 1021;
  if (!std::isfinite(d) || std::fabs(std::frexp(d, &exponent)) != 0.5 || std::abs(exponent) > limit)
    return false;
  double inverse = 1.0 / d;
  uint64_t bits =
      narrow ? std::bit_cast<uint32_t>(static_cast<float>(inverse)) : std::bit_cast<uint64_t>(inverse);
  return r.become(Op::fmul, {r.operand(0), r.like(r.operand(0), bits)});
}

// A product with 1 or -1 is exact, so the sum rounds as it does alone.
bool fused_one(RuleContext& r) {
  for (size_t k : {0, 1}) {
    ValueId factor = r.operand(k), other = r.operand(1 - k), sum = r.operand(2);
    if (r.is_float(factor, 1.0)) return r.become(Op::fadd, {other, sum});
    if (r.is_float(factor, -1.0)) return r.become(Op::fsub, {sum, other});
  }
  return false;
}

// --- selects

bool select_known(RuleContext& r) {
  if (auto c = r.bits(r.operand(0))) return r.value(r.operand(*c ? 1 : 2));
  return r.operand(1) == r.operand(2) && r.value(r.operand(1));
}
// If an arm is undef, choose the other.
bool select_undef(RuleContext& r) {
  if (r.f.is_undef(r.operand(1))) return r.value(r.operand(2));
  return r.f.is_undef(r.operand(2)) && r.value(r.operand(1));
}
bool select_flag(RuleContext& r) {
  if (r.type().elem != Elem::I1) return false;
  auto yes = r.bits(r.operand(1)), no = r.bits(r.operand(2));
  if (yes && no) return yes == no ? r.constant(*yes) : flag(r, r.operand(0), *yes == 1);
  // In boolean logic both arms matter, also in lanes where the unselected one is unspecified.
  if (r.type().lane) return false;
  if (yes == 1) return r.become(Op::or_, {r.operand(0), r.operand(2)});
  if (no == 0u) return r.become(Op::and_, {r.operand(0), r.operand(1)});
  return false;
}
bool select_negated(RuleContext& r) {
  const Inst* n = r.defined_by(r.operand(0), Op::xor_);
  return n && r.is(n->operands[1], 1) && r.become(Op::select, {n->operands[0], r.operand(2), r.operand(1)});
}
bool select_again(RuleContext& r) {
  ValueId c = r.operand(0);
  if (const Inst* yes = r.defined_by(r.operand(1), Op::select); yes && yes->operands[0] == c)
    return r.become(Op::select, {c, yes->operands[1], r.operand(2)});
  const Inst* no = r.defined_by(r.operand(2), Op::select);
  return no && no->operands[0] == c && r.become(Op::select, {c, r.operand(1), no->operands[2]});
}
// `a && b` and `a || b` that are kept as numbers:
//   a ? (b ? 1 : 0) : 0   is   a & b ? 1 : 0
//   a ? 1 : (b ? 1 : 0)   is   a | b ? 1 : 0
bool select_chained(RuleContext& r) {
  if (r.type().lane) return false;  // as for flags
  const ValueId c = r.operand(0), yes = r.operand(1), no = r.operand(2);
  if (const Inst* inner = r.defined_by(yes, Op::select); inner && r.bits(no) && inner->operands[2] == no) {
    const ValueId chosen = inner->operands[1];
    return r.bits(chosen) &&
           r.become(Op::select, {r.make(Op::and_, Elem::I1, {c, inner->operands[0]}), chosen, no});
  }
  const Inst* inner = r.defined_by(no, Op::select);
  if (!inner || !r.bits(yes) || inner->operands[1] != yes || !r.bits(inner->operands[2])) return false;
  const ValueId other = inner->operands[2];
  return r.become(Op::select, {r.make(Op::or_, Elem::I1, {c, inner->operands[0]}), yes, other});
}

// The comparison below the choice, as "operand 0 is less than operand 1, or equal to it".
const Inst* less_of(RuleContext& r) {
  for (Op op : {Op::slt, Op::sle, Op::ult, Op::ule})
    if (const Inst* less = r.defined_by(r.operand(0), op)) return less;
  return nullptr;
}
Op extreme_of(Op comparison, bool least) {
  const bool is_signed = comparison == Op::slt || comparison == Op::sle;
  return least ? (is_signed ? Op::smin : Op::umin) : is_signed ? Op::smax : Op::umax;
}
// a < b ? a : b
bool select_extreme(RuleContext& r) {
  const Inst* less = less_of(r);
  if (!less || !r.type().is_int() || r.type().bits() == 1) return false;
  const ValueId a = less->operands[0], b = less->operands[1];
  const bool least = r.operand(1) == a && r.operand(2) == b;
  const bool most = r.operand(1) == b && r.operand(2) == a;
  return (least || most) && r.become(extreme_of(less->op, least), {a, b});
}
// x > 9 ? 9 : max(x, 3) is min(max(x, 3), 9), and the other way round.
bool select_clamped(RuleContext& r) {
  const Inst* less = less_of(r);
  if (!less || !r.type().is_int() || r.type().bits() == 1) return false;
  for (const bool upper : {true, false}) {
    const ValueId limit = less->operands[upper ? 0 : 1], x = less->operands[upper ? 1 : 0];
    const Inst* other = r.defined_by(r.operand(2), extreme_of(less->op, !upper));
    if (!other || r.operand(1) != limit) continue;
    for (size_t k : {0, 1}) {
      const auto bound = r.bits(other->operands[1 - k]), at = r.bits(limit);
      if (other->operands[k] != x || !bound || !at) continue;
      const unsigned unused = 64 - r.type().bits();
      const bool is_signed = less->op == Op::slt || less->op == Op::sle;
      const uint64_t low = (upper ? *bound : *at) << unused, high = (upper ? *at : *bound) << unused;
      const bool in_order = is_signed ? static_cast<int64_t>(low) <= static_cast<int64_t>(high) : low <= high;
      if (in_order) return r.become(extreme_of(less->op, upper), {r.operand(2), limit});
    }
  }
  return false;
}

// --- addresses

bool is_zero_index(RuleContext& r, ValueId index, int64_t scale) { return r.is(index, 0) && scale == 1; }

bool ptr_constant_index(RuleContext& r) {
  ValueId p = r.operand(0), index = r.operand(1);
  auto c = r.bits(index);
  int64_t scale = r.inst().attrs[0], offset = r.inst().attrs[1];
  if (!c) return false;
  int64_t moved = wrapping_add(offset, wrapping_mul(signed_bits(r.type(index), *c), scale));
  if (auto base = r.bits(p))
    return r.constant(static_cast<uint64_t>(wrapping_add(static_cast<int64_t>(*base), moved)));
  if (is_zero_index(r, index, scale)) return offset == 0 && r.value(p);
  return r.become(Op::ptr_add, {p, r.f.constant(r.type(index), 0)}, {1, moved});
}
bool ptr_chain(RuleContext& r) {
  const Inst* inner = r.defined_by(r.operand(0), Op::ptr_add);
  if (!inner || r.outlives_its_update(*inner)) return false;
  ValueId base = inner->operands[0], first = inner->operands[1], index = r.operand(1);
  int64_t inner_scale = inner->attrs[0], scale = r.inst().attrs[0];
  int64_t offset = wrapping_add(inner->attrs[1], r.inst().attrs[1]);
  if (is_zero_index(r, index, scale)) return r.become(Op::ptr_add, {base, first}, {inner_scale, offset});
  if (is_zero_index(r, first, inner_scale)) return r.become(Op::ptr_add, {base, index}, {scale, offset});
  return false;
}
bool ptr_extended_index(RuleContext& r) {
  const Inst* ext = r.defined_by(r.operand(1), Op::sext);
  if (!ext || r.type(ext->operands[0]).elem != Elem::I32) return false;
  return r.become(Op::ptr_add, {r.operand(0), ext->operands[0]}, {r.inst().attrs[0], r.inst().attrs[1]});
}
bool ptr_shifted_index(RuleContext& r) {
  const Inst* sum = r.defined_by(r.operand(1), Op::add);
  if (!sum) return false;
  auto c = r.bits(sum->operands[1]);
  // The sum wraps in the index's width; that must be the width of the address too.
  if (!c || r.type(r.operand(1)).bits() < r.type().bits()) return false;
  int64_t scale = r.inst().attrs[0];
  int64_t moved = wrapping_add(r.inst().attrs[1], wrapping_mul(signed_bits(r.type(r.operand(1)), *c), scale));
  return r.become(Op::ptr_add, {r.operand(0), sum->operands[0]}, {scale, moved});
}

// --- waves and masks

uint64_t all_lanes(RuleContext& r) { return ~uint64_t{0} >> (64 - r.f.width); }
bool is_full(RuleContext& r, ValueId m) {
  auto c = r.bits(m);
  return c && (*c & all_lanes(r)) == all_lanes(r);
}
bool is_none(RuleContext& r, ValueId m) { return r.is(m, 0); }

bool splat_constant(RuleContext& r) {
  auto c = r.bits(r.operand(0));
  return c && r.constant(*c);
}
bool first_of_uniform(RuleContext& r) {
  if (auto c = r.bits(r.operand(1))) return r.constant(*c);
  const Inst* splat = r.defined_by(r.operand(1), Op::splat);
  return splat && r.value(splat->operands[0]);
}
bool merge_known(RuleContext& r) {
  ValueId m = r.operand(0), yes = r.operand(1), no = r.operand(2);
  if (yes == no || is_full(r, m)) return r.value(yes);
  if (is_none(r, m)) return r.value(no);
  if (const Inst* inner = r.defined_by(no, Op::blend); inner && is_subset(r.f, inner->operands[0], m))
    return r.become(Op::blend, {m, yes, inner->operands[2]});
  if (const Inst* inner = r.defined_by(yes, Op::blend); inner && is_subset(r.f, m, inner->operands[0]))
    return r.become(Op::blend, {m, inner->operands[1], no});
  return false;
}
bool mask_and_known(RuleContext& r) {
  ValueId a = r.operand(0), b = r.operand(1);
  if (const auto known = r.bits(a), others = r.bits(b); known && others) return r.constant(*known & *others);
  if (is_full(r, b) || is_subset(r.f, a, b)) return r.value(a);
  return is_subset(r.f, b, a) && r.value(b);
}
bool mask_or_known(RuleContext& r) {
  ValueId a = r.operand(0), b = r.operand(1);
  if (is_subset(r.f, a, b) || is_full(r, b)) return r.value(b);
  if (is_subset(r.f, b, a)) return r.value(a);
  // The masks of the two edges of a branch, united.
  for (auto [part, rest] : {std::pair(a, b), std::pair(b, a)})
    if (const Inst* d = r.defined_by(rest, Op::mask_andnot))
      if (d->operands[1] == part && is_subset(r.f, part, d->operands[0])) return r.value(d->operands[0]);
  return false;
}
bool mask_andnot_known(RuleContext& r) {
  ValueId a = r.operand(0), b = r.operand(1);
  if (is_full(r, b) || is_subset(r.f, a, b)) return r.constant(0);
  return is_none(r, b) && r.value(a);
}
bool mask_condition(RuleContext& r) {
  ValueId m = r.operand(0), c = r.operand(1);
  if (is_none(r, m)) return r.constant(0);
  if (auto known = r.bits(c)) return *known ? r.value(m) : r.constant(0);
  const Inst* splat = r.defined_by(c, Op::splat);
  return splat && r.become(Op::mask_if, {m, splat->operands[0]});
}
bool mask_bits_known(RuleContext& r) {
  const auto known = r.bits(r.operand(0));
  return known && r.constant(*known & all_lanes(r));
}
bool any_known(RuleContext& r) {
  auto c = r.bits(r.operand(0));
  if (c) return r.constant((*c & all_lanes(r)) != 0);
  const Inst* chosen = r.defined_by(r.operand(0), Op::mask_if);
  const auto lanes = chosen ? r.bits(chosen->operands[0]) : std::nullopt;
  return lanes && (*lanes & all_lanes(r)) != 0 && r.value(chosen->operands[1]);
}

struct Rule {
  Op op;
  bool (*apply)(RuleContext&);
  const char* name;
};
#define RULE(op, apply) \
  { Op::op, apply, #apply }
constexpr Rule kRules[] = {
    RULE(add, right_zero),
    RULE(add, id_of_group),
    RULE(add, reassociate),
    RULE(sub, same_gives_zero),
    RULE(sub, sub_constant),
    RULE(sub, negated_flag),
    RULE(and_, zero_gives_zero),
    RULE(and_, right_ones),
    RULE(and_, same_gives_itself),
    RULE(and_, reassociate),
    RULE(and_, compare_range),
    RULE(and_, flags_together),
    RULE(or_, right_zero),
    RULE(or_, ones_give_ones),
    RULE(or_, same_gives_itself),
    RULE(or_, reassociate),
    RULE(or_, compare_range),
    RULE(or_, flags_together),
    RULE(xor_, right_zero),
    RULE(xor_, same_gives_zero),
    RULE(xor_, reassociate),
    RULE(xor_, negated_comparison),
    RULE(xor_, flags_together),
    RULE(mul, zero_gives_zero),
    RULE(mul, right_one),
    RULE(mul, mul_power),
    RULE(mul, reassociate),
    RULE(sdiv, right_one),
    RULE(udiv, right_one),
    RULE(udiv, udiv_power),
    RULE(udiv, udiv_shifted_one),
    RULE(sdiv, sdiv_power),
    RULE(srem, one_gives_zero),
    RULE(srem, srem_power),
    RULE(urem, urem_power),
    RULE(urem, urem_shifted_one),
    RULE(shl, shift_count),
    RULE(lshr, shift_count),
    RULE(ashr, shift_count),
    RULE(shl, shift_count_masked),
    RULE(lshr, shift_count_masked),
    RULE(ashr, shift_count_masked),
    RULE(shl, left_zero_gives_zero),
    RULE(lshr, left_zero_gives_zero),
    RULE(ashr, left_zero_gives_zero),
    RULE(smin, same_gives_itself),
    RULE(smax, same_gives_itself),
    RULE(umin, same_gives_itself),
    RULE(umax, same_gives_itself),
    RULE(eq, same_gives_true),
    RULE(eq, compare_flag),
    RULE(eq, compare_flags),
    RULE(eq, compare_extended),
    RULE(eq, compare_chosen),
    RULE(eq, compare_shifted),
    RULE(eq, divisible),
    RULE(ne, same_gives_zero),
    RULE(ne, compare_flag),
    RULE(ne, compare_flags),
    RULE(ne, compare_extended),
    RULE(ne, compare_chosen),
    RULE(ne, compare_shifted),
    RULE(ne, divisible),
    RULE(slt, same_gives_zero),
    RULE(slt, sign_of_flag),
    RULE(sle, same_gives_true),
    RULE(sle, sign_of_flag),
    RULE(ult, same_gives_zero),
    RULE(ult, below_zero_is_false),
    RULE(ult, compare_with_zero),
    RULE(ule, same_gives_true),
    RULE(ule, zero_at_most_is_true),
    RULE(ule, compare_with_zero),
    RULE(zext, extend_extended),
    RULE(sext, extend_extended),
    RULE(trunc, trunc_converted),
    RULE(trunc, trunc_launch_id),
    RULE(bitcast, bitcast_same),
    RULE(fneg, fneg_negated),
    RULE(fabs, fabs_signed),
    RULE(fmul, times_one),
    RULE(fdiv, times_one),
    RULE(ffma, fused_one),
    RULE(fdiv, fdiv_power),
    RULE(fadd, plus_minus_zero),
    RULE(fadd, plus_negated),
    RULE(fsub, minus_zero),
    RULE(fsub, from_minus_zero),
    RULE(fsub, minus_negated),
    RULE(select, select_known),
    RULE(select, select_undef),
    RULE(select, select_flag),
    RULE(select, select_negated),
    RULE(select, select_again),
    RULE(select, select_chained),
    RULE(select, select_extreme),
    RULE(select, select_clamped),
    RULE(ptr_add, ptr_constant_index),
    RULE(ptr_add, ptr_chain),
    RULE(ptr_add, ptr_extended_index),
    RULE(ptr_add, ptr_shifted_index),
    RULE(splat, splat_constant),
    RULE(first_lane, first_of_uniform),
    RULE(blend, merge_known),
    RULE(mask_and, mask_and_known),
    RULE(mask_or, mask_or_known),
    RULE(mask_andnot, mask_andnot_known),
    RULE(mask_cond, mask_condition),
    RULE(mask_cond, condition_of_lanes),
    RULE(mask_if, mask_condition),
    RULE(mask_bits, mask_bits_known),
    RULE(any, any_known),
};
#undef RULE

std::span<const Rule> rules_of(Op op) {
  static const auto& by_op = forever([] {
    std::vector<std::vector<Rule>> lists(kOpCount);
    for (const Rule& rule : kRules) lists[static_cast<size_t>(rule.op)].push_back(rule);
    return lists;
  });
  return by_op[static_cast<size_t>(op)];
}

bool subset(const Function& f, ValueId a, ValueId b, int depth) {
  if (a == b || (f.is_const(a) && f.value(a).bits == 0)) return true;
  if (depth == 0) return false;
  if (InstId d = f.def(a); d.valid()) {
    const auto& x = f.inst(d).operands;
    switch (f.inst(d).op) {
      case Op::mask_and:
        if (subset(f, x[0], b, depth - 1) || subset(f, x[1], b, depth - 1)) return true;
        break;
      case Op::mask_andnot:
      case Op::mask_cond:
      case Op::mask_if:
        if (subset(f, x[0], b, depth - 1)) return true;
        break;
      case Op::mask_or:
        if (subset(f, x[0], b, depth - 1) && subset(f, x[1], b, depth - 1)) return true;
        break;
      case Op::select:
        if (subset(f, x[1], b, depth - 1) && subset(f, x[2], b, depth - 1)) return true;
        break;
      default:
        break;
    }
  }
  InstId d = f.def(b);
  if (!d.valid() || f.inst(d).op != Op::mask_or) return false;
  const auto& x = f.inst(d).operands;
  return subset(f, a, x[0], depth - 1) || subset(f, a, x[1], depth - 1);
}

}  // namespace

bool is_subset(const Function& f, ValueId a, ValueId b) { return subset(f, a, b, 5); }

bool RuleContext::is_float(ValueId v, double constant) const {
  uint64_t wanted = type(v).elem == Elem::F32 ? std::bit_cast<uint32_t>(static_cast<float>(constant))
                                              : std::bit_cast<uint64_t>(constant);
  return bits(v) == wanted;
}
const Inst* RuleContext::defined_by(ValueId v, Op op) const {
  InstId def = f.def(v);
  return def.valid() && f.inst(def).op == op ? &f.inst(def) : nullptr;
}
bool RuleContext::outlives_its_update(const Inst& inner) const {
  const Value& old = f.value(inner.operands[0]);
  return inner.block != inst().block && old.kind == ValueKind::Param && old.owner != f.entry().index;
}
uint64_t RuleContext::ones(Type type) {
  unsigned width = type.bits();
  return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

bool RuleContext::value(ValueId v) {
  if (type(v) == type()) return replacement = v, true;
  // A uniform value in place of a lane value.
  if (!type().lane || type(v) != type().scalar()) return false;
  if (f.is_const(v)) return replacement = f.constant(type(), f.value(v).bits), true;
  return become(Op::splat, {v});
}

bool RuleContext::become(Op op, std::initializer_list<ValueId> list, std::initializer_list<int64_t> attrs) {
  std::vector<ValueId> operands(list);
  bool lanes = !info(op).has(Elementwise) || !type().lane ||
               std::ranges::any_of(operands, [&](ValueId v) { return type(v).lane; });
  // If no lane operand is left, a constant is made a lane value.
  for (size_t i = 0; !lanes && i < operands.size(); ++i)
    if (f.is_const(operands[i])) {
      operands[i] = f.constant(type(operands[i]).lanes(), f.value(operands[i]).bits);
      lanes = true;
    }
  if (!lanes) return false;
  Inst& inst = f.inst(id_);
  inst.op = op;
  inst.operands = std::move(operands);
  for (size_t i = 0; i < kMaxAttrs; ++i) inst.attrs[i] = info(op).attrs[i].fallback;
  std::copy(attrs.begin(), attrs.end(), inst.attrs.begin());
  return true;
}

ValueId RuleContext::make(Op op, Elem elem, std::initializer_list<ValueId> operands) {
  bool lanes = std::ranges::any_of(operands, [&](ValueId v) { return type(v).lane; });
  Type result{elem, lanes};
  made.push_back(f.create(op, operands, std::span(&result, 1), inst().loc));
  return f.result(made.back());
}

bool apply_rules(RuleContext& r) {
  for (const Rule& rule : rules_of(r.inst().op))
    if (rule.apply(r)) return r.applied = rule.name, true;
  return false;
}

std::vector<std::string> table_of_rules() {
  std::vector<std::string> names;
  for (const Rule& rule : kRules) names.push_back(rule_name(rule.op, rule.name));
  return names;
}

}  // namespace kc
