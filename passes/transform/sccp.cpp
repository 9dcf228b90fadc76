// SPDX-License-Identifier: Apache-2.0
// sccp: sparse conditional constant propagation (Wegman and Zadeck).
//
// Initially every value is unknown and only the entry is reachable. A block's instructions count once it is
// reached; a parameter is the one constant that all edges taken so far pass, or varying. So a variable that
// changes only after a branch on its own value stays constant, where the pessimistic instcombine finds
// nothing. Constant values are replaced; simplify_cfg then folds the branches. Undef counts as varying; with
// UndefArguments::Any an undef argument is taken to be what the other edges pass.
//
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   b1(%1: i32):  from the entry with 1              b1(%1: i32):
//     %2: i1 = eq %1, 1:i32                            ...
//     br_if %2 -> b3(%1), b2                    ==>    br_if true -> b3(1:i32), b2
//   b2: br -> b3(2:i32)
//   b3(%3: i32): br_if ... -> b1(%3), b4             b3(%3: i32): br_if ... -> b1(1:i32), b4
#include "passes/transform/sccp.h"

#include <algorithm>

#include "passes/ir_util.h"

namespace kc {
namespace {

class Propagator {
 public:
  Propagator(Function& function, UndefArguments undef)
      : f(function),
        undef_(undef),
        known_(f.value_count()),
        reached_(f.block_count()),
        taken_(f.block_count()),
        uses_(operand_uses()),
        passed_(arguments()) {}

  bool run() {
    for (ValueId p : f.block(f.entry()).params) lower(p, {Varies});
    reach(f.entry());
    do {
      while (!work_.empty() || !lowered_.empty()) {
        if (!lowered_.empty()) {
          const ValueId v = lowered_.back();
          lowered_.pop_back();
          pass_on(v);
          continue;
        }
        InstId i = work_.back();
        work_.pop_back();
        if (reached_[f.inst(i).block.index]) visit(i);
      }
    } while (undef_ == UndefArguments::Any && settle());
    return replace();
  }

 private:
  enum Kind : uint8_t { Unknown, Constant, Varies };
  struct Known {
    Kind kind = Unknown;
    uint64_t bits = 0;
    bool operator==(const Known&) const = default;
  };

  Known known(ValueId v) const {
    if (f.is_const(v)) return {Constant, f.value(v).bits};
    return f.is_undef(v) ? Known{Varies} : known_[v.index];
  }

  // A place where an edge passes a value: argument `at` of target `target` of the block's terminator.
  struct Passed {
    BlockId from;
    uint32_t target = 0, at = 0;
  };

  Lists<InstId> operand_uses() const {
    return Lists<InstId>(f.value_count(), [&](auto add) {
      for (BlockId b : f.layout)
        for (InstId i : f.block(b).insts)
          for (ValueId v : f.inst(i).operands)
            if (!f.is_inline(v)) add(v.index, i);
    });
  }
  // Edges have lists of their own: a block with many parameters would else be passed anew, as a whole, for
  // each argument that becomes known.
  Lists<Passed> arguments() const {
    return Lists<Passed>(f.value_count(), [&](auto add) {
      for (BlockId b : f.layout) {
        const auto targets = f.successors(b);
        for (uint32_t k = 0; k < targets.size(); ++k)
          for (uint32_t n = 0; n < targets[k].args.size(); ++n)
            if (!f.is_inline(targets[k].args[n])) add(targets[k].args[n].index, {b, k, n});
      }
    });
  }

  // The meet of the previous lattice value and `now`.
  void lower(ValueId v, Known now) {
    Known& old = known_[v.index];
    if (now.kind == Unknown || old.kind == Varies || old == now) return;
    old = old.kind == Unknown ? now : Known{Varies};
    for (InstId i : uses_[v.index]) work_.push_back(i);
    if (!passed_[v.index].empty()) lowered_.push_back(v);
  }
  // Passes what is known of v along the edges taken so far.
  void pass_on(ValueId v) {
    for (const Passed& p : passed_[v.index]) {
      const auto& taken = taken_[p.from.index];
      if (p.target < taken.size() && taken[p.target])
        lower(f.block(f.successors(p.from)[p.target].block).params[p.at], known(v));
    }
  }

  // Parameters with only undef arguments become varying, and their users follow.
  bool settle() {
    for (BlockId b : f.layout)
      if (reached_[b.index])
        for (ValueId p : f.block(b).params)
          if (known_[p.index].kind == Unknown) lower(p, {Varies});
    return !work_.empty() || !lowered_.empty();
  }

  void reach(BlockId b) {
    if (reached_[b.index]) return;
    reached_[b.index] = true;
    const auto& insts = f.block(b).insts;
    work_.insert(work_.end(), insts.rbegin(), insts.rend());
  }

  void visit(InstId i) {
    const Inst& inst = f.inst(i);
    if (info(inst.op).has(Terminator)) return leave(i);
    Known now = info(inst.op).effects == Effects::None ? evaluate(inst) : Known{Varies};
    for (ValueId r : inst.results) lower(r, now);
  }

  Known evaluate(const Inst& inst) const {
    const OpInfo& row = info(inst.op);
    if (inst.op == Op::select) {
      Known condition = known(inst.operands[0]);
      if (condition.kind == Unknown) return {};
      if (condition.kind == Constant) return known(inst.operands[condition.bits ? 1 : 2]);
    }
    if (!row.eval || inst.operands.empty() || inst.operands.size() > 3) return {Varies};
    uint64_t bits[3] = {};
    bool unknown = false;
    for (size_t k = 0; k < inst.operands.size(); ++k) {
      Known operand = known(inst.operands[k]);
      if (operand.kind == Varies) return {Varies};
      unknown |= operand.kind == Unknown;
      bits[k] = operand.bits;
    }
    if (unknown) return {};
    EvalFn eval = row.eval(f.type(inst.operands[0]).elem, f.type(inst.results[0]).elem);
    return eval ? Known{Constant, eval(bits)} : Known{Varies};
  }

  // Takes the feasible edges by the condition's lattice value, and propagates arguments along those that were
  // not taken before.
  void leave(InstId i) {
    const Inst& inst = f.inst(i);
    auto& taken = taken_[inst.block.index];
    taken.resize(inst.targets.size());
    Known condition = inst.operands.empty() || inst.op == Op::trap ? Known{Varies} : known(inst.operands[0]);
    if (condition.kind == Unknown) return;
    const size_t only = condition.kind == Varies || inst.targets.empty() ? 0 : way(inst, condition.bits);
    for (size_t k = 0; k < inst.targets.size(); ++k) {
      if (taken[k] || (condition.kind == Constant && k != only)) continue;
      taken[k] = true;
      const Target& t = inst.targets[k];
      for (size_t n = 0; n < t.args.size(); ++n)
        if (undef_ == UndefArguments::Vary || !f.is_undef(t.args[n]))
          lower(f.block(t.block).params[n], known(t.args[n]));
      reach(t.block);
    }
  }
  size_t way(const Inst& inst, uint64_t bits) const {
    if (inst.op == Op::br_if) return bits ? 0 : 1;
    for (size_t k = 1; k < inst.operands.size(); ++k)
      if (f.value(inst.operands[k]).bits == bits) return k;
    return 0;
  }

  bool replace() {
    Replacements replaced(f);
    const auto values = static_cast<uint32_t>(known_.size());
    for (uint32_t v = 0; v < values; ++v)
      if (known_[v].kind == Constant && !(uses_[v].empty() && passed_[v].empty()))
        replaced.set(ValueId(v), f.constant(f.type(ValueId(v)), known_[v].bits));
    apply_replacements(f, replaced);
    return !replaced.empty();
  }

  Function& f;
  UndefArguments undef_;
  std::vector<Known> known_;              // by value id
  std::vector<bool> reached_;             // by block id
  std::vector<std::vector<bool>> taken_;  // by block: the edges taken
  Lists<InstId> uses_;                    // by value id: as operands
  Lists<Passed> passed_;                  // by value id: as arguments
  std::vector<InstId> work_;
  std::vector<ValueId> lowered_;  // whose arguments are to be propagated
};

}  // namespace

bool sccp(Function& f, UndefArguments undef) { return Propagator(f, undef).run(); }

}  // namespace kc
