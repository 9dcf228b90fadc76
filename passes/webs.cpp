// SPDX-License-Identifier: Apache-2.0
#include "passes/webs.h"

#include <algorithm>
#include <numeric>

namespace kc {
namespace {

constexpr uint32_t kEnd = 0xffffffffu;

// Where in a block a value is alive: after instruction `from` (0: from the start on) up to the use in
// instruction `to`; instructions count from 1, and kEnd is the end of the block.
struct Piece {
  ValueId value;
  uint32_t from, to;
};

class WebBuilder {
 public:
  WebBuilder(const Function& function, const Cfg& cfg, const std::vector<bool>& group)
      : f(function),
        cfg_(cfg),
        group_(group),
        pieces_(f.block_count()),
        blocks_of_(f.value_count()),
        last_piece_(f.block_count(), kEnd),
        leader_(f.value_count()) {
    std::iota(leader_.begin(), leader_.end(), 0u);
  }

  void run() {
    find_live_ranges();
    for (BlockId b : cfg_.rpo)
      for (BlockId p : cfg_.preds[b.index])
        for (const Target& t : f.successors(p))
          if (t.block == b) join_arguments(t);
  }

  uint32_t find(uint32_t v) {
    while (leader_[v] != v) v = leader_[v] = leader_[leader_[v]];
    return v;
  }
  bool used(uint32_t v) const { return !blocks_of_[v].empty(); }
  const std::vector<Piece>& pieces(BlockId b) const { return pieces_[b.index]; }

 private:
  struct Use {
    BlockId block;
    uint32_t position;
  };

  void find_live_ranges() {
    std::vector<std::vector<Use>> uses(f.value_count());
    for (BlockId b : cfg_.rpo) {
      const auto& insts = f.block(b).insts;
      for (uint32_t n = 0; n < insts.size(); ++n) {
        for (ValueId v : f.inst(insts[n]).operands)
          if (!f.is_inline(v)) uses[v.index].push_back({b, n + 1});
        for (const Target& t : f.inst(insts[n]).targets)
          for (ValueId v : t.args)
            if (!f.is_inline(v)) uses[v.index].push_back({b, kEnd});
      }
    }
    for (BlockId b : cfg_.rpo) {
      for (ValueId p : f.block(b).params) live_range(p, b, 0, uses[p.index]);
      const auto& insts = f.block(b).insts;
      for (uint32_t n = 0; n < insts.size(); ++n)
        for (ValueId v : f.inst(insts[n]).results) live_range(v, b, n + 1, uses[v.index]);
    }
  }

  // Backward from the uses up to the definition.
  void live_range(ValueId v, BlockId def, uint32_t position, const std::vector<Use>& uses) {
    auto& blocks = blocks_of_[v.index];
    std::vector<BlockId> work;
    auto reach = [&](BlockId b, uint32_t to) {
      uint32_t& last = last_piece_[b.index];
      auto& list = pieces_[b.index];
      if (last < list.size() && list[last].value == v) {
        list[last].to = std::max(list[last].to, to);
        return;
      }
      last = static_cast<uint32_t>(list.size());
      list.push_back({v, b == def ? position : 0, to});
      blocks.push_back(b);
      if (b != def) work.push_back(b);
    };
    for (const Use& u : uses) reach(u.block, u.position);
    while (!work.empty()) {
      BlockId b = work.back();
      work.pop_back();
      for (BlockId p : cfg_.preds[b.index])
        if (cfg_.reachable(p)) reach(p, kEnd);
    }
  }

  void join_arguments(const Target& t) {
    const auto& params = f.block(t.block).params;
    for (size_t i = 0; i < params.size(); ++i) {
      ValueId a = t.args[i], p = params[i];
      if (!f.is_inline(a) && used(p.index) && group_[a.index] == group_[p.index]) join(p.index, a.index);
    }
  }

  void join(uint32_t a, uint32_t b) {
    a = find(a), b = find(b);
    if (a == b) return;
    if (blocks_of_[a].size() < blocks_of_[b].size()) std::swap(a, b);
    for (BlockId block : blocks_of_[b])
      if (meet(block, a, b)) return;
    leader_[b] = a;
    blocks_of_[a].insert(blocks_of_[a].end(), blocks_of_[b].begin(), blocks_of_[b].end());
  }

  // Whether values of the two webs are alive together in the block.
  bool meet(BlockId block, uint32_t a, uint32_t b) {
    for (const Piece& x : pieces_[block.index]) {
      if (find(x.value.index) != b) continue;
      for (const Piece& y : pieces_[block.index])
        if (std::max(x.from, y.from) < std::min(x.to, y.to) && find(y.value.index) == a) return true;
    }
    return false;
  }

  const Function& f;
  const Cfg& cfg_;
  const std::vector<bool>& group_;
  std::vector<std::vector<Piece>> pieces_;       // by block id
  std::vector<std::vector<BlockId>> blocks_of_;  // by leading value: where its web is alive, with repeats
  std::vector<uint32_t> last_piece_;             // by block id: of the value at hand
  std::vector<uint32_t> leader_;
};

}  // namespace

Webs::Webs(const Function& f, const Cfg& cfg, const std::vector<bool>& group)
    : web_(f.value_count(), kNone), live_in_(f.block_count()) {
  WebBuilder build(f, cfg, group);
  build.run();
  std::vector<uint32_t> number(f.value_count(), kNone);
  for (uint32_t v = 0; v < f.value_count(); ++v) {
    uint32_t leader = build.find(v);
    if (!build.used(leader)) continue;
    if (number[leader] == kNone) {
      number[leader] = count();
      members_.emplace_back();
    }
    web_[v] = number[leader];
    members_[web_[v]].push_back(ValueId(v));
  }
  for (BlockId b : cfg.rpo) {
    auto& live = live_in_[b.index];
    for (const auto& piece : build.pieces(b))
      if (piece.from == 0) live.push_back(piece.value);
    std::ranges::sort(live);
  }
}

bool Webs::is_live_in(ValueId v, BlockId b) const { return std::ranges::binary_search(live_in_[b.index], v); }

bool Webs::is_live_in(uint32_t web, BlockId b) const {
  return std::ranges::any_of(live_in_[b.index], [&](ValueId v) { return of(v) == web; });
}

}  // namespace kc
