// SPDX-License-Identifier: Apache-2.0
#include "passes/transform/meld_regions.h"

#include <algorithm>
#include <set>
#include <utility>

namespace kc {
namespace {

constexpr size_t kMostRegionBlocks = 400;
constexpr size_t kNearArms = 4;    // distance of two arms
constexpr size_t kFewPieces = 16;  // an arm of more is compared with fewer others, but with the next one
constexpr size_t kMostCases = 4;   // cases that are compared with

}  // namespace

std::optional<MeldRegion> MeldRegions::find(BlockId branch) {
  const BlockId end = g.post.ipdom[branch.index];
  const auto targets = g.f.successors(branch);
  if (!end.valid() || targets.size() != 2 || targets[0].block == targets[1].block) return std::nullopt;
  MeldRegion region{.branch = branch, .end = end};
  for (size_t k = 0; k < 2; ++k) {
    const BlockId first = targets[k].block;
    if (first == end || !is_side(branch, first, end) || !cut(region.sides[k], branch, first, end))
      return std::nullopt;
  }
  if (!arguments_agree(end)) return std::nullopt;
  return region;
}

std::vector<MeldRegion> MeldRegions::find_arms(BlockId branch) {
  const BlockId end = g.post.ipdom[branch.index];
  if (!end.valid() || !arguments_agree(end)) return {};
  const Inst& inst = g.f.inst(g.f.terminator(branch));
  struct Arm {
    std::vector<MeldPiece> pieces;
    std::vector<ValueId> cases;  // empty for the default
  };
  std::vector<BlockId> firsts;
  std::map<BlockId, std::vector<ValueId>> cases;
  for (size_t k = 0; k < inst.targets.size(); ++k) {
    auto [of, fresh] = cases.try_emplace(inst.targets[k].block);
    if (fresh) firsts.push_back(of->first);
    if (k > 0) of->second.push_back(inst.operands[k]);
  }
  cases[inst.targets[0].block].clear();
  std::vector<Arm> arms;
  for (BlockId first : firsts) {
    Arm arm{.pieces = {}, .cases = cases[first]};
    if (first != end && is_side(branch, first, end) && cut(arm.pieces, branch, first, end))
      arms.push_back(std::move(arm));
  }
  std::vector<MeldRegion> regions;
  for (size_t i = 0; i < arms.size(); ++i) {
    const size_t near = std::clamp<size_t>(kNearArms * kFewPieces / arms[i].pieces.size(), 1, kNearArms);
    for (size_t j = i + 1; j < arms.size() && j <= i + near; ++j) {
      const Arm *left = &arms[i], *right = &arms[j];
      if (left->cases.empty() || (!right->cases.empty() && right->cases.size() < left->cases.size()))
        std::swap(left, right);
      if (left->cases.size() <= kMostCases)
        regions.push_back({branch, end, {left->pieces, right->pieces}, left->cases});
    }
  }
  return regions;
}

// The blocks reachable without `end`, in preorder; nothing if there are too many.
std::vector<BlockId> MeldRegions::reached(BlockId first, BlockId end) {
  std::vector<BlockId> order, work{first};
  ++walk_;
  while (!work.empty()) {
    const BlockId b = work.back();
    work.pop_back();
    if (b == end || std::exchange(seen_[b.index], walk_) == walk_) continue;
    order.push_back(b);
    if (order.size() > kMostRegionBlocks) return {};
    const auto targets = g.f.successors(b);
    for (size_t k = targets.size(); k-- > 0;) work.push_back(targets[k].block);
  }
  return order;
}

bool MeldRegions::is_side(BlockId branch, BlockId first, BlockId end) {
  const std::vector<BlockId> blocks = reached(first, end);
  auto comes_from_here = [&](BlockId b) {
    return std::ranges::all_of(g.cfg.preds[b.index], [&](BlockId p) {
      return seen_[p.index] == walk_ || (b == first && p == branch) || !g.cfg.reachable(p);
    });
  };
  return !blocks.empty() && std::ranges::all_of(blocks, [&](BlockId b) {
    return b != branch && comes_from_here(b) && g.post.post_dominates(end, b) && may_move(b) &&
           arguments_agree(b);
  });
}

// The block has no convergent operation.
bool MeldRegions::may_move(BlockId b) const {
  return std::ranges::none_of(g.f.block(b).insts, [&](InstId i) {
    const OpInfo& row = info(g.f.inst(i).op);
    return row.has(Convergent) || row.effects == Effects::CrossLane;
  });
}

// Edges of one switch into the block have equal arguments.
bool MeldRegions::arguments_agree(BlockId b) const {
  for (BlockId p : g.cfg.preds[b.index]) {
    if (!g.cfg.reachable(p) || g.f.inst(g.f.terminator(p)).op == Op::br_if) continue;
    const Target* one = nullptr;
    for (const Target& t : g.f.successors(p)) {
      if (t.block != b) continue;
      if (one && one->args != t.args) return false;
      one = &t;
    }
  }
  return true;
}

bool MeldRegions::cut(std::vector<MeldPiece>& pieces, BlockId branch, BlockId first, BlockId end) {
  for (BlockId at = first; at != end;) {
    BlockId next = g.post.ipdom[at.index];
    // A loop is one piece: the next piece is outside.
    for (;; next = g.post.ipdom[next.index]) {
      if (!next.valid()) return false;
      const uint32_t c = g.cycles.smallest_with(at.index, next.index);
      if (c == kNone || g.cycles.contains(c, branch)) break;
    }
    MeldPiece piece{.blocks = reached(at, next), .next = next};
    for (BlockId b : piece.blocks)
      if (!g.dom.dominates(at, b)) return false;
    pieces.push_back(std::move(piece));
    at = next;
  }
  return true;
}

namespace {

// The cheapest path from one block to another, by block the target to take; `way` is the path so far.
bool extend(const Function& f, std::map<BlockId, size_t>& way, BlockId from, BlockId to, BlockId end,
            const std::function<int(BlockId)>& cost) {
  struct Step {
    BlockId before;
    size_t target = 0;
    int cost = 0;
  };
  std::map<BlockId, Step> reached{{from, {}}};
  std::set<std::pair<int, BlockId>> work{{0, from}};
  while (!work.empty()) {
    const BlockId b = work.begin()->second;
    const int so_far = work.begin()->first + cost(b);
    work.erase(work.begin());
    if (b == to) break;
    for (size_t k = 0; k < f.successors(b).size(); ++k) {
      const BlockId next = f.successors(b)[k].block;
      if (next == from || way.contains(next) || (next == end && to != end)) continue;
      auto [it, fresh] = reached.try_emplace(next, Step{b, k, so_far});
      if (!fresh) {
        if (it->second.cost <= so_far) continue;
        work.erase({it->second.cost, next});
        it->second = {b, k, so_far};
      }
      work.insert({so_far, next});
    }
  }
  if (!reached.contains(to)) return false;
  for (BlockId b = to; b != from; b = reached.at(b).before) way[reached.at(b).before] = reached.at(b).target;
  return true;
}

}  // namespace

std::map<BlockId, size_t> way_past(const Function& f, const MeldPiece& piece, BlockId block,
                                   const std::function<int(BlockId)>& cost) {
  std::map<BlockId, size_t> way;
  auto visit = [&](BlockId b) { return b == piece.next ? 0 : 1 + cost(b); };
  const bool there = block == piece.entry() || extend(f, way, piece.entry(), block, piece.next, visit);
  if (!there || !extend(f, way, block, piece.next, piece.next, visit)) return {};
  return way;
}

}  // namespace kc
