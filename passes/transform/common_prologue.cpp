// SPDX-License-Identifier: Apache-2.0
// Prologues are compared by value numbers that are equal in two prologues if the computations are, given that
// their inputs are in the same variables. The number of an instruction is made of its opcode and the numbers
// of its operands; an input from outside the prologue is numbered by its web if the loop changes it, else by
// itself.
#include "passes/transform/common_prologue.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "passes/analysis/costs.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr size_t kMostHeads = 32;
constexpr size_t kMostPrologueBlocks = 4;  // blocks from the beginning of a prologue to its load
constexpr size_t kMostGroups = 16;         // examined per loop
constexpr uint32_t kDispatch = 3;          // cost of dispatching lanes to one of the states
constexpr size_t kMostBlocksBehind = 64;   // blocks after a prologue that are searched for tests
constexpr size_t kVisitsPerBlock = 4;      // bounds the work on deep nests

class PrologueFinder {
 public:
  PrologueFinder(const Function& function, AnalysisCache& analyses, Meld meld)
      : f(function), analyses_(analyses), meld_(meld), cfg_(analyses.cfg()), cycles_(analyses.cycles()) {}

  std::optional<FoundPrologues> find() {
    size_t budget = kVisitsPerBlock * f.block_count();
    for (uint32_t c = 0; c < cycles_.cycles.size(); ++c) {
      if (cycles_.nodes(c).size() > budget) continue;
      budget -= cycles_.nodes(c).size();
      if (!has_two_loads(c)) continue;
      if (!uniformity_) uniformity_ = &analyses_.uniformity();
      if (divergent_loads(c).size() < 2) continue;
      if (auto group = find_in(c))
        return FoundPrologues{std::move(*group), std::move(*webs_), std::move(cycles_)};
    }
    return std::nullopt;
  }

 private:
  // The first load of the block that no effect precedes.
  InstId first_load(BlockId b) const {
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      if (inst.op == Op::load && f.type(inst.operands[0]) != kPtrPrivate) return i;
      if (info(inst.op).effects != Effects::None) return InstId();
    }
    return InstId();
  }

  bool has_two_loads(uint32_t c) const {
    size_t loads = 0;
    for (uint32_t n : cycles_.nodes(c)) {
      loads += first_load(BlockId(n)).valid();
      for (InstId i : f.block(BlockId(n)).insts)
        if (info(f.inst(i).op).has(Convergent)) return false;
    }
    return loads >= 2;
  }

  // In reverse post-order: the blocks that begin with a load from a divergent address.
  std::vector<std::pair<BlockId, InstId>> divergent_loads(uint32_t c) const {
    std::vector<std::pair<BlockId, InstId>> found;
    for (uint32_t n : cycles_.nodes(c)) {
      const BlockId b(n);
      const InstId load = first_load(b);
      if (load.valid() && b != f.entry() && uniformity_->divergent[f.inst(load).operands[0].index])
        found.push_back({b, load});
    }
    std::ranges::sort(found, {}, [&](const auto& at) { return cfg_.number[at.first.index]; });
    return found;
  }

  std::optional<PrologueGroup> find_in(uint32_t c) {
    if (!webs_) webs_.emplace(f, cfg_, analyses_.dominators(), std::vector<bool>(f.value_count(), true));
    cycle_ = c;
    names_.clear();
    varies_.clear();
    std::map<uint32_t, std::vector<BlockId>> alike;  // by value number of the load
    std::vector<uint32_t> order;
    for (const auto& [b, load] : divergent_loads(c)) {
      const uint32_t name = name_of_load(b, load);
      if (alike[name].empty()) order.push_back(name);
      alike[name].push_back(b);
    }
    size_t tries = kMostGroups;
    for (uint32_t name : order) {
      const auto& blocks = alike[name];
      if (blocks.size() < 2 || blocks.size() > kMostHeads || tries-- == 0) continue;
      PrologueGroup group{.cycle = c};
      for (BlockId b : blocks) group.prologues.push_back({{b}});
      while (group.levels() < kMostPrologueBlocks && lift(group)) {
      }
      const auto ways = find_ways(group);
      if (!ways) continue;
      find_common(group);
      if (!pays(group, *ways)) continue;
      find_tests(group);
      return group;
    }
    return std::nullopt;
  }

  // --- value numbers, equal for equal computations in two prologues
  uint32_t name_of(const std::vector<uint64_t>& what) {
    return names_.try_emplace(what, static_cast<uint32_t>(names_.size())).first->second;
  }
  uint32_t name_of(ValueId v, const std::map<ValueId, uint32_t>& inside) {
    if (auto it = inside.find(v); it != inside.end()) return it->second;
    uint32_t web = f.is_inline(v) ? kNone : webs_->of(v);
    return web != kNone && varies(web) ? name_of({0, web}) : name_of({1, v.index});
  }
  // Whether the current loop defines one of the web's values.
  bool varies(uint32_t web) {
    auto [it, fresh] = varies_.try_emplace(web);
    if (fresh)
      it->second = std::ranges::any_of(webs_->members(web),
                                       [&](ValueId m) { return cycles_.contains(cycle_, block_of(f, m)); });
    return it->second;
  }
  uint32_t name_of(const Inst& inst, const std::map<ValueId, uint32_t>& inside) {
    std::vector<uint64_t> what{2, static_cast<uint64_t>(inst.op)};
    for (int64_t a : inst.attrs) what.push_back(static_cast<uint64_t>(a));
    for (ValueId v : inst.results)
      what.push_back(static_cast<uint64_t>(f.type(v).elem) << 8 | static_cast<uint64_t>(f.type(v).lane));
    for (ValueId v : inst.operands) what.push_back(name_of(v, inside));
    return name_of(what);
  }
  // The number that name_all would give it in its block: from its operands only, all of which are pure.
  uint32_t name_of_load(BlockId b, InstId load) {
    const auto& insts = f.block(b).insts;
    const auto end = std::ranges::find(insts, load) + 1;
    std::set<ValueId> wanted{f.result(load)};
    for (auto i = end; i != insts.begin();)
      if (const Inst& inst = f.inst(*--i);
          std::ranges::any_of(inst.results, [&](ValueId v) { return wanted.contains(v); }))
        wanted.insert(inst.operands.begin(), inst.operands.end());
    std::map<ValueId, uint32_t> inside;
    for (auto i = insts.begin(); i != end; ++i)
      for (ValueId v : f.inst(*i).results)
        if (wanted.contains(v)) inside[v] = name_in_block(f.inst(*i), v, inside);
    return inside.at(f.result(load));
  }
  uint32_t name_in_block(const Inst& inst, ValueId result, const std::map<ValueId, uint32_t>& inside) {
    return inst.results.size() == 1 ? name_of(inst, inside) : name_of({3, result.index});
  }
  // Numbers the shareable instructions of a prologue's blocks: pure ones, and loads that no effect precedes.
  std::map<ValueId, uint32_t> name_all(const Prologue& prologue) {
    std::map<ValueId, uint32_t> inside;
    for (BlockId b : prologue.levels) {
      bool effect = false;
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        const Effects effects = info(inst.op).effects;
        bool can_be = effects == Effects::None || (inst.op == Op::load && !effect);
        for (ValueId v : inst.results)
          inside[v] = can_be ? name_in_block(inst, v, inside) : name_of({3, v.index});
        effect |= effects != Effects::None && inst.op != Op::load;
      }
    }
    return inside;
  }

  // --- more blocks before the load
  // Extends the prologues by their predecessors, if these contain nothing but equal tests.
  bool lift(PrologueGroup& group) {
    std::vector<BlockId> before;
    size_t side = 2;
    for (const Prologue& prologue : group.prologues) {
      BlockId b = prologue.levels.front();
      if (cfg_.preds[b.index].size() != 1 || !f.block(b).params.empty()) return false;
      BlockId p = cfg_.preds[b.index][0];
      const Inst& end = f.inst(f.terminator(p));
      if (end.op != Op::br_if || p == f.entry() || !cycles_.contains(group.cycle, p) ||
          std::ranges::count(before, p))
        return false;
      size_t at = end.targets[0].block == b ? 0 : 1;
      if (end.targets[1 - at].block == b || (side != 2 && side != at)) return false;
      side = at;
      before.push_back(p);
    }
    for (const Prologue& prologue : group.prologues)
      for (BlockId b : prologue.levels)
        if (std::ranges::count(before, b)) return false;
    std::optional<std::vector<uint32_t>> first;
    for (BlockId p : before) {
      auto names = names_of_test(p);
      if (!names || (first && *first != *names)) return false;
      first = names;
    }
    for (size_t h = 0; h < before.size(); ++h)
      group.prologues[h].levels.insert(group.prologues[h].levels.begin(), before[h]);
    return true;
  }
  // In order, that of the condition last; nothing if the block does more than can be shared.
  std::optional<std::vector<uint32_t>> names_of_test(BlockId p) {
    auto inside = name_all({{p}});
    std::vector<uint32_t> names;
    for (InstId i : f.block(p).insts) {
      const Inst& inst = f.inst(i);
      if (inst.op == Op::br_if)
        names.push_back(name_of(inst.operands[0], inside));
      else if (inst.results.size() == 1 && inside.contains(f.result(i)))
        names.push_back(inside.at(f.result(i)));
      else
        return std::nullopt;
    }
    return names;
  }

  void find_common(PrologueGroup& group) {
    std::vector<std::map<ValueId, uint32_t>> inside;
    for (const Prologue& prologue : group.prologues) inside.push_back(name_all(prologue));
    group.common.resize(group.levels());
    // Blocks with tests match completely; no instruction of them may remain.
    for (size_t level = 0; level + 1 < group.levels(); ++level)
      for (size_t n = 0; n + 1 < f.block(group.prologues[0].levels[level]).insts.size(); ++n) {
        auto& same = group.common[level].emplace_back();
        for (const Prologue& prologue : group.prologues)
          same.push_back(f.block(prologue.levels[level]).insts[n]);
      }
    const size_t last = group.levels() - 1;
    std::vector<std::map<uint32_t, InstId>> by_name(group.prologues.size());
    for (size_t h = 0; h < group.prologues.size(); ++h)
      for (InstId i : f.block(group.prologues[h].levels[last]).insts)
        if (f.inst(i).results.size() == 1 && inside[h].contains(f.result(i)))
          by_name[h].try_emplace(inside[h].at(f.result(i)), i);
    // Of equal instructions of one block the first is shared; another one, and its users, remain.
    std::set<ValueId> behind;
    for (InstId i : f.block(group.prologues[0].levels[last]).insts) {
      std::vector<InstId> same;
      if (f.inst(i).results.size() != 1 || !inside[0].contains(f.result(i))) continue;
      uint32_t name = inside[0].at(f.result(i));
      behind.insert(f.result(i));
      if (by_name[0].at(name) != i ||
          std::ranges::any_of(f.inst(i).operands, [&](ValueId v) { return behind.contains(v); }))
        continue;
      for (auto& names : by_name)
        if (auto it = names.find(name); it != names.end()) same.push_back(it->second);
      if (same.size() != group.prologues.size()) continue;
      behind.erase(f.result(i));
      group.common[last].push_back(std::move(same));
    }
  }

  // --- equal computations after the prologues
  struct Name {
    uint32_t prologues = 0;  // number of prologues that compute it
    size_t last_head = SIZE_MAX;
    bool compound = false, wanted = false;
    std::vector<uint32_t> operands;  // value numbers
    SharedTest shared;
  };
  // For example tests of the loaded character. Keeping the result of a single operation gains nothing; of
  // expressions that several states have, the subexpressions are shared too.
  void find_tests(PrologueGroup& group) {
    if (!tree_) tree_.emplace(f, cfg_);
    std::map<uint32_t, Name> found;
    std::vector<uint32_t> order;
    for (size_t h = 0; h < group.prologues.size(); ++h) {
      auto all = name_all(group.prologues[h]);
      std::map<ValueId, uint32_t> known;
      for (const auto& same : group.common.back())
        if (ValueId v = f.result(same[h]); !alive_at_heads(group, v)) known[v] = all.at(v);
      std::vector<BlockId> work{group.prologues[h].levels.back()};
      for (size_t visited = 0; !work.empty() && visited < kMostBlocksBehind; ++visited) {
        BlockId b = work.back();
        work.pop_back();
        for (InstId i : f.block(b).insts) note(i, group, h, known, found, order);
        for (BlockId child : tree_->children[b.index])
          if (cycles_.contains(group.cycle, child) && !begins(group, child)) work.push_back(child);
      }
    }
    for (size_t k = order.size(); k-- > 0;) {
      Name& name = found.at(order[k]);
      name.wanted |= name.prologues >= 2 && name.compound;
      if (name.wanted)
        for (uint32_t operand : name.operands) found.at(operand).wanted = true;
    }
    for (uint32_t name : order)
      if (found.at(name).wanted) group.tests.push_back(std::move(found.at(name).shared));
  }
  // A result that is live at a prologue belongs to an earlier iteration wherever it is used after that
  // prologue: nothing computed from it is known.
  void note(InstId i, const PrologueGroup& group, size_t prologue, std::map<ValueId, uint32_t>& known,
            std::map<uint32_t, Name>& found, std::vector<uint32_t>& order) {
    const Inst& inst = f.inst(i);
    if (inst.results.size() != 1 || speculation_cost(f, inst) >= kNeverSpeculate ||
        known.contains(inst.results[0]))
      return;
    std::vector<uint32_t> operands;
    bool from_head = false;
    for (ValueId v : inst.operands) {
      auto it = known.find(v);
      from_head |= it != known.end();
      if (it != known.end() && found.contains(it->second)) operands.push_back(it->second);
      if (it == known.end() && cycles_.defines(cycle_, f, v)) return;
    }
    if (!from_head) return;
    uint32_t id = name_of(inst, known);
    if (!alive_at_heads(group, inst.results[0])) known[inst.results[0]] = id;
    auto [it, fresh] = found.try_emplace(id);
    Name& name = it->second;
    if (fresh) {
      order.push_back(id);
      name.compound = !operands.empty();
      name.operands = std::move(operands);
      name.shared.inst = inst;
    }
    name.prologues += name.last_head != prologue;
    name.last_head = prologue;
    name.shared.at.push_back(i);
  }
  bool begins(const PrologueGroup& group, BlockId b) const {
    return std::ranges::any_of(group.prologues,
                               [&](const Prologue& prologue) { return prologue.levels.front() == b; });
  }
  bool alive_at_heads(const PrologueGroup& group, ValueId v) const {
    return std::ranges::any_of(group.prologues, [&](const Prologue& prologue) {
      return webs_->is_live_in(v, prologue.levels.front());
    });
  }

  // --- profitability
  // The paths from prologue to prologue.
  struct Ways {
    uint32_t edges = 0;   // pairs of prologues where one directly follows the other
    uint32_t among = 0;   // prologues from which a later one is reached in the same iteration
    bool nested = false;  // some prologue is in an inner loop
  };
  // Nothing if sharing does not pay, whatever the prologues have in common.
  std::optional<Ways> find_ways(const PrologueGroup& group) const {
    const auto prologues = static_cast<uint32_t>(group.prologues.size());
    const std::vector<uint32_t> next = next_heads(group);
    if (!part_between_heads(group, next)) return std::nullopt;
    Ways ways;
    if (meld_ == Meld::Always) return ways;
    uint32_t alone = 0;
    for (uint32_t h = 0; h < prologues; ++h) {
      const uint32_t reached = next[group.begin(h).index];
      ways.edges += static_cast<uint32_t>(std::popcount(reached));
      alone += reached >> h & 1;
      ways.among += one_round_passes(group, h);
    }
    if (2 * alone < prologues) return std::nullopt;
    // Inner loops lose their own iterations. That is right for states with arbitrary transitions, and wrong
    // for two consecutive loops.
    for (const Prologue& prologue : group.prologues) {
      uint32_t inner = cycles_.innermost[prologue.levels.front().index];
      while (inner != group.cycle && cycles_.cycles[inner].parent != group.cycle)
        inner = cycles_.cycles[inner].parent;
      if (inner == group.cycle) continue;
      ways.nested = true;
      if (!uniformity_->divergent_exit[inner]) return std::nullopt;
    }
    if (ways.nested && ways.edges <= 2 * prologues) return std::nullopt;
    return ways;
  }
  // With the costs of a CPU for every target: there a load counts for the time that it takes. What the issue
  // of one costs on gfx9 does not tell (with that, the states of a scanner stay apart, for 1.6 times the
  // instructions).
  bool pays(const PrologueGroup& group, const Ways& ways) const {
    if (meld_ == Meld::Always) return true;
    const auto prologues = static_cast<uint32_t>(group.prologues.size());
    uint32_t shared = 0, all = 0;
    for (const auto& level : group.common)
      for (const auto& same : level) shared += masked_cost(f, f.inst(same[0]), kCpuCosts);
    for (uint32_t n : cycles_.nodes(group.cycle))
      for (InstId i : f.block(BlockId(n)).insts) all += masked_cost(f, f.inst(i), kCpuCosts);
    uint32_t after = all - (prologues - 1) * shared + prologues * kDispatch;
    // A wave whose lanes could pass several prologues in one iteration needs more iterations.
    return ways.nested || ways.among > 0 ? 2 * all > 3 * after : all > after;
  }

  // By block of the loop: the next prologues, as a bit set.
  std::vector<uint32_t> next_heads(const PrologueGroup& group) const {
    std::vector<uint32_t> next(f.block_count()), own(f.block_count());
    for (size_t h = 0; h < group.prologues.size(); ++h) own[group.begin(h).index] = 1u << h;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t k = cfg_.rpo.size(); k-- > 0;) {
        BlockId b = cfg_.rpo[k];
        if (!cycles_.contains(group.cycle, b)) continue;
        uint32_t set = next[b.index];
        for (const Target& t : f.successors(b))
          if (cycles_.contains(group.cycle, t.block))
            set |= own[t.block.index] ? own[t.block.index] : next[t.block.index];
        changed |= set != next[b.index];
        next[b.index] = set;
      }
    }
    return next;
  }
  // Whether a divergent branch sends the work-items of a wave to different prologues.
  bool part_between_heads(const PrologueGroup& group, const std::vector<uint32_t>& next) const {
    for (uint32_t n : cycles_.nodes(group.cycle))
      if (uniformity_->divergent_branch[n] && std::popcount(next[n]) >= 2) return true;
    return false;
  }
  // Whether a later prologue is reached from this one in the same iteration.
  bool one_round_passes(const PrologueGroup& group, size_t prologue) const {
    std::vector<bool> seen(f.block_count());
    std::vector<BlockId> work{group.begin(prologue)};
    while (!work.empty()) {
      BlockId b = work.back();
      work.pop_back();
      for (const Target& t : f.successors(b)) {
        if (!cycles_.contains(group.cycle, t.block) || seen[t.block.index] ||
            cfg_.number[t.block.index] <= cfg_.number[b.index])
          continue;
        seen[t.block.index] = true;
        for (size_t h = 0; h < group.prologues.size(); ++h)
          if (group.begin(h) == t.block) return true;
        work.push_back(t.block);
      }
    }
    return false;
  }

  const Function& f;
  AnalysisCache& analyses_;
  Meld meld_;
  const Cfg& cfg_;
  const Cycles& cycles_;
  std::optional<DominatorTree> tree_;
  std::optional<PhiWebs> webs_;
  const Uniformity* uniformity_ = nullptr;
  uint32_t cycle_ = 0;
  std::map<std::vector<uint64_t>, uint32_t> names_;
  std::map<uint32_t, bool> varies_;  // by web
};

}  // namespace

std::optional<FoundPrologues> find_common_prologues(const Function& f, AnalysisCache& analyses, Meld meld) {
  return PrologueFinder(f, analyses, meld).find();
}

}  // namespace kc
