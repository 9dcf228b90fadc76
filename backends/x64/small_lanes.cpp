// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/small_lanes.h"

#include "backends/x64/elements.h"
#include "backends/x64/value_sets.h"

namespace kc::x64 {
namespace {

bool small_lane(Type t) { return t.lane && is_small(t.elem); }

bool is_shift(Op op) { return op == Op::shl || op == Op::lshr || op == Op::ashr; }
bool is_choice(Op op) { return class_of(op) == OpClass::Choice; }
bool is_comparison(Op op) { return class_of(op) == OpClass::IntCompare; }

// Whether vectors of bytes or shorts have this operation, with its operands converted to them if need be.
bool has_small_form(const Function& f, const Inst& inst) {
  if (inst.results.size() != 1) return false;
  const Type type = f.type(inst.results[0]);
  if (is_comparison(inst.op))
    return type.lane && (small_lane(f.type(inst.operands[0])) || small_lane(f.type(inst.operands[1])));
  if (!small_lane(type)) return false;
  const bool bytes = type.elem == Elem::I8;
  switch (inst.op) {
    case Op::add:
    case Op::sub:
    case Op::and_:
    case Op::or_:
    case Op::xor_:
    case Op::umin:
    case Op::umax:
    case Op::smin:
    case Op::smax:
    case Op::select:
    case Op::blend:
      return true;
    case Op::mul:
      return !bytes;
    case Op::zext:
      if (is_truth_as_number(f, inst)) return true;
      [[fallthrough]];
    case Op::sext:
      return f.type(inst.operands[0]) == kI8.lanes();
    case Op::trunc:
      return f.type(inst.operands[0]) == kI16.lanes() || high_product(f, inst);
    default:
      return is_shift(inst.op) && f.is_const(inst.operands[1]);
  }
}

}  // namespace

unsigned small_size(const Function& f, const Inst& inst) {
  if (!has_small_form(f, inst)) return 4;
  if (!is_comparison(inst.op)) return f.type(inst.results[0]).bytes();
  return f.type(inst.operands[small_lane(f.type(inst.operands[0])) ? 0 : 1]).bytes();
}

std::optional<HighProduct> high_product(const Function& f, const Inst& inst) {
  if (inst.op != Op::trunc || f.type(inst.results[0]) != kI16.lanes()) return {};
  const Inst* shift = defined_by(f, inst.operands[0], Op::lshr);
  if (!shift) shift = defined_by(f, inst.operands[0], Op::ashr);
  constexpr uint64_t kHalf = 16;
  if (!shift || !f.is_const(shift->operands[1]) || f.value(shift->operands[1]).bits != kHalf) return {};
  const Inst* product = defined_by(f, shift->operands[0], Op::mul);
  if (!product || f.type(shift->operands[0]) != kI32.lanes()) return {};
  for (Op extends : {Op::sext, Op::zext}) {
    const Inst *a = defined_by(f, product->operands[0], extends),
               *b = defined_by(f, product->operands[1], extends);
    if (!a || !b) continue;
    auto is_short = [&](ValueId v) { return f.type(v).elem == Elem::I16; };
    if (is_short(a->operands[0]) && is_short(b->operands[0]))
      return HighProduct{a->operands[0], b->operands[0], extends == Op::sext};
  }
  return {};
}

std::optional<Saturated> saturated(const Function& f, const Inst& inst) {
  if (inst.op != Op::select || !f.is_const(inst.operands[1])) return {};
  const Inst* below = defined_by(f, inst.operands[0], Op::ult);
  if (!below) return {};
  const Type type = f.type(inst.results[0]);
  const uint64_t limit = f.value(inst.operands[1]).bits;
  const ValueId value = inst.operands[2];
  if (const Inst* sum = defined_by(f, value, Op::add)) {
    const bool below_part = below->operands[1] == sum->operands[0] || below->operands[1] == sum->operands[1];
    if (below->operands[0] == value && below_part && limit == (uint64_t{1} << type.bits()) - 1)
      return Saturated{sum->operands[0], sum->operands[1], true};
  }
  if (const Inst* difference = defined_by(f, value, Op::sub))
    if (limit == 0 && below->operands[0] == difference->operands[0] &&
        below->operands[1] == difference->operands[1])
      return Saturated{difference->operands[0], difference->operands[1], false};
  return {};
}

bool SmallLanes::computes(const Inst& inst) const {
  if (!any_ || !has_small_form(*f_, inst)) return false;
  return is_comparison(inst.op) ? has(inst.operands[0]) || has(inst.operands[1]) : has(inst.results[0]);
}

/// Joins values to sets, and sums for each what words cost more.
class SmallLanesFinder {
 public:
  SmallLanesFinder(const Function& wave, const Cfg& cfg, const SmallModel& model)
      : f(wave),
        cfg_(cfg),
        model_(model),
        sets_(wave, cfg, [&](ValueId v) { return !f.is_inline(v) && small_lane(f.type(v)); }),
        sizes_(wave.value_count()),
        mask_of_words_(wave.value_count()) {}

  SmallLanes run() {
    join_all();
    weigh_all();
    SmallLanes r;
    r.f_ = &f;
    r.small_.resize(f.value_count());
    for (BlockId b : cfg_.rpo) {
      for (ValueId p : f.block(b).params) decide(p, r);
      for (InstId i : f.block(b).insts)
        for (ValueId v : f.inst(i).results) decide(v, r);
    }
    return r;
  }

 private:
  void join_all() {
    for (BlockId b : cfg_.rpo)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        sets_.join_edges(inst);
        for (size_t k = 0; k < inst.operands.size(); ++k)
          if (const ValueId v = inst.operands[k]; f.type(v).elem == Elem::I1 && !chooses_small(inst, k))
            mask_of_words_[v.index] = true;
        if (!has_small_form(f, inst)) continue;
        const ValueId to = is_comparison(inst.op) ? inst.operands[0] : inst.results[0];
        for (ValueId v : inst.operands) sets_.join(v, to);
        if (const auto product = high_product(f, inst))
          sets_.join(product->a, to), sets_.join(product->b, to);
      }
  }

  // Whether the operand is a comparison of bytes or shorts that chooses among such.
  bool chooses_small(const Inst& inst, size_t operand) const {
    const InstId d = f.is_inline(inst.operands[operand]) ? InstId() : f.def(inst.operands[operand]);
    return operand == 0 && is_choice(inst.op) && d && is_comparison(f.inst(d).op) &&
           f.type(f.inst(d).operands[0]).bits() == f.type(inst.results[0]).bits();
  }

  void decide(ValueId v, SmallLanes& r) {
    if (!sets_.belongs(v) || sets_.saved(v) <= 0) return;
    r.small_[v.index] = r.any_ = true;
  }

  // Costs are in instructions, those of one part of the lanes counted four times.
  int64_t words() const { return int64_t{4} * model_.parts; }
  int64_t small(unsigned bytes) const { return words() * bytes / 4; }
  int64_t to_words() const { return words() * 3 / 2; }
  int64_t from_words() const { return words(); }

  // What an operation on words costs for each part.
  int64_t as_words(const Inst& inst) const {
    switch (inst.op) {
      case Op::add:
      case Op::sub:
      case Op::shl:
        return 2;
      case Op::mul:
      case Op::sext:
        return 3;
      case Op::ashr:
        return 4;
      case Op::smin:
      case Op::smax:
        return 6;
      case Op::slt:
      case Op::sle:
        return f.is_const(inst.operands[0]) || f.is_const(inst.operands[1]) ? 3 : 5;
      case Op::zext:
        return is_truth_as_number(f, inst) ? 1 : 0;
      default:
        return 1;
    }
  }
  // And on bytes or shorts, for each of their vectors.
  int64_t as_small(const Inst& inst, bool bytes) const {
    if (inst.op == Op::trunc) return 3;
    if (is_truth_as_number(f, inst)) return 1;
    if (inst.op == Op::sext || inst.op == Op::zext) return 2;
    return bytes && is_shift(inst.op) ? (inst.op == Op::ashr ? 4 : 2) : 1;
  }

  void weigh_all() {
    for (BlockId b : cfg_.rpo) {
      sets_.enter(b);
      for (ValueId p : f.block(b).params) sets_.save(p, words() - small(f.type(p).bytes()));
      for (InstId i : f.block(b).insts) weigh(f.inst(i), i);
    }
  }

  void weigh(const Inst& inst, InstId i) {
    const bool memory = inst.op == Op::lane_load || inst.op == Op::lane_store;
    if (memory && weigh_access(inst, i)) return;
    if (has_small_form(f, inst)) {
      const bool compares = is_comparison(inst.op);
      const ValueId of = compares && !sets_.belongs(inst.operands[0]) ? inst.operands[1]
                         : compares                                   ? inst.operands[0]
                                                                      : inst.results[0];
      if (!sets_.belongs(of)) return;
      const unsigned bytes = f.type(of).bytes();
      int64_t small_cost = small(bytes) * as_small(inst, bytes == 1);
      // Masks of words are made from those of bytes and shorts, and the other way round.
      const int64_t of_masks = model_.avx512 ? words() : 2 * words();
      int64_t words_cost = 0;
      const ValueId truth = compares                                            ? inst.results[0]
                            : is_choice(inst.op) || is_truth_as_number(f, inst) ? inst.operands[0]
                                                                                : ValueId();
      if (truth.valid() && model_.masks.has(truth)) {
        if (bytes > 1) small_cost += small(bytes);
        if (compares) words_cost += from_words();
      } else if (compares) {
        sizes_[truth.index] = bytes;
        if (mask_of_words_[truth.index]) small_cost += of_masks;
      } else if (truth.valid() && sizes_[truth.index] != bytes) {
        small_cost += of_masks;
      }
      // A product of words and its shift go, and so do the extensions that feed it.
      constexpr int64_t kProduct = 6;
      words_cost += words() * (high_product(f, inst) ? kProduct : as_words(inst));
      sets_.save(of, words_cost - small_cost);
      return;
    }
    const bool cut = inst.op == Op::trunc;  // of words: the cut itself is the same
    for (ValueId v : inst.results) sets_.save(v, (cut && model_.avx512 ? words() / 2 : 0) - from_words());
    for (ValueId v : inst.operands) use_as_words(v, inst);
  }

  bool weigh_access(const Inst& inst, InstId i) {
    if (!model_.is_run(i)) return false;
    const bool load = inst.op == Op::lane_load;
    const ValueId v = load ? inst.results[0] : inst.operands[2];
    const int64_t as_words = load ? words() : words() * 5 / 2;
    sets_.save(v, as_words - small(f.type(v).bytes()));
    return true;
  }

  void use_as_words(ValueId v, const Inst& inst) {
    // A sign is extended together with the conversion.
    const int64_t extended = inst.op == Op::sext || inst.op == Op::sitofp ? 2 * words() : 0;
    sets_.spend_on_words(v, inst, to_words() - extended);
  }

  const Function& f;
  const Cfg& cfg_;
  const SmallModel& model_;
  ValueSets sets_;
  std::vector<unsigned> sizes_;      // by truth value: the bytes of what was compared
  std::vector<bool> mask_of_words_;  // by truth value: whether something needs it for words
};

SmallLanes::SmallLanes(const Function& wave, const Cfg& cfg, const SmallModel& model) {
  *this = SmallLanesFinder(wave, cfg, model).run();
}

}  // namespace kc::x64
