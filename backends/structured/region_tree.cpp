// SPDX-License-Identifier: Apache-2.0
#include "backends/structured/region_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "backends/structured/placement.h"
#include "ir/check.h"

namespace kc::structured {

namespace {

bool contains(const std::vector<BlockId>& blocks, BlockId b) {
  return std::find(blocks.begin(), blocks.end(), b) != blocks.end();
}

// Limit of optional nesting of selections.
constexpr size_t kDeepest = 40;

struct Scope {
  bool is_loop = false;
  uint32_t join = kNoJoin;
  BlockId header;              // of loops, and of selections that continue one
  std::vector<BlockId> owned;  // selections: blocks placed after the join
  bool continues = false;      // selections: the join leads to the loop's continue target
  bool is_switch = false;
  BlockId next{};                // switches: the case that the current one falls through to,
  uint32_t next_join = kNoJoin;  // and its join
};

class RegionBuilder {
 public:
  explicit RegionBuilder(const Function& function) : f(function), place_(function) {}

  RegionTree run() {
    tree_.number = place_.cfg.number;
    walk(tree_.body, f.entry(), {});
    for (Join& join : tree_.joins) {
      std::sort(join.targets.begin(), join.targets.end(),
                [&](BlockId a, BlockId b) { return number(a) < number(b); });
    }
    return std::move(tree_);
  }

 private:
  uint32_t number(BlockId b) const { return place_.cfg.number[b.index]; }

  uint32_t new_join(BlockId loop_header = {}) {
    tree_.joins.push_back({{}, loop_header});
    return static_cast<uint32_t>(tree_.joins.size() - 1);
  }
  void gather(uint32_t join, BlockId target) {
    auto& targets = tree_.joins[join].targets;
    if (!contains(targets, target)) targets.push_back(target);
  }

  // The destination of an edge to a block that is not placed inline.
  std::pair<Leave, uint32_t> resolve(BlockId target) const {
    if (!scopes_.empty() && scopes_.back().continues && target == scopes_.back().header)
      return {Leave::Join, scopes_.back().join};
    if (!scopes_.empty() && scopes_.back().next == target) return {Leave::Fall, scopes_.back().next_join};
    uint32_t join = scopes_.empty() ? kNoJoin : scopes_.back().join;
    bool in_switch = false;
    for (size_t i = scopes_.size(); i-- > 0;) {
      const Scope& scope = scopes_[i];
      if (scope.is_loop) {
        if (scope.header == target) return {Leave::Continue, kNoJoin};
        return {Leave::Break, scope.join};
      }
      if (scope.next == target) return {Leave::Join, scopes_.back().join};
      // A case with fall-through exits directly to the end of its switch.
      if (scope.is_switch && !in_switch && scope.next.valid()) join = scope.join;
      in_switch |= scope.is_switch;
      if (contains(scope.owned, target)) return {Leave::Join, join};
    }
    KC_CHECK(false, "spirv regions: nothing owns block {}", number(target));
  }

  void jump(RegionList& out, BlockId target, Arrival arrival) {
    Region region{.kind = RegionKind::Jump, .block = target, .arrival = arrival};
    std::tie(region.leave, region.to) = resolve(target);
    if (region.to != kNoJoin) gather(region.to, target);
    out.push_back(std::move(region));
  }

  // The block at which the walk continues, or none.
  struct Next {
    BlockId block;
    Arrival arrival;
  };

  void walk(RegionList& out, BlockId start, Arrival arrival) {
    tree_.nesting = std::max(tree_.nesting, ++depth_);
    if (depth_ > kMaxNesting) {
      --depth_;
      out.push_back({.kind = RegionKind::Unreachable});
      return;
    }
    Next next{start, arrival};
    while (next.block.valid()) {
      bool opens_loop = place_.is_header(next.block) && !is_open(next.block);
      next = opens_loop ? loop(out, next) : block(out, next);
    }
    --depth_;
  }
  bool is_open(BlockId header) const {
    return !scopes_.empty() && scopes_.back().is_loop && scopes_.back().header == header &&
           opening_ == header;
  }

  Next loop(RegionList& out, Next at) {
    uint32_t join = new_join(at.block);
    Region region{.kind = RegionKind::Loop, .block = at.block, .arrival = at.arrival, .join = join};
    region.arms.resize(1);
    scopes_.push_back({true, join, at.block, {}});
    opening_ = at.block;
    walk(region.arms[0], at.block, {});
    scopes_.pop_back();
    out.push_back(std::move(region));
    return after_join(out, join, place_.loop_owned(at.block));
  }

  Next block(RegionList& out, Next at) {
    BlockId b = at.block;
    // The header's own arrival is that of the loop.
    out.push_back({.kind = RegionKind::Block, .block = b, .arrival = at.arrival});
    opening_ = {};
    InstId terminator = f.terminator(b);
    const Inst& inst = f.inst(terminator);
    if (inst.targets.empty()) {
      out.push_back({.kind = RegionKind::Return});
      return {};
    }
    auto groups = place_.edge_groups(b);
    if (groups.size() == 1) return edge(out, terminator, 0);
    return select(out, b, terminator, std::move(groups));
  }

  Next edge(RegionList& out, InstId terminator, size_t index) {
    BlockId target = f.inst(terminator).targets[index].block;
    Arrival arrival{terminator, index, kNoJoin};
    if (place_.is_inline(f.inst(terminator).block, target)) return {target, arrival};
    jump(out, target, arrival);
    return {};
  }

  bool is_exit(BlockId from, BlockId target) const {
    if (place_.is_inline(from, target)) return false;
    const auto [leave, to] = resolve(target);
    // `break` in a case with fall-through.
    if (leave == Leave::Join) return scopes_.back().next.valid() || to != scopes_.back().join;
    return leave != Leave::Fall;
  }

  Next select(RegionList& out, BlockId b, InstId terminator, std::vector<std::vector<size_t>> groups) {
    const Inst& inst = f.inst(terminator);
    std::vector<BlockId> owned = place_.selection_owned(b);
    if (inst.op == Op::br_if && owned.empty()) {
      for (size_t i = 0; i < 2; ++i) {
        BlockId target = inst.targets[i].block;
        if (scopes_.empty() || !is_exit(b, target)) continue;
        Region region{.kind = RegionKind::ExitIf, .block = b, .edge = i};
        std::tie(region.leave, region.to) = resolve(target);
        if (region.to != kNoJoin) gather(region.to, target);
        out.push_back(std::move(region));
        return edge(out, terminator, 1 - i);
      }
      // If one arm never returns, the other one follows the selection, which keeps nesting flat.
      for (size_t i = 0; i < 2 && owned.empty(); ++i) {
        BlockId closed = inst.targets[i].block, other = inst.targets[1 - i].block;
        if (place_.is_inline(b, closed) && place_.is_inline(b, other) && place_.never_returns(b, closed))
          owned = {other};
      }
    }
    const std::vector<BlockId> falls = find_falls(b, inst, owned, groups);
    uint32_t join = new_join();
    Region region{.kind = RegionKind::Select, .block = b, .join = join};
    // Merging the ends of an iteration here costs less than separate continue edges.
    const bool continues = owned.empty() && scopes_.size() < kDeepest && place_.only_continues(b);
    scopes_.push_back(
        {false, join, continues ? place_.loop_of(b) : BlockId(), owned, continues, inst.op == Op::switch_});
    for (size_t g = 0; g < groups.size(); ++g) {
      size_t index = groups[g].front();
      BlockId target = inst.targets[index].block;
      bool follows = contains(owned, target);
      const uint32_t fallen_into = g > 0 && falls[g - 1] == target ? scopes_.back().next_join : kNoJoin;
      Arrival arrival =
          fallen_into == kNoJoin ? Arrival{terminator, index, kNoJoin} : Arrival{{}, 0, fallen_into};
      const uint32_t next_join = falls[g].valid() ? new_join() : kNoJoin;
      if (falls[g].valid()) gather(next_join, falls[g]);
      scopes_.back().next = falls[g];
      scopes_.back().next_join = next_join;
      RegionList& arm = region.arms.emplace_back();
      if (fallen_into != kNoJoin || (place_.is_inline(b, target) && !follows))
        walk(arm, target, arrival);
      else
        jump(arm, target, arrival);
      region.arm_edges.push_back(std::move(groups[g]));
      region.arm_joins.push_back(fallen_into);
    }
    scopes_.pop_back();
    out.push_back(std::move(region));
    return after_join(out, join, std::move(owned));
  }

  // The cases with fall-through predecessors, by the number of the preceding group. These are no longer
  // owned, and the groups are reordered so that they are consecutive.
  std::vector<BlockId> find_falls(BlockId b, const Inst& inst, std::vector<BlockId>& owned,
                                  std::vector<std::vector<size_t>>& groups) const {
    std::vector<size_t> next(groups.size(), groups.size());
    std::vector<char> fallen_into(groups.size(), 0);
    auto target_of = [&](size_t g) { return inst.targets[groups[g].front()].block; };
    std::vector<size_t> by_number(groups.size());
    std::iota(by_number.begin(), by_number.end(), size_t{0});
    std::ranges::sort(by_number, {}, [&](size_t g) { return number(target_of(g)); });
    if (inst.op == Op::switch_) {
      std::multimap<BlockId, size_t> groups_of;
      for (size_t g = 0; g < groups.size(); ++g) groups_of.emplace(target_of(g), g);
      const std::set<BlockId> joins(owned.begin(), owned.end());
      for (size_t g : by_number) {
        // The case in front of it, where only edges of the switch with the same values lead to this one.
        const auto [first, last] = groups_of.equal_range(place_.falls_into(b, target_of(g)));
        auto from = std::find_if(first, last, [&](const auto& entry) {
          return fallen_into[entry.second] || place_.is_inline(b, entry.first);
        });
        if (from == last || next[from->second] != groups.size() || !joins.contains(target_of(g)) ||
            groups_of.count(target_of(g)) != 1)
          continue;
        next[from->second] = g;
        fallen_into[g] = 1;
      }
      std::set<BlockId> fallen;
      for (size_t g = 0; g < groups.size(); ++g)
        if (fallen_into[g]) fallen.insert(target_of(g));
      std::erase_if(owned, [&](BlockId o) { return fallen.contains(o); });
    }
    std::vector<std::vector<size_t>> ordered;
    std::vector<BlockId> falls;
    for (size_t g = 0; g < groups.size(); ++g)
      for (size_t k = fallen_into[g] ? groups.size() : g; k < groups.size(); k = next[k]) {
        falls.push_back(next[k] < groups.size() ? target_of(next[k]) : BlockId());
        ordered.push_back(groups[k]);
      }
    groups = std::move(ordered);
    return falls;
  }

  // Continues after a join: first the blocks owned by its construct, in order, then the edges that leave
  // further.
  Next after_join(RegionList& out, uint32_t join, std::vector<BlockId> owned) {
    std::sort(owned.begin(), owned.end(), [&](BlockId a, BlockId b) { return number(a) < number(b); });
    for (;;) {
      std::vector<BlockId> targets = tree_.joins[join].targets;
      if (targets.empty()) {
        out.push_back({.kind = RegionKind::Unreachable});
        return {};
      }
      // Blocks that are not reached yet will be reached from the blocks before them.
      auto reached = std::ranges::find_if(owned, [&](BlockId b) { return contains(targets, b); });
      if (reached == owned.end()) return leave(out, join, targets);
      BlockId first = *reached;
      Arrival arrival{{}, 0, join};
      if (targets.size() == 1) return {first, arrival};
      owned.erase(reached);
      uint32_t rest = new_join();
      Region region{.kind = RegionKind::Test, .block = first, .join = rest, .from = join};
      region.arms.resize(1);
      scopes_.push_back({false, rest, {}, owned});
      walk(region.arms[0], first, arrival);
      scopes_.pop_back();
      for (BlockId target : targets)
        if (target != first) gather(rest, target);
      out.push_back(std::move(region));
      join = rest;
    }
  }

  // Sends every target of a join outwards; loop exits and switch exits come first.
  Next leave(RegionList& out, uint32_t join, const std::vector<BlockId>& targets) {
    std::vector<Region> ways;
    for (BlockId target : targets) {
      auto [leave, to] = resolve(target);
      auto way = std::ranges::find_if(ways, [&](const Region& r) { return r.leave == leave && r.to == to; });
      if (way == ways.end())
        way = ways.insert(ways.end(), {.kind = RegionKind::LeaveIf, .from = join, .leave = leave, .to = to});
      way->targets.push_back(target);
      if (to != kNoJoin) gather(to, target);
    }
    const uint32_t here = scopes_.empty() ? kNoJoin : scopes_.back().join;
    auto rank = [&](const Region& r) {
      if (r.leave == Leave::Continue) return 0;
      if (r.leave == Leave::Break) return 1;
      if (r.leave == Leave::Join) return r.to == here ? 3 : 2;
      return 4;
    };
    std::ranges::stable_sort(ways, {}, rank);
    ways.back().kind = RegionKind::LeaveAll;
    for (Region& way : ways) out.push_back(std::move(way));
    return {};
  }

  const Function& f;
  Placement place_;
  RegionTree tree_;
  std::vector<Scope> scopes_;
  BlockId opening_;  // the loop whose header comes next
  uint32_t depth_ = 0;
};

class RegionPrinter {
 public:
  RegionPrinter(const Function& f, const RegionTree& tree) : tree_(tree), labels_(f.block_count()) {
    for (size_t i = 0; i < f.layout.size(); ++i) labels_[f.layout[i].index] = fmt::format("b{}", i);
  }
  void list(const RegionList& regions, size_t depth) {
    for (const Region& r : regions) region(r, depth);
  }
  std::string text;

 private:
  const std::string& label(BlockId b) const { return labels_[b.index]; }
  std::string set(const std::vector<BlockId>& blocks) const {
    std::string s;
    for (BlockId b : blocks) s += (s.empty() ? "" : " ") + label(b);
    return s;
  }
  void line(size_t depth, const std::string& s) { text += std::string(depth * 2, ' ') + s + "\n"; }
  std::string end(const Region& r) const {
    return fmt::format("end j{} {{{}}}", r.join, set(tree_.joins[r.join].targets));
  }
  std::string way(const Region& r) const {
    switch (r.leave) {
      case Leave::Continue:
        return "continue";
      case Leave::Break:
        return fmt::format("break j{}", r.to);
      case Leave::Fall:
        return fmt::format("fall j{}", r.to);
      case Leave::Join:
        break;
    }
    return fmt::format("join j{}", r.to);
  }

  void region(const Region& r, size_t depth) {
    switch (r.kind) {
      case RegionKind::Block:
        return line(depth, label(r.block));
      case RegionKind::Select:
        for (size_t i = 0; i < r.arms.size(); ++i) {
          line(depth, i == 0 ? "select " + label(r.block) : "or");
          list(r.arms[i], depth + 1);
        }
        return line(depth, end(r));
      case RegionKind::ExitIf:
        return line(depth, fmt::format("if {} edge {} {}", label(r.block), r.edge, way(r)));
      case RegionKind::Loop:
        line(depth, "loop " + label(r.block));
        list(r.arms[0], depth + 1);
        return line(depth, end(r));
      case RegionKind::Test:
        line(depth, fmt::format("test j{} is {}", r.from, label(r.block)));
        list(r.arms[0], depth + 1);
        return line(depth, end(r));
      case RegionKind::LeaveIf:
        return line(depth, fmt::format("if j{} in {{{}}} {}", r.from, set(r.targets), way(r)));
      case RegionKind::Jump:
        return line(depth, fmt::format("{} for {}", way(r), label(r.block)));
      case RegionKind::LeaveAll:
        return line(depth, fmt::format("{} for {{{}}} of j{}", way(r), set(r.targets), r.from));
      case RegionKind::Return:
        return line(depth, "return");
      case RegionKind::Unreachable:
        return line(depth, "unreachable");
    }
  }

  const RegionTree& tree_;
  std::vector<std::string> labels_;
};

}  // namespace

RegionTree build_regions(const Function& f) { return RegionBuilder(f).run(); }

std::string print_regions(const Function& f, const RegionTree& tree) {
  RegionPrinter printer(f, tree);
  printer.list(tree.body, 0);
  return printer.text;
}

}  // namespace kc::structured
