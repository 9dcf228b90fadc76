// SPDX-License-Identifier: Apache-2.0
// Sequentialises parallel moves. A move whose destination is no longer read by pending moves goes first. If
// there is none, the remaining moves form cycles: one source is saved to a free register, or else to a new
// slot. Each move is saved at most once, so the loop terminates. Moves with a slot at one end only cannot
// form cycles. Slot-to-slot moves go first, through a free or borrowed register.
#include "backends/regalloc/moves.h"

#include <algorithm>

namespace kc::regalloc {

uint32_t first_window(const RegClass& cls, const UnitSet& allocatable, Shape shape, const UnitSet& taken) {
  for (uint32_t u : cls.order)
    if (u % shape.align == 0 && u + shape.size <= kMaxUnits && !taken.any(u, shape.size) &&
        (shape.size == 1 || allocatable.all(u, shape.size)))
      return u;
  return kNone;
}

namespace {

UnitSet allocatable_units(const RegClass& cls) {
  UnitSet set;
  for (uint32_t u : cls.order) set.add(u);
  return set;
}

}  // namespace

uint32_t Inserter::free_window(Shape shape, const UnitSet& taken) const {
  const RegClass& cls = target_.classes[shape.cls];
  return first_window(cls, allocatable_units(cls), shape, taken);
}

uint32_t Inserter::new_slot(Shape shape) {
  slots.push_back({shape.cls, shape.size});
  return static_cast<uint32_t>(slots.size() - 1);
}

ValueId Inserter::define(Op op, ValueId value, ValueId operand, uint32_t unit, bool renames, int64_t slot,
                         std::vector<InstId>& out) {
  Type type = f_.type(value);
  std::vector<ValueId> operands;
  if (operand.valid()) operands.push_back(operand);
  InstId i = f_.create(op, std::move(operands), std::span(&type, 1));
  if (slot >= 0) f_.inst(i).attrs[0] = slot;
  ValueId name = f_.result(i);
  f_.value(name).location = {Location::Register, unit};
  redefined_.resize(name.index - originals_ + 1);
  if (renames) redefined_.back() = value;
  out.push_back(i);
  return name;
}

ValueId Inserter::copy(ValueId value, ValueId source, uint32_t unit, bool renames, std::vector<InstId>& out) {
  return define(target_.copy, value, source, unit, renames, -1, out);
}

ValueId Inserter::reload(ValueId value, uint32_t slot, uint32_t unit, bool renames,
                         std::vector<InstId>& out) {
  return define(target_.reload, value, ValueId(), unit, renames, slot, out);
}

InstId Inserter::spill(ValueId value, uint32_t slot) {
  InstId i = f_.create(target_.spill, {value}, {});
  f_.inst(i).attrs[0] = slot;
  return i;
}

size_t Inserter::emit(std::vector<Move>& moves, const std::vector<UnitSet>& busy,
                      const std::vector<Occupant>& before, std::vector<InstId>& out) {
  const size_t start = out.size();
  separate_slots(moves, busy, before, out);
  const size_t slot_rows = out.size() - start;
  std::vector<Move*> pending;
  for (Move& m : moves) {
    if (m.from.kind == Location::Slot && m.to.kind == Location::Slot) continue;
    if (m.to.kind == Location::Slot)
      out.push_back(spill(m.value, m.to.index));
    else
      pending.push_back(&m);
  }
  order_registers(pending, busy, out);
  return slot_rows;
}

// Afterwards no slot is both read and written by the remaining moves, and none is a slot-to-slot move.
void Inserter::separate_slots(std::vector<Move>& moves, const std::vector<UnitSet>& busy,
                              const std::vector<Occupant>& before, std::vector<InstId>& out) {
  auto writes = [&](uint32_t slot) {
    return std::any_of(moves.begin(), moves.end(), [&](const Move& m) {
      return m.to == Location{Location::Slot, slot};
    });
  };
  for (Move& m : moves) {
    if (m.from.kind != Location::Slot || m.from == m.to || !writes(m.from.index)) continue;
    uint32_t aside = new_slot(shapes_[m.value.index]), old = m.from.index;
    through_register(m.value, old, aside, busy, before, out);
    for (Move& o : moves)
      if (o.from == Location{Location::Slot, old}) o.from.index = aside;
  }
  for (Move& m : moves)
    if (m.from.kind == Location::Slot && m.to.kind == Location::Slot && m.from != m.to)
      through_register(m.value, m.from.index, m.to.index, busy, before, out);
}

void Inserter::through_register(ValueId value, uint32_t from, uint32_t to, const std::vector<UnitSet>& busy,
                                const std::vector<Occupant>& before, std::vector<InstId>& out) {
  Shape shape = shapes_[value.index];
  uint32_t unit = free_window(shape, busy[shape.cls]);
  std::vector<std::pair<Occupant, uint32_t>> borrowed;  // with the slot that saves its value meanwhile
  if (unit == kNone) {
    unit = free_window(shape, UnitSet());
    for (const Occupant& o : before) {
      Shape s = shapes_[o.value.index];
      if (s.cls != shape.cls || o.unit >= unit + shape.size || unit >= o.unit + s.size) continue;
      borrowed.push_back({o, new_slot(s)});
      out.push_back(spill(o.value, borrowed.back().second));
    }
  }
  ValueId name = reload(value, from, unit, false, out);
  out.push_back(spill(name, to));
  for (auto& [o, slot] : borrowed) reload(o.value, slot, o.unit, true, out);
}

void Inserter::order_registers(std::vector<Move*>& pending, const std::vector<UnitSet>& busy,
                               std::vector<InstId>& out) {
  if (pending.empty()) return;
  // By class and unit: number of pending moves that read it.
  std::vector<std::vector<uint16_t>> readers(target_.classes.size());
  auto shape = [&](const Move& m) { return shapes_[m.value.index]; };
  std::vector<UnitSet> targets(target_.classes.size()), aside = busy;
  std::vector<ValueId> source(pending.size());
  auto count = [&](const Move& m, int by) {
    if (m.from.kind != Location::Register) return;
    auto& r = readers[shape(m).cls];
    if (r.empty()) r.resize(kMaxUnits);
    for (uint32_t u = m.from.index; u < m.from.index + shape(m).size; ++u)
      r[u] = static_cast<uint16_t>(r[u] + by);
  };
  for (size_t i = 0; i < pending.size(); ++i) {
    count(*pending[i], 1);
    targets[shape(*pending[i]).cls].add(pending[i]->to.index, shape(*pending[i]).size);
    source[i] = pending[i]->value;
  }
  auto blocked = [&](const Move& m) {
    Shape s = shape(m);
    for (uint32_t u = m.to.index; u < m.to.index + s.size; ++u)
      if (!readers[s.cls].empty() && readers[s.cls][u]) return true;
    return false;
  };
  auto perform = [&](size_t i) {
    Move& m = *pending[i];
    count(m, -1);
    m.name = m.from.kind == Location::Slot ? reload(m.value, m.from.index, m.to.index, m.renames, out)
                                           : copy(m.value, source[i], m.to.index, m.renames, out);
  };
  size_t left = pending.size();
  std::vector<char> done(pending.size(), 0);
  while (left) {
    bool progress = false;
    for (size_t i = 0; i < pending.size(); ++i) {
      if (done[i] || blocked(*pending[i])) continue;
      perform(i);
      done[i] = 1, --left, progress = true;
    }
    if (progress) continue;
    size_t i = 0;  // a source that blocks a destination and is not saved yet
    while (done[i] || pending[i]->from.kind != Location::Register ||
           !targets[shape(*pending[i]).cls].any(pending[i]->from.index, shape(*pending[i]).size))
      ++i;
    Move& m = *pending[i];
    count(m, -1);
    uint32_t unit = free_window(shape(m), aside[shape(m).cls] | targets[shape(m).cls]);
    if (unit != kNone) {
      source[i] = copy(m.value, source[i], unit, false, out);
      m.from.index = unit;
      count(m, 1);
      aside[shape(m).cls].add(unit, shape(m).size);
    } else {
      m.from = {Location::Slot, new_slot(shape(m))};
      out.push_back(spill(source[i], m.from.index));
    }
  }
}

}  // namespace kc::regalloc
