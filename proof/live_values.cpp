// SPDX-License-Identifier: Apache-2.0
#include "proof/live_values.h"

#include <algorithm>
#include <utility>

#include "ir/cfg.h"
#include "ir/op.h"

namespace kc::proof {

std::optional<LiveValues> LiveValues::of(const Function& f, size_t most) {
  const Cfg cfg(f);
  // From each use to the definition, against the edges. Values are visited one after another.
  std::vector<std::pair<ValueId, BlockId>> uses;
  for (BlockId b : cfg.rpo) {
    auto use = [&](ValueId v) {
      if (!f.is_inline(v)) uses.emplace_back(v, b);
    };
    for (InstId i : f.block(b).insts) {
      for (ValueId v : f.inst(i).operands) use(v);
      for (const Target& t : f.inst(i).targets)
        for (ValueId v : t.args) use(v);
    }
  }
  std::ranges::sort(uses);
  std::vector<std::pair<BlockId, ValueId>> live;
  std::vector<ValueId> last(f.block_count());
  std::vector<BlockId> work;
  for (const auto& [v, user] : uses) {
    const BlockId home = block_of(f, v);
    const bool param = f.value(v).kind == ValueKind::Param;
    auto reach = [&](BlockId b) {
      if ((b == home && !param) || last[b.index] == v) return;
      last[b.index] = v;
      live.emplace_back(b, v);
      if (b != home) work.push_back(b);
    };
    reach(user);
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      for (BlockId p : cfg.preds[b.index])
        if (cfg.reachable(p)) reach(p);
    }
    if (live.size() > most) return std::nullopt;
  }
  LiveValues result(f);
  result.starts_ = Lists<ValueId>(f.block_count(), [&](auto add) {
    for (const auto& [b, v] : live) add(b.index, v);
  });
  return result;
}

std::vector<ValueId> LiveValues::at(Point p) const {
  if (p.index == 0) {
    const auto start = at_start(p.block);
    return {start.begin(), start.end()};
  }
  const Block& block = f->block(p.block);
  std::vector<ValueId> live;
  for (const Target& t : f->successors(p.block))
    for (ValueId v : at_start(t.block))
      if (!(f->value(v).kind == ValueKind::Param && BlockId(f->value(v).owner) == t.block)) live.push_back(v);
  std::vector<ValueId> made;
  for (size_t i = p.index; i < block.insts.size(); ++i) {
    const Inst& inst = f->inst(block.insts[i]);
    for (ValueId v : inst.operands)
      if (!f->is_inline(v)) live.push_back(v);
    for (const Target& t : inst.targets)
      for (ValueId v : t.args)
        if (!f->is_inline(v)) live.push_back(v);
    made.insert(made.end(), inst.results.begin(), inst.results.end());
  }
  std::ranges::sort(live);
  live.erase(std::ranges::unique(live).begin(), live.end());
  std::ranges::sort(made);
  std::erase_if(live, [&](ValueId v) { return std::ranges::binary_search(made, v); });
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
