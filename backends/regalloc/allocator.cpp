// SPDX-License-Identifier: Apache-2.0
// Register allocation on SSA form in one walk over the blocks in reverse post-order.
// Algorithm: spilling by furthest next use after Braun and Hack (2009), colouring in dominance order after
// Hack (2007). Both run together, so that the choice of a register and of a victim take each other into
// account. A value that loses its register is spilled once, directly after its definition, and reloaded
// before its next use. Locations may differ between predecessors; parallel moves on edges resolve them. The
// values of a phi web share one slot (passes/analysis/phi_webs.h), so that an edge between two of them that
// are in memory moves nothing. Tuples and fixed registers break the chordal guarantee. The fallback in
// place.cpp moves other values aside, or else evicts the value with the furthest next use, one more per
// iteration. In the worst case only the operands of the instruction remain, and a bounded search assigns them
// in any order. Needs: constants as immediates. Result: see regalloc.h.
//   before  %2 = add %0, %1
//   after   %2 @r1 = add %0, %1   spill %2, slot=0   ...   %9 @r2 = reload slot=0
#include "backends/regalloc/allocator.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/check.h"
#include "ir/text.h"

namespace kc::regalloc {

Scan::Scan(Function& f, const RegTarget& target, const Cfg& cfg, const Loops& loops, const Liveness& live,
           const std::vector<Shape>& shapes, const PhiWebs* webs, Inserter& inserter)
    : plans(f.block_count()),
      slot_of(f.value_count(), kNone),
      f_(f),
      target_(target),
      cfg_(cfg),
      loops_(loops),
      live_(live),
      shapes_(shapes),
      webs_(webs),
      web_slot_(webs ? webs->count() : 0, kNone),
      inserter_(inserter),
      hints_(f.value_count()),
      allocatable_(target.classes.size()),
      busy_(target.classes.size()),
      owner_(target.classes.size(), std::vector<ValueId>(kMaxUnits)),
      assigned_reg_(f.value_count(), kNone),
      next_(f.value_count(), kDead) {
  for (size_t c = 0; c < target.classes.size(); ++c)
    for (uint32_t u : target.classes[c].order) allocatable_[c].add(u);
  for (auto* sets : {&d_.read_fixed, &d_.write_fixed, &d_.clobbered}) sets->resize(target.classes.size());
}

std::optional<std::string> Scan::check_contract() const {
  for (const RegClass& c : target_.classes)
    for (uint32_t u : c.order)
      if (u >= kMaxUnits) return fmt::format("register {} of class {} is out of range", u, c.name);
  for (BlockId b : cfg_.rpo) {
    for (const Target& t : f_.successors(b))
      for (ValueId v : t.args)
        if (f_.is_inline(v) && shape_of(target_, f_.type(v)).cls != kNoClass)
          return fmt::format("an edge passes an immediate: {}", print(f_, f_.terminator(b)));
    for (ValueId r : f_.inst(f_.terminator(b)).results)
      if (tracked(r)) return fmt::format("a terminator defines a register: {}", print(f_, f_.terminator(b)));
  }
  return {};
}

void Scan::propose_hints() {
  for (BlockId b : cfg_.rpo)
    for (InstId i : f_.block(b).insts) {
      const Inst& inst = f_.inst(i);
      const MachineInfo& m = target_.constraints(f_, inst);
      auto tie = [&](int operand, size_t result) {
        if (operand < 0 || result >= inst.results.size()) return;
        ValueId o = inst.operands[static_cast<size_t>(operand)];
        if (tracked(o) && tracked(inst.results[result])) hints_.join(o, inst.results[result]);
      };
      tie(m.tied, 0);
      tie(m.tied_second, 1);
      if (inst.op == target_.copy) tie(0, 0);
      for (const FixedReg& r : m.fixed_results)
        if (r.index >= 0 && tracked(inst.results[static_cast<size_t>(r.index)]))
          hints_.propose(inst.results[static_cast<size_t>(r.index)], static_cast<uint32_t>(r.reg));
      for (const FixedReg& r : m.fixed_operands)
        if (r.index >= 0 && tracked(inst.operands[static_cast<size_t>(r.index)]))
          hints_.propose(inst.operands[static_cast<size_t>(r.index)], static_cast<uint32_t>(r.reg));
      for (const Target& t : inst.targets)
        for (size_t k = 0; k < t.args.size(); ++k)
          if (tracked(t.args[k])) hints_.join(f_.block(t.block).params[k], t.args[k]);
    }
  propose_groups();
}

// Joins for a shared register come before joins for contiguous groups.
void Scan::propose_groups() {
  const auto groups = target_.contiguous_groups(f_);
  for (const ContiguousGroup& group : groups)
    for (const GroupPart& part : group)
      hints_.join(group[0].value, part.value,
                  static_cast<int32_t>(part.at) - static_cast<int32_t>(group[0].at));
  for (const ContiguousGroup& group : groups) {
    Type all = f_.type(group[0].value);
    uint32_t size = 0;
    for (const GroupPart& part : group) size = std::max(size, part.at + shape(part.value).size);
    all.regs = static_cast<uint8_t>(size);
    hints_.add_group(group, static_cast<int32_t>(size), static_cast<uint8_t>(target_.tuple_alignment(all)));
  }
}

std::optional<std::string> Scan::run() {
  if (auto error = check_contract()) return error;
  propose_hints();
  if (webs_) find_passed_on();
  for (BlockId b : cfg_.rpo)
    if (auto error = block(b)) return error;
  for (BlockId b : cfg_.rpo) edge(b);
  return {};
}

std::optional<std::string> Scan::block(BlockId b) {
  current_ = b;
  rows_.clear();
  reserved_.assign(target_.classes.size(), {});
  next_uses(b);
  if (auto error = enter(b)) return error;
  const std::vector<InstId> insts = f_.block(b).insts;
  for (position_ = 0; position_ < insts.size(); ++position_)
    if (auto error = instruction(insts[position_])) return error;
  finish_block(b);
  return {};
}

// Backward walk over the block: records the next use after each operand and each result.
void Scan::next_uses(BlockId b) {
  const auto& insts = f_.block(b).insts;
  auto size = static_cast<uint32_t>(insts.size());
  for (const Target& t : f_.successors(b)) {
    uint32_t cost = kLoopExit * std::min(loops_.exits(b, t.block), 1000u);
    for (const LiveValue& l : live_.in[t.block.index]) {
      uint32_t& next = next_[l.value.index];
      next = std::min(next, farther(l.distance, farther(size, cost)));
    }
    for (ValueId v : t.args)
      if (tracked(v)) next_[v.index] = size;
  }
  later_.clear(), result_next_.clear(), constrained_.clear();
  operand_cursor_ = result_cursor_ = constrained_cursor_ = 0;
  for (uint32_t k = size; k-- > 0;) {
    const Inst& inst = f_.inst(insts[k]);
    for (size_t r = inst.results.size(); r-- > 0;) {
      if (!tracked(inst.results[r])) continue;
      result_next_.push_back(next_[inst.results[r].index]);
      next_[inst.results[r].index] = kDead;
    }
    for (size_t o = inst.operands.size(); o-- > 0;) {
      if (!tracked(inst.operands[o])) continue;
      later_.push_back(next_[inst.operands[o].index]);
      next_[inst.operands[o].index] = k;
    }
    if (names_registers(target_.constraints(f_, inst))) constrained_.push_back({k, insts[k]});
  }
  std::reverse(later_.begin(), later_.end());
  std::reverse(result_next_.begin(), result_next_.end());
  std::reverse(constrained_.begin(), constrained_.end());
}

void Scan::finish_block(BlockId b) {
  BlockPlan& plan = plans[b.index];
  for (ValueId v : held_)
    if (assigned_reg_[v.index] != kNone) plan.exit.push_back({v, assigned_reg_[v.index]});
  std::sort(plan.exit.begin(), plan.exit.end(),
            [](const Placed& x, const Placed& y) { return x.value < y.value; });
  plan.exit.erase(std::unique(plan.exit.begin(), plan.exit.end(),
                              [](const Placed& x, const Placed& y) { return x.value == y.value; }),
                  plan.exit.end());
  for (const Placed& p : plan.exit) release(p.value);
  held_.clear();
  for (const Target& t : f_.successors(b)) {
    for (const LiveValue& l : live_.in[t.block.index]) next_[l.value.index] = kDead;
    for (ValueId v : t.args)
      if (tracked(v)) next_[v.index] = kDead;
  }
  f_.block(b).insts = rows_;
}

// Moves all values to the locations expected by the successor, before a jump that reads no register.
void Scan::edge(BlockId p) {
  InstId jump = f_.terminator(p);
  if (f_.inst(jump).targets.size() != 1) return;
  BlockId to = f_.inst(jump).targets[0].block;
  if (cfg_.preds[to.index].size() == 1 && f_.block(to).params.empty()) return;
  BlockPlan& plan = plans[p.index];
  plan.edge_moves = static_cast<uint32_t>(f_.block(p).insts.size() - 1);
  auto source = [&](ValueId v) {
    uint32_t unit = exit_unit(p, v);
    return unit == kNone ? Location{Location::Slot, slot(v)} : Location{Location::Register, unit};
  };
  std::vector<Move> moves;
  // Registers that a move reads or that the successor expects as they are; what else they hold is not read
  // any more.
  std::vector<UnitSet> busy(target_.classes.size());
  auto keep = [&](ValueId v, Location from) {
    if (from.kind == Location::Register) busy[shape(v).cls].add(from.index, shape(v).size);
  };
  for (const Placed& e : plans[to.index].entry) {
    Location from = source(e.value), here{Location::Register, e.unit};
    keep(e.value, from);
    if (from != here) moves.push_back({.value = e.value, .from = from, .to = here, .tag = kNone});
  }
  ValueList args = f_.inst(jump).targets[0].args;
  for (uint32_t k = 0; k < args.size(); ++k) {
    if (!tracked(args[k])) continue;
    Location from = source(args[k]), there = f_.value(f_.block(to).params[k]).location;
    keep(args[k], from);
    if (from != there)
      moves.push_back({.value = args[k], .from = from, .to = there, .renames = false, .tag = k});
    if (from == there || there.kind == Location::Slot) plan.pins.push_back({plan.edge_moves, jump, 0, k});
  }
  if (moves.empty()) return;
  std::vector<Occupant> before;
  for (const Placed& e : plan.exit)
    if (busy[shape(e.value).cls].any(e.unit, shape(e.value).size)) before.push_back({e.value, e.unit});
  std::vector<InstId> out;
  auto slot_rows = static_cast<uint32_t>(inserter_.emit(moves, busy, before, out));
  for (Pin& pin : plan.pins)  // registers borrowed for slot-to-slot moves come back under new names
    if (pin.inst == jump && pin.target == 0) pin.position += slot_rows;
  for (const Move& m : moves)
    if (m.tag != kNone && m.name.valid()) f_.inst(jump).targets[0].args[m.tag] = m.name;
  auto& list = f_.block(p).insts;
  list.insert(list.end() - 1, out.begin(), out.end());
}

void Scan::take(ValueId v, uint32_t unit) {
  Shape s = shape(v);
  assigned_reg_[v.index] = unit;
  busy_[s.cls].add(unit, s.size);
  for (uint32_t u = unit; u < unit + s.size; ++u) owner_[s.cls][u] = v;
  held_.push_back(v);
}

void Scan::release(ValueId v) {
  uint32_t unit = assigned_reg_[v.index];
  if (unit == kNone) return;
  Shape s = shape(v);
  assigned_reg_[v.index] = kNone;
  for (uint32_t u = unit; u < unit + s.size; ++u)
    if (owner_[s.cls][u] == v) owner_[s.cls][u] = ValueId(), busy_[s.cls].remove(u);
}

uint32_t Scan::slot(ValueId v) {
  uint32_t& own = slot_of[v.index];
  if (own != kNone) return own;
  const uint32_t web = webs_ ? webs_->of(v) : kNone;
  if (web == kNone) return own = inserter_.new_slot(shape(v));
  if (web_slot_[web] == kNone) web_slot_[web] = inserter_.new_slot(shape(v));
  return own = web_slot_[web];
}

// A unit that leaves space for the whole contiguous group of the value. Once the first value of a group has a
// unit, the units of the others are reserved until the end of the block.
uint32_t Scan::preferred(ValueId v, const UnitSet& taken) {
  if (uint32_t unit = hints_.unit(v); unit != kNone || !hints_.has_groups()) return unit;
  const Hints::Extent extent = hints_.extent(v);
  if (extent.empty()) return kNone;
  const Shape all{shape(v).cls, static_cast<uint8_t>(extent.last - extent.first), extent.align};
  const uint32_t first = first_window(target_.classes[all.cls], allocatable_[all.cls], all, taken);
  return first == kNone ? kNone : static_cast<uint32_t>(static_cast<int32_t>(first) - extent.first);
}

void Scan::propose(ValueId v, uint32_t unit) {
  const bool is_first = hints_.propose(v, unit);
  if (!hints_.has_groups()) return;
  UnitSet& reserved = reserved_[shape(v).cls];
  if (is_first) {
    const Hints::Extent extent = hints_.extent(v);
    for (int32_t u = std::max(0, static_cast<int32_t>(unit) + extent.first);
         u < std::min<int32_t>(kMaxUnits, static_cast<int32_t>(unit) + extent.last); ++u)
      reserved.add(static_cast<uint32_t>(u));
  }
  reserved.remove(unit, shape(v).size);
}

uint32_t Scan::pick(Shape s, const UnitSet& taken, const UnitSet& avoid, uint32_t prefer) const {
  const UnitSet& all = allocatable_[s.cls];
  if (prefer != kNone && prefer % s.align == 0 && prefer + s.size <= kMaxUnits &&
      !taken.any(prefer, s.size) && all.all(prefer, s.size) && !avoid.any(prefer, s.size))
    return prefer;
  uint32_t unit = first_window(target_.classes[s.cls], all, s, taken | avoid);
  return unit != kNone ? unit : first_window(target_.classes[s.cls], all, s, taken);
}

uint32_t Scan::exit_unit(BlockId p, ValueId v) const {
  const auto& list = plans[p.index].exit;
  auto it = std::lower_bound(list.begin(), list.end(), v,
                             [](const Placed& a, ValueId value) { return a.value < value; });
  return it != list.end() && it->value == v ? it->unit : kNone;
}

}  // namespace kc::regalloc

namespace kc {
namespace {

using namespace regalloc;

// Whether at some block with parameters more values are live than there are registers. Only then does it
// matter whether parameters and their arguments share slots.
bool parameters_are_spilled(const Function& f, const RegTarget& target, const Cfg& cfg, const Liveness& live,
                            const std::vector<Shape>& shapes) {
  std::vector<size_t> units(target.classes.size());
  for (BlockId b : cfg.rpo) {
    if (f.block(b).params.empty()) continue;
    std::ranges::fill(units, 0u);
    auto count = [&](ValueId v) {
      if (shapes[v.index].cls != kNoClass) units[shapes[v.index].cls] += shapes[v.index].size;
    };
    for (const LiveValue& l : live.in[b.index]) count(l.value);
    for (ValueId p : f.block(b).params) count(p);
    for (size_t c = 0; c < units.size(); ++c)
      if (units[c] > target.classes[c].order.size()) return true;
  }
  return false;
}

}  // namespace

std::expected<Allocation, std::string> allocate_registers(Function& f, const RegTarget& target) {
  const size_t blocks = f.block_count();
  split_edges(f, target);
  const size_t insts = f.inst_count();
  Cfg cfg(f);
  DominatorTree dom(f, cfg);
  Loops loops(f, cfg);
  std::vector<Shape> shapes = shapes_of(f, target);
  Liveness live(f, shapes, cfg, loops, target.classes.size());
  Inserter inserter(f, target, shapes);
  std::optional<PhiWebs> webs;
  if (parameters_are_spilled(f, target, cfg, live, shapes))
    webs.emplace(f, cfg, dom, std::vector<bool>(f.value_count()), PhiWebs::Numbers);
  Scan scan(f, target, cfg, loops, live, shapes, webs ? &*webs : nullptr, inserter);
  if (auto error = scan.run()) return std::unexpected(f.name + ": " + *error);
  repair_ssa(f, cfg, dom, shapes, insts, scan, inserter);
  remove_empty_blocks(f, target, blocks);
  Allocation result;
  assign_slots(f, target, insts, inserter, result);
  return result;
}

}  // namespace kc
