// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>

#include "backends/x64/cleanup.h"
#include "ir/cfg.h"
#include "passes/analysis/cycles.h"

namespace kc::x64 {
namespace {

// kFew constants fit into registers beside computed values. Uses within kNear instructions share one copy.
constexpr size_t kFew = 6, kNear = 10;
// Of the constants in loops no more than so many can be in registers.
constexpr size_t kInLoops = 32;

// Constants of Emit::numbers and bytes16 are treated alike; those of lane numbers have many uses.
bool is_constant_load(const Inst& inst) {
  return inst.op == Op::x64_vconst32 || inst.op == Op::x64_vconst64 ||
         (inst.op == Op::x64_viota && (inst.attrs[3] == 0 || inst.attrs[3] == 16));
}

// By block id: whether the block is on a cycle (conservatively). Every cycle has an edge that is not forward
// in reverse post-order; its blocks are reachable from the edge's target and reach its source. (Blocks
// between those of a cycle count, too, unlike in cycles.h: what a loop leaves to has its constants in
// registers anyway.)
std::vector<bool> blocks_in_cycles(const Function& f, const Cfg& cfg) {
  std::vector<bool> in_cycle(f.block_count());
  for (BlockId source : cfg.rpo)
    for (const Target& t : f.successors(source)) {
      if (cfg.number[t.block.index] > cfg.number[source.index]) continue;
      // All blocks numbered between the two may be on the cycle.
      for (uint32_t k = cfg.number[t.block.index]; k <= cfg.number[source.index]; ++k)
        in_cycle[cfg.rpo[k].index] = true;
    }
  return in_cycle;
}

// By value: constants that stay in the entry for their uses in loops, those in the deepest ones first.
std::vector<bool> kept_in_loops(const Function& f, const Cfg& cfg, const std::vector<bool>& in_cycle,
                                const std::vector<bool>& is_constant) {
  struct Uses {
    uint32_t depth = 0, count = 0, value = 0;
    auto operator<=>(const Uses&) const = default;
  };
  const Cycles cycles(f, cfg);
  std::map<uint32_t, Uses> in_loops;
  for (BlockId b : cfg.rpo) {
    if (!in_cycle[b.index]) continue;
    const uint32_t cycle = cycles.innermost[b.index], depth = cycle == kNone ? 0 : cycles.cycles[cycle].depth;
    for (InstId i : f.block(b).insts)
      for (ValueId v : f.inst(i).operands) {
        if (v.index >= is_constant.size() || !is_constant[v.index]) continue;
        Uses& u = in_loops[v.index];
        u = {.depth = std::max(u.depth, depth),
             .count = u.depth < depth ? 1 : u.count + (u.depth == depth),
             .value = v.index};
      }
  }
  std::vector<Uses> all;
  for (const auto& [value, uses] : in_loops) all.push_back(uses);
  std::ranges::sort(all, std::greater());
  if (all.size() > kInLoops) all.resize(kInLoops);
  std::vector<bool> kept(is_constant.size());
  for (const Uses& u : all) kept[u.value] = true;
  return kept;
}

}  // namespace

void rematerialise_constants(Function& f) {
  std::vector<bool> is_constant(f.value_count());
  size_t count = 0;
  for (InstId i : f.block(f.entry()).insts)
    if (is_constant_load(f.inst(i))) is_constant[f.result(i).index] = true, ++count;
  if (count <= kFew) return;
  Cfg cfg(f);
  std::vector<bool> in_cycle = blocks_in_cycles(f, cfg);
  const std::vector<bool> kept = kept_in_loops(f, cfg, in_cycle, is_constant);
  struct Copy {
    ValueId value;
    size_t place;
  };
  for (BlockId b : f.layout) {
    if (!cfg.reachable(b)) continue;
    std::map<uint32_t, Copy> copies;
    std::vector<InstId> placed;
    for (InstId i : std::vector<InstId>(f.block(b).insts)) {
      for (size_t k = 0; k < f.inst(i).operands.size(); ++k) {
        ValueId v = f.inst(i).operands[k];
        if (v.index >= is_constant.size() || !is_constant[v.index] || (in_cycle[b.index] && kept[v.index]))
          continue;
        auto [copy, fresh] = copies.try_emplace(v.index);
        if (fresh || placed.size() - copy->second.place > kNear) {
          const Inst& original = f.inst(InstId(f.value(v).owner));
          auto attrs = original.attrs;
          const Type type[] = {f.type(v)};
          InstId load = f.create(original.op, {}, type);
          f.inst(load).attrs = attrs;
          f.inst(load).block = b;
          placed.push_back(load);
          copy->second = {f.result(load), placed.size()};
        }
        f.inst(i).operands[k] = copy->second.value;
      }
      placed.push_back(i);
    }
    f.block(b).insts = std::move(placed);
  }
  eliminate_dead_code(f);
}

}  // namespace kc::x64
