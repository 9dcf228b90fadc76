// SPDX-License-Identifier: Apache-2.0
#include "proof/live_values.h"

#include <algorithm>
#include <utility>

#include "ir/cfg.h"
#include "ir/op.h"

namespace kc::proof {

bool is_silent(const Inst& inst) {
  const OpInfo& row = info(inst.op);
  return (row.effects == Effects::None || inst.op == Op::opaque_false) && inst.results.size() == 1;
}

namespace {

// A use, with the block that it is in; `late` if it is not before the block's first event.
struct Use {
  ValueId value;
  BlockId block;
  bool late = false;
  auto operator<=>(const Use&) const = default;
};

// The paths from uses to the definitions, against the edges.
class Liveness {
 public:
  Liveness(const Function& function, const std::vector<uint32_t>& events)
      : f(function),
        cfg_(function),
        events_(events),
        late_(f.value_count(), false),
        at_(f.block_count()),
        into_(f.block_count()) {}

  bool run(size_t most) {
    std::vector<Use> uses = find_uses();
    std::ranges::sort(uses);
    for (const Use& u : uses) {
      const BlockId home = block_of(f, u.value);
      if (u.late) needed_in(u.value, u.block, home);
      if (u.block != home) enters(u.value, u.block);
      while (!work_.empty()) {
        const BlockId b = work_.back();
        work_.pop_back();
        for (BlockId p : cfg_.preds[b.index]) {
          if (!cfg_.reachable(p)) continue;
          needed_in(u.value, p, home);
          if (p != home) enters(u.value, p);
        }
      }
      if (live.size() > most) return false;
    }
    return true;
  }
  std::vector<std::pair<BlockId, ValueId>> live;

 private:
  std::vector<Use> find_uses() {
    std::vector<Use> uses;
    for (BlockId b : cfg_.rpo)
      for (uint32_t k = 0; k < f.block(b).insts.size(); ++k) {
        const Inst& inst = f.inst(f.block(b).insts[k]);
        const bool late = k >= events_[b.index];
        const auto use = [&](ValueId v) {
          if (!f.is_inline(v)) uses.push_back({v, b, late});
        };
        for (ValueId v : inst.operands) use(v);
        for (const Target& t : inst.targets)
          for (ValueId v : t.args) use(v);
        if (late)
          for (ValueId v : inst.results) late_[v.index] = true;
      }
    return uses;
  }
  void needed_in(ValueId v, BlockId b, BlockId home) {
    if ((b == home && late_[v.index]) || at_[b.index] == v) return;
    at_[b.index] = v;
    live.emplace_back(b, v);
  }
  void enters(ValueId v, BlockId b) {
    if (into_[b.index] == v) return;
    into_[b.index] = v;
    work_.push_back(b);
  }

  const Function& f;
  const Cfg cfg_;
  const std::vector<uint32_t>& events_;
  std::vector<bool> late_;  // by value id: made at the first event of its block, or later
  std::vector<ValueId> at_,
      into_;  // by block: the last value that is needed at its first event, at its start
  std::vector<BlockId> work_;
};

}  // namespace

std::optional<LiveValues> LiveValues::of(const Function& f, size_t most) {
  LiveValues result(f);
  result.events_.resize(f.block_count(), 0);
  for (BlockId b : f.layout) {
    uint32_t& event = result.events_[b.index];
    while (is_silent(f.inst(f.block(b).insts[event]))) ++event;
  }
  Liveness liveness(f, result.events_);
  if (!liveness.run(most)) return std::nullopt;
  result.lists_ = Lists<ValueId>(f.block_count(), [&](auto add) {
    for (const auto& [b, v] : liveness.live) add(b.index, v);
  });
  return result;
}

std::span<const ValueId> LiveValues::at(Point p, std::vector<ValueId>& storage) const {
  if (p == first_event(p.block)) return lists_[p.block.index];
  storage = scan(p);
  return storage;
}

// What is used from there on in the block, or at the start of the next blocks.
std::vector<ValueId> LiveValues::scan(Point p) const {
  std::vector<ValueId> live, made;
  const auto add_uses = [&](const Inst& inst) {
    const auto use = [&](ValueId v) {
      if (!f->is_inline(v)) live.push_back(v);
    };
    std::ranges::for_each(inst.operands, use);
    for (const Target& t : inst.targets) std::ranges::for_each(t.args, use);
    made.insert(made.end(), inst.results.begin(), inst.results.end());
  };
  // Without the values that are made after `first`.
  const auto remove_made = [&](size_t first) {
    std::ranges::sort(made);
    live.erase(std::remove_if(live.begin() + static_cast<ptrdiff_t>(first), live.end(),
                              [&](ValueId v) { return std::ranges::binary_search(made, v); }),
               live.end());
    made.clear();
  };
  for (const Target& t : f->successors(p.block)) {
    const Block& next = f->block(t.block);
    const size_t first = live.size();
    const auto at_event = lists_[t.block.index];
    live.insert(live.end(), at_event.begin(), at_event.end());
    for (uint32_t i = 0; i < events_[t.block.index]; ++i) add_uses(f->inst(next.insts[i]));
    made.insert(made.end(), next.params.begin(), next.params.end());
    remove_made(first);
  }
  const Block& block = f->block(p.block);
  for (size_t i = p.index; i < block.insts.size(); ++i) add_uses(f->inst(block.insts[i]));
  remove_made(0);
  std::ranges::sort(live);
  live.erase(std::ranges::unique(live).begin(), live.end());
  return live;
}

namespace {

// Operations whose result is one of their operands, or a boolean.
bool passes_values_on(const Function& f, const Inst& inst) {
  return inst.op == Op::select || (inst.results.size() == 1 && f.type(inst.results[0]) == kI1 &&
                                   info(inst.op).effects == Effects::None);
}

// Calls flow(from, to) where the value `to` may be `from`, or is a boolean of it.
template <typename Flow>
void for_each_flow(const Function& f, Flow flow) {
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      for (const Target& t : inst.targets)
        for (size_t k = 0; k < t.args.size(); ++k) flow(t.args[k], f.block(t.block).params[k]);
      if (passes_values_on(f, inst))
        for (ValueId v : inst.operands) flow(v, inst.results[0]);
    }
}

}  // namespace

std::vector<bool> deciding_values(const Function& f) {
  const size_t n = f.value_count();
  const Lists<ValueId> sources(
      n, [&](auto add) { for_each_flow(f, [&](ValueId from, ValueId to) { add(to.index, from); }); });
  const Lists<ValueId> sinks(
      n, [&](auto add) { for_each_flow(f, [&](ValueId from, ValueId to) { add(from.index, to); }); });
  std::vector<bool> relevant(n, false), endless(n, false);
  std::vector<ValueId> work;
  auto mark = [&](std::vector<bool>& set, ValueId v) {
    if (set[v.index]) return;
    set[v.index] = true;
    work.push_back(v);
  };
  for (BlockId b : f.layout) {
    const Inst& end = f.inst(f.terminator(b));
    if (end.op != Op::br_if && end.op != Op::switch_) continue;
    if (!f.is_inline(end.operands[0])) mark(relevant, end.operands[0]);
  }
  while (!work.empty()) {
    const ValueId v = work.back();
    work.pop_back();
    for (ValueId from : sources[v.index])
      if (!f.is_inline(from)) mark(relevant, from);
  }
  // Whatever is computed in another way than by choice makes the values that it reaches unlimited.
  for (uint32_t i = 0; i < n; ++i) {
    const ValueId v(i);
    if (f.is_inline(v) || f.type(v) == kI1) continue;
    const bool chosen = f.value(v).kind == ValueKind::Param ? BlockId(f.value(v).owner) != f.entry()
                                                            : f.inst(f.def(v)).op == Op::select;
    if (!chosen) mark(endless, v);
  }
  while (!work.empty()) {
    const ValueId v = work.back();
    work.pop_back();
    for (ValueId to : sinks[v.index])
      if (f.type(to) != kI1) mark(endless, to);
  }
  for (uint32_t i = 0; i < n; ++i) relevant[i] = relevant[i] && !endless[i];
  return relevant;
}

}  // namespace kc::proof
