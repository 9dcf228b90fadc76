// SPDX-License-Identifier: Apache-2.0
// Frame layout with slot sharing. A slot is live from its first spill to its last reload on any path.
// Lifetimes are widened to intervals of the layout and packed by a linear scan (Poletto and Sarkar 1999),
// with one free list per class and size.
#include <algorithm>
#include <map>
#include <set>

#include "backends/regalloc/allocator.h"

namespace kc::regalloc {
namespace {

struct Interval {
  uint32_t slot = 0, first = kNone, last = 0;
  void cover(uint32_t at) { first = std::min(first, at), last = std::max(last, at); }
};

class Slots {
 public:
  Slots(const Function& f, size_t original_insts, size_t count) : f_(f), originals_(original_insts) {
    intervals_.resize(count);
    for (uint32_t s = 0; s < count; ++s) intervals_[s].slot = s;
  }

  // The slot accessed by an inserted instruction, or kNone.
  uint32_t slot_at(InstId i) const {
    const Inst& inst = f_.inst(i);
    bool ours = i.index >= originals_ && inst.targets.empty() && inst.operands.size() != inst.results.size();
    return ours ? static_cast<uint32_t>(inst.attrs[0]) : kNone;
  }

  std::vector<Interval> run() {
    Cfg cfg(f_);
    std::vector<uint32_t> start(f_.block_count()), end(f_.block_count());
    std::vector<std::vector<BlockId>> open(intervals_.size());  // blocks that read before they write
    std::vector<std::vector<uint32_t>> writes(f_.block_count());
    uint32_t at = 0;
    std::set<uint32_t> written;
    for (BlockId b : f_.layout) {
      start[b.index] = at++;
      written.clear();
      for (InstId i : f_.block(b).insts) {
        uint32_t s = slot_at(i);
        ++at;
        if (s == kNone) continue;
        intervals_[s].cover(at);
        if (f_.inst(i).results.empty())
          written.insert(s);
        else if (!written.contains(s) && (open[s].empty() || open[s].back() != b))
          open[s].push_back(b);
      }
      writes[b.index].assign(written.begin(), written.end());
      end[b.index] = at++;
    }
    std::vector<uint32_t> mark(f_.block_count(), kNone);
    for (uint32_t s = 0; s < open.size(); ++s) {
      std::vector<BlockId> work = std::move(open[s]);
      for (BlockId b : work) mark[b.index] = s;
      while (!work.empty()) {
        BlockId b = work.back();
        work.pop_back();
        intervals_[s].cover(start[b.index]);
        for (BlockId p : cfg.preds[b.index]) {
          intervals_[s].cover(end[p.index]);
          if (mark[p.index] == s || std::binary_search(writes[p.index].begin(), writes[p.index].end(), s))
            continue;
          mark[p.index] = s;
          work.push_back(p);
        }
      }
    }
    return intervals_;
  }

 private:
  const Function& f_;
  size_t originals_;
  std::vector<Interval> intervals_;
};

// Assigns a frame location to each used slot; locations are numbered in order of first use.
std::vector<uint32_t> pack(std::vector<Interval> intervals, const Inserter& inserter,
                           std::vector<Inserter::Slot>& places) {
  std::vector<uint32_t> place(intervals.size(), kNone);
  std::erase_if(intervals, [](const Interval& i) { return i.first == kNone; });
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
    return a.first != b.first ? a.first < b.first : a.slot < b.slot;
  });
  std::set<std::pair<uint32_t, uint32_t>> active;  // last position, frame location
  std::map<std::pair<uint8_t, uint8_t>, std::set<uint32_t>> free;
  for (const Interval& i : intervals) {
    while (!active.empty() && active.begin()->first < i.first) {
      const auto& s = places[active.begin()->second];
      free[{s.cls, s.size}].insert(active.begin()->second);
      active.erase(active.begin());
    }
    Inserter::Slot slot = inserter.slots[i.slot];
    auto& list = free[{slot.cls, slot.size}];
    if (list.empty()) {
      place[i.slot] = static_cast<uint32_t>(places.size());
      places.push_back(slot);
    } else {
      place[i.slot] = *list.begin();
      list.erase(list.begin());
    }
    active.insert({i.last, place[i.slot]});
  }
  return place;
}

void count_registers(const Function& f, const RegTarget& target, Allocation& result) {
  std::vector<UnitSet> used(target.classes.size());
  auto value = [&](ValueId v) {
    Shape s = shape_of(target, f.type(v));
    Location l = f.value(v).location;
    if (s.cls == kNoClass || l.kind != Location::Register) return;
    used[s.cls].add(l.index, s.size);
  };
  for (BlockId b : f.layout) {
    for (ValueId p : f.block(b).params) value(p);
    for (InstId i : f.block(b).insts) {
      for (ValueId r : f.inst(i).results) value(r);
      const MachineInfo& m = target.constraints(f, f.inst(i));
      for (size_t c = 0; c < target.classes.size() && c < m.clobbers.size(); ++c)
        used[c].add_mask(m.clobbers[c]);
    }
  }
  for (size_t c = 0; c < target.classes.size(); ++c) {
    uint32_t top = 0;
    for (uint32_t u : target.classes[c].order) top = std::max(top, u + 1);
    used[c].for_each([&](uint32_t u) { top = std::max(top, u + 1); });
    auto& units = result.used.emplace_back(top);
    used[c].for_each([&](uint32_t u) { units[u] = true; });
  }
}

}  // namespace

void assign_slots(Function& f, const RegTarget& target, size_t original_insts, const Inserter& inserter,
                  Allocation& result) {
  Slots slots(f, original_insts, inserter.slots.size());
  std::vector<Inserter::Slot> places;
  std::vector<uint32_t> place = pack(slots.run(), inserter, places);
  uint32_t unused = kNone;  // unused parameters in memory share one more frame location
  auto final_slot = [&](uint32_t s) {
    if (place[s] != kNone) return place[s] + target.first_slot;
    if (unused == kNone) {
      unused = static_cast<uint32_t>(places.size());
      places.push_back({inserter.slots[s].cls, 0});
    }
    return unused + target.first_slot;
  };
  for (BlockId b : f.layout) {
    for (ValueId p : f.block(b).params)
      if (Value& v = f.value(p);
          v.location.kind == Location::Slot && shape_of(target, v.type).cls != kNoClass)
        v.location.index = final_slot(v.location.index);
    for (InstId i : f.block(b).insts) {
      if (i.index < original_insts) continue;
      Inst& inst = f.inst(i);
      if (uint32_t s = slots.slot_at(i); s != kNone) {
        inst.attrs[0] = place[s] + target.first_slot;
        ++(inst.results.empty() ? result.spills : result.reloads);
      } else if (inst.op == target.copy) {
        ++result.copies;
      }
    }
  }
  for (const Inserter::Slot& s : places) {
    uint32_t unit = target.classes[s.cls].slot_bytes;
    result.frame_bytes = (result.frame_bytes + unit - 1) / unit * unit;
    result.slot_offset.push_back(result.frame_bytes);
    result.frame_bytes += unit * s.size;
    result.frame_alignment = std::max(result.frame_alignment, unit);
  }
  count_registers(f, target, result);
}

}  // namespace kc::regalloc
