// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/phi_webs.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ir/disjoint_sets.h"
#include "ir/stable_list.h"

namespace kc {
namespace {

constexpr uint32_t kEnd = 0xffffffffu;
constexpr size_t kWorthSearches = 8;  // a search for a value costs as much as a look at so many
constexpr uint32_t kFewPairs = 64;    // of blocks of two webs, which are compared one by one

// A live range within a block: from after instruction `from` (0: the start) to the use in instruction `to`;
// instructions count from 1, and kEnd is the end of the block.
struct Piece {
  ValueId value;
  BlockId block;
  uint32_t from = 0, to = 0;
  uint32_t next = kEnd;       // of the same web in the same block
  uint32_t next_head = kEnd;  // of a web's first piece in a block: its first piece in another block
};

// Hash table of the first piece of a web in a block, keyed by representative and block. Stale entries of
// merged webs are harmless.
class FirstPieces {
 public:
  explicit FirstPieces(const StableList<Piece>& pieces) : pieces_(pieces) {}
  uint32_t find(uint32_t leader, BlockId block) const {
    if (slots_.empty()) return kEnd;
    for (size_t i = start(leader, block);; i = (i + 1) & (slots_.size() - 1))
      if (slots_[i].piece == kEnd || is(slots_[i], leader, block)) return slots_[i].piece;
  }
  void set(uint32_t leader, uint32_t piece) {
    if (4 * (used_ + 1) > 3 * slots_.size()) grow();
    put({leader, piece});
  }

 private:
  struct Slot {
    uint32_t leader = 0, piece = kEnd;  // kEnd: the slot is free
  };
  bool is(const Slot& s, uint32_t leader, BlockId block) const {
    return s.leader == leader && pieces_[s.piece].block == block;
  }
  // Both parts of the key affect the bits used.
  size_t start(uint32_t leader, BlockId block) const {
    const uint64_t key = uint64_t{leader} << 32 | block.index;
    return static_cast<size_t>((key * 0x9e3779b97f4a7c15u) >> 32) & (slots_.size() - 1);
  }
  void put(const Slot& slot) {
    const BlockId block = pieces_[slot.piece].block;
    size_t i = start(slot.leader, block);
    while (slots_[i].piece != kEnd && !is(slots_[i], slot.leader, block)) i = (i + 1) & (slots_.size() - 1);
    used_ += slots_[i].piece == kEnd;
    slots_[i] = slot;
  }
  void grow() {
    std::vector<Slot> old(std::max<size_t>(256, 2 * slots_.size()));
    std::swap(old, slots_);
    used_ = 0;
    for (const Slot& s : old)
      if (s.piece != kEnd) put(s);
  }
  const StableList<Piece>& pieces_;
  std::vector<Slot> slots_;  // size is a power of two; linear probing
  size_t used_ = 0;
};

class WebBuilder {
 public:
  WebBuilder(const Function& function, const Cfg& cfg, const std::vector<bool>& group, PhiWebs::Parts parts)
      : f(function),
        cfg_(cfg),
        group_(group),
        parts_(parts),
        webs_(f.value_count()),
        last_piece_(f.block_count(), kEnd),
        reached_(f.block_count(), kNone),
        joined_(f.value_count()) {}

  void run() {
    find_uses();
    find_live_ranges();
    for (BlockId b : cfg_.rpo) {
      BlockId last;  // to count several edges from one block once
      for (BlockId p : cfg_.preds[b.index]) {
        if (p == last) continue;
        last = p;
        for (const Target& t : f.successors(p))
          if (t.block == b) join_arguments(t);
      }
    }
  }

  uint32_t find(uint32_t v) { return joined_.root(v); }
  /// Only values with uses join webs.
  bool used(uint32_t v) const { return !uses_[v].empty(); }
  /// By block: the values live at its start, by ascending id.
  Lists<ValueId> live_in() const {
    return Lists<ValueId>(f.block_count(), [&](auto add) {
      size_t k = 0;
      auto alone_before = [&](uint32_t end) {
        for (; k < alone_.size() && alone_[k].value.index < end; ++k)
          add(alone_[k].block.index, alone_[k].value);
      };
      for (size_t i = 0; i < pieces_.size(); ++i) {
        const Piece& p = pieces_[i];
        alone_before(p.value.index);
        if (p.from == 0) add(p.block.index, p.value);
      }
      alone_before(kEnd);
    });
  }

 private:
  struct Use {
    BlockId block;
    uint32_t position;
  };
  // Data of a web, at its representative. Only parameters and their arguments can be in larger webs.
  struct Web {
    bool may_join = false, indexed = false;
    uint32_t heads = kEnd, blocks = 0;  // list of first pieces by block, and its length
  };

  void find_uses() {
    uses_ = Lists<Use>(f.value_count(), [&](auto add) {
      for (BlockId b : cfg_.rpo) {
        uint32_t position = 0;
        for (InstId i : f.block(b).insts) {
          ++position;
          for (ValueId v : f.inst(i).operands)
            if (!f.is_inline(v)) add(v.index, {b, position});
          for (const Target& t : f.inst(i).targets)
            for (ValueId v : t.args)
              if (!f.is_inline(v)) add(v.index, {b, kEnd});
        }
      }
    });
  }

  void find_live_ranges() {
    std::vector<uint32_t> position(f.inst_count());
    for (BlockId b : cfg_.rpo) {
      uint32_t n = 0;
      for (InstId i : f.block(b).insts) {
        position[i.index] = ++n;
        for (const Target& t : f.inst(i).targets)
          for (ValueId v : t.args) webs_[v.index].may_join = true;
      }
      for (ValueId p : f.block(b).params) webs_[p.index].may_join = true;
    }
    for (uint32_t v = 0; v < f.value_count(); ++v) {
      if (!used(v)) continue;
      const Value& value = f.value(ValueId(v));
      if (value.kind == ValueKind::Param)
        live_range(ValueId(v), BlockId(value.owner), 0);
      else
        live_range(ValueId(v), f.inst(InstId(value.owner)).block, position[value.owner]);
    }
  }

  // Walks backward from the uses to the definition.
  void live_range(ValueId v, BlockId def, uint32_t position) {
    Web& web = webs_[v.index];
    auto stays = [&](const Use& u) { return u.block == def; };
    if (!web.may_join && (parts_ == PhiWebs::Numbers || std::ranges::all_of(uses_[v.index], stays)))
      return;  // the live range is not needed
    if (!web.may_join) return live_blocks(v, def);
    auto reach = [&](BlockId b, uint32_t to) {
      uint32_t& last = last_piece_[b.index];
      if (std::exchange(reached_[b.index], v.index) == v.index) {
        if (to != kEnd || pieces_[last].to != kEnd) pieces_[last].to = std::max(pieces_[last].to, to);
        return;
      }
      last = static_cast<uint32_t>(pieces_.size());
      pieces_.add() = {v, b, b == def ? position : 0, to};
      add_head(v.index, last);
      if (b != def) work_.push_back(b);
    };
    for (const Use& u : uses_[v.index]) reach(u.block, u.position);
    while (!work_.empty()) {
      BlockId b = work_.back();
      work_.pop_back();
      for (BlockId p : cfg_.preds[b.index])
        if (cfg_.reachable(p)) reach(p, kEnd);
    }
  }

  // The same for a value that stays a web of its own: only the blocks matter at whose start it is live.
  void live_blocks(ValueId v, BlockId def) {
    auto reach = [&](BlockId b) {
      if (b == def || reached_[b.index] == v.index) return;
      reached_[b.index] = v.index;
      alone_.push_back({v, b});
      work_.push_back(b);
    };
    for (const Use& u : uses_[v.index]) reach(u.block);
    while (!work_.empty()) {
      BlockId b = work_.back();
      work_.pop_back();
      for (BlockId p : cfg_.preds[b.index])
        if (cfg_.reachable(p)) reach(p);
    }
  }

  void add_head(uint32_t leader, uint32_t piece) {
    Web& web = webs_[leader];
    pieces_[piece].next_head = web.heads;
    web.heads = piece;
    ++web.blocks;
    if (web.indexed) first_.set(leader, piece);
  }
  // The web's first piece in the block, or kEnd. Most webs are small, and are searched; the first pieces of
  // others are in the hash table.
  uint32_t first_piece(uint32_t leader, BlockId block) const {
    if (webs_[leader].indexed) return first_.find(leader, block);
    uint32_t p = webs_[leader].heads;
    while (p != kEnd && pieces_[p].block != block) p = pieces_[p].next_head;
    return p;
  }
  void index(uint32_t leader) {
    Web& web = webs_[leader];
    if (std::exchange(web.indexed, true)) return;
    for (uint32_t p = web.heads; p != kEnd; p = pieces_[p].next_head) first_.set(leader, p);
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
    if (webs_[a].blocks < webs_[b].blocks) std::swap(a, b);
    if (uint64_t{webs_[a].blocks} * webs_[b].blocks > kFewPairs) index(a);
    for (uint32_t p = webs_[b].heads; p != kEnd; p = pieces_[p].next_head)
      if (meet(p, a)) return;
    joined_.join(a, b);
    for (uint32_t p = webs_[b].heads, next; p != kEnd; p = next) {
      next = pieces_[p].next_head;
      const uint32_t head = first_piece(a, pieces_[p].block);
      if (head == kEnd) {
        add_head(a, p);
        continue;
      }
      uint32_t last = p;
      while (pieces_[last].next != kEnd) last = pieces_[last].next;
      pieces_[last].next = pieces_[head].next;
      pieces_[head].next = p;
    }
    webs_[b].heads = kEnd;
  }

  // Whether web a is live together with one of these pieces in their block.
  bool meet(uint32_t pieces, uint32_t a) const {
    const uint32_t others = first_piece(a, pieces_[pieces].block);
    if (others == kEnd) return false;
    for (uint32_t p = pieces; p != kEnd; p = pieces_[p].next)
      for (uint32_t q = others; q != kEnd; q = pieces_[q].next)
        if (std::max(pieces_[p].from, pieces_[q].from) < std::min(pieces_[p].to, pieces_[q].to)) return true;
    return false;
  }

  const Function& f;
  const Cfg& cfg_;
  const std::vector<bool>& group_;
  const PhiWebs::Parts parts_;
  Lists<Use> uses_;           // by value id
  StableList<Piece> pieces_;  // there may be millions: they are not moved
  std::vector<Web> webs_;     // by leading value
  FirstPieces first_{pieces_};
  std::vector<uint32_t> last_piece_;  // by block id: of the value that reached it last
  struct LiveIn {
    ValueId value;
    BlockId block;
  };
  std::vector<LiveIn> alone_;      // of values that join no web, by ascending value
  std::vector<uint32_t> reached_;  // by block id: the value whose live range reached it last
  DisjointSets joined_;
  std::vector<BlockId> work_;
};

}  // namespace

PhiWebs::PhiWebs(const Function& f, const Cfg& cfg, const std::vector<bool>& group, Parts parts)
    : web_(f.value_count(), kNone) {
  WebBuilder build(f, cfg, group, parts);
  build.run();
  std::vector<uint32_t> number(f.value_count(), kNone);
  for (uint32_t v = 0; v < f.value_count(); ++v) {
    if (!build.used(v)) continue;
    uint32_t& n = number[build.find(v)];
    if (n == kNone) n = count_++;
    web_[v] = n;
  }
  if (parts == Numbers) return;
  members_ = Lists<ValueId>(count_, [&](auto add) {
    for (uint32_t v = 0; v < f.value_count(); ++v)
      if (web_[v] != kNone) add(web_[v], ValueId(v));
  });
  live_in_ = build.live_in();
}

bool PhiWebs::is_live_in(ValueId v, BlockId b) const {
  return std::ranges::binary_search(live_in_[b.index], v);
}

bool PhiWebs::is_live_in(uint32_t web, BlockId b) const {
  if (members(web).size() < live_in_[b.index].size() / kWorthSearches)
    return std::ranges::any_of(members(web), [&](ValueId v) { return is_live_in(v, b); });
  return std::ranges::any_of(live_in_[b.index], [&](ValueId v) { return of(v) == web; });
}

namespace {

class WebVariables {
 public:
  WebVariables(Function& function, const PhiWebs& webs, const std::vector<bool>& marked)
      : f(function), webs_(webs), marked_(marked), var_(webs.count()), params_(f.block_count()) {}

  void run() {
    const std::vector<BlockId> blocks = f.layout;
    for (BlockId b : blocks) params_[b.index] = f.block(b).params;
    for (BlockId b : blocks) rewrite(b);
    for (BlockId b : blocks)
      for (size_t k = b == f.entry() ? 0 : f.block(b).params.size(); k-- > 0;)
        if (is_marked(f.block(b).params[k])) f.remove_param(b, k);
  }

 private:
  bool is_marked(ValueId v) const { return webs_.of(v) != kNone && marked_[webs_.of(v)]; }
  VarId var(ValueId member) {
    VarId& var = var_[webs_.of(member)];
    if (!var.valid()) var = f.add_var("web", f.type(member));
    return var;
  }
  // An assignment to the variable that replaces a parameter.
  struct Write {
    VarId var;
    ValueId value;
  };

  void rewrite(BlockId b) {
    const auto old = std::move(f.block(b).insts);
    f.block(b).insts.clear();
    known_.clear();
    builder_.block = b;
    if (b == f.entry())
      for (ValueId p : params_[b.index])
        if (is_marked(p)) builder_.set(var(p), p), known_[p.index] = p;
    for (InstId i : old) {
      Inst& inst = f.inst(i);
      builder_.loc = inst.loc;
      for (ValueId& v : inst.operands) v = read(v);
      for (Target& t : inst.targets) pass(t, inst.targets.size() > 1);
      f.append(builder_.block, i);
      for (ValueId v : inst.results)
        if (is_marked(v)) builder_.set(var(v), v), known_[v.index] = v;
    }
  }

  ValueId read(ValueId v) {
    if (f.is_inline(v) || !is_marked(v)) return v;
    auto [it, fresh] = known_.try_emplace(v.index);
    if (fresh) it->second = builder_.get(var(v));
    return it->second;
  }

  // Turns arguments into writes; on an edge of a branch, in a block of its own.
  void pass(Target& t, bool branches) {
    const BlockId from = builder_.block;
    const auto& params = params_[t.block.index];
    auto writes_one = [&](size_t k) {
      return is_marked(params[k]) && (f.is_inline(t.args[k]) || webs_.of(t.args[k]) != webs_.of(params[k]));
    };
    bool writes = false;
    for (size_t k = 0; k < params.size(); ++k) writes |= writes_one(k);
    const bool split = writes && branches;
    std::map<uint32_t, ValueId> before;
    // The edge block has its own reads: it stays valid if its source is removed.
    if (split) known_.swap(before), builder_.block = f.add_block("edge");
    std::vector<ValueId> rest;
    std::vector<Write> list;
    for (size_t k = 0; k < params.size(); ++k) {
      if (writes_one(k)) list.push_back({var(params[k]), read(t.args[k])});
      if (!is_marked(params[k])) rest.push_back(read(t.args[k]));
    }
    for (const Write& w : list) builder_.set(w.var, w.value);
    t.args = std::move(rest);
    if (!split) return;
    known_ = std::move(before);
    builder_.br(t.block, std::move(t.args));
    t = {builder_.block, {}};
    builder_.block = from;
  }

  Function& f;
  const PhiWebs& webs_;
  const std::vector<bool>& marked_;
  Builder builder_{f};
  std::vector<VarId> var_;                    // by web
  std::vector<std::vector<ValueId>> params_;  // by block, before the change
  std::map<uint32_t, ValueId> known_;         // by value: its copy in the current block
};

}  // namespace

void webs_to_variables(Function& f, const PhiWebs& webs, const std::vector<bool>& marked) {
  WebVariables(f, webs, marked).run();
}

}  // namespace kc
