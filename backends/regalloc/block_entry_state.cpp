// SPDX-License-Identifier: Apache-2.0
// Register contents at the start of a block. A block with one predecessor inherits the state at its end. At a
// join the values with the nearest next use stay, and those already in registers in the predecessors take
// precedence. At a loop header, values live through the loop stay if the pressure inside it permits, and
// values used only behind the header if the pressure inside the header does. A parameter that is only passed
// on to one in memory stays in memory, too.
#include <algorithm>

#include "backends/regalloc/allocator.h"

namespace kc::regalloc {

std::optional<std::string> Scan::enter(BlockId b) {
  const auto& preds = cfg_.preds[b.index];
  if (b == f_.entry()) {
    if (auto error = enter_function(b)) return error;
  } else if (preds.size() == 1 && f_.block(b).params.empty()) {
    inherit(b, preds[0]);
  } else {
    join(b);
  }
  // Unused parameters need a location but no register.
  for (ValueId p : f_.block(b).params)
    if (tracked(p) && next_[p.index] == kDead) release(p);
  return {};
}

std::optional<std::string> Scan::enter_function(BlockId b) {
  std::vector<ValueId> open;
  for (ValueId p : f_.block(b).params) {
    if (!tracked(p)) continue;
    Location l = f_.value(p).location;
    if (l.kind != Location::Register)
      open.push_back(p);
    else if (l.index + shape(p).size > kMaxUnits || busy_[shape(p).cls].any(l.index, shape(p).size))
      return "two parameters of the function share a register";
    else
      take(p, l.index), propose(p, l.index);
  }
  std::stable_sort(open.begin(), open.end(),
                   [&](ValueId a, ValueId c) { return shape(a).size > shape(c).size; });
  for (ValueId p : open) {
    const UnitSet& busy = busy_[shape(p).cls];
    uint32_t unit = pick(shape(p), busy, reserved_[shape(p).cls], preferred(p, busy));
    if (unit == kNone) return "the function's parameters do not fit the registers";
    f_.value(p).location = {Location::Register, unit};
    take(p, unit);
    propose(p, unit);
  }
  return {};
}

void Scan::inherit(BlockId b, BlockId p) {
  auto live = live_.in[b.index].begin(), end = live_.in[b.index].end();
  for (const Placed& x : plans[p.index].exit) {
    while (live != end && live->value < x.value) ++live;
    if (live == end || live->value != x.value) continue;
    take(x.value, x.unit);
    plans[b.index].entry.push_back(x);
  }
}

std::vector<Scan::Candidate> Scan::candidates(BlockId b) const {
  std::vector<BlockId> known;  // predecessors already visited, the most frequent first
  for (BlockId p : cfg_.preds[b.index])
    if (cfg_.number[p.index] < cfg_.number[b.index]) known.push_back(p);
  std::stable_sort(known.begin(), known.end(),
                   [&](BlockId x, BlockId y) { return loops_.depth(x) > loops_.depth(y); });
  std::vector<Candidate> result;
  auto look = [&](Candidate c, auto value_at) {
    c.everywhere = true;
    for (BlockId p : known) {
      uint32_t unit = exit_unit(p, value_at(p));
      if (unit == kNone)
        c.everywhere = false;
      else if (!c.available)
        c.available = true, c.prefer = unit;
    }
    c.distance = next_[c.value.index];
    result.push_back(c);
  };
  for (const LiveValue& l : live_.in[b.index]) look({.value = l.value}, [&](BlockId) { return l.value; });
  const auto& params = f_.block(b).params;
  for (size_t k = 0; k < params.size(); ++k)
    if (tracked(params[k]))
      look({.value = params[k], .param = true},
           [&](BlockId p) { return f_.inst(f_.terminator(p)).targets[0].args[k]; });
  return result;
}

std::vector<Scan::Candidate> Scan::choose(BlockId b, std::vector<Candidate> all) const {
  bool header = std::any_of(cfg_.preds[b.index].begin(), cfg_.preds[b.index].end(),
                            [&](BlockId p) { return cfg_.number[p.index] >= cfg_.number[b.index]; });
  auto through = [](const Candidate& c) { return c.distance >= kLoopExit; };
  auto behind = [&](const Candidate& c) { return c.distance >= f_.block(b).insts.size(); };
  // By class: units left, how many of them values that live through a loop may take, and how many values that
  // are used behind its header. More of these would be evicted in the header, and loaded for nothing on the
  // way back to it.
  std::vector<int64_t> left, carried, past_header;
  for (size_t c = 0; c < target_.classes.size(); ++c) {
    left.push_back(static_cast<int64_t>(target_.classes[c].order.size()));
    carried.push_back(left.back()), past_header.push_back(left.back());
    if (!header || !loops_.is_header(b)) continue;
    carried[c] -= loops_.pressure[loops_.innermost[b.index]][c];
    past_header[c] -= loops_.header_pressure[loops_.innermost[b.index]][c];
  }
  for (const Candidate& c : all)
    if (header && loops_.is_header(b) && through(c)) carried[shape(c.value).cls] += shape(c.value).size;
  std::stable_sort(all.begin(), all.end(),
                   [](const Candidate& x, const Candidate& y) { return x.distance < y.distance; });
  std::vector<Candidate> chosen;
  for (const Candidate& c : all) {
    Shape s = shape(c.value);
    if (left[s.cls] < s.size) continue;
    if (behind(c) && past_header[s.cls] < s.size) continue;
    if (c.param && ends_in_memory(c.value)) continue;
    if (header && through(c)) {
      if ((!c.available && !c.param) || carried[s.cls] < s.size) continue;
      carried[s.cls] -= s.size;
    } else if (!header && (!c.available || (!c.everywhere && !c.param && through(c)))) {
      continue;
    }
    left[s.cls] -= s.size;
    if (behind(c)) past_header[s.cls] -= s.size;
    chosen.push_back(c);
  }
  return chosen;
}

void Scan::find_passed_on() {
  passed_on_.resize(f_.value_count());
  std::vector<bool> read(f_.value_count());
  // What is behind the loop of the value is far.
  const auto is_far = [&](ValueId v, BlockId b) {
    const uint32_t home = loops_.innermost[block_of(f_, v).index];
    return home != kNone && !loops_.contains(home, b);
  };
  for (BlockId b : cfg_.rpo) {
    for (InstId i : f_.block(b).insts)
      for (ValueId v : f_.inst(i).operands)
        if (tracked(v) && !is_far(v, b)) read[v.index] = true;
    for (const Target& t : f_.successors(b))
      for (size_t k = 0; k < t.args.size(); ++k) {
        const ValueId v = t.args[k], param = f_.block(t.block).params[k];
        if (!tracked(v) || is_far(v, t.block)) continue;
        ValueId& to = passed_on_[v.index];
        if ((to.valid() && to != param) || webs_->of(v) != webs_->of(param)) read[v.index] = true;
        to = param;
      }
  }
  for (uint32_t v = 0; v < read.size(); ++v)
    if (read[v] || webs_->of(ValueId(v)) == kNone) passed_on_[v] = ValueId();
}

// Whether the loop of the value only passes it on, to a parameter that lives in the slot of their web.
bool Scan::ends_in_memory(ValueId v) const {
  if (!webs_) return false;
  uint32_t last = cfg_.number[current_.index];
  for (v = passed_on_[v.index]; v.valid(); v = passed_on_[v.index]) {
    const uint32_t next = cfg_.number[f_.value(v).owner];
    if (next < cfg_.number[current_.index]) return f_.value(v).location.kind == Location::Slot;
    if (next <= last) break;  // back to an inner loop
    last = next;
  }
  return false;
}

// Assigns units to the chosen values: the current ones if possible, larger values first. `strict` gives up
// current units so that tuples fit.
bool Scan::settle(std::vector<Candidate>& chosen, bool strict) {
  std::stable_sort(chosen.begin(), chosen.end(), [&](const Candidate& x, const Candidate& y) {
    uint32_t a = shape(x.value).size, c = shape(y.value).size;
    return a != c ? a > c : x.param < y.param;
  });
  auto put = [&](const Candidate& c, uint32_t unit) {
    if (unit != kNone) take(c.value, unit);
    return unit != kNone;
  };
  bool all = true;
  for (int pass = strict ? 1 : 0; pass < 2; ++pass)
    for (const Candidate& c : chosen) {
      Shape s = shape(c.value);
      if (assigned_reg_[c.value.index] != kNone) continue;
      bool there = c.prefer != kNone && !busy_[s.cls].any(c.prefer, s.size);
      if (there && (pass == 0 || strict))
        put(c, c.prefer);
      else if (pass == 1)
        all &= put(c, pick(s, busy_[s.cls], {}, preferred(c.value, busy_[s.cls]))) || s.size == 1;
    }
  return all;
}

void Scan::join(BlockId b) {
  std::vector<Candidate> chosen = choose(b, candidates(b));
  if (!settle(chosen, false)) {
    for (const Candidate& c : chosen) release(c.value);
    held_.clear();
    settle(chosen, true);
  }
  for (const Candidate& c : chosen)
    if (!c.param && assigned_reg_[c.value.index] != kNone)
      plans[b.index].entry.push_back({c.value, assigned_reg_[c.value.index]});
  auto& entry = plans[b.index].entry;
  std::sort(entry.begin(), entry.end(), [](const Placed& x, const Placed& y) { return x.value < y.value; });
  for (ValueId p : f_.block(b).params) {
    if (!tracked(p)) continue;
    uint32_t unit = assigned_reg_[p.index];
    f_.value(p).location =
        unit == kNone ? Location{Location::Slot, slot(p)} : Location{Location::Register, unit};
    if (unit != kNone) propose(p, unit);
  }
}

}  // namespace kc::regalloc
