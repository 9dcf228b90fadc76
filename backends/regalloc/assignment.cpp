// SPDX-License-Identifier: Apache-2.0
// From a register for each value to an allocation: the moves that follow from it.
//
//   %5 in r4, %6 spilled     spill %6 -> slot      after its definition
//   %7 = add %5, %6          %9 [r9] = reload slot; %7 = add %5, %9
#include "backends/regalloc/assignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "backends/regalloc/allocator.h"
#include "ir/text.h"

namespace kc {
namespace {

using namespace regalloc;

class AssignmentWriter {
 public:
  AssignmentWriter(Function& f, const RegTarget& target, const Assignment& assignment,
                   const std::vector<uint32_t>& scratch)
      : f_(f), target_(target), assignment_(assignment), scratch_(scratch) {
    UnitSet all;
    all.add(0, kMaxUnits);
    for (uint32_t u : scratch) all.remove(u);
    taken_ = all;
  }

  std::expected<Allocation, std::string> run() {
    const size_t blocks = f_.block_count();
    split_edges(f_, target_);
    const size_t insts = f_.inst_count();
    shapes_ = shapes_of(f_, target_);
    Inserter inserter(f_, target_, shapes_);
    inserter_ = &inserter;
    slots_.assign(shapes_.size(), kNone);
    for (uint32_t v = 0; v < shapes_.size(); ++v)
      if (has_class(ValueId(v)) && assignment_.spilled[v]) slots_[v] = inserter.new_slot(shapes_[v]);
    for (BlockId b : f_.layout) {
      if (b != f_.entry())
        for (ValueId p : f_.block(b).params)
          if (has_class(p)) f_.value(p).location = location(p);
      rewrite(b);
    }
    if (!error_.empty()) return std::unexpected(error_);
    remove_empty_blocks(f_, target_, blocks);
    Allocation result;
    assign_slots(f_, target_, insts, inserter, result);
    return result;
  }

 private:
  bool has_class(ValueId v) const { return v.index < shapes_.size() && shapes_[v.index].cls != kNoClass; }
  bool spilled(ValueId v) const { return slots_[v.index] != kNone; }
  // Parameters of the entry block are where the machine puts them.
  Location location(ValueId v) const {
    if (spilled(v)) return {Location::Slot, slots_[v.index]};
    if (const Location fixed = f_.value(v).location; fixed.kind == Location::Register) return fixed;
    return {Location::Register, assignment_.unit[v.index]};
  }

  void rewrite(BlockId b) {
    const std::vector<InstId> old = f_.block(b).insts;
    rows_.clear();
    for (InstId i : old) instruction(b, i);
    f_.block(b).insts = rows_;
  }

  // A window of scratch units that the instruction does not use yet.
  uint32_t borrow(InstId i, Shape shape) {
    const uint32_t unit = first_window(target_.classes[shape.cls], scratch_set(), shape, busy_);
    if (unit == kNone && error_.empty())
      error_ = fmt::format("{}: its spilled values need more than the {} registers for reloads", print(f_, i),
                           scratch_.size());
    if (unit != kNone) busy_.add(unit, shape.size);
    return unit == kNone ? scratch_.front() : unit;
  }
  UnitSet scratch_set() const {
    UnitSet set;
    for (uint32_t u : scratch_) set.add(u);
    return set;
  }

  // The value in this unit, whatever holds it now.
  ValueId moved(ValueId v, uint32_t unit) {
    std::vector<Move> move{{.value = v, .from = location(v), .to = {Location::Register, unit}}};
    inserter_->emit(move, {taken_}, {}, rows_);
    return move[0].name;
  }

  void instruction(BlockId b, InstId i) {
    busy_ = taken_;
    const MachineInfo& m = target_.constraints(f_, f_.inst(i));
    const int ties[] = {m.tied, m.tied_second};
    const ValueList operands = f_.inst(i).operands;
    const std::vector<ValueId> results(f_.inst(i).results.begin(), f_.inst(i).results.end());
    ValueList names = operands;
    std::map<ValueId, ValueId> reloaded;
    for (size_t k = 0; k < operands.size(); ++k) {
      const ValueId v = operands[k];
      const bool tied = (ties[0] == static_cast<int>(k) && !results.empty()) ||
                        (ties[1] == static_cast<int>(k) && results.size() > 1);
      if (tied || f_.is_inline(v) || !has_class(v) || !spilled(v)) continue;
      auto [name, fresh] = reloaded.try_emplace(v);
      if (fresh) name->second = moved(v, borrow(i, shapes_[v.index]));
      names[k] = name->second;
    }
    for (size_t j = 0; j < results.size(); ++j) {
      const ValueId r = results[j];
      if (!has_class(r)) continue;
      const uint32_t unit = spilled(r) ? borrow(i, shapes_[r.index]) : location(r).index;
      f_.value(r).location = {Location::Register, unit};
      if (j >= std::size(ties) || ties[j] < 0) continue;
      const auto k = static_cast<size_t>(ties[j]);
      const ValueId v = operands[k];
      if (!f_.is_inline(v) && has_class(v) && location(v) != Location{Location::Register, unit})
        names[k] = moved(v, unit);
    }
    for (size_t k = 0; k < names.size(); ++k) f_.inst(i).operands[k] = names[k];
    if (i == f_.terminator(b))
      for (size_t t = 0; t < f_.inst(i).targets.size(); ++t) edge(i, t);
    rows_.push_back(i);
    for (ValueId r : results)
      if (has_class(r) && spilled(r)) rows_.push_back(inserter_->spill(r, slots_[r.index]));
  }

  void edge(InstId end, size_t target) {
    const BlockId to = f_.inst(end).targets[target].block;
    const std::vector<ValueId> params = f_.block(to).params;
    std::vector<Move> moves;
    for (size_t n = 0; n < params.size(); ++n) {
      if (!has_class(params[n])) continue;
      const ValueId arg = f_.inst(end).targets[target].args[n];
      if (const Location from = location(arg), there = location(params[n]); from != there)
        moves.push_back({.value = arg, .from = from, .to = there, .tag = static_cast<uint32_t>(n)});
    }
    inserter_->emit(moves, {taken_}, {}, rows_);
    for (const Move& m : moves)
      if (m.name.valid()) f_.inst(end).targets[target].args[m.tag] = m.name;
  }

  Function& f_;
  const RegTarget& target_;
  const Assignment& assignment_;
  const std::vector<uint32_t>& scratch_;
  Inserter* inserter_ = nullptr;
  std::vector<Shape> shapes_;
  std::vector<uint32_t> slots_;  // by value
  UnitSet taken_, busy_;         // all but scratch; and what the current instruction has borrowed
  std::vector<InstId> rows_;     // of the current block
  std::string error_;
};

}  // namespace

std::expected<Allocation, std::string> apply_assignment(Function& f, const RegTarget& target,
                                                        const Assignment& assignment,
                                                        const std::vector<uint32_t>& scratch) {
  return AssignmentWriter(f, target, assignment, scratch).run();
}

std::string find_interference(const Function& f, const RegTarget& target, const Assignment& assignment) {
  const Cfg cfg(f);
  Loops loops(f, cfg);
  const std::vector<Shape> shapes = shapes_of(f, target);
  const Liveness live(f, shapes, cfg, loops, target.classes.size());
  std::map<uint32_t, ValueId> held;  // by unit
  std::string found;
  auto drop = [&](ValueId v) { std::erase_if(held, [&](const auto& entry) { return entry.second == v; }); };
  auto hold = [&](ValueId v, const std::string& place) {
    const Location fixed = f.value(v).location;
    const uint32_t unit = fixed.kind == Location::Register ? fixed.index : assignment.unit[v.index];
    if (assignment.spilled[v.index] || unit == kNone) return;
    for (uint32_t u = unit; u < unit + shapes[v.index].size; ++u) {
      auto [at, fresh] = held.emplace(u, v);
      if (fresh || at->second == v || !found.empty()) continue;
      found = fmt::format("values {} and {} share register {}, and both are needed {}",
                          std::min(v, at->second).index, std::max(v, at->second).index, u, place);
    }
  };
  auto counts = [&](ValueId v) { return !f.is_inline(v) && shapes[v.index].cls != kNoClass; };
  for (BlockId b : cfg.rpo) {
    held.clear();
    std::set<ValueId> out;
    for (const Target& t : f.successors(b)) {
      for (const LiveValue& l : live.in[t.block.index])
        if (counts(l.value)) out.insert(l.value);
      for (ValueId a : t.args)
        if (counts(a)) out.insert(a);
    }
    const std::string end = fmt::format("at the end of block {}", b.index);
    for (ValueId v : out) hold(v, end);
    const auto& insts = f.block(b).insts;
    for (size_t n = insts.size(); n-- > 0;) {
      const Inst& inst = f.inst(insts[n]);
      const std::string after = "after " + print(f, insts[n]);
      for (ValueId r : inst.results)
        if (counts(r)) hold(r, after);
      for (ValueId r : inst.results) drop(r);
      const std::string before = "before " + print(f, insts[n]);
      for (ValueId v : inst.operands)
        if (counts(v)) hold(v, before);
    }
    const std::string begin = fmt::format("at the beginning of block {}", b.index);
    for (ValueId p : f.block(b).params)
      if (counts(p)) hold(p, begin);
    if (!found.empty()) return found;
  }
  return found;
}

}  // namespace kc
