// SPDX-License-Identifier: Apache-2.0
// Constraints of one instruction: its operands, ties, fixed registers and results as items, and the moves
// once place.cpp has assigned registers. An operand is read through a temporary copy if it needs a certain
// register, or if the result takes its register while the value stays live; the value keeps its assigned
// register.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backends/regalloc/allocator.h"
#include "ir/text.h"

namespace kc::regalloc {
namespace {

uint32_t fixed_at(const std::array<FixedReg, 3>& list, size_t index) {
  for (const FixedReg& r : list)
    if (r.index == static_cast<int>(index)) return static_cast<uint32_t>(r.reg);
  return kNone;
}

int32_t tied_result(const MachineInfo& m, size_t operand) {
  if (m.tied == static_cast<int>(operand)) return 0;
  return m.tied_second == static_cast<int>(operand) ? 1 : -1;
}

bool contains(const std::vector<ValueId>& list, ValueId v) {
  return std::find(list.begin(), list.end(), v) != list.end();
}

}  // namespace

std::optional<std::string> Scan::instruction(InstId i) {
  begin(i);
  if (auto error = collect_fixed()) return *error + ": " + print(f_, i);
  for (;;) {
    collect_items();
    const Item* failing = attempt();
    if (!failing) break;
    if (make_room(*failing)) continue;
    char& repack = d_.repack[failing->shape.cls];
    if (repack) return "its operands do not fit the registers: " + print(f_, i);
    repack = 1;
  }
  commit();
  return {};
}

void Scan::begin(InstId i) {
  const size_t classes = target_.classes.size();
  d_.id = i;
  d_.machine = &target_.constraints(f_, f_.inst(i));
  if (d_.named)  // by the instruction before
    for (auto* sets : {&d_.read_fixed, &d_.write_fixed, &d_.clobbered}) sets->assign(classes, {});
  d_.named = names_registers(*d_.machine);
  d_.uses.clear(), d_.dropped.clear(), d_.demoted.clear();
  d_.repack.assign(classes, 0);
  for (ValueId v : f_.inst(i).operands) {
    if (!tracked(v)) continue;
    next_[v.index] = later_[operand_cursor_++];
    if (!is_operand(v)) d_.uses.push_back({v});
  }
  while (constrained_cursor_ < constrained_.size() && constrained_[constrained_cursor_].first <= position_)
    ++constrained_cursor_;
}

bool Scan::is_operand(ValueId v) const {
  return std::any_of(d_.uses.begin(), d_.uses.end(), [&](const Use& u) { return u.value == v; });
}

Scan::Use& Scan::use_of(ValueId v) {
  return *std::find_if(d_.uses.begin(), d_.uses.end(), [&](const Use& u) { return u.value == v; });
}

bool Scan::lives_on(const Use& use) const {
  return next_[use.value.index] != kDead && !contains(d_.demoted, use.value);
}

std::optional<std::string> Scan::collect_fixed() {
  const Inst& inst = f_.inst(d_.id);
  const MachineInfo& m = *d_.machine;
  auto add = [&](std::vector<UnitSet>& sets, ValueId v, uint32_t unit) {
    if (unit + shape(v).size > kMaxUnits || unit % shape(v).align) return false;
    sets[shape(v).cls].add(unit, shape(v).size);
    return true;
  };
  if (inst.operands.size() > 64) return "it has too many operands";
  if (!d_.named) return {};
  std::vector<UnitSet> untied(target_.classes.size());
  for (uint32_t k = 0; k < inst.operands.size(); ++k) {
    ValueId v = inst.operands[k];
    int32_t j = tied_result(m, k);
    if (!tracked(v)) continue;
    uint32_t unit = fixed_at(m.fixed_operands, k);
    if (unit == kNone && j >= 0) unit = fixed_at(m.fixed_results, static_cast<size_t>(j));
    if (unit == kNone) continue;
    for (uint32_t o = 0; o < k; ++o)
      if (tracked(inst.operands[o]) && inst.operands[o] != v && shape(inst.operands[o]).cls == shape(v).cls &&
          fixed_at(m.fixed_operands, o) == unit)
        return "two operands are fixed to one register";
    if (j >= 0)
      if (uint32_t r = fixed_at(m.fixed_results, static_cast<size_t>(j)); r != kNone && r != unit)
        return "a tied operand is fixed to another register than its result";
    if (!add(d_.read_fixed, v, unit)) return "a fixed register does not exist or is misaligned";
    add(j < 0 ? untied : d_.write_fixed, v, unit);
  }
  for (uint32_t j = 0; j < inst.results.size(); ++j) {
    uint32_t unit = fixed_at(m.fixed_results, j);
    if (unit != kNone && tracked(inst.results[j]) && !add(d_.write_fixed, inst.results[j], unit))
      return "a fixed register does not exist or is misaligned";
  }
  for (size_t c = 0; c < target_.classes.size() && c < m.clobbers.size(); ++c)
    d_.clobbered[c].add_mask(m.clobbers[c]);
  if (!m.early_clobber) return {};
  for (size_t c = 0; c < target_.classes.size(); ++c) {
    bool clash = false;
    untied[c].for_each([&](uint32_t u) { clash |= (d_.write_fixed[c] | d_.clobbered[c]).test(u); });
    if (clash) return "a fixed operand is overwritten before it is read";
  }
  return {};
}

void Scan::collect_items() {
  const Inst& inst = f_.inst(d_.id);
  d_.items.clear(), d_.old_name.clear();
  for (Use& u : d_.uses) u.plain = false, u.pinned = false, u.taken_over = false, u.result = -1;
  bool all_plain = true;
  for (uint32_t k = 0; k < inst.operands.size(); ++k) {
    if (!tracked(inst.operands[k])) continue;
    const bool plain = tied_result(*d_.machine, k) < 0 && fixed_unit(k) == kNone;
    if (plain) use_of(inst.operands[k]).plain = true;
    all_plain &= plain;
  }
  for (uint32_t k = 0; k < inst.operands.size() && !all_plain; ++k)
    if (tracked(inst.operands[k])) operand_item(k);
  for (Use& u : d_.uses) assigned_item(u);
  for (uint32_t j = 0; j < inst.results.size(); ++j)
    if (tracked(inst.results[j])) result_item(j);
}

// The register an operand must be read from. In the last resort an unconstrained operand shares the register
// to which another operand fixes its value.
uint32_t Scan::fixed_unit(uint32_t k) const {
  if (!d_.named) return kNone;
  const Inst& inst = f_.inst(d_.id);
  const MachineInfo& m = *d_.machine;
  uint32_t unit = fixed_at(m.fixed_operands, k);
  int32_t j = tied_result(m, k);
  if (unit == kNone && j >= 0) unit = fixed_at(m.fixed_results, static_cast<size_t>(j));
  if (unit != kNone || j >= 0 || !d_.repack[shape(inst.operands[k]).cls]) return unit;
  for (uint32_t o = 0; o < inst.operands.size(); ++o)
    if (inst.operands[o] == inst.operands[k] && tied_result(m, o) < 0)
      if (uint32_t shared = fixed_at(m.fixed_operands, o); shared != kNone) return shared;
  return kNone;
}

// Tied or fixed operands: uses the value's assigned register, or requests a temporary.
void Scan::operand_item(uint32_t k) {
  const Inst& inst = f_.inst(d_.id);
  const MachineInfo& m = *d_.machine;
  ValueId v = inst.operands[k];
  Use& use = use_of(v);
  int32_t j = tied_result(m, k);
  if (j >= 0 &&
      (static_cast<size_t>(j) >= inst.results.size() || !tracked(inst.results[static_cast<size_t>(j)])))
    j = -1;
  uint32_t unit = fixed_unit(k);
  if (j < 0 && unit == kNone) {
    use.plain = true;
    return;
  }
  Shape s = shape(v);
  uint32_t assigned = assigned_reg_[v.index];
  bool alone = std::count(inst.operands.begin(), inst.operands.end(), v) == 1;
  bool takes_over = j >= 0 && !lives_on(use) && use.result < 0 && (!m.early_clobber || alone);
  if (unit == kNone && takes_over) {
    use.result = j;
    use.plain = true;
    return;
  }
  bool overwritten = unit != kNone && (d_.write_fixed[s.cls] | d_.clobbered[s.cls]).any(unit, s.size);
  if (unit != kNone && assigned == unit) {
    if (takes_over)
      use.result = j, use.pinned = true;
    else if (j < 0 && !(lives_on(use) && overwritten))
      use.pinned = true;
    else
      d_.old_name.push_back(k);
    return;
  }
  for (Item& i : d_.items)  // one temporary serves two operands fixed to one register
    if (i.value == v && i.fixed == unit && unit != kNone) {
      i.operands |= uint64_t{1} << k;
      if (j >= 0) i.result = j, i.in_write = true;
      return;
    }
  Item item{.kind = Item::Temp, .value = v, .shape = s, .in_read = true, .from = assigned, .fixed = unit};
  item.operands = uint64_t{1} << k;
  item.result = j;
  if (j < 0 && assigned == kNone && !use.plain && !use.taken_over && lives_on(use) && !overwritten)
    item.take_over = use.taken_over = true;
  item.in_write = m.early_clobber || j >= 0 || item.take_over;
  if (j >= 0) item.prefer = hints_.unit(inst.results[static_cast<size_t>(j)]);
  d_.items.push_back(item);
}

void Scan::assigned_item(Use& use) {
  uint32_t assigned = assigned_reg_[use.value.index];
  bool on = lives_on(use), needed = use.plain || use.pinned || use.result >= 0;
  if (assigned == kNone ? !needed : (!needed && !on)) return;
  Item item{.kind = Item::Assigned,
            .value = use.value,
            .shape = shape(use.value),
            .in_read = true,
            .from = assigned};
  item.in_write = on || use.result >= 0 || (d_.machine->early_clobber && needed);
  item.result = use.result;
  if (use.pinned) item.fixed = assigned;
  item.prefer = hints_.unit(use.value);
  d_.items.push_back(item);
}

void Scan::result_item(uint32_t j) {
  for (const Item& i : d_.items)
    if (i.result == static_cast<int32_t>(j)) return;
  ValueId v = f_.inst(d_.id).results[j];
  Item item{.kind = Item::Result, .value = v, .shape = shape(v), .in_write = true};
  item.in_read = d_.machine->early_clobber;
  item.result = static_cast<int32_t>(j);
  item.fixed = fixed_at(d_.machine->fixed_results, j);
  int tie = j == 0 ? d_.machine->tied : j == 1 ? d_.machine->tied_second : -1;
  if (item.fixed == kNone && tie >= 0 && tracked(f_.inst(d_.id).operands[static_cast<size_t>(tie)]))
    item.fixed = fixed_at(d_.machine->fixed_operands, static_cast<size_t>(tie));
  item.prefer = hints_.unit(v);
  d_.items.push_back(item);
}

// Evicts the value with the furthest next use. Operands lose their register only after the instruction.
bool Scan::make_room(const Item& failing) {
  uint8_t cls = failing.shape.cls;
  ValueId best;
  uint32_t distance = 0;
  bool operand = false;
  auto consider = [&](ValueId v, bool is_operand) {
    uint32_t far = std::min(next_[v.index], kFarthest);
    bool better = !best.valid() || far > distance ||
                  (far == distance && slot_of[v.index] != kNone && slot_of[best.index] == kNone);
    if (better) best = v, distance = far, operand = is_operand;
  };
  ValueId last;
  busy_[cls].for_each([&](uint32_t unit) {
    ValueId v = owner_[cls][unit];
    if (v == last) return;
    last = v;
    if (!is_operand(v) && !contains(d_.dropped, v)) consider(v, false);
  });
  if (!best.valid() || !failing.in_read)
    for (const Use& u : d_.uses)
      if (shape(u.value).cls == cls && lives_on(u)) consider(u.value, true);
  if (!best.valid()) return false;
  (operand ? d_.demoted : d_.dropped).push_back(best);
  return true;
}

void Scan::emit_moves() {
  std::vector<Move> moves;
  std::vector<size_t> temps;  // item of each tagged move
  for (size_t n = 0; n < d_.items.size(); ++n) {
    const Item& i = d_.items[n];
    if (i.kind == Item::Temp && i.from == i.unit)  // the value has left this register
      for (uint64_t k = i.operands; k; k &= k - 1)
        d_.old_name.push_back(static_cast<uint32_t>(std::countr_zero(k)));
    if (i.kind == Item::Result || i.from == i.unit) continue;
    Location from =
        i.from == kNone ? Location{Location::Slot, slot(i.value)} : Location{Location::Register, i.from};
    moves.push_back({.value = i.value, .from = from, .to = {Location::Register, i.unit}});
    if (i.kind != Item::Temp) continue;
    moves.back().renames = i.take_over;
    moves.back().tag = static_cast<uint32_t>(temps.size() + 1);
    temps.push_back(n);
  }
  if (moves.empty()) return;
  for (uint32_t k : d_.old_name)
    plans[current_.index].pins.push_back({static_cast<uint32_t>(rows_.size()), d_.id, -1, k});
  inserter_.emit(moves, busy_, {}, rows_);
  for (const Move& m : moves)
    for (uint64_t k = m.tag ? d_.items[temps[m.tag - 1]].operands : 0; k; k &= k - 1)
      f_.inst(d_.id).operands[static_cast<size_t>(std::countr_zero(k))] = m.name;
}

void Scan::commit() {
  for (ValueId v : d_.dropped) release(v);
  emit_moves();
  rows_.push_back(d_.id);
  for (const Use& u : d_.uses) release(u.value);
  for (const Item& i : d_.items)
    if (i.optional) release(i.value);
  const auto& results = f_.inst(d_.id).results;
  for (const Item& i : d_.items) {
    bool stays = i.optional || i.take_over || (i.kind == Item::Assigned && i.in_write && i.result < 0);
    if (stays && next_[i.value.index] != kDead && !contains(d_.demoted, i.value)) take(i.value, i.unit);
  }
  for (uint32_t j = 0; j < results.size(); ++j) {
    if (!tracked(results[j])) continue;
    next_[results[j].index] = result_next_[result_cursor_++];
    for (const Item& i : d_.items) {
      if (i.result != static_cast<int32_t>(j)) continue;
      f_.value(results[j]).location = {Location::Register, i.unit};
      if (next_[results[j].index] != kDead) take(results[j], i.unit);
      propose(results[j], i.unit);
    }
  }
}

}  // namespace kc::regalloc
