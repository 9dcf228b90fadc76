// SPDX-License-Identifier: Apache-2.0
// A candidate is a wide result or parameter whose low bits depend only on the low bits of its operands: sums,
// products and logic always; quotients, min/max and right shifts where integer_range_analysis.h shows that
// the operands fit. Every user must be a candidate or need only the low bits (truncation, address of local or
// private memory) or a number that fits (comparison, index, conversion to float), and low bits of operands
// must be free; failing candidates are removed to a fixed point. Divisions, and divergent products, justify
// an extension of the result and truncations of the operands. Other uniform values stay: scalar units compute
// 64 bits at no extra cost. With fewer bits than 32 every user has them, too: neither quotients nor addresses
// nor conversions to floats.
#include "passes/transform/narrow_bits.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/disjoint_sets.h"
#include "passes/analysis/integer_range_analysis.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

bool divides(Op op) { return class_of(op) == OpClass::IntDivision; }
bool is_launch_number(const Inst& inst) {
  const OpInfo& row = info(inst.op);
  return inst.operands.empty() && row.effects == Effects::None && row.T == IdInt;
}

class Narrower {
 public:
  Narrower(Function& function, const Widths& widths, AnalysisCache& analyses, Remarks* remarks,
           RewriteCounts* counts)
      : f(function),
        wide_(widths.wide),
        narrow_(widths.low),
        small_(widths.small()),
        remarks_(remarks),
        counts_(counts),
        cfg_(analyses.cfg()),
        known_(analyses.ranges()),
        uniformity_(analyses.uniformity()),
        users_(users_of(f, cfg_.rpo)),
        candidate_(f.value_count()),
        needed_(f.value_count()),
        keeps_high_(f.value_count()),
        reads_(f.inst_count()),
        low_(f.value_count()),
        replaced_(f) {}

  bool run() {
    choose();
    while (!work_.empty()) {
      ValueId v = work_.back();
      work_.pop_back();
      if (candidate_[v.index] && !stays(v)) take_out(v);
    }
    if (small_) drop_little_webs();
    mark_needed();
    rewrite();
    return changed_;
  }

 private:
  // --- candidates

  void choose() {
    for (BlockId b : cfg_.rpo) {
      if (b != f.entry())
        for (ValueId p : f.block(b).params) candidate_[p.index] = f.type(p) == wide_ && divergent(p);
      for (InstId i : f.block(b).insts)
        for (ValueId v : f.inst(i).results)
          candidate_[v.index] =
              f.type(v) == wide_ && (divergent(v) || divides(f.inst(i).op)) && low_from_lows(i);
    }
    for (uint32_t v = 0; v < candidate_.size(); ++v)
      if (candidate_[v]) work_.push_back(ValueId(v));
  }

  bool divergent(ValueId v) const { return uniformity_.divergent[v.index]; }
  bool fits(InstId i, size_t k, bool is_signed) const {
    const KnownBits& x = known_.operand(i, k);
    return is_signed ? x.fits_signed(narrow_.bits()) : x.fits_unsigned(narrow_.bits());
  }
  bool small_count(InstId i) const {
    const KnownBits& x = known_.operand(i, 1);
    return !x.nothing && x.umax < narrow_.bits();
  }

  bool low_from_lows(InstId i) const {
    switch (f.inst(i).op) {
      case Op::add:
      case Op::sub:
      case Op::and_:
      case Op::or_:
      case Op::xor_:
      case Op::select:
        return true;
      case Op::mul:
        return narrow_ != kI8;
      case Op::shl:
        return small_count(i);
      case Op::lshr:
        return small_count(i) && fits(i, 0, false);
      case Op::ashr:
        return small_count(i) && fits(i, 0, true);
      case Op::umin:
      case Op::umax:
        return fits(i, 0, false) && fits(i, 1, false);
      case Op::smin:
      case Op::smax:
        return fits(i, 0, true) && fits(i, 1, true);
      case Op::udiv:
      case Op::urem:
        return !small_ && fits(i, 0, false) && fits(i, 1, false);
      case Op::sdiv:
      case Op::srem:
        return !small_ && fits(i, 0, true) && fits(i, 1, true);
      default:
        return false;
    }
  }

  bool expensive(ValueId v) const {
    InstId def = f.def(v);
    return def.valid() && !small_ && (divides(f.inst(def).op) || (f.inst(def).op == Op::mul && divergent(v)));
  }
  bool fits(ValueId v) const {
    return known_.of(v).fits_unsigned(narrow_.bits()) || known_.of(v).fits_signed(narrow_.bits());
  }

  // The narrower value that v was extended from.
  ValueId source(ValueId v) const {
    InstId def = f.def(v);
    if (!def.valid()) return {};
    const Inst& inst = f.inst(def);
    return inst.op == Op::zext || inst.op == Op::sext ? inst.operands[0] : ValueId();
  }
  bool is_signed_source(ValueId v) const {
    const InstId def = f.def(v);
    return def.valid() && f.inst(def).op == Op::sext;
  }
  bool has_low(ValueId v) const {
    if (f.is_inline(v)) return f.is_const(v);
    if (candidate_[v.index] || !divergent(v) || source(v).valid()) return true;
    InstId def = f.def(v);
    return !small_ && def.valid() && is_launch_number(f.inst(def));
  }

  // Whether instruction u can use v, as operands or arguments, by its low bits.
  bool narrow_use(InstId u, ValueId v) const {
    const Inst& inst = f.inst(u);
    for (const Target& t : inst.targets)
      for (size_t k = 0; k < t.args.size(); ++k)
        if (t.args[k] == v && !candidate_[f.block(t.block).params[k].index]) return false;
    for (size_t k = 0; k < inst.operands.size(); ++k)
      if (inst.operands[k] == v && !narrow_operand(u, k)) return false;
    return true;
  }
  bool narrow_operand(InstId u, size_t k) const {
    const Inst& inst = f.inst(u);
    if (is_candidate(u)) return true;
    if (inst.op == Op::trunc) return f.type(inst.results[0]).bits() <= narrow_.bits();
    if (small_) return class_of(inst.op) == OpClass::IntCompare && narrow_comparison(u);
    switch (inst.op) {
      case Op::ptr_add:
        return k == 1 && (f.type(inst.results[0]).bits() == 32 || fits(u, 1, true));
      case Op::sitofp:
        return fits(u, 0, true);
      case Op::uitofp:
        return fits(u, 0, false);
      default:
        return class_of(inst.op) == OpClass::IntCompare && narrow_comparison(u);
    }
  }
  bool narrow_comparison(InstId u) const {
    const Inst& inst = f.inst(u);
    if (f.type(inst.operands[0]) != wide_) return false;
    if (!has_low(inst.operands[0]) || !has_low(inst.operands[1])) return false;
    ValueId a = inst.operands[0], b = inst.operands[1];
    // Signs that words have anyway would be extended again for each comparison.
    if (small_ && !candidate_[a.index] && !candidate_[b.index] &&
        (is_signed_source(a) || is_signed_source(b)))
      return false;
    if (!divergent(a) && !divergent(b) && !(is_there(a) && is_there(b))) return false;
    return (fits(u, 0, true) && fits(u, 1, true)) || (fits(u, 0, false) && fits(u, 1, false));
  }
  // Using the low bits of a value that stays uniform is no gain unless there is one anyway.
  bool is_there(ValueId v) const {
    return f.is_inline(v) || candidate_[v.index] || divergent(v) || source(v).valid();
  }

  bool stays(ValueId v) const {
    InstId def = f.def(v);
    bool costly = expensive(v);
    if (def.valid()) {
      for (ValueId o : f.inst(def).operands)
        if (f.type(o) == wide_ && !has_low(o) && (!costly || f.is_undef(o))) return false;
    } else if (!every_edge_into(f, cfg_, BlockId(f.value(v).owner), [&](BlockId, const Target& t) {
                 return has_low(t.args[f.value(v).index]);
               })) {
      return false;
    }
    if (costly && fits(v)) return true;
    return !users_[v.index].empty() &&
           std::ranges::all_of(users_[v.index], [&](InstId u) { return narrow_use(u, v); });
  }

  void take_out(ValueId v) {
    candidate_[v.index] = false;
    auto again = [&](ValueId o) {
      if (candidate_[o.index]) work_.push_back(o);
    };
    for (InstId u : users_[v.index]) {
      for (ValueId o : f.inst(u).operands) again(o);
      for (ValueId o : f.inst(u).results) again(o);
      for (const Target& t : f.inst(u).targets)
        for (ValueId p : f.block(t.block).params) again(p);
    }
    if (InstId def = f.def(v); def.valid()) {
      for (ValueId o : f.inst(def).operands) again(o);
    } else {
      every_edge_into(f, cfg_, BlockId(f.value(v).owner), [&](BlockId, const Target& t) {
        again(t.args[f.value(v).index]);
        return true;
      });
    }
  }

  // Candidates that meet in instructions are a web. Of fewer operations than these, words are as good: each
  // conversion from and to them is one more. A truncation that goes away counts, too.
  void drop_little_webs() {
    constexpr uint32_t kLeast = 3, kTruncation = 2;
    DisjointSets webs(f.value_count());
    std::vector<uint32_t> size(f.value_count());  // by root
    auto size_of = [&](ValueId v) -> uint32_t& { return size[webs.root(v.index)]; };
    auto join = [&](ValueId a, ValueId b) {
      if (candidate_[a.index] && candidate_[b.index]) webs.join(a.index, b.index);
    };
    auto each = [&](auto&& visit) {
      for (BlockId b : cfg_.rpo)
        for (InstId i : f.block(b).insts) visit(f.inst(i));
    };
    each([&](const Inst& inst) {
      ValueId first;
      for (const auto& some :
           {std::span<const ValueId>(inst.results), std::span<const ValueId>(inst.operands)})
        for (ValueId v : some) {
          if (!candidate_[v.index]) continue;
          if (first) join(v, first);
          first = v;
        }
      for (const Target& t : inst.targets)
        for (size_t k = 0; k < t.args.size(); ++k) join(t.args[k], f.block(t.block).params[k]);
    });
    each([&](const Inst& inst) {
      for (ValueId v : inst.results)
        if (candidate_[v.index]) ++size_of(v);
      if (class_of(inst.op) == OpClass::IntCompare)
        for (ValueId v : inst.operands)
          if (candidate_[v.index]) {
            ++size_of(v);
            break;
          }
      if (inst.op == Op::trunc && candidate_[inst.operands[0].index])
        size_of(inst.operands[0]) += kTruncation;
    });
    for (uint32_t v = 0; v < candidate_.size(); ++v)
      if (candidate_[v] && size_of(ValueId(v)) < kLeast) candidate_[v] = false;
  }

  // --- rewriting

  // Comparisons, indices and conversions of narrow or narrowable values.
  bool reads_low(InstId u, size_t k) const {
    const Inst& inst = f.inst(u);
    ValueId v = inst.operands[k];
    if (f.type(v) != wide_) return false;
    if (is_candidate(u)) return true;
    if (!has_low(v) || !narrow_operand(u, k)) return false;
    return class_of(inst.op) == OpClass::IntCompare || (!f.is_inline(v) && is_there(v));
  }

  void need(ValueId v) {
    if (!f.is_inline(v) && !candidate_[v.index]) needed_[v.index] = true;
  }
  // Makes all decisions before types change.
  void mark_needed() {
    for (BlockId b : cfg_.rpo)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        for (size_t k = 0; k < inst.operands.size() && k < 32; ++k)
          if (reads_low(i, k)) reads_[i.index] |= 1u << k, need(inst.operands[k]);
        for (const Target& t : inst.targets)
          for (size_t k = 0; k < t.args.size(); ++k)
            if (candidate_[f.block(t.block).params[k].index]) need(t.args[k]);
      }
    for (uint32_t v = 0; v < candidate_.size(); ++v)
      if (candidate_[v])
        keeps_high_[v] = !std::ranges::all_of(users_[v], [&](InstId u) { return narrow_use(u, ValueId(v)); });
  }
  bool is_candidate(InstId i) const {
    const Inst& inst = f.inst(i);
    return inst.results.size() == 1 && inst.results[0].index < candidate_.size() &&
           candidate_[inst.results[0].index];
  }

  void rewrite() {
    for (BlockId b : cfg_.rpo) {
      std::vector<InstId> old;
      old.swap(f.block(b).insts);
      for (ValueId p : f.block(b).params)
        if (candidate_[p.index])
          f.value(p).type = narrow_, low_[p.index] = p, changed_ = true;
        else if (needed_[p.index])
          make_low(b, p, {});
      for (InstId i : old) {
        visit(b, i);
        for (size_t k = 0; k < f.inst(i).results.size(); ++k)
          if (ValueId v = f.inst(i).results[k]; v.index < needed_.size() && needed_[v.index])
            make_low(b, v, f.inst(i).loc);
      }
    }
    for (BlockId b : cfg_.rpo)
      for (Target& t : f.inst(f.terminator(b)).targets)
        for (size_t k = 0; k < t.args.size(); ++k)
          if (ValueId p = f.block(t.block).params[k]; p.index < candidate_.size() && candidate_[p.index])
            t.args[k] = low(t.args[k]);
    apply_replacements(f, replaced_);
    sweep_erased(f);
  }

  ValueId low(ValueId v) {
    return f.is_const(v) ? f.constant(narrow_, f.value(v).bits & (~uint64_t{0} >> (64 - narrow_.bits())))
                         : low_[v.index];
  }

  void make_low(BlockId b, ValueId v, Loc loc) {
    if (ValueId from = source(v); from.valid() && f.type(from) == narrow_) {
      low_[v.index] = from;
      return;
    }
    InstId def = f.def(v), made;
    if (source(v).valid()) {
      made = f.create(f.inst(def).op, {source(v)}, std::span(&narrow_, 1), loc);
    } else if (!small_ && def.valid() && is_launch_number(f.inst(def))) {
      made = f.create(f.inst(def).op, {}, std::span(&narrow_, 1), loc);
      f.inst(made).attrs = f.inst(def).attrs;
    } else {
      made = f.create(Op::trunc, {v}, std::span(&narrow_, 1), loc);
    }
    f.append(b, made);
    low_[v.index] = f.result(made);
  }

  void visit(BlockId b, InstId i) {
    if (is_candidate(i)) return make_narrow(b, i);
    const Op op = f.inst(i).op;
    if (op == Op::trunc && reads_[i.index]) {
      ValueId bits = low(f.inst(i).operands[0]);
      if (f.type(f.result(i)) == narrow_) {
        replaced_.set(f.result(i), bits);
        f.inst(i).erased = true;
      } else {
        f.inst(i).operands[0] = bits;
      }
      count_rule(counts_, op, "reads_low");
      changed_ = true;
    } else {
      read_lows(i);
    }
    f.append(b, i);
  }

  void read_lows(InstId i) {
    Op to = f.inst(i).op;
    if (class_of(to) == OpClass::IntCompare && reads_[i.index] && !(fits(i, 0, true) && fits(i, 1, true)))
      to = to == Op::slt ? Op::ult : to == Op::sle ? Op::ule : to;
    for (size_t k = 0; k < f.inst(i).operands.size() && k < 32; ++k) {
      if (!(reads_[i.index] >> k & 1)) continue;
      ValueId bits = low(f.inst(i).operands[k]);
      f.inst(i).operands[k] = bits;
      count_rule(counts_, f.inst(i).op, "reads_low");
      changed_ = true;
    }
    f.inst(i).op = to;
  }

  // In place if the high bits are dead; otherwise beside an extension that takes its name.
  void make_narrow(BlockId b, InstId i) {
    ValueId v = f.result(i);
    ValueList operands = f.inst(i).operands;
    for (size_t k = 0; k < operands.size(); ++k)
      if (reads_[i.index] >> k & 1) operands[k] = low(operands[k]);
    say(i);
    changed_ = true;
    count_rule(counts_, f.inst(i).op, keeps_high_[v.index] ? "narrow_and_extend" : "narrow");
    if (!keeps_high_[v.index]) {
      f.inst(i).operands = std::move(operands);
      f.value(v).type = narrow_;
      low_[v.index] = v;
      f.append(b, i);
      return;
    }
    InstId made = f.create(f.inst(i).op, std::move(operands), std::span(&narrow_, 1), f.inst(i).loc);
    f.append(b, made);
    low_[v.index] = f.result(made);
    Inst& inst = f.inst(i);
    inst.op = known_.of(v).fits_unsigned(narrow_.bits()) ? Op::zext : Op::sext;
    inst.operands = {low_[v.index]};
    f.append(b, i);
  }

  void say(InstId i) {
    if (remarks_)
      remarks_->add({small_ ? "narrow_small" : "narrow", f.inst(i).loc,
                     fmt::format("{}-bit operation is done in {} bits, which hold all that is used of it",
                                 wide_.bits(), narrow_.bits())});
  }

  Function& f;
  const Type wide_, narrow_;
  const bool small_;
  Remarks* remarks_;
  RewriteCounts* counts_;
  const Cfg& cfg_;
  const IntegerRanges& known_;
  const Uniformity& uniformity_;
  const Lists<InstId> users_;
  std::vector<bool> candidate_, needed_, keeps_high_;  // by value id
  std::vector<uint32_t> reads_;  // by instruction: bit set of operands used by their low bits
  std::vector<ValueId> low_;     // by value id: the low bits
  std::vector<ValueId> work_;
  Replacements replaced_;
  bool changed_ = false;
};

}  // namespace

bool has_numbers(const Function& f, Type type) {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts)
      for (ValueId v : f.inst(i).operands)
        if (f.type(v) == type && !f.is_inline(v)) return true;
  return false;
}

bool narrow_bits(Function& f, const Widths& widths, AnalysisCache& analyses, Remarks* remarks,
                 RewriteCounts* counts) {
  return has_numbers(f, widths.wide) && Narrower(f, widths, analyses, remarks, counts).run();
}

}  // namespace kc
