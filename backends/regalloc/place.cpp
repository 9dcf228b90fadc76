// SPDX-License-Identifier: Apache-2.0
// Assigns registers to the items of one instruction. An instruction has two phases: operands are read, then
// clobbers and results are written. An item occupies its register in one phase or in both.
// Order: values in fixed registers are evicted; operands stay where they are if possible; the other items are
// assigned by falling size, then the evicted values. For a tuple without a free window other values are moved
// aside. `attempt` returns the item that has no register. The caller then frees one more register, which
// terminates because there are finitely many values; at the end it requests a bounded search over all orders.
#include <algorithm>

#include "backends/regalloc/allocator.h"

namespace kc::regalloc {

UnitSet Scan::taken(const Item& item) const {
  UnitSet set;
  if (item.in_read) set |= d_.read[item.shape.cls];
  if (item.in_write) set |= d_.write[item.shape.cls];
  // Results are written after the clobbered registers are destroyed, so they may use these registers.
  if (item.result < 0 && (item.in_write || d_.machine->early_clobber)) set |= d_.clobbered[item.shape.cls];
  return set;
}

void Scan::occupy(const Item& item) {
  if (item.in_read) d_.read[item.shape.cls].add(item.unit, item.shape.size);
  if (item.in_write) d_.write[item.shape.cls].add(item.unit, item.shape.size);
}

void Scan::vacate(const Item& item) {
  if (item.in_read) d_.read[item.shape.cls].remove(item.unit, item.shape.size);
  if (item.in_write) d_.write[item.shape.cls].remove(item.unit, item.shape.size);
}

// Registers fixed or clobbered by later instructions of the block while the item's value is live.
UnitSet Scan::avoided(const Item& item) const {
  UnitSet set;
  uint8_t cls = item.shape.cls;
  uint32_t next = next_[item.value.index];
  if (item.kind == Item::Result || item.result >= 0) {
    size_t cursor = result_cursor_;
    const auto& results = f_.inst(d_.id).results;
    for (size_t j = 0; j < static_cast<size_t>(item.result); ++j) cursor += tracked(results[j]);
    next = result_next_[cursor];
  }
  if (next == kDead) return set;
  for (size_t n = constrained_cursor_; n < constrained_.size() && n < constrained_cursor_ + 4; ++n) {
    if (constrained_[n].first >= next) break;
    const Inst& inst = f_.inst(constrained_[n].second);
    const MachineInfo& m = target_.constraints(f_, inst);
    if (cls < m.clobbers.size()) set.add_mask(m.clobbers[cls]);
    auto add = [&](const FixedReg& r, std::span<const ValueId> list) {
      if (r.index < 0 || static_cast<size_t>(r.index) >= list.size()) return;
      Shape s = shape(list[static_cast<size_t>(r.index)]);
      if (s.cls == cls) set.add(static_cast<uint32_t>(r.reg), s.size);
    };
    for (const FixedReg& r : m.fixed_operands) add(r, inst.operands);
    for (const FixedReg& r : m.fixed_results) add(r, inst.results);
  }
  return set;
}

// Units occupied by values that are not operands. Such values become items if the instruction names their
// registers.
void Scan::start_phases() {
  const size_t classes = target_.classes.size();
  d_.base = busy_;
  for (const Use& u : d_.uses)
    if (assigned_reg_[u.value.index] != kNone)
      d_.base[shape(u.value).cls].remove(assigned_reg_[u.value.index], shape(u.value).size);
  for (ValueId v : d_.dropped) d_.base[shape(v).cls].remove(assigned_reg_[v.index], shape(v).size);
  for (size_t c = 0; c < classes && d_.named; ++c) {
    (d_.read_fixed[c] | d_.write_fixed[c] | d_.clobbered[c]).for_each([&](uint32_t unit) {
      if (!d_.base[c].test(unit)) return;
      ValueId v = owner_[c][unit];
      Item item{.kind = Item::Assigned, .value = v, .shape = shape(v), .in_read = true, .in_write = true};
      item.from = assigned_reg_[v.index];
      item.optional = true;
      d_.base[c].remove(item.from, item.shape.size);
      d_.items.push_back(item);
    });
  }
  d_.read = d_.write = d_.base;
  for (size_t c = 0; c < classes && d_.named; ++c) {
    d_.read[c] |= d_.read_fixed[c];
    d_.write[c] |= d_.write_fixed[c];
    if (!d_.machine->early_clobber) continue;
    d_.read[c] |= d_.write_fixed[c];
    d_.write[c] |= d_.read_fixed[c];
  }
}

const Item* Scan::attempt() {
  start_phases();
  for (Item& i : d_.items)
    if (i.fixed != kNone) i.unit = i.fixed, occupy(i);
  for (Item& i : d_.items) {
    if (i.kind != Item::Assigned || i.optional || i.unit != kNone || i.from == kNone) continue;
    if (d_.repack[i.shape.cls] || taken(i).any(i.from, i.shape.size)) continue;
    i.unit = i.from;
    occupy(i);
  }
  for (uint32_t c = 0; c < d_.repack.size(); ++c)
    if (d_.repack[c] && !repack(c))
      for (const Item& i : d_.items)
        if (i.shape.cls == c && i.unit == kNone && !i.optional) return &i;
  // Compaction appends items, so indices are kept rather than references.
  auto before = [&](size_t a, size_t b) {
    const Item &x = d_.items[a], &y = d_.items[b];
    return x.optional != y.optional ? y.optional : x.shape.size > y.shape.size;
  };
  d_.order.clear();
  for (size_t n = 0; n < d_.items.size(); ++n) {  // a few at most
    if (d_.items[n].unit != kNone) continue;
    auto at = d_.order.end();
    while (at != d_.order.begin() && before(n, *(at - 1))) --at;
    d_.order.insert(at, n);
  }
  for (size_t n : d_.order) {
    if (place(d_.items[n])) continue;
    if (d_.items[n].shape.size > 1) {
      Item item = d_.items[n];
      bool made = compact(item);
      d_.items[n] = item;
      if (made) continue;
    }
    if (!d_.items[n].optional) return &d_.items[n];
    d_.dropped.push_back(d_.items[n].value);
  }
  std::erase_if(d_.items, [](const Item& i) { return i.optional && i.unit == kNone; });
  return nullptr;
}

bool Scan::place(Item& item) {
  UnitSet set = taken(item), avoid = avoided(item);
  if (hints_.has_groups()) {
    avoid |= reserved_[item.shape.cls];
    if (item.kind == Item::Result && item.prefer == kNone) item.prefer = preferred(item.value, set | avoid);
    if (item.prefer != kNone && item.prefer + item.shape.size <= kMaxUnits &&
        item.prefer == hints_.unit(item.value))
      avoid.remove(item.prefer, item.shape.size);
  }
  item.unit = pick(item.shape, set, avoid, item.prefer);
  if (item.unit != kNone) occupy(item);
  return item.unit != kNone;
}

// Tries the windows whose holders are cheapest to move aside.
bool Scan::compact(Item& item) {
  const uint8_t cls = item.shape.cls;
  const RegClass& regs = target_.classes[cls];
  const UnitSet set = taken(item);
  std::vector<std::pair<uint32_t, uint32_t>> windows;  // cost, first unit
  for (uint32_t u : regs.order) {
    if (u % item.shape.align || u + item.shape.size > kMaxUnits) continue;
    if (!allocatable_[cls].all(u, item.shape.size)) continue;
    uint32_t cost = 0;
    bool possible = true;
    for (uint32_t x = u; x < u + item.shape.size; ++x)
      if (set.test(x)) ++cost, possible &= d_.base[cls].test(x);
    if (possible) windows.push_back({cost, u});
  }
  std::stable_sort(windows.begin(), windows.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (size_t n = 0; n < windows.size() && n < 8; ++n)
    if (compact_into(item, windows[n].second)) return true;
  return false;
}

bool Scan::compact_into(Item& item, uint32_t window) {
  const uint8_t cls = item.shape.cls;
  const UnitSet base = d_.base[cls], read = d_.read[cls], write = d_.write[cls];
  std::vector<Item> moved;
  for (uint32_t x = window; x < window + item.shape.size; ++x) {
    if (!d_.base[cls].test(x)) continue;
    ValueId v = owner_[cls][x];
    Item other{.kind = Item::Assigned, .value = v, .shape = shape(v), .in_read = true, .in_write = true};
    other.from = assigned_reg_[v.index];
    other.optional = true;
    for (UnitSet* s : {&d_.base[cls], &d_.read[cls], &d_.write[cls]}) s->remove(other.from, other.shape.size);
    moved.push_back(other);
  }
  item.unit = window;
  occupy(item);
  std::stable_sort(moved.begin(), moved.end(),
                   [](const Item& a, const Item& b) { return a.shape.size > b.shape.size; });
  for (Item& other : moved) {
    if (place(other)) continue;
    d_.base[cls] = base, d_.read[cls] = read, d_.write[cls] = write;
    item.unit = kNone;
    return false;
  }
  d_.items.insert(d_.items.end(), moved.begin(), moved.end());
  return true;
}

bool Scan::repack(uint32_t cls) {
  std::vector<Item*> items;
  for (Item& i : d_.items)
    if (i.shape.cls == cls && i.unit == kNone && !i.optional) items.push_back(&i);
  std::stable_sort(items.begin(), items.end(),
                   [](const Item* a, const Item* b) { return a->shape.size > b->shape.size; });
  uint32_t budget = 20'000;
  return repack_from(items, 0, budget);
}

bool Scan::repack_from(std::vector<Item*>& items, size_t next, uint32_t& budget) {
  if (next == items.size()) return true;
  Item& item = *items[next];
  UnitSet set = taken(item);
  for (uint32_t u : target_.classes[item.shape.cls].order) {
    if (u % item.shape.align || u + item.shape.size > kMaxUnits || set.any(u, item.shape.size)) continue;
    if (!allocatable_[item.shape.cls].all(u, item.shape.size) || !budget) continue;
    --budget;
    item.unit = u;
    occupy(item);
    if (repack_from(items, next + 1, budget)) return true;
    vacate(item);
    item.unit = kNone;
  }
  return false;
}

}  // namespace kc::regalloc
