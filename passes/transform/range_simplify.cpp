// SPDX-License-Identifier: Apache-2.0
// range_simplify: simplifications from known bits and intervals of integers.
//
// By the sets of integer_range_analysis.h, which include the branches that dominate a block: a result with
// one possible value becomes that constant, and so does an operand where it is used; `and`, `or`, `min` and
// `max` that always equal one operand become it; dead switch cases go; division, remainder and right shift of
// non-negative numbers become unsigned, which is cheaper, by powers of two nearly free (instcombine).
// Extensions stay signed: only those keep lane addresses strided.
//
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   b0: %2: i1 = slt %1, 0:i32                    b0: %2: i1 = slt %1, 0:i32
//       br_if %2 -> b2, b1                            br_if %2 -> b2, b1
//   b1: %3: i32 = sdiv %1, 8:i32           ==>    b1: %3: i32 = udiv %1, 8:i32
//       %4: i1 = ne %1, -1:i32                        ... true ...
#include "passes/transform/range_simplify.h"

#include "passes/analysis/integer_range_analysis.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr int kMostRangeIterations = 6;

bool is_number(Type type) { return type.is_int() || type.elem == Elem::I1; }

class Decider {
 public:
  Decider(Function& function, AnalysisCache& analyses, Remarks* remarks, RewriteCounts* counts)
      : f(function),
        remarks_(remarks),
        counts_(counts),
        analyses_(analyses),
        known_(analyses.ranges()),
        replaced_(f),
        gone_(f.value_count()) {}

  bool run() {
    // The analysis is of the original function, so changes are in place until all its results are used.
    const Cfg& cfg = analyses_.cfg();
    bool any_gone = false;
    for (BlockId b : cfg.rpo) {
      if (!known_.reached(b)) continue;  // removed once the branches before it are folded
      if (b != f.entry())
        for (ValueId p : f.block(b).params)
          if (known(p, {})) gone_[p.index] = any_gone = true;
      for (InstId i : f.block(b).insts) visit(i);
    }
    apply_replacements(f, replaced_);
    sweep_erased(f);
    if (any_gone) remove_params(f, gone_);
    for (BlockId b : cfg.rpo) take_known_way(f.inst(f.terminator(b)));
    return changed_ || !replaced_.empty();
  }

 private:
  void visit(InstId i) {
    const OpInfo& row = info(f.inst(i).op);
    if (row.effects == Effects::None && f.inst(i).results.size() == 1) {
      const Op op = f.inst(i).op;
      if (known(f.result(i), i)) return count_rule(counts_, op, "has_one_result");
      if (ValueId same = one_of_its_operands(i); same.valid()) {
        count_rule(counts_, op, "equals_operand");
        return replace(i, same);
      }
      if (extended_back(i)) return count_rule(counts_, op, "extended_back");
      unsigned_form(i);
    }
    read_constants(i);
    if (f.inst(i).op == Op::switch_) drop_cases(i);
  }

  void replace(InstId i, ValueId by) {
    replaced_.set(f.result(i), by);
    f.inst(i).erased = true;
  }

  bool known(ValueId v, InstId def) {
    Type type = f.type(v);
    if (!is_number(type)) return false;
    auto value = known_.of(v).value();
    if (!value) return false;
    if (def.valid()) {
      if (type.elem == Elem::I1) say_always(def, *value);
      f.inst(def).erased = true;
    }
    replaced_.set(v, f.constant(type, *value));
    return true;
  }

  // The operand that the result always equals.
  ValueId one_of_its_operands(InstId i) const {
    const Inst& inst = f.inst(i);
    if (inst.operands.size() != 2 || !is_number(f.type(inst.operands[0]))) return {};
    const KnownBits &a = known_.operand(i, 0), &b = known_.operand(i, 1);
    if (a.nothing || b.nothing) return {};
    auto first = [&](const KnownBits& x, const KnownBits& y) {
      switch (inst.op) {
        case Op::and_:
          return (x.zeros | y.ones | ~low_ones(x.width)) == ~uint64_t{0};
        case Op::or_:
          return (x.ones | y.zeros | ~low_ones(x.width)) == ~uint64_t{0};
        case Op::smin:
          return x.smax <= y.smin;
        case Op::smax:
          return x.smin >= y.smax;
        case Op::umin:
          return x.umax <= y.umin;
        case Op::umax:
          return x.umin >= y.umax;
        default:
          return false;
      }
    };
    if (first(a, b)) return inst.operands[0];
    if (first(b, a)) return inst.operands[1];
    return inst.op == Op::urem && a.umax < b.umin ? inst.operands[0] : ValueId();
  }

  // An extension of a truncation that lost no bits: the number itself, or one conversion of it, about whose
  // operand nothing is known.
  bool extended_back(InstId i) {
    Inst& inst = f.inst(i);
    if (inst.op != Op::zext && inst.op != Op::sext) return false;
    InstId cut = f.def(inst.operands[0]);
    if (!cut.valid() || f.inst(cut).op != Op::trunc || f.inst(cut).erased) return false;
    ValueId x = f.inst(cut).operands[0];
    const unsigned bits = f.type(inst.operands[0]).bits();
    const KnownBits& known = known_.operand(cut, 0);
    // This truncation was an extension until now: the known bits are those of its operand.
    if (known.width != f.type(x).bits()) return false;
    if (inst.op == Op::zext ? !known.fits_unsigned(bits) : !known.fits_signed(bits)) return false;
    if (f.type(x) == f.type(f.result(i))) {
      replace(i, x);
      return true;
    }
    if (f.type(x).bits() > f.type(f.result(i)).bits()) inst.op = Op::trunc;
    inst.operands[0] = x;
    return changed_ = true;
  }

  void unsigned_form(InstId i) {
    Inst& inst = f.inst(i);
    Op to = inst.op == Op::sdiv   ? Op::udiv
            : inst.op == Op::srem ? Op::urem
            : inst.op == Op::ashr ? Op::lshr
                                  : Op::Count_;
    if (to == Op::Count_ || !known_.operand(i, 0).non_negative()) return;
    // 1 << k may also be the least number, by which quotients are 0 with a sign or without.
    if (to != Op::lshr && !known_.operand(i, 1).non_negative() && !shifts_one_by(f, inst.operands[1])) return;
    count_rule(counts_, inst.op, "unsigned_form");
    inst.op = to;
    changed_ = true;
  }

  // Edge arguments stay values: a constant there would cost a move.
  void read_constants(InstId i) {
    Inst& inst = f.inst(i);
    if (info(inst.op).has(Terminator) && inst.op != Op::br_if && inst.op != Op::switch_) return;
    const size_t read = inst.op == Op::switch_ ? 1 : inst.operands.size();
    for (size_t k = 0; k < read; ++k) {
      ValueId v = inst.operands[k];
      Type type = f.type(v);
      if (f.is_inline(v) || replaced_.replaced(v) || !is_number(type)) continue;
      auto value = known_.operand(i, k).value();
      if (!value) continue;
      if (inst.op == Op::br_if) say_always(i, *value);
      ValueId constant = f.constant(type, *value);
      count_rule(counts_, inst.op, "constant_operand");
      f.inst(i).operands[k] = constant;
      changed_ = true;
    }
  }

  void drop_cases(InstId i) {
    Inst& inst = f.inst(i);
    const KnownBits& on = known_.operand(i, 0);
    if (on.nothing) return;
    size_t kept = 1;
    for (size_t k = 1; k < inst.targets.size(); ++k) {
      if (!on.contains(f.value(inst.operands[k]).bits)) continue;
      if (kept < k) inst.operands[kept] = inst.operands[k], inst.targets[kept] = std::move(inst.targets[k]);
      ++kept;
    }
    changed_ |= kept < inst.targets.size();
    inst.operands.resize(kept);
    inst.targets.resize(kept);
  }

  // Infeasible edges would count in the next iteration.
  void take_known_way(Inst& end) {
    if (end.op == Op::switch_ && end.targets.size() == 1) return make_jump(end, Target(end.targets[0]));
    if ((end.op != Op::br_if && end.op != Op::switch_) || !f.is_const(end.operands[0])) return;
    const uint64_t bits = f.value(end.operands[0]).bits;
    size_t way = end.op == Op::br_if && !bits ? 1 : 0;
    for (size_t k = 1; k < end.operands.size() && way == 0; ++k)
      if (f.value(end.operands[k]).bits == bits) way = k;
    Target target = end.targets[way];
    make_jump(end, std::move(target));
    changed_ = true;
  }

  void say_always(InstId i, bool truth) {
    if (remarks_)
      remarks_->add({"range_simplify", f.inst(i).loc,
                     truth ? "condition is always true" : "condition is always false"});
  }

  Function& f;
  Remarks* remarks_;
  RewriteCounts* counts_;
  AnalysisCache& analyses_;
  const IntegerRanges& known_;
  Replacements replaced_;
  std::vector<bool> gone_;  // parameters, by value id
  bool changed_ = false;
};

bool simplify(Function& f, AnalysisCache& analyses, Remarks* remarks, RewriteCounts* counts) {
  bool changed = remove_unreachable_blocks(f, analyses);
  for (int n = 0; n < kMostRangeIterations && Decider(f, analyses, remarks, counts).run(); ++n) {
    remove_unreachable_blocks(f);
    analyses.keep(NoAnalyses);
    changed = true;
  }
  return changed;
}

}  // namespace

bool range_simplify(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  return simplify(f, analyses, remarks, nullptr);
}
bool range_simplify(Function& f, AnalysisCache& analyses, RewriteCounts& counts) {
  return simplify(f, analyses, nullptr, &counts);
}

std::vector<std::string> range_simplify_rules() {
  std::vector<std::string> names;
  for (size_t n = 0; n < kOpCount; ++n) {
    const Op op = static_cast<Op>(n);
    const OpInfo& row = info(op);
    if (row.has(Elementwise) && row.known) names.push_back(rule_name(op, "has_one_result"));
  }
  for (Op op : {Op::and_, Op::or_, Op::smin, Op::smax, Op::umin, Op::umax, Op::urem})
    names.push_back(rule_name(op, "equals_operand"));
  for (Op op : {Op::zext, Op::sext}) names.push_back(rule_name(op, "extended_back"));
  for (Op op : {Op::sdiv, Op::srem, Op::ashr}) names.push_back(rule_name(op, "unsigned_form"));
  return names;
}

}  // namespace kc
