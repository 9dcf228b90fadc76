// SPDX-License-Identifier: Apache-2.0
#include "tests/property/mutations.h"

#include <algorithm>

namespace kc::test {
namespace {

Op op(const Function& f, InstId i) { return f.inst(i).op; }

bool become(Function& f, InstId i, Op from, Op to) {
  if (op(f, i) != from) return false;
  f.inst(i).op = to;
  return true;
}

bool swap_operands(Function& f, InstId i, Op of, size_t a, size_t b) {
  auto& operands = f.inst(i).operands;
  if (op(f, i) != of || operands[a] == operands[b]) return false;
  std::swap(operands[a], operands[b]);
  return true;
}

bool set_operand(Function& f, InstId i, Op of, size_t k, ValueId v) {
  if (op(f, i) != of || f.inst(i).operands[k] == v) return false;
  f.inst(i).operands[k] = v;
  return true;
}

void replace_uses(Function& f, ValueId from, ValueId to) {
  auto replace = [&](ValueId& v) {
    if (v == from) v = to;
  };
  for (BlockId b : f.layout) {
    replace(f.block(b).mask);
    for (InstId i : f.block(b).insts) {
      for (ValueId& v : f.inst(i).operands) replace(v);
      for (Target& t : f.inst(i).targets)
        for (ValueId& v : t.args) replace(v);
    }
  }
}

size_t position(const Function& f, InstId i) {
  const auto& insts = f.block(f.inst(i).block).insts;
  return static_cast<size_t>(std::find(insts.begin(), insts.end(), i) - insts.begin());
}

// A new instruction of the type of operand k, before i.
ValueId insert_before(Function& f, InstId i, Op o, std::vector<ValueId> operands, Type type) {
  InstId made = f.create(o, std::move(operands), std::array{type});
  f.insert(f.inst(i).block, position(f, i), made);
  return f.result(made);
}

ValueId all_lanes(const Function& f) { return f.block(f.entry()).params.back(); }

bool drop(Function& f, InstId i, Op of) {
  if (op(f, i) != of) return false;
  f.erase(i);
  return true;
}

bool swap_targets(Function& f, InstId i) {
  auto& targets = f.inst(i).targets;
  if (op(f, i) != Op::br_if || targets[0].block == targets[1].block) return false;
  std::swap(targets[0], targets[1]);
  return true;
}

bool swap_edge_arguments(Function& f, InstId i) {
  for (Target& t : f.inst(i).targets)
    for (size_t a = 0; a < t.args.size(); ++a)
      for (size_t b = a + 1; b < t.args.size(); ++b) {
        if (f.type(t.args[a]) != f.type(t.args[b]) || t.args[a] == t.args[b] || f.is_undef(t.args[a]) ||
            f.is_undef(t.args[b]))
          continue;
        std::swap(t.args[a], t.args[b]);
        return true;
      }
  return false;
}

// An edge that passes an empty mask passes the mask of its block instead.
bool keep_rejoin_mask(Function& f, InstId i) {
  for (Target& t : f.inst(i).targets)
    for (ValueId& v : t.args)
      if (f.is_const(v) && f.type(v) == f.type(all_lanes(f)) && f.value(v).bits == 0) {
        v = f.block(f.inst(i).block).mask;
        return true;
      }
  return false;
}

bool split_fma(Function& f, InstId i) {
  if (op(f, i) != Op::ffma) return false;
  auto operands = f.inst(i).operands;
  Type lane_or_not = f.type(operands[f.type(operands[0]).lane ? 0 : 1]);
  ValueId product = insert_before(f, i, Op::fmul, {operands[0], operands[1]}, lane_or_not);
  f.inst(i).op = Op::fadd;
  f.inst(i).operands = {product, operands[2]};
  return true;
}

// Rounds away from zero instead of towards it: the dividend is one too small.
bool round_division(Function& f, InstId i, Op of) {
  if (op(f, i) != of) return false;
  ValueId x = f.inst(i).operands[0];
  if (f.is_inline(x)) return false;
  ValueId less = insert_before(f, i, Op::sub, {x, f.constant(f.type(x), 1)}, f.type(x));
  f.inst(i).operands[0] = less;
  return true;
}

// Forwards the earlier load from the address past an intervening store.
bool forward_load(Function& f, InstId i) {
  if (op(f, i) != Op::load) return false;
  const auto& insts = f.block(f.inst(i).block).insts;
  bool stored = false;
  for (size_t k = position(f, i); k-- > 0;) {
    const Inst& before = f.inst(insts[k]);
    stored = stored || before.op == Op::store;
    if (before.op != Op::load || before.operands != f.inst(i).operands ||
        f.type(before.results[0]) != f.type(f.result(i)))
      continue;
    if (stored) replace_uses(f, f.result(i), before.results[0]);
    return stored;
  }
  return false;
}

bool last_case_is_default(Function& f, InstId i) {
  auto& targets = f.inst(i).targets;
  if (op(f, i) != Op::switch_ || targets.size() < 2 || targets.back().block == targets[0].block) return false;
  targets.back() = targets[0];
  return true;
}

bool next_word(Function& f, InstId i) {
  if (op(f, i) != Op::ptr_add || f.type(f.result(i)) != kPtrPrivate) return false;
  f.inst(i).attrs[1] ^= 4;
  return true;
}

ValueId no_lanes(Function& f) { return f.constant(f.type(all_lanes(f)), 0); }

constexpr Dialect kThread = Dialect::Thread, kWave = Dialect::Wave;
using F = Function;
using I = InstId;

// clang-format off
const Mutation kTable[] = {
  {"merge: operands swapped", kWave, [](F& f, I i) { return swap_operands(f, i, Op::blend, 1, 2); }},
  {"merge: all lanes take the new value", kWave, [](F& f, I i) { return op(f, i) == Op::blend && set_operand(f, i, Op::blend, 2, f.inst(i).operands[1]); }},
  {"lane_store: for all lanes of the wave", kWave, [](F& f, I i) { return set_operand(f, i, Op::lane_store, 0, all_lanes(f)); }},
  {"lane_store: dropped", kWave, [](F& f, I i) { return drop(f, i, Op::lane_store); }},
  {"lane_load: for all lanes of the wave", kWave, [](F& f, I i) { return set_operand(f, i, Op::lane_load, 0, all_lanes(f)); }},
  {"branch: the other way", kWave, swap_targets},
  {"any: always, so an empty mask goes on", kWave, [](F& f, I i) { return op(f, i) == Op::any && (replace_uses(f, f.result(i), f.constant(kI1, 1)), true); }},
  {"any: never, so lanes are lost", kWave, [](F& f, I i) { return op(f, i) == Op::any && (replace_uses(f, f.result(i), f.constant(kI1, 0)), true); }},
  {"mask_or: the first operand", kWave, [](F& f, I i) { return op(f, i) == Op::mask_or && set_operand(f, i, Op::mask_or, 1, f.inst(i).operands[0]); }},
  {"mask_andnot: operands swapped", kWave, [](F& f, I i) { return swap_operands(f, i, Op::mask_andnot, 0, 1); }},
  {"mask_andnot: nothing taken away", kWave, [](F& f, I i) { return set_operand(f, i, Op::mask_andnot, 1, no_lanes(f)); }},
  {"mask_cond: the condition ignored", kWave, [](F& f, I i) { return op(f, i) == Op::mask_cond && set_operand(f, i, Op::mask_cond, 1, f.constant(f.type(f.inst(i).operands[1]), 1)); }},
  {"edge: a rejoin mask is not cleared", kWave, keep_rejoin_mask},
  {"edge: two arguments swapped, waves", kWave, swap_edge_arguments},
  {"ffma: two roundings", kWave, split_fma},
  {"slt: unsigned", kWave, [](F& f, I i) { return become(f, i, Op::slt, Op::ult); }},
  {"ule: signed", kWave, [](F& f, I i) { return become(f, i, Op::ule, Op::sle); }},
  {"slt: or equal", kWave, [](F& f, I i) { return become(f, i, Op::slt, Op::sle); }},
  {"flt: or equal", kWave, [](F& f, I i) { return become(f, i, Op::flt, Op::fle); }},
  {"ashr: zeros come in", kWave, [](F& f, I i) { return become(f, i, Op::ashr, Op::lshr); }},
  {"sdiv: wrong rounding", kWave, [](F& f, I i) { return round_division(f, i, Op::sdiv); }},
  {"udiv: wrong rounding", kWave, [](F& f, I i) { return round_division(f, i, Op::udiv); }},
  {"lane_atomic_add: twice the sign", kWave, [](F& f, I i) { return become(f, i, Op::lane_atomic_add, Op::lane_atomic_sub); }},
  {"lane_atomic_smax: for all lanes of the wave", kWave, [](F& f, I i) { return set_operand(f, i, Op::lane_atomic_smax, 0, all_lanes(f)); }},
  {"edge: two arguments swapped", kThread, swap_edge_arguments},
  {"branch: the other way, threads", kThread, swap_targets},
  {"switch: the last case missing", kThread, last_case_is_default},
  {"select: operands swapped", kThread, [](F& f, I i) { return swap_operands(f, i, Op::select, 1, 2); }},
  {"load: forwarded over a store", kThread, forward_load},
  {"store: dropped", kThread, [](F& f, I i) { return drop(f, i, Op::store); }},
  {"sext: zeros come in", kThread, [](F& f, I i) { return become(f, i, Op::sext, Op::zext); }},
  {"zext: the sign comes in", kThread, [](F& f, I i) { return become(f, i, Op::zext, Op::sext); }},
  {"fptosi: unsigned", kThread, [](F& f, I i) { return become(f, i, Op::fptosi, Op::fptoui); }},
  {"sitofp: unsigned", kThread, [](F& f, I i) { return become(f, i, Op::sitofp, Op::uitofp); }},
  {"fmin: the larger", kThread, [](F& f, I i) { return become(f, i, Op::fmin, Op::fmax); }},
  {"sub: operands swapped", kThread, [](F& f, I i) { return swap_operands(f, i, Op::sub, 0, 1); }},
  {"srem: unsigned", kThread, [](F& f, I i) { return become(f, i, Op::srem, Op::urem); }},
  {"private memory: the word beside", kThread, next_word},
  {"barrier: dropped", kThread, [](F& f, I i) { return drop(f, i, Op::barrier); }},
  {"atomic_umin: signed", kThread, [](F& f, I i) { return become(f, i, Op::atomic_umin, Op::atomic_smin); }},
};
// clang-format on

}  // namespace

std::span<const Mutation> mutations() { return kTable; }

}  // namespace kc::test
