// SPDX-License-Identifier: Apache-2.0
// Both sides become one chain: melded pieces, which all run, and between them branches on the old condition
// around pieces of one side. Parameters of the blocks concerned become variables first, so that edges can be
// led elsewhere; parameters of two melded blocks share a variable where their edges pass the same or what
// becomes the same. Values that no longer dominate their uses become variables at the end, and SSA
// construction has undef for work-items of the other side.
#include "passes/meld_rewrite.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "ir/cfg.h"
#include "passes/rewrite.h"
#include "passes/simplify_cfg.h"
#include "passes/ssa.h"

namespace kc {
namespace {

class Rewriter {
 public:
  Rewriter(Function& function, const MeldPlan& plan)
      : f(function),
        plan_(plan),
        left_(plan.region.sides[0]),
        right_(plan.region.sides[1]),
        condition_(f.inst(f.terminator(plan.region.branch)).operands[0]),
        cfg_(f),
        builder_(f) {}

  void run() {
    pair_values();
    demote_parameters();
    make_heads();
    lead_pieces();
    for (size_t n = 0; n < plan_.melded.size(); ++n) fill(n);
    erase_originals();
    Cfg cfg(f);
    DominatorTree dom(f, cfg);
    pass_through_variables(f, cfg.rpo, "side", [&](ValueId v, BlockId user) {
      const BlockId def = block_of(f, v);
      return def.valid() && !dom.dominates(def, user);
    });
    ssa(f);
    simplify_cfg(f);
  }

 private:
  // --- values of both sides that become one

  void pair_values() {
    partner_ = meld_partners(f, plan_.melded);
    for (const MeldedPieces& pieces : plan_.melded)
      for (const MeldedBlocks& blocks : pieces.blocks) pair_parameters(pieces, blocks);
  }

  // Those with most edges within the pieces that pass what is, or becomes, the same.
  void pair_parameters(const MeldedPieces& pieces, const MeldedBlocks& blocks) {
    const auto& left = f.block(blocks.left).params;
    std::set<ValueId> taken;
    for (ValueId r : f.block(blocks.right).params) {
      size_t most = 0;
      ValueId best;
      for (ValueId l : left) {
        if (taken.contains(l) || f.type(l) != f.type(r)) continue;
        const size_t agree = edges_that_agree(pieces, blocks, f.value(l).index, f.value(r).index);
        if (agree > most) most = agree, best = l;
      }
      if (most > 0) partner_[r] = best, taken.insert(best);
    }
  }

  size_t edges_that_agree(const MeldedPieces& pieces, const MeldedBlocks& to, size_t l, size_t r) const {
    size_t count = 0;
    for (const MeldedBlocks& from : pieces.blocks) {
      const auto lefts = f.successors(from.left), rights = f.successors(from.right);
      for (size_t k = 0; k < lefts.size(); ++k) {
        const Target &a = lefts[k], &b = rights[from.swapped ? 1 - k : k];
        if (a.block != to.left || b.block != to.right) continue;
        auto it = partner_.find(b.args[r]);
        count += (it == partner_.end() ? b.args[r] : it->second) == a.args[l];
      }
    }
    return count;
  }

  // --- parameters as variables

  void demote_parameters() {
    std::set<BlockId> entered{plan_.region.end};
    for (const auto* side : {&left_, &right_})
      for (const MeldPiece& piece : *side) entered.insert(piece.entry());
    for (const MeldedPieces& pieces : plan_.melded)
      for (const MeldedBlocks& blocks : pieces.blocks) entered.insert({blocks.left, blocks.right});
    for (BlockId b : entered)
      for (ValueId p : f.block(b).params) {
        auto it = partner_.find(p);
        const ValueId key = it == partner_.end() ? p : it->second;
        auto [var, fresh] = var_of_.try_emplace(key);
        if (fresh) var->second = f.add_var("side", f.type(p));
        if (key != p || (!fresh && key == p)) shared_.insert(var->second);
        if (b == plan_.region.end) shared_.insert(var->second);
      }
    std::set<BlockId> before;
    for (BlockId b : entered)
      for (BlockId p : cfg_.preds[b.index])
        if (cfg_.reachable(p)) before.insert(p);
    for (BlockId p : before) set_on_edges(p, entered);
    Replacements reads(f);
    for (BlockId b : entered) read_parameters(b, reads);
    apply_replacements(f, reads);
    condition_ = f.inst(f.terminator(plan_.region.branch)).operands[0];
  }

  VarId var_of(ValueId param) const {
    auto it = partner_.find(param);
    return var_of_.at(it == partner_.end() ? param : it->second);
  }

  void set_on_edges(BlockId p, const std::set<BlockId>& entered) {
    const InstId end = f.terminator(p);
    std::map<VarId, ValueId> values;
    for (size_t k = 0; k < f.inst(end).targets.size(); ++k) {
      const BlockId to = f.inst(end).targets[k].block;
      if (!entered.contains(to)) continue;
      const std::vector<ValueId> args = std::exchange(f.inst(end).targets[k].args, {});
      for (size_t n = 0; n < args.size(); ++n) {
        auto [it, fresh] = values.try_emplace(var_of(f.block(to).params[n]), args[n]);
        if (!fresh && it->second != args[n])  // the two edges of one branch
          it->second =
              insert(p, end, Op::select, f.type(args[n]), {f.inst(end).operands[0], it->second, args[n]});
      }
    }
    for (auto [var, value] : values) {
      const InstId set = f.create(Op::var_set, {value}, {}, f.inst(end).loc);
      f.inst(set).attrs[0] = var.index;
      f.insert(p, f.block(p).insts.size() - 1, set);
    }
  }

  ValueId insert(BlockId b, InstId in_front_of, Op op, Type type, std::vector<ValueId> operands) {
    const InstId made = f.create(op, std::move(operands), std::span(&type, 1), f.inst(in_front_of).loc);
    f.insert(b, f.block(b).insts.size() - 1, made);
    return f.result(made);
  }

  void read_parameters(BlockId b, Replacements& reads) {
    const std::vector<ValueId> params = std::exchange(f.block(b).params, {});
    for (size_t n = 0; n < params.size(); ++n) {
      const Type type = f.type(params[n]);
      const InstId get = f.create(Op::var_get, {}, std::span(&type, 1));
      f.inst(get).attrs[0] = var_of(params[n]).index;
      f.insert(b, n, get);
      reads.set(params[n], f.result(get));
    }
  }

  // --- the chain

  BlockId add(std::string hint) {
    made_.push_back(f.add_block(std::move(hint)));
    return made_.back();
  }

  // heads_[n]: where the work-items of both sides come together in front of the n-th melded pieces, which is
  // a branch if one side has others to do before; the last is behind everything.
  void make_heads() {
    const size_t count = plan_.melded.size();
    for (const MeldedPieces& pieces : plan_.melded) {
      for (const MeldedBlocks& blocks : pieces.blocks) melded_[blocks.left] = add(f.block(blocks.left).hint);
      entries_.push_back(melded_[pieces.blocks[0].left]);
    }
    entries_.push_back(plan_.region.end);
    for (size_t n = 0; n <= count; ++n)
      heads_.push_back(parts(n) ? n == 0 ? BlockId() : add("part") : entries_[n]);
  }
  size_t first(size_t n, size_t side) const {
    if (n == 0) return 0;
    return (side == 0 ? plan_.melded[n - 1].left : plan_.melded[n - 1].right) + 1;
  }
  size_t last(size_t n, size_t side) const {
    if (n == plan_.melded.size()) return plan_.region.sides[side].size();
    return side == 0 ? plan_.melded[n].left : plan_.melded[n].right;
  }
  bool parts(size_t n) const { return first(n, 0) < last(n, 0) || first(n, 1) < last(n, 1); }

  void lead_pieces() {
    const InstId branch = f.terminator(plan_.region.branch);
    for (size_t n = 0; n < heads_.size(); ++n) {
      if (!parts(n)) {
        if (n == 0) make_jump(f.inst(branch), {entries_[0], {}});
        continue;
      }
      std::array<Target, 2> ways;
      for (size_t side : {0, 1}) {
        const auto& pieces = plan_.region.sides[side];
        const size_t from = first(n, side), to = last(n, side);
        ways[side].block = from == to ? entries_[n] : pieces[from].entry();
        if (from != to) leave_to(pieces[to - 1], entries_[n]);
      }
      if (n == 0) {
        f.inst(branch).targets = {ways[0], ways[1]};
      } else {
        builder_.block = heads_[n];
        builder_.loc = f.inst(branch).loc;
        builder_.br_if(condition_, ways[0], ways[1]);
      }
    }
  }

  void leave_to(const MeldPiece& piece, BlockId to) {
    for (BlockId b : piece.blocks)
      for (Target& t : f.inst(f.terminator(b)).targets)
        if (t.block == piece.next) t.block = to;
  }

  // --- melded blocks

  void fill(size_t n) {
    const MeldedPieces& pieces = plan_.melded[n];
    for (const MeldedBlocks& blocks : pieces.blocks) {
      builder_.block = melded_.at(blocks.left);
      chosen_.clear();
      const std::vector<InstId> left = f.block(blocks.left).insts, right = f.block(blocks.right).insts;
      read(left, right);
      std::array<std::vector<InstId>, 2> runs;
      for (const MeldStep& s : blocks.steps) {
        if (s.both()) {
          put(runs);
          together(s.left, s.right);
        } else {
          runs[s.left.valid() ? 0 : 1].push_back(s.left.valid() ? s.left : s.right);
        }
      }
      put(runs);
      // Choices between what the two edges of one branch pass came in with the variables.
      for (const auto* list : {&left, &right})
        for (InstId i : *list)
          if (is(i, Op::select) && (f.inst(i).block == blocks.left || f.inst(i).block == blocks.right))
            move(i, builder_.block);
      write(left, right);
      leave(blocks, left_[pieces.left].next, heads_[n + 1]);
    }
  }

  ValueId resolve(ValueId right) const {
    auto it = becomes_.find(right);
    return it == becomes_.end() ? right : it->second;
  }

  // What left work-items have from one value and right ones from the other.
  ValueId choose(ValueId left, ValueId right) {
    if (left == right || f.is_undef(right)) return left;
    if (f.is_undef(left)) return right;
    auto [it, fresh] = chosen_.try_emplace({left, right});
    if (fresh) it->second = builder_.make(Op::select, f.type(left), {condition_, left, right});
    return it->second;
  }

  bool is(InstId i, Op op) const { return f.inst(i).op == op; }

  void read(const std::vector<InstId>& left, const std::vector<InstId>& right) {
    std::map<int64_t, ValueId> known;
    for (const auto* list : {&left, &right})
      for (InstId i : *list) {
        if (!is(i, Op::var_get)) continue;
        auto [it, fresh] = known.try_emplace(f.inst(i).attrs[0], f.result(i));
        if (fresh)
          f.append(builder_.block, i);
        else
          drop(i, it->second);
      }
  }

  void drop(InstId i, ValueId for_result) {
    becomes_[f.result(i)] = for_result;
    f.inst(i).erased = true, f.inst(i).block = BlockId();
  }

  void together(InstId left, InstId right) {
    builder_.loc = f.inst(left).loc;
    std::vector<ValueId> theirs = f.inst(right).operands;
    for (ValueId& v : theirs) v = resolve(v);
    const std::vector<ValueId> ours = f.inst(left).operands;
    if (info(f.inst(left).op).has(Commutes)) {
      auto differ = [&](size_t a, size_t b) { return (ours[0] != theirs[a]) + (ours[1] != theirs[b]); };
      if (differ(1, 0) < differ(0, 1)) std::swap(theirs[0], theirs[1]);
    }
    std::vector<ValueId> operands;
    for (size_t k = 0; k < ours.size(); ++k) operands.push_back(choose(ours[k], theirs[k]));
    f.inst(left).operands = std::move(operands);
    f.append(builder_.block, left);
    for (size_t k = 0; k < f.inst(right).results.size(); ++k)
      becomes_[f.result(right, k)] = f.result(left, k);
    f.inst(right).erased = true, f.inst(right).block = BlockId();
  }

  void move(InstId i, BlockId to) {
    for (ValueId& v : f.inst(i).operands) v = resolve(v);
    f.append(to, i);
  }

  // What one side has for itself: computed by all if that is cheap and does no harm.
  void put(std::array<std::vector<InstId>, 2>& runs) {
    std::array<bool, 2> apart{};
    for (size_t side : {0, 1}) {
      apart[side] = meld_run_cost(f, runs[side]) > kMeldRun;
      if (!apart[side])
        for (InstId i : runs[side]) move(i, builder_.block);
    }
    if (apart[0] || apart[1]) {
      const BlockId from = builder_.block, behind = add("both");
      std::array<Target, 2> ways{Target{behind, {}}, Target{behind, {}}};
      for (size_t side : {0, 1}) {
        if (!apart[side]) continue;
        ways[side].block = builder_.block = add(side == 0 ? "left" : "right");
        for (InstId i : runs[side]) move(i, builder_.block);
        builder_.br(behind);
      }
      builder_.block = from;
      builder_.br_if(condition_, ways[0], ways[1]);
      builder_.block = behind;
    }
    for (auto& run : runs) run.clear();
  }

  void write(const std::vector<InstId>& left, const std::vector<InstId>& right) {
    std::map<int64_t, std::array<ValueId, 2>> values;
    for (InstId i : left)
      if (is(i, Op::var_set)) values[f.inst(i).attrs[0]][0] = f.inst(i).operands[0];
    for (InstId i : right)
      if (is(i, Op::var_set)) values[f.inst(i).attrs[0]][1] = resolve(f.inst(i).operands[0]);
    for (auto& [var, sides] : values) {
      // A variable of both sides keeps what the side has that writes nothing here.
      const VarId id(static_cast<uint32_t>(var));
      for (ValueId& v : sides)
        if (!v.valid()) v = shared_.contains(id) ? builder_.get(id) : f.undef(f.vars[id.index].type);
      builder_.set(id, choose(sides[0], sides[1]));
    }
  }

  void leave(const MeldedBlocks& blocks, BlockId next, BlockId behind) {
    const Inst left = f.inst(f.terminator(blocks.left)), right = f.inst(f.terminator(blocks.right));
    builder_.loc = left.loc;
    std::vector<ValueId> operands = left.operands;
    if (left.op != Op::br) {
      ValueId theirs = resolve(right.operands[0]);
      if (blocks.swapped) theirs = builder_.make(Op::xor_, kI1, {theirs, f.constant(kI1, 1)});
      operands[0] = choose(operands[0], theirs);
    }
    const InstId end = builder_.emit(left.op, std::move(operands));
    f.inst(end).attrs = left.attrs;
    for (const Target& t : left.targets)
      f.inst(end).targets.push_back({t.block == next ? behind : melded_.at(t.block), {}});
  }

  void erase_originals() {
    std::vector<BlockId> gone;
    for (const MeldedPieces& pieces : plan_.melded)
      for (const MeldedBlocks& blocks : pieces.blocks)
        for (BlockId b : {blocks.left, blocks.right}) {
          for (InstId i : std::exchange(f.block(b).insts, {}))
            if (f.inst(i).block == b) f.inst(i).erased = true, f.inst(i).block = BlockId();
          gone.push_back(b);
        }
    f.erase_blocks(gone);
    // What follows the branch in the text is what follows it when it runs.
    std::erase_if(f.layout, [&](BlockId b) { return std::ranges::find(made_, b) != made_.end(); });
    auto at = std::ranges::find(f.layout, plan_.region.branch);
    f.layout.insert(at + 1, made_.begin(), made_.end());
    Replacements last(f);
    for (auto [from, to] : becomes_) last.set(from, to);
    apply_replacements(f, last);
  }

  Function& f;
  const MeldPlan& plan_;
  const std::vector<MeldPiece>&left_, &right_;
  ValueId condition_;
  const Cfg cfg_;
  Builder builder_;
  std::map<ValueId, ValueId>
      partner_;                      // by value of the right side: that of the left that becomes one with it
  std::map<ValueId, VarId> var_of_;  // by parameter: of two with one variable, the left side's
  std::set<VarId> shared_;           // what both sides write
  std::map<BlockId, BlockId> melded_;  // by block of the left side
  std::vector<BlockId> entries_, heads_, made_;
  std::map<ValueId, ValueId> becomes_;                     // by value of the right side that is gone
  std::map<std::pair<ValueId, ValueId>, ValueId> chosen_;  // by operands: selects of the block at hand
};

}  // namespace

void apply_meld(Function& f, const MeldPlan& plan) { Rewriter(f, plan).run(); }

}  // namespace kc
