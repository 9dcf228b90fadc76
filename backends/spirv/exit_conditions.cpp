// SPDX-License-Identifier: Apache-2.0
#include "backends/spirv/exit_conditions.h"

#include <algorithm>

#include "backends/spirv/memory.h"

namespace kc::spirv {
namespace {

constexpr size_t kMostAsked = 24;  // instructions that are re-evaluated

void collect_blocks(const RegionList& regions, std::vector<char>& inside) {
  for (const Region& r : regions) {
    if (r.kind == RegionKind::Block) inside[r.block.index] = 1;
    for (const RegionList& arm : r.arms) collect_blocks(arm, inside);
  }
}

size_t count_breaks(const RegionList& regions, uint32_t join) {
  size_t count = 0;
  for (const Region& r : regions) {
    count += r.leave == Leave::Break && r.to == join;
    for (const RegionList& arm : r.arms) count += count_breaks(arm, join);
  }
  return count;
}

class ExitConditionFinder {
 public:
  ExitConditionFinder(const Function& function, const Region& loop)
      : f(function), loop_(loop), inside_(f.block_count(), 0), needed_(f.value_count(), 0) {
    collect_blocks(loop.arms[0], inside_);
  }

  ExitConditions run() {
    ExitConditions result;
    std::vector<InstId> front;  // instructions before the last exit
    size_t kept = 0;
    for (const Region& r : loop_.arms[0]) {
      if (r.kind == RegionKind::Block) {
        const auto& insts = f.block(r.block).insts;
        front.insert(front.end(), insts.begin(), insts.end() - 1);
      } else if (r.kind == RegionKind::ExitIf && r.to == loop_.join) {
        const Inst& end = f.inst(f.terminator(r.block));
        if (!brings_the_same(end.targets[r.edge].args, result.exits.empty())) return {};
        result.exits.push_back({end.operands[0], r.edge == 0});
        need(end.operands[0]);
        kept = front.size();
      } else {
        break;
      }
    }
    front.resize(kept);
    if (result.exits.size() != count_breaks(loop_.arms[0], loop_.join)) return {};
    if (!leaves_only_heads() || !take_slice(front, result.slice)) return {};
    return result;
  }

  bool differ() const {
    std::vector<const Target*> ways;
    if (!collect_edges(loop_.arms[0], ways) || ways.size() < 2 || !leaves_only_heads()) return false;
    for (size_t k = 0; k < ways[0]->args.size(); ++k)
      if (std::ranges::none_of(ways, [&](const Target* way) { return stays(way->args[k]); })) return false;
    return true;
  }

 private:
  bool is_inside(ValueId v) const {
    const Value& value = f.value(v);
    if (value.kind == ValueKind::Param) return inside_[value.owner];
    return value.kind == ValueKind::Result && inside_[f.inst(f.def(v)).block.index];
  }
  bool is_heads(ValueId v) const {
    return f.value(v).kind == ValueKind::Param && f.value(v).owner == loop_.block.index;
  }
  bool stays(ValueId v) const { return !is_inside(v) || is_heads(v); }
  void need(ValueId v) {
    if (!f.is_inline(v)) needed_[v.index] = 1;
  }
  bool brings_the_same(const ValueList& args, bool first) {
    if (first) brought_ = args;
    return brought_ == args && std::ranges::all_of(args, [&](ValueId v) { return stays(v); });
  }
  bool leaves_only_heads() const {
    auto is_fine = [&](ValueId v) { return stays(v); };
    for (BlockId b : f.layout) {
      if (inside_[b.index]) continue;
      for (InstId i : f.block(b).insts) {
        if (!std::ranges::all_of(f.inst(i).operands, is_fine)) return false;
        for (const Target& t : f.inst(i).targets)
          if (!std::ranges::all_of(t.args, is_fine)) return false;
      }
    }
    return true;
  }
  // The arguments of all edges to the target, unless one of them comes from a join.
  bool collect_edges(const RegionList& regions, std::vector<const Target*>& ways) const {
    for (const Region& r : regions) {
      for (const RegionList& arm : r.arms)
        if (!collect_edges(arm, ways)) return false;
      if (r.leave != Leave::Break || r.to != loop_.join) continue;
      const InstId end = r.kind == RegionKind::ExitIf ? f.terminator(r.block) : r.arrival.terminator;
      if (r.kind != RegionKind::ExitIf && r.kind != RegionKind::Jump) return false;
      if (!end.valid()) return false;
      ways.push_back(&f.inst(end).targets[r.kind == RegionKind::ExitIf ? r.edge : r.arrival.edge]);
    }
    return true;
  }
  // Backwards, so that the needed values are known.
  bool take_slice(const std::vector<InstId>& front, std::vector<InstId>& slice) {
    for (size_t k = front.size(); k-- > 0;) {
      const Inst& inst = f.inst(front[k]);
      const Effects effects = info(inst.op).effects;
      if (effects == Effects::Write || effects == Effects::CrossLane) return false;
      if (inst.results.size() != 1 || !needed_[inst.results[0].index]) continue;
      needed_[inst.results[0].index] = 0;
      if (is_launch_value(class_of(inst.op))) continue;  // constant for the whole execution
      if (effects != Effects::None || MemoryCode::handles(inst.op)) return false;
      for (ValueId v : inst.operands) need(v);
      slice.push_back(front[k]);
    }
    std::ranges::reverse(slice);
    for (uint32_t v = 0; v < needed_.size(); ++v)
      if (needed_[v] && !stays(ValueId(v))) return false;
    return slice.size() <= kMostAsked;
  }

  const Function& f;
  const Region& loop_;
  std::vector<char> inside_, needed_;
  ValueList brought_;
};

}  // namespace

ExitConditions askable_exits(const Function& f, const RegionTree& tree, const Region& loop) {
  if (tree.joins[loop.join].targets.size() != 1) return {};
  return ExitConditionFinder(f, loop).run();
}

bool exits_differ(const Function& f, const RegionTree& tree, const Region& loop) {
  return tree.joins[loop.join].targets.size() == 1 && ExitConditionFinder(f, loop).differ();
}

}  // namespace kc::spirv
