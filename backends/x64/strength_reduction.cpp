// SPDX-License-Identifier: Apache-2.0
// Strength reduction: 32-bit indices of innermost loops that grow by the same amount in each iteration.
//
//   loop(%i):                                      loop(%i, %q):
//     %1 = add %row, %i   (32 bits)                  %3 = vload [%a + 4 * %q]
//     %2 = movsx32 %1                       ==>      %4 = add %i, 16
//     %3 = vload [%a + 4 * %2]                       %5 = add %q, 16
//     %4 = add %i, 16                                jcmp %4, %n -> loop(%4, %5)
//     jcmp %4, %n -> loop(%4)
//
// The sum of 32 bits might wrap around where that of 64 does not. It does not here: every iteration accesses
// memory with it, without a mask, so two addresses that follow each other are in the same object, which is
// smaller than 2 GiB, and the index cannot go from one end of the numbers to the other.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/x64/cleanup.h"
#include "backends/x64/emit.h"
#include "backends/x64/syntax.h"
#include "ir/cfg.h"
#include "passes/analysis/cycles.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

constexpr size_t kMostTerms = 6;
constexpr int kDeepest = 12;
// Registers for what a loop needs in each iteration; others are for what it computes.
constexpr size_t kMostHeld = 11;

// A sum modulo 2^32: of products of a number, a value, and perhaps another value that the loop does not
// change.
struct Linear {
  using Term = std::pair<ValueId, ValueId>;
  std::map<Term, uint32_t> terms;
  uint32_t constant = 0;

  bool operator==(const Linear&) const = default;
  bool zero() const { return terms.empty() && constant == 0; }
  void add(const Linear& other, uint32_t times) {
    for (const auto& [t, factor] : other.terms)
      if ((terms[t] += factor * times) == 0) terms.erase(t);
    constant += other.constant * times;
  }
};

// The operands of a row that are an address: base + index * scale + disp.
struct Address {
  size_t base = 0;
  std::optional<size_t> index;
  size_t scale = 0, disp = 0;  // attributes
};
// Of a row of one instruction, without a mask.
std::optional<Address> address_of(const Inst& inst) {
  const Syntax& syntax = syntax_of(inst.op);
  if (syntax.insts.size() != 1 || syntax.disp < 0 || syntax.insts[0].mnemonic.starts_with("vmaskmov"))
    return std::nullopt;
  std::optional<Address> r;
  for (const SyntaxOperand& o : syntax.insts[0].operands) {
    if (o.mask.place != Place::None) return std::nullopt;
    if (o.kind != SyntaxOperand::Mem) continue;
    if (o.reg.place != Place::Operand) return std::nullopt;
    r = {.base = o.reg.number,
         .index = {},
         .scale = static_cast<size_t>(syntax.scale),
         .disp = static_cast<size_t>(syntax.disp)};
    if (o.index.place == Place::None) continue;
    if (o.index.place != Place::Operand || o.index.size != 'q' || syntax.scale < 0) return std::nullopt;
    r->index = o.index.number;
  }
  return r;
}

// Whether all that lies at the address is read or written.
bool accesses(const Inst& inst) {
  const Effects effects = info(inst.op).effects;
  return (effects == Effects::Read || effects == Effects::Write) && inst.op != Op::x64_vload_window;
}

class LoopAddresses {
 public:
  LoopAddresses(Function& machine, const Cfg& cfg, const Cycles& cycles, const DominatorTree& tree,
                const std::vector<uint32_t>& uses, uint32_t cycle)
      : f(machine),
        cfg_(cfg),
        cycles_(cycles),
        tree_(tree),
        uses_(uses),
        cycle_(cycle),
        header_(cycles.cycles[cycle].header) {}

  bool run() {
    if (!find_edges()) return false;
    // What is first in each iteration comes first: the others of a base are counted from it (variable_of).
    std::vector<BlockId> blocks;
    for (uint32_t n : cycles_.nodes(cycle_)) blocks.push_back(BlockId(n));
    std::ranges::sort(blocks, {}, [&](BlockId b) { return cfg_.number[b.index]; });
    for (BlockId b : blocks) find_accesses(b);
    if (found_.empty() || !pays()) return false;
    for (Found& a : found_) rewrite(a);
    return true;
  }

 private:
  struct Edge {
    BlockId from;
    size_t target = 0;
  };
  // An access whose index is one of these: an extension of a sum that grows evenly.
  struct Found {
    InstId inst;  // with the index: the access, or the sum that is its address
    Address at;
    ValueId base, index;
    Linear sum, step;
    bool is_signed = false;
  };

  bool is_inside(ValueId v) const { return cycles_.defines(cycle_, f, v); }

  // One edge into the loop.
  bool find_edges() {
    size_t entries = 0;
    every_edge_into(f, cfg_, header_, [&](BlockId from, const Target& t) {
      const Edge e{from, static_cast<size_t>(&t - f.successors(from).data())};
      if (cycles_.contains(cycle_, from))
        back_.push_back(e);
      else
        ++entries, entry_ = e;
      return true;
    });
    return entries == 1 && !back_.empty();
  }

  void find_accesses(BlockId b) {
    if (!std::ranges::all_of(back_, [&](const Edge& e) { return tree_.dominates(b, e.from); })) return;
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      const auto address = accesses(inst) ? address_of(inst) : std::nullopt;
      if (!address) continue;
      if (address->index) {
        note(i, *address);
        continue;
      }
      const InstId sum = f.def(inst.operands[address->base]);
      if (sum && f.inst(sum).op == Op::x64_lea_index && f.inst(sum).block == b)
        note(sum, *address_of(f.inst(sum)));
    }
  }

  void note(InstId i, const Address& at) {
    const ValueId base = f.inst(i).operands[at.base], index = f.inst(i).operands[*at.index];
    const InstId d = is_inside(index) ? f.def(index) : InstId();
    if (!d || is_inside(base) || noted_.contains(i)) return;
    const Inst& last = f.inst(d);
    const bool is_signed = last.op == Op::x64_movsx32;
    // Other results of 32 bits are zero-extended.
    if (!is_signed && !has_32_bits(last)) return;
    const auto sum = linear(index, kDeepest);
    const auto step = sum ? step_of(*sum) : std::nullopt;
    if (!step || step->zero()) return;
    noted_.insert(i);
    found_.push_back({i, at, base, index, *sum, *step, is_signed});
  }
  static bool has_32_bits(const Inst& inst) {
    switch (inst.op) {
      case Op::x64_movzx32:
      case Op::x64_lea32:
      case Op::x64_lea32_index:
        return true;
      case Op::x64_add:
      case Op::x64_sub:
      case Op::x64_imul:
      case Op::x64_imul_imm:
      case Op::x64_shl_imm:
        return inst.attrs[0] == 4;
      default:
        return false;
    }
  }

  // --- sums
  std::optional<Linear> linear(ValueId v, int depth) {
    Linear r;
    if (f.is_const(v)) {
      r.constant = static_cast<uint32_t>(f.value(v).bits);
      return r;
    }
    const InstId d = f.def(v);
    const bool inside = is_inside(v);
    if (!inside && d && f.inst(d).op == Op::x64_imm) return linear(f.inst(d).operands[0], depth);
    if (!inside || (!d && BlockId(f.value(v).owner) == header_)) {
      r.terms[{v, ValueId()}] = 1;
      return r;
    }
    if (!d || depth == 0) return std::nullopt;
    const auto known = linear_.find(v.index);
    if (known != linear_.end()) return known->second;
    auto found = linear_of(f.inst(d), depth - 1);
    if (found && found->terms.size() > kMostTerms) found = std::nullopt;
    return linear_[v.index] = found;
  }
  std::optional<Linear> linear_of(const Inst& inst, int depth) {
    const bool sized = syntax_of(inst.op).scale < 0;
    if (sized && inst.op != Op::x64_movsx32 && inst.op != Op::x64_movzx32 && inst.attrs[0] < 4)
      return std::nullopt;
    switch (inst.op) {
      case Op::x64_movsx32:
      case Op::x64_movzx32:
        return linear(inst.operands[0], depth);
      case Op::x64_add:
        return sum(inst, depth, 1);
      case Op::x64_sub:
        return sum(inst, depth, ~0u);
      case Op::x64_lea_index:
      case Op::x64_lea32_index: {
        auto r = sum(inst, depth, static_cast<uint32_t>(inst.attrs[2]));
        if (r) r->constant += static_cast<uint32_t>(inst.attrs[3]);
        return r;
      }
      case Op::x64_lea:
      case Op::x64_lea32: {
        auto r = linear(inst.operands[0], depth);
        if (r) r->constant += static_cast<uint32_t>(inst.attrs[3]);
        return r;
      }
      case Op::x64_shl_imm:
      case Op::x64_imul_imm: {
        const auto n = static_cast<uint32_t>(f.value(inst.operands[1]).bits);
        const auto x = linear(inst.operands[0], depth);
        if (!x || (inst.op == Op::x64_shl_imm && n > 31)) return std::nullopt;
        Linear r;
        r.add(*x, inst.op == Op::x64_shl_imm ? 1u << n : n);
        return r;
      }
      case Op::x64_imul:
        for (size_t k : {0, 1})
          if (!f.is_const(inst.operands[k]) && !is_inside(inst.operands[k]))
            return product(linear(inst.operands[1 - k], depth), inst.operands[k]);
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }
  std::optional<Linear> sum(const Inst& inst, int depth, uint32_t times) {
    auto a = linear(inst.operands[0], depth);
    const auto b = linear(inst.operands[1], depth);
    if (!a || !b) return std::nullopt;
    a->add(*b, times);
    return a;
  }
  static std::optional<Linear> product(const std::optional<Linear>& x, ValueId by) {
    if (!x) return std::nullopt;
    Linear r;
    for (const auto& [t, factor] : x->terms) {
      if (t.second.valid()) return std::nullopt;
      r.terms[{t.first, by}] = factor;
    }
    if (x->constant) r.terms[{by, ValueId()}] += x->constant;
    return r;
  }

  // By how much a sum grows, of what the loop does not change.
  std::optional<Linear> step_of(const Linear& x) {
    Linear r;
    for (const auto& [t, factor] : x.terms) {
      if (!is_inside(t.first)) continue;
      const auto one = step_of_param(t.first);
      if (!one) return std::nullopt;
      const auto all = t.second.valid() ? product(one, t.second) : one;
      if (!all) return std::nullopt;
      r.add(*all, factor);
    }
    return r;
  }
  std::optional<Linear> step_of_param(ValueId p) {
    if (const auto known = steps_.find(p.index); known != steps_.end()) return known->second;
    std::optional<Linear> step;
    for (const Edge& e : back_) {
      auto next = linear(f.successors(e.from)[e.target].args[f.value(p).index], kDeepest);
      if (!next || next->terms[{p, ValueId()}] != 1) return steps_[p.index] = std::nullopt;
      next->terms.erase({p, ValueId()});
      const bool stays =
          std::ranges::none_of(next->terms, [&](const auto& t) { return is_inside(t.first.first); });
      if (!stays || (step && *step != *next)) return steps_[p.index] = std::nullopt;
      step = next;
    }
    return steps_[p.index] = step;
  }

  // --- whether it is worthwhile

  // The variable of an access: the sum of the first one with this base. Two such sums differ as numbers as
  // they do modulo 2^32, because their accesses are in the same object.
  using Terms = std::map<Linear::Term, uint32_t>;
  using Variable = std::tuple<bool, Terms, uint32_t>;
  Variable variable_of(const Found& a) {
    const auto [first, fresh] = first_.try_emplace({a.is_signed, a.sum.terms, a.base}, a.sum.constant);
    return {a.is_signed, a.sum.terms, first->second};
  }
  // Of the access by its variable.
  int64_t moved_disp(const Found& a) {
    const int64_t apart = static_cast<int32_t>(a.sum.constant - std::get<uint32_t>(variable_of(a)));
    const Inst& inst = f.inst(a.inst);
    return inst.attrs[a.at.disp] + apart * inst.attrs[a.at.scale];
  }

  bool pays() {
    std::map<uint32_t, uint32_t> left;  // uses by value
    auto uses = [&](ValueId v) -> uint32_t& {
      return left.try_emplace(v.index, uses_[v.index]).first->second;
    };
    std::map<Variable, bool> variables;  // whether the step is in a register
    size_t dead = 0;
    std::set<InstId> gone;
    auto drop = [&](auto&& self, ValueId v) -> void {
      if (f.is_inline(v) || --uses(v) != 0 || !is_inside(v) || !f.def(v)) return;
      ++dead;
      gone.insert(f.def(v));
      for (ValueId o : f.inst(f.def(v)).operands) self(self, o);
    };
    std::erase_if(found_, [&](const Found& a) {
      const int64_t disp = moved_disp(a);
      return disp != static_cast<int32_t>(disp);
    });
    for (const Found& a : found_) {
      variables[variable_of(a)] = !a.step.terms.empty();
      drop(drop, a.index);
    }
    if (dead <= variables.size() * back_.size()) return false;
    size_t held = 0;
    for (const auto& [variable, with_register] : variables) held += with_register ? 2 : 1;
    std::set<ValueId> counted;
    auto hold = [&](ValueId v) {
      if (!f.is_inline(v) && f.type(v).elem == Elem::Gpr && (!is_inside(v) || !f.def(v)))
        held += counted.insert(v).second;
    };
    for (uint32_t n : cycles_.nodes(cycle_))
      for (InstId i : f.block(BlockId(n)).insts) {
        if (gone.contains(i)) continue;
        for (ValueId v : f.inst(i).operands) hold(v);
        for (const Target& t : f.inst(i).targets) std::ranges::for_each(t.args, hold);
      }
    return held <= kMostHeld;
  }

  // --- rewriting

  void rewrite(const Found& a) {
    const auto [made, fresh] = made_.try_emplace(variable_of(a));
    if (fresh) made->second = make_variable(a);
    Inst& inst = f.inst(a.inst);
    inst.attrs[a.at.disp] = moved_disp(a);
    inst.operands[*a.at.index] = made->second;
  }

  ValueId make_variable(const Found& a) {
    const ValueId first = before(a.index), by = amount(a.step);
    const ValueId variable = f.add_param(header_, kGpr);
    f.inst(f.terminator(entry_.from)).targets[entry_.target].args.push_back(first);
    for (const Edge& e : back_) {
      const ValueId next = append(e.from, Op::x64_add, {variable, by}, {8});
      f.inst(f.terminator(e.from)).targets[e.target].args.push_back(next);
    }
    return variable;
  }
  ValueId append(BlockId b, Op op, ValueList operands, std::array<int64_t, kMaxAttrs> attrs) {
    const InstId i = f.create(op, std::move(operands), std::span(&kGpr, 1));
    f.inst(i).attrs = attrs;
    f.insert(b, f.block(b).insts.size() - 1, i);
    return f.result(i);
  }
  // A value of the first iteration, before the loop.
  ValueId before(ValueId v) {
    if (!is_inside(v)) return v;
    if (!f.def(v)) return f.successors(entry_.from)[entry_.target].args[f.value(v).index];
    if (const auto at = before_.find(v.index); at != before_.end()) return at->second;
    ValueList operands;
    for (ValueId o : ValueList(f.inst(f.def(v)).operands)) operands.push_back(before(o));
    const Inst& inst = f.inst(f.def(v));
    return before_[v.index] = append(entry_.from, inst.op, std::move(operands), inst.attrs);
  }
  // A step, sign-extended: a number, or a register before the loop.
  ValueId amount(const Linear& step) {
    auto number = [&](uint32_t n) {
      return f.constant(kI64, static_cast<uint64_t>(int64_t{static_cast<int32_t>(n)}));
    };
    if (step.terms.empty()) return number(step.constant);
    const BlockId b = entry_.from;
    ValueId all;
    for (const auto& [t, factor] : step.terms) {
      ValueId v = t.first;
      if (t.second.valid()) v = append(b, Op::x64_imul, {v, t.second}, {4});
      if (factor != 1) v = append(b, Op::x64_imul_imm, {v, number(factor)}, {4});
      all = all.valid() ? append(b, Op::x64_add, {all, v}, {4}) : v;
    }
    if (step.constant) all = append(b, Op::x64_add, {all, number(step.constant)}, {4});
    return append(b, Op::x64_movsx32, {all}, {8});
  }

  Function& f;
  const Cfg& cfg_;
  const Cycles& cycles_;
  const DominatorTree& tree_;
  const std::vector<uint32_t>& uses_;  // by value, before any loop was changed
  uint32_t cycle_;
  BlockId header_;
  Edge entry_;
  std::vector<Edge> back_;
  std::vector<Found> found_;  // in the order in which an iteration comes to them
  std::set<InstId> noted_;
  std::map<uint32_t, std::optional<Linear>> linear_, steps_;    // by value
  std::map<std::tuple<bool, Terms, ValueId>, uint32_t> first_;  // by base: the constant of the first sum
  std::map<Variable, ValueId> made_;
  std::map<uint32_t, ValueId> before_;  // by value
};

}  // namespace

void reduce_strength(Function& f) {
  const Cfg cfg(f);
  const Cycles cycles(f, cfg);
  if (cycles.cycles.empty()) return;
  const DominatorTree tree(f, cfg);
  const std::vector<uint32_t> uses = count_uses(f);
  bool changed = false;
  for (uint32_t c = 0; c < cycles.cycles.size(); ++c)
    if (cycles.is_innermost(c) && cycles.cycles[c].reducible() &&
        BlockId(cycles.cycles[c].header) != f.entry())
      changed |= LoopAddresses(f, cfg, cycles, tree, uses, c).run();
  if (changed) eliminate_dead_code(f);
}

}  // namespace kc::x64
