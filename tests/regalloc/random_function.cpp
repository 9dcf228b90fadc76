// SPDX-License-Identifier: Apache-2.0
#include "random_function.h"

#include <algorithm>
#include <deque>

#include "ir/cfg.h"

namespace kc::test {
namespace {

constexpr int kRowAttr = 3;

// Every combination that the random functions use. Class 0 is Sgpr, class 1 Vgpr.
const std::deque<MachineInfo>& rows() {
  static const std::deque<MachineInfo> table = [] {
    std::deque<MachineInfo> t(1);
    for (int8_t tied = -1; tied < 2; ++tied)
      for (bool early : {false, true})
        for (int16_t fixed : {-1, 0, 2})
          for (int16_t result : {-1, 0, 2})
            for (uint32_t clobber : {0u, 5u, 0xfffffffeu}) {
              if (tied == 0 && fixed >= 0 && result >= 0 && fixed != result) continue;
              MachineInfo m;
              m.tied = tied;
              m.early_clobber = early;
              if (fixed >= 0) m.fixed_operands[0] = {0, fixed};
              if (result >= 0) m.fixed_results[0] = {0, result};
              m.clobbers[0] = m.clobbers[1] = clobber;
              t.push_back(m);
            }
    for (int8_t second : {0, 1, 2}) {
      MachineInfo m;
      m.tied = second == 0 ? 1 : 0;
      m.tied_second = second;
      t.push_back(m);
    }
    MachineInfo two;
    two.fixed_operands = {FixedReg{0, 1}, FixedReg{1, 0}};
    two.fixed_results = {FixedReg{0, 0}};
    t.push_back(two);
    return t;
  }();
  return table;
}

const MachineInfo& constraints(const Function&, const Inst& inst) {
  auto row = static_cast<size_t>(inst.attrs[kRowAttr]);
  return rows()[row < rows().size() ? row : 0];
}

uint32_t aligned_tuple(Type type) { return type.regs == 1 ? 1 : type.regs == 2 ? 2 : 4; }

// Whether the instruction alone has any valid assignment, by exhaustive search. Each read of a value may have
// a register of its own.
class Feasible {
 public:
  Feasible(const Machine& machine, const Function& f, const Inst& inst, const MachineInfo& info)
      : machine_(machine), f_(f), inst_(inst), m_(info) {
    values_.assign(inst.operands.begin(), inst.operands.end());
    values_.insert(values_.end(), inst.results.begin(), inst.results.end());
    units_.resize(values_.size());
  }
  bool run() { return assign(0); }

 private:
  bool is_result(size_t n) const { return n >= inst_.operands.size(); }
  size_t result(size_t n) const { return n - inst_.operands.size(); }
  int tie(size_t result) const { return result == 0 ? m_.tied : result == 1 ? m_.tied_second : -1; }
  size_t cls(size_t n) const { return f_.type(values_[n]).elem == Elem::Sgpr ? 0 : 1; }
  uint32_t size(size_t n) const { return f_.type(values_[n]).regs; }
  bool overlap(size_t a, size_t b) const {
    return cls(a) == cls(b) && units_[a] < units_[b] + size(b) && units_[b] < units_[a] + size(a);
  }
  bool named(const std::array<FixedReg, 3>& list, size_t index, uint32_t unit) const {
    for (const FixedReg& r : list)
      if (r.index == static_cast<int>(index) && static_cast<uint32_t>(r.reg) != unit) return false;
    return true;
  }

  bool allowed(size_t n) const {
    if (!(is_result(n) ? named(m_.fixed_results, result(n), units_[n])
                       : named(m_.fixed_operands, n, units_[n])))
      return false;
    bool tied = !is_result(n) && ((m_.tied == static_cast<int>(n) && !inst_.results.empty()) ||
                                  (m_.tied_second == static_cast<int>(n) && inst_.results.size() > 1));
    if (!is_result(n) && m_.early_clobber && !tied)
      for (uint32_t u = units_[n]; u < units_[n] + size(n); ++u)
        if (m_.clobbers[cls(n)] >> u & 1) return false;
    if (is_result(n) && tie(result(n)) >= 0 && units_[n] != units_[static_cast<size_t>(tie(result(n)))])
      return false;
    for (size_t o = 0; o < n; ++o) {
      if (!overlap(o, n)) continue;
      if (is_result(o)) return false;
      if (!is_result(n) && (values_[o] != values_[n] || units_[o] != units_[n])) return false;
      if (is_result(n) && m_.early_clobber && tie(result(n)) != static_cast<int>(o)) return false;
    }
    return true;
  }

  bool assign(size_t n) {
    if (n == values_.size()) return true;
    uint32_t align = machine_.alignment ? machine_.alignment : aligned_tuple(f_.type(values_[n]));
    uint32_t count = cls(n) == 0 ? machine_.small : machine_.wide;
    for (uint32_t u = 0; u + size(n) <= count; u += align) {
      units_[n] = u;
      if (allowed(n) && assign(n + 1)) return true;
    }
    return false;
  }

  Machine machine_;
  const Function& f_;
  const Inst& inst_;
  const MachineInfo& m_;
  std::vector<ValueId> values_;
  std::vector<uint32_t> units_;
};

class Generator {
 public:
  Generator(const Machine& machine, const Sizes& sizes, Random& random)
      : machine_(machine), sizes_(sizes), random_(random) {}

  Function run() {
    f_.name = "random";
    f_.dialect = Dialect::Gcn;
    graph();
    Cfg cfg(f_);
    DominatorTree dom(f_, cfg);
    f_.layout.erase(
        std::remove_if(f_.layout.begin(), f_.layout.end(), [&](BlockId b) { return !cfg.reachable(b); }),
        f_.layout.end());
    available_.resize(f_.block_count());
    for (BlockId b : cfg.rpo) fill(b, dom);
    for (BlockId b : cfg.rpo) edges(b);
    return std::move(f_);
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  Type any_type() {
    if (below(2)) return sgpr();
    if (!machine_.tuples) return vgpr();
    return vgpr(1u << std::min(below(6) / 2, machine_.wide >= 8 ? 2u : 1u));
  }

  void graph() {
    for (uint32_t n = 0; n < sizes_.blocks; ++n) {
      BlockId b = f_.add_block();
      uint32_t params = n == 0 ? below(3) : below(sizes_.params + 1);
      for (uint32_t k = 0; k < params; ++k) f_.add_param(b, any_type());
    }
    for (uint32_t n = 0; n < sizes_.blocks; ++n) {
      auto near = [&] {  // mostly forward, sometimes anywhere: loops and irreducible graphs
        uint32_t to = below(4) ? n + 1 + below(3) : 1 + below(sizes_.blocks);
        return BlockId(std::clamp(to, 1u, sizes_.blocks - 1));
      };
      bool last = n + 1 >= sizes_.blocks;
      uint32_t kind = below(10);
      uint32_t targets = last || kind == 0 ? 0 : kind < 4 ? 1 : kind < 9 ? 2 : 3;
      Op op = targets == 0 ? Op::ret : targets == 1 ? Op::br : Op::switch_;
      InstId end = f_.create(op, {}, {});
      f_.inst(end).attrs[kRowAttr] = 0;
      f_.append(BlockId(n), end);
      for (uint32_t k = 0; k < targets; ++k) f_.inst(end).targets.push_back({near(), {}});
      if (targets == 1 && sizes_.blocks > 1) f_.inst(end).targets[0].block = near();
    }
  }

  // A value of the type that is available now, preferably a recent one.
  ValueId find(BlockId b, Type type) {
    std::vector<ValueId> fitting;
    for (ValueId v : available_[b.index])
      if (f_.type(v) == type) fitting.push_back(v);
    if (fitting.empty()) return {};
    size_t window = std::min<size_t>(fitting.size(), below(3) ? 4 : sizes_.live);
    return fitting[fitting.size() - 1 - below(static_cast<uint32_t>(window))];
  }

  int64_t random_row() {
    if (!machine_.constrained || below(3)) return 0;
    return static_cast<int64_t>(below(static_cast<uint32_t>(rows().size())));
  }

  // Whether values of these types fit together in a tiny register file, with room to spare.
  bool modest(const std::vector<Type>& types) const {
    uint32_t a = 0, c = 0;
    for (Type t : types) (t.elem == Elem::Sgpr ? a : c) += t.regs;
    return a + 2 <= machine_.small && c + (machine_.tuples ? 3 : 2) <= machine_.wide;
  }

  void instruction(BlockId b) {
    std::vector<Type> types;
    std::vector<ValueId> operands;
    for (uint32_t k = below(4); k > 0; --k)
      if (ValueId v = find(b, any_type()); v.valid()) operands.push_back(v);
    int64_t row = random_row();
    const MachineInfo& m = rows()[static_cast<size_t>(row)];
    std::vector<Type> results;
    for (uint32_t k = below(8) ? 1 : below(3); k > 0; --k) results.push_back(any_type());
    auto limit = [&](int tied, size_t result) {
      if (tied >= static_cast<int>(operands.size())) return false;
      if (tied >= 0 && result < results.size())
        results[result] = f_.type(operands[static_cast<size_t>(tied)]);
      return true;
    };
    bool fits = limit(m.tied, 0) && limit(m.tied_second, 1);
    for (size_t k = 0; k < 2; ++k) {
      if (m.fixed_operands[k].index >= static_cast<int>(operands.size())) fits = false;
      if (m.fixed_results[k].index >= static_cast<int>(results.size())) fits = false;
    }
    for (ValueId v : operands) types.push_back(f_.type(v));
    types.insert(types.end(), results.begin(), results.end());
    if (!modest(types)) operands.clear(), fits = false;
    InstId i = emit(f_, b, operands, results, fits ? row : 0);
    if (row && fits && !Feasible(machine_, f_, f_.inst(i), m).run()) f_.inst(i).attrs[kRowAttr] = 0;
    for (ValueId r : f_.inst(i).results) available_[b.index].push_back(r);
  }

  void fill(BlockId b, const DominatorTree& dom) {
    if (dom.idom[b.index].valid()) available_[b.index] = available_[dom.idom[b.index].index];
    for (ValueId p : f_.block(b).params) available_[b.index].push_back(p);
    InstId end = f_.block(b).insts.back();
    f_.block(b).insts.pop_back();
    for (uint32_t k = 1 + below(sizes_.insts); k > 0; --k) instruction(b);
    if (f_.inst(end).targets.size() > 1)
      if (ValueId v = find(b, sgpr()); v.valid()) f_.inst(end).operands.push_back(v);
    f_.append(b, end);
  }

  void edges(BlockId b) {
    InstId end = f_.block(b).insts.back();
    f_.block(b).insts.pop_back();
    for (size_t t = 0; t < f_.inst(end).targets.size(); ++t) {
      BlockId to = f_.inst(end).targets[t].block;
      for (ValueId p : f_.block(to).params) {
        ValueId v = find(b, f_.type(p));
        if (!v.valid()) {
          v = f_.result(emit(f_, b, {}, {f_.type(p)}));
          available_[b.index].push_back(v);
        }
        f_.inst(end).targets[t].args.push_back(v);
      }
    }
    f_.append(b, end);
  }

  Machine machine_;
  Sizes sizes_;
  Random& random_;
  Function f_;
  std::vector<std::vector<ValueId>> available_;
};

}  // namespace

InstId emit(Function& f, BlockId b, std::vector<ValueId> operands, std::vector<Type> results, int64_t row) {
  InstId i = f.create(Op::add, std::move(operands), results);
  f.inst(i).attrs[kRowAttr] = row;
  f.inst(i).attrs[0] = static_cast<int64_t>(i.index);
  f.append(b, i);
  return i;
}

int64_t row_of(const MachineInfo& want) {
  for (size_t n = 0; n < rows().size(); ++n) {
    const MachineInfo& m = rows()[n];
    bool same = m.tied == want.tied && m.tied_second == want.tied_second &&
                m.early_clobber == want.early_clobber && m.clobbers == want.clobbers;
    for (size_t k = 0; k < 3; ++k)
      same = same && m.fixed_operands[k].index == want.fixed_operands[k].index &&
             m.fixed_operands[k].reg == want.fixed_operands[k].reg &&
             m.fixed_results[k].index == want.fixed_results[k].index &&
             m.fixed_results[k].reg == want.fixed_results[k].reg;
    if (same) return static_cast<int64_t>(n);
  }
  return -1;
}

RegTarget target_for(const Machine& machine) {
  RegTarget t;
  t.dialect = Dialect::Gcn;
  RegClass a{.name = "small", .elem = Elem::Sgpr, .order = {}, .slot_bytes = 4};
  RegClass c{.name = "wide", .elem = Elem::Vgpr, .order = {}, .slot_bytes = 4};
  for (uint32_t u = 0; u < machine.small; ++u) a.order.push_back(u);
  for (uint32_t u = 0; u < machine.wide; ++u) c.order.push_back(u);
  t.classes = {a, c};
  if (machine.alignment == 0) t.tuple_alignment = aligned_tuple;
  t.copy = Op::gcn_copy, t.spill = Op::gcn_spill, t.reload = Op::gcn_reload, t.jump = Op::br;
  t.constraints = constraints;
  return t;
}

Function random_function(const Machine& machine, const Sizes& sizes, Random& random) {
  return Generator(machine, sizes, random).run();
}

}  // namespace kc::test
