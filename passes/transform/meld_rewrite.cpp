// SPDX-License-Identifier: Apache-2.0
// Both arms become one chain: merged pieces, which all items run, and between them branches on the old
// condition around pieces of one arm. Parameters of the blocks become variables first, so that edges can be
// redirected; parameters of two merged blocks share a variable where their arguments are equal or are merged.
// A single block aligned with a larger piece first gets a copy of the piece's graph with empty blocks and
// fixed branches. Values that no longer dominate their uses become variables at the end; SSA construction
// inserts undef for items of the other arm.
#include "passes/transform/meld_rewrite.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "ir/cfg.h"
#include "ir/ssa_repair.h"
#include "passes/ir_util.h"
#include "passes/transform/mem2reg.h"
#include "passes/transform/simplify_cfg.h"

namespace kc {
namespace {

// Work of all regions that is done at the end.
struct Pending {
  std::map<ValueId, ValueId> becomes;               // by removed value
  std::map<BlockId, std::vector<BlockId>> follows;  // by branch: new blocks placed after it
  std::vector<BlockId> gone;
  std::set<InstId> for_all;  // of one arm, but executed for the other, too

  ValueId resolve(ValueId v) const {
    for (auto it = becomes.find(v); it != becomes.end(); it = becomes.find(v)) v = it->second;
    return v;
  }
};

class MeldRewriter {
 public:
  MeldRewriter(Function& function, const Cfg& cfg, const MeldPlan& plan, Pending& pending)
      : f(function),
        plan_(plan),
        left_(plan_.region.sides[0]),
        right_(plan_.region.sides[1]),
        branch_(plan.region.branch),
        cfg_(cfg),
        pending_(pending),
        builder_(f),
        old_vars_(f.vars.size()) {}

  void run() {
    if (plan_.region.of_switch()) split_switch();
    pair_values();
    demote_parameters();
    condition_ = pending_.resolve(f.inst(f.terminator(plan_.region.branch)).operands[0]);
    for (MeldedPieces& pieces : plan_.melded)
      if (pieces.single) replicate(pieces, *pieces.single);
    make_heads();
    lead_pieces();
    for (size_t n = 0; n < plan_.melded.size(); ++n) fill(n);
    leave_originals();
  }

 private:
  // --- branches between two arms of a switch

  void split_switch() {
    const InstId end = f.terminator(branch_);
    builder_.block = plan_.region.branch = add("arms");
    builder_.loc = f.inst(end).loc;
    ValueId left;
    for (ValueId c : plan_.region.cases) {
      const ValueId equal = builder_.make(Op::eq, kI1, {f.inst(end).operands[0], c});
      left = left.valid() ? builder_.make(Op::or_, kI1, {left, equal}) : equal;
    }
    std::array<Target, 2> ways;
    for (size_t side : {0, 1}) {
      const BlockId entry = plan_.region.sides[side].front().entry();
      for (Target& t : f.inst(end).targets) {
        if (t.block != entry) continue;
        ways[side] = t;
        t = {plan_.region.branch, {}};
      }
    }
    builder_.br_if(left, ways[0], ways[1]);
  }

  // --- pairs of values that are merged

  void pair_values() {
    partner_ = meld_partners(f, plan_.melded);
    for (const MeldedPieces& pieces : plan_.melded)
      for (const MeldedBlocks& blocks : pieces.blocks)
        if (blocks.both()) pair_parameters(pieces, blocks);
  }

  // Pairs the parameters for which most edges within the pieces pass equal or merged arguments.
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
      if (!from.both() || pieces.single) continue;
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
    entered.erase(BlockId());
    for (BlockId b : entered)
      for (ValueId p : f.block(b).params) {
        auto it = partner_.find(p);
        const ValueId key = it == partner_.end() ? p : it->second;
        auto [var, fresh] = var_of_.try_emplace(key);
        if (fresh) var->second = f.add_var("arm", f.type(p));
        if (key != p || (!fresh && key == p)) shared_.insert(var->second);
        if (b == plan_.region.end) shared_.insert(var->second);
      }
    // Blocks without parameters have no arguments on their edges; the end of another region may be one by
    // now, with edges that the graph does not have.
    std::erase_if(entered, [&](BlockId b) { return f.block(b).params.empty(); });
    std::set<BlockId> before;
    for (BlockId b : entered)
      for (BlockId p : cfg_.preds[b.index])
        if (cfg_.reachable(p)) before.insert(p == branch_ && b != plan_.region.end ? plan_.region.branch : p);
    for (BlockId p : before) set_on_edges(p, entered);
    for (BlockId b : entered) read_parameters(b);
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
      const ValueList args = std::exchange(f.inst(end).targets[k].args, {});
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

  void read_parameters(BlockId b) {
    const std::vector<ValueId> params = std::exchange(f.block(b).params, {});
    for (size_t n = 0; n < params.size(); ++n) {
      const Type type = f.type(params[n]);
      const InstId get = f.create(Op::var_get, {}, std::span(&type, 1));
      f.inst(get).attrs[0] = var_of(params[n]).index;
      f.insert(b, n, get);
      pending_.becomes[params[n]] = f.result(get);
    }
  }

  // --- single blocks aligned with larger pieces

  // Gives the single block the graph of the other piece: empty blocks, of which its items take one path.
  void replicate(MeldedPieces& pieces, size_t side) {
    auto of = [](MeldedBlocks& blocks, size_t k) -> BlockId& { return k == 0 ? blocks.left : blocks.right; };
    const std::array<BlockId, 2> next{left_[pieces.left].next, right_[pieces.right].next};
    std::map<BlockId, BlockId> copy{{next[1 - side], next[side]}};
    for (MeldedBlocks& blocks : pieces.blocks) {
      BlockId& block = of(blocks, side);
      if (!block.valid()) block = f.add_block();
      copy[of(blocks, 1 - side)] = block;
    }
    for (MeldedBlocks& blocks : pieces.blocks) {
      const Inst end = f.inst(f.terminator(of(blocks, 1 - side)));
      builder_.block = of(blocks, side);
      builder_.loc = end.loc;
      if (!f.block(builder_.block).insts.empty()) f.erase(f.terminator(builder_.block));
      ValueList operands = end.operands;
      if (end.op == Op::br_if)
        operands[0] = blocks.way ? f.constant(kI1, *blocks.way == 0) : f.undef(kI1);
      else if (end.op == Op::switch_)
        operands[0] = blocks.way ? by_target(end, *blocks.way) : f.undef(f.type(operands[0]));
      const InstId made = builder_.emit(end.op, std::move(operands));
      f.inst(made).attrs = end.attrs;
      for (const Target& t : end.targets) f.inst(made).targets.push_back({copy.at(t.block), {}});
    }
  }

  // A number for which a switch takes its target k; target 0 is for all numbers without a case.
  ValueId by_target(const Inst& end, size_t k) {
    if (k > 0) return end.operands[k];
    ValueId number = end.operands[0];
    for (uint64_t n = 0; std::ranges::find(end.operands, number) != end.operands.end(); ++n)
      number = f.constant(f.type(end.operands[0]), n);
    return number;
  }

  // --- the chain

  BlockId add(std::string hint) {
    made_.push_back(f.add_block(std::move(hint)));
    return made_.back();
  }

  // heads_[n]: the block where items of both arms join before the n-th pair of merged pieces; it is a branch
  // if one arm has unmerged pieces before it; the last one comes after everything.
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

  // --- merged blocks

  void fill(size_t n) {
    const MeldedPieces& pieces = plan_.melded[n];
    for (const MeldedBlocks& blocks : pieces.blocks) {
      builder_.block = melded_.at(blocks.left);
      chosen_.clear();
      alone_ = pieces.single && !blocks.way;
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
      // Selections between the arguments of the two edges of a branch came with the variables.
      for (const auto* list : {&left, &right})
        for (InstId i : *list)
          if (is(i, Op::select) && (f.inst(i).block == blocks.left || f.inst(i).block == blocks.right))
            move(i, builder_.block);
      write(left, right);
      leave(blocks, left_[pieces.left].next, heads_[n + 1]);
    }
  }

  // Selects the left value for left items and the right value for right ones.
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
    pending_.becomes[f.result(i)] = for_result;
    f.inst(i).erased = true, f.inst(i).block = BlockId();
  }

  void together(InstId left, InstId right) {
    builder_.loc = f.inst(left).loc;
    ValueList theirs = f.inst(right).operands;
    ValueList ours = f.inst(left).operands;
    for (auto* list : {&ours, &theirs})
      for (ValueId& v : *list) v = pending_.resolve(v);
    if (info(f.inst(left).op).has(Commutes)) {
      auto differ = [&](size_t a, size_t b) { return (ours[0] != theirs[a]) + (ours[1] != theirs[b]); };
      if (differ(1, 0) < differ(0, 1)) std::swap(theirs[0], theirs[1]);
    }
    std::vector<ValueId> operands;
    for (size_t k = 0; k < ours.size(); ++k) operands.push_back(choose(ours[k], theirs[k]));
    f.inst(left).operands = std::move(operands);
    f.append(builder_.block, left);
    for (size_t k = 0; k < f.inst(right).results.size(); ++k)
      pending_.becomes[f.result(right, k)] = f.result(left, k);
    f.inst(right).erased = true, f.inst(right).block = BlockId();
  }

  void move(InstId i, BlockId to) {
    for (ValueId& v : f.inst(i).operands) v = pending_.resolve(v);
    f.append(to, i);
  }

  // A run of one arm: instructions that all items may execute, then those that only this arm may.
  struct Run {
    std::vector<InstId> for_all, apart;
  };
  Run split(const std::vector<InstId>& run) const {
    if (alone_ || meld_run_cost(f, run) <= kMeldRun) return {.for_all = run, .apart = {}};
    Run parts;
    std::set<ValueId> results;
    for (InstId i : run) {
      const bool waits =
          meld_run_cost(f, std::span(&i, 1)) >= kNeverSpeculate ||
          std::ranges::any_of(f.inst(i).operands, [&](ValueId v) { return results.contains(v); });
      if (waits) results.insert(f.inst(i).results.begin(), f.inst(i).results.end());
      (waits ? parts.apart : parts.for_all).push_back(i);
    }
    if (parts.apart.empty() || meld_run_cost(f, parts.for_all) > 2 * kMeldRun)
      return {.for_all = {}, .apart = run};
    return parts;
  }

  void put(std::array<std::vector<InstId>, 2>& runs) {
    const std::array<Run, 2> parts{split(runs[0]), split(runs[1])};
    for (const Run& run : parts) move_for_all(run.for_all);
    if (!parts[0].apart.empty() || !parts[1].apart.empty()) {
      const BlockId from = builder_.block, behind = add("both");
      builder_.loc = f.inst(parts[parts[0].apart.empty() ? 1 : 0].apart.front()).loc;
      std::array<Target, 2> ways{Target{behind, {}}, Target{behind, {}}};
      for (size_t side : {0, 1}) {
        if (parts[side].apart.empty()) continue;
        ways[side].block = builder_.block = add(side == 0 ? "left" : "right");
        for (InstId i : parts[side].apart) move(i, builder_.block);
        builder_.br(behind);
      }
      builder_.block = from;
      builder_.br_if(condition_, ways[0], ways[1]);
      builder_.block = behind;
    }
    for (auto& run : runs) run.clear();
  }

  void move_for_all(const std::vector<InstId>& run) {
    for (InstId i : run) {
      move(i, builder_.block);
      if (!alone_ && !is(i, Op::select)) pending_.for_all.insert(i);
    }
  }

  void write(const std::vector<InstId>& left, const std::vector<InstId>& right) {
    std::map<int64_t, std::array<ValueId, 2>> values;
    for (InstId i : left)
      if (is(i, Op::var_set)) values[f.inst(i).attrs[0]][0] = pending_.resolve(f.inst(i).operands[0]);
    for (InstId i : right)
      if (is(i, Op::var_set)) values[f.inst(i).attrs[0]][1] = pending_.resolve(f.inst(i).operands[0]);
    for (auto& [var, sides] : values) {
      // A variable of both arms keeps its value in the arm that does not write it here.
      const VarId id(static_cast<uint32_t>(var));
      const bool keeps = !alone_ && (id.index < old_vars_ || shared_.contains(id));
      for (ValueId& v : sides)
        if (!v.valid()) v = keeps ? builder_.get(id) : f.undef(f.vars[id.index].type);
      builder_.set(id, choose(sides[0], sides[1]));
    }
  }

  void leave(const MeldedBlocks& blocks, BlockId next, BlockId behind) {
    const Inst left = f.inst(f.terminator(blocks.left)), right = f.inst(f.terminator(blocks.right));
    builder_.loc = left.loc;
    ValueList operands = left.operands;
    if (left.op != Op::br) {
      ValueId theirs = pending_.resolve(right.operands[0]);
      if (blocks.swapped) theirs = builder_.make(Op::xor_, kI1, {theirs, f.constant(kI1, 1)});
      operands[0] = choose(pending_.resolve(operands[0]), theirs);
    }
    const InstId end = builder_.emit(left.op, std::move(operands));
    f.inst(end).attrs = left.attrs;
    for (const Target& t : left.targets)
      f.inst(end).targets.push_back({t.block == next ? behind : melded_.at(t.block), {}});
  }

  void leave_originals() {
    for (const MeldedPieces& pieces : plan_.melded)
      for (const MeldedBlocks& blocks : pieces.blocks)
        for (BlockId b : {blocks.left, blocks.right}) {
          for (InstId i : std::exchange(f.block(b).insts, {}))
            if (f.inst(i).block == b) f.inst(i).erased = true, f.inst(i).block = BlockId();
          pending_.gone.push_back(b);
        }
    auto& behind = pending_.follows[branch_];
    behind.insert(behind.end(), made_.begin(), made_.end());
  }

  Function& f;
  MeldPlan plan_;
  const std::vector<MeldPiece>&left_, &right_;
  ValueId condition_;
  const BlockId branch_;  // the branch as in the original graph
  const Cfg& cfg_;
  Pending& pending_;
  Builder builder_;
  const size_t old_vars_;               // from earlier regions
  bool alone_ = false;                  // the current blocks are reached by items of one arm only
  std::map<ValueId, ValueId> partner_;  // by value of the right arm: the left value it is merged with
  std::map<ValueId, VarId> var_of_;     // by parameter: for a shared variable that of the left arm
  std::set<VarId> shared_;              // written by both arms
  std::map<BlockId, BlockId> melded_;   // by block of the left arm
  std::vector<BlockId> entries_, heads_, made_;
  std::map<std::pair<ValueId, ValueId>, ValueId> chosen_;  // by operands: selects of the current block
};

// New blocks follow their branch in the layout as in execution.
void place(Function& f, const Cfg& cfg, std::map<BlockId, std::vector<BlockId>> follows) {
  std::set<BlockId> placed;
  for (auto& [branch, blocks] : follows) {
    std::ranges::sort(blocks, {}, [&](BlockId b) { return cfg.number[b.index]; });
    placed.insert(blocks.begin(), blocks.end());
  }
  std::vector<BlockId> layout;
  for (BlockId b : f.layout) {
    if (!placed.contains(b)) layout.push_back(b);
    if (auto it = follows.find(b); it != follows.end())
      layout.insert(layout.end(), it->second.begin(), it->second.end());
  }
  f.layout = std::move(layout);
}

// Items that pass no write of a variable would keep its value of the previous iteration: it is set to undef
// for them where all its reads and writes are dominated, or to 0 if they compute with it.
void begin_variables(Function& f, const Cfg& cfg, const DominatorTree& dom, const std::set<InstId>& for_all) {
  std::vector<BlockId> above(f.vars.size());
  std::vector<bool> there(f.vars.size());  // the block has a read or a write itself
  std::vector<bool> computed_with(f.vars.size());
  for (InstId i : for_all)
    for (ValueId v : f.inst(i).operands)
      if (const InstId get = f.def(v); get.valid() && f.inst(get).op == Op::var_get)
        computed_with[static_cast<size_t>(f.inst(get).attrs[0])] = true;
  for (BlockId b : cfg.rpo)
    for (InstId i : f.block(b).insts) {
      if (f.inst(i).op != Op::var_get && f.inst(i).op != Op::var_set) continue;
      const auto var = static_cast<size_t>(f.inst(i).attrs[0]);
      const BlockId old = above[var];
      const BlockId common = old.valid() ? dom.nearest_common(old, b) : b;
      there[var] = common == b || (there[var] && common == old);
      above[var] = common;
    }
  for (uint32_t var = 0; var < f.vars.size(); ++var) {
    if (!above[var].valid() || there[var]) continue;
    const Type type = f.vars[var].type;
    const VarId id(var);
    insert_write(f, above[var], f.block(above[var]).insts.size() - 1, id,
                 computed_with[var] ? f.constant(type, 0) : f.undef(type));
  }
}

bool is_address_arithmetic(Op op) {
  return op == Op::add || op == Op::sub || op == Op::shl || op == Op::sext || op == Op::zext ||
         op == Op::trunc || op == Op::ptr_add;
}

// Addresses and indices of one arm that no longer dominate their uses are computed before the branch, where
// what they are made of is known. As parameters with a value for the other arm, too, those of neighbouring
// lanes would no longer be next to each other.
void hoist_addresses(Function& f, const Cfg& cfg, const DominatorTree& dom) {
  std::vector<BlockId> above(f.value_count());  // by value: dominates the definition and all uses
  auto meet = [&](ValueId v, BlockId b) {
    if (f.is_inline(v) || !f.def(v) || !is_address_arithmetic(f.inst(f.def(v)).op)) return;
    BlockId& common = above[v.index];
    if (!common.valid()) common = f.inst(f.def(v)).block;
    common = dom.nearest_common(common, b);
  };
  for (BlockId b : cfg.rpo)
    for (InstId i : f.block(b).insts) {
      for (ValueId v : f.inst(i).operands) meet(v, b);
      for (const Target& t : f.inst(i).targets)
        for (ValueId v : t.args) meet(v, b);
    }
  auto is_known = [&](ValueId v, BlockId b) {
    const BlockId from = block_of(f, v);
    return !from.valid() || dom.dominates(from, b);
  };
  for (BlockId b : cfg.rpo)
    for (InstId i : std::exchange(f.block(b).insts, {})) {
      const Inst& inst = f.inst(i);
      const BlockId to = is_address_arithmetic(inst.op) ? above[inst.results[0].index] : BlockId();
      if (to.valid() && to != b &&
          std::ranges::all_of(inst.operands, [&](ValueId o) { return is_known(o, to); }))
        f.insert(to, f.block(to).insts.size() - 1, i);
      else
        f.block(b).insts.push_back(i);
    }
}

void finish(Function& f, const Pending& pending) {
  f.erase_blocks(pending.gone);
  const Cfg cfg(f);
  place(f, cfg, pending.follows);
  Replacements last(f);
  for (auto [from, to] : pending.becomes) last.set(from, to);
  apply_replacements(f, last);
  const DominatorTree dom(f, cfg);
  hoist_addresses(f, cfg, dom);
  restore_dominance(f, cfg.rpo, dom, "arm");
  begin_variables(f, cfg, dom, pending.for_all);
  AnalysisCache analyses(f);
  mem2reg(f, analyses);
  simplify_cfg(f, analyses);
}

}  // namespace

void apply_melds(Function& f, std::span<const MeldPlan> plans) {
  Pending pending;
  const Cfg before(f);
  for (const MeldPlan& plan : plans) MeldRewriter(f, before, plan, pending).run();
  finish(f, pending);
}

}  // namespace kc
