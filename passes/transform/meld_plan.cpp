// SPDX-License-Identifier: Apache-2.0
// Pieces are aligned with pieces, and within them instructions with instructions, by dynamic programming over
// the savings of each pair.
#include "passes/transform/meld_plan.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

namespace kc {
namespace {

constexpr int kBranch = 3;                    // a branch around a run of one arm, with its mask
constexpr int kAnyBuffer = 4;                 // saving of one access to either of two buffers, on CPUs
constexpr size_t kMostTableCells = 1u << 16;  // per table
constexpr size_t kMostCells = 1u << 20;       // cells of all tables for one branch
constexpr size_t kMostBeside = 24;            // blocks of a piece aligned with a single block
// Pieces of one arm that are compared with a piece of the other, and pairs of pieces in short arms.
constexpr size_t kMostPartners = 16, kMostPairs = 512;

// The last step of an alignment: a pair, or an instruction of one arm only, which executes for all items
// (Along) or under a branch (Apart).
enum AlignState : uint8_t { Paired, Along, Apart };
// A cell of the table of an alignment: the saving up to there, by the last step.
struct AlignCell {
  std::array<int, 3> saved{-(1 << 28), -(1 << 28), -(1 << 28)};
  AlignState last() const {
    AlignState best = Paired;
    for (AlignState s : {Along, Apart})
      if (saved[s] > saved[best]) best = s;
    return best;
  }
};
// The way to a cell, by its last step: what the step before it was, and whether the step is the left arm's.
class AlignTrace {
 public:
  AlignState before(AlignState s) const { return static_cast<AlignState>(ways_[s] & 3); }
  bool left(AlignState s) const { return ways_[s] & kLeft; }
  void set(AlignState s, AlignState before, bool left) {
    ways_[s] = static_cast<uint8_t>(before | (left ? kLeft : 0));
  }

 private:
  static constexpr uint8_t kLeft = 4;
  std::array<uint8_t, 3> ways_{};
};

class MeldPlanner {
 public:
  MeldPlanner(const Function& function, const Uniformity& uniformity, const TargetCosts& costs, bool beside)
      : f(function), u(uniformity), costs_(costs), beside_(beside) {}

  std::optional<MeldPlan> plan(MeldRegion region) {
    MeldPlan made{.region = std::move(region)};
    const auto& [left, right] = made.region.sides;
    if (left.size() * right.size() > kMostTableCells) return std::nullopt;
    align_pieces(made, left, right);
    if (made.common == 0) return std::nullopt;
    made.saved = saved(made);
    return made;
  }

 private:
  struct Scored {
    MeldedPieces pieces;
    int score = 0;
    uint32_t common = 0;
  };

  bool divergent(InstId i) const {
    const Inst& inst = f.inst(i);
    if (inst.results.empty()) return true;
    return u.divergent[inst.results[0].index];
  }

  // Whether the address is strided in most waves: such accesses are one vector access. At the borders of a
  // grid an index may be clamped or mirrored.
  bool in_steps(ValueId v, int depth = 0) const {
    if (f.is_inline(v) || !u.divergent[v.index]) return true;
    const InstId def = f.def(v);
    if (!def.valid() || depth > 8) return false;
    const Inst& inst = f.inst(def);
    if (info(inst.op).has(LaneSource)) return true;
    switch (inst.op) {
      case Op::add:
      case Op::sub:
      case Op::sext:
      case Op::zext:
      case Op::trunc:
      case Op::ptr_add:
      case Op::smin:
      case Op::smax:
      case Op::umin:
      case Op::umax:
        return std::ranges::all_of(inst.operands, [&](ValueId o) { return in_steps(o, depth + 1); });
      case Op::select:
        return agree_in_most_waves(f, u, inst.operands[0]) && in_steps(inst.operands[1], depth + 1) &&
               in_steps(inst.operands[2], depth + 1);
      default:
        return false;
    }
  }

  int cost(InstId i) const {
    const Inst& inst = f.inst(i);
    const OpInfo& row = info(inst.op);
    if (row.has(Atomic)) return 2 * kBranch + static_cast<int>(costs_.memory);
    if (row.effects != Effects::None)
      return inst.operands.empty() || in_steps(inst.operands[0]) ? 3 : 3 + static_cast<int>(costs_.memory);
    const int cost = speculation_cost(f, inst);
    return cost >= kNeverSpeculate ? static_cast<int>(std::max(costs_.slow, 12u)) : cost;
  }

  // The cost of the cheaper of the two instructions.
  int worth(InstId l, InstId r) const {
    const int least = std::min(cost(l), cost(r));
    const Inst& inst = f.inst(l);
    const bool memory = info(inst.op).effects != Effects::None;
    return memory && costs_.rows ? std::min(least, reach(inst.operands[0], f.inst(r).operands[0])) : least;
  }

  // Lanes that access one buffer need half the address width of lanes that access two.
  int reach(ValueId a, ValueId b) const {
    auto root = [&](ValueId v) {
      for (InstId i = f.def(v); i.valid() && f.inst(i).op == Op::ptr_add; i = f.def(v))
        v = f.inst(i).operands[0];
      return v;
    };
    return root(a) == root(b) ? kNeverSpeculate : kAnyBuffer;
  }

  int select_cost(ValueId v) const { return f.type(v).bits() > 32 ? 2 : 1; }

  bool alike(InstId l, InstId r) const {
    const Inst &a = f.inst(l), &b = f.inst(r);
    if (a.op != b.op || a.attrs != b.attrs || a.operands.size() != b.operands.size() ||
        a.results.size() != b.results.size() || a.op == Op::opaque_false)
      return false;
    for (size_t k = 0; k < a.operands.size(); ++k)
      if (f.type(a.operands[k]) != f.type(b.operands[k])) return false;
    for (size_t k = 0; k < a.results.size(); ++k)
      if (f.type(a.results[k]) != f.type(b.results[k])) return false;
    return true;
  }

  // Whether two values are equal by equal computations.
  bool same(ValueId a, ValueId b, int depth = 0) const {
    if (a == b) return true;
    const InstId l = f.def(a), r = f.def(b);
    if (!l.valid() || !r.valid() || depth > 4 || !alike(l, r) || info(f.inst(l).op).effects != Effects::None)
      return false;
    for (size_t k = 0; k < f.inst(l).operands.size(); ++k)
      if (!same(f.inst(l).operands[k], f.inst(r).operands[k], depth + 1)) return false;
    return true;
  }

  // An instruction of a block that is aligned, with what is asked for each of its pairs.
  struct Candidate {
    InstId id;
    uint32_t kind = 0;           // of two instructions of one kind one could do the work of both
    uint32_t first_operand = 0;  // in operands_
    int cost = 0;
    bool pure = false, divergent = false, in_steps = false;
  };
  struct Operand {
    ValueId value;
    uint32_t tag = 0;  // for other than constants, what defines it: its opcode, or kByEdge for a parameter
    bool inside = false;
  };
  static constexpr uint32_t kByEdge = UINT32_MAX;

  Candidate candidate(InstId i) const {
    const Inst& inst = f.inst(i);
    Candidate c{.id = i, .kind = kind_of(i), .first_operand = static_cast<uint32_t>(operands_.size())};
    c.cost = cost(i);
    c.pure = speculation_cost(f, inst) < kNeverSpeculate;
    c.divergent = divergent(i);
    const bool memory = info(inst.op).effects != Effects::None && !inst.operands.empty();
    c.in_steps = memory && costs_.rows && in_steps(inst.operands[0]);
    for (ValueId v : inst.operands) {
      const InstId def = f.def(v);
      const bool param = f.value(v).kind == ValueKind::Param;
      const uint32_t tag = def.valid() ? 1 + static_cast<uint32_t>(f.inst(def).op) : param ? kByEdge : 0;
      operands_.push_back({v, tag, tag != 0 && inside(v)});
    }
    return c;
  }

  // Where the candidates of the block begin. A block is aligned with many others.
  size_t candidates_of(BlockId b) const {
    const auto [it, fresh] = candidates_at_.try_emplace(b.index, candidates_.size());
    if (fresh)
      for (InstId i : body(b)) candidates_.push_back(candidate(i));
    return it->second;
  }

  // The number of the instructions that are alike this one.
  uint32_t kind_of(InstId i) const {
    const Inst& inst = f.inst(i);
    const auto number = static_cast<uint32_t>(kinds_.size());
    uint64_t key = static_cast<uint64_t>(inst.op) << 32 | inst.operands.size();
    auto mix = [&](uint64_t x) { key = (key ^ x) * 0x9e3779b97f4a7c15u, key ^= key >> 32; };
    if (inst.op == Op::opaque_false) mix(i.index);  // alike nothing
    if (!inst.operands.empty()) mix(static_cast<uint64_t>(f.type(inst.operands[0]).elem));
    for (int64_t attr : inst.attrs) mix(static_cast<uint64_t>(attr));
    for (;; ++key) {
      const auto [it, fresh] = kinds_.try_emplace(key, i, number);
      if (fresh || alike(it->second.first, i)) return it->second.second;
    }
  }

  // Whether two operands are equal, or likely become so because their definitions are alike.
  bool may_agree(const Operand& a, const Operand& b) const {
    if (a.value == b.value) return true;
    if (a.tag != b.tag || a.tag == 0) return false;
    return (a.inside && b.inside) || (a.tag != kByEdge && same(a.value, b.value));
  }
  bool inside(ValueId v) const { return std::ranges::binary_search(blocks_, block_of(f, v)); }

  // The saving by one instruction in place of two of one kind; negative if there is none.
  int gain(const Candidate& l, const Candidate& r) const {
    const Inst &a = f.inst(l.id), &b = f.inst(r.id);
    // Uniform instructions are cheap already.
    if (!l.divergent && !r.divergent) return a.operands == b.operands ? 1 : -1;
    const bool memory = info(a.op).effects != Effects::None;
    if (memory && costs_.rows && l.in_steps && r.in_steps && !same(a.operands[0], b.operands[0])) return -1;
    const int least = std::min(l.cost, r.cost);
    const int worth = memory && costs_.rows ? std::min(least, reach(a.operands[0], b.operands[0])) : least;
    auto selects = [&](bool crossed) {
      int sum = 0;
      for (size_t k = 0; k < a.operands.size(); ++k) {
        const Operand& other = operands_[r.first_operand + (crossed && k < 2 ? 1 - k : k)];
        if (!may_agree(operands_[l.first_operand + k], other)) sum += select_cost(other.value);
      }
      return sum;
    };
    int worst = selects(false);
    if (worst > 0 && info(a.op).has(Commutes)) worst = std::min(worst, selects(true));
    return worth - worst;
  }

  std::span<const InstId> body(BlockId b) const {
    return std::span(f.block(b).insts).first(f.block(b).insts.size() - 1);
  }

  // The alignment of two blocks that saves most; returns the saving, nothing if that is too much work.
  std::optional<int> align(MeldedBlocks& blocks) const {
    const std::span<const InstId> left = body(blocks.left), right = body(blocks.right);
    const size_t n = left.size(), m = right.size(), width = m + 1;
    const size_t cells = (n + 1) * width;
    if (cells > kMostTableCells || cells > work_left_) return std::nullopt;
    work_left_ -= cells;
    trace_.assign(cells, {});
    const size_t of_left = candidates_of(blocks.left), of_right = candidates_of(blocks.right);
    const std::span<const Candidate> l(candidates_.begin() + of_left, n),
        r(candidates_.begin() + of_right, m);
    std::vector<AlignCell>&above = rows_[0], &row = rows_[1];
    row.resize(width);
    for (size_t i = 0; i <= n; ++i) {
      std::swap(above, row);
      row.assign(width, {});
      if (i == 0) row[0].saved[Paired] = 0;
      for (size_t j = 0; j <= m; ++j) {
        AlignCell& here = row[j];
        AlignTrace& trace = trace_[i * width + j];
        if (i > 0) extend(here, trace, above[j], l[i - 1].pure, true);
        if (j > 0) extend(here, trace, row[j - 1], r[j - 1].pure, false);
        if (i == 0 || j == 0 || l[i - 1].kind != r[j - 1].kind) continue;
        if (const int g = gain(l[i - 1], r[j - 1]); g >= 0) {
          const AlignCell& from = above[j - 1];
          const AlignState before = from.last();
          here.saved[Paired] = from.saved[before] + g;
          trace.set(Paired, before, false);
        }
      }
    }
    size_t i = n, j = m;
    const AlignState end = row.back().last();
    for (AlignState state = end; i > 0 || j > 0;) {
      const AlignTrace& way = trace_[i * width + j];
      const bool ours = state == Paired || way.left(state), theirs = state == Paired || !way.left(state);
      const AlignState before = way.before(state);
      blocks.steps.push_back({ours ? left[--i] : InstId(), theirs ? right[--j] : InstId()});
      state = before;
    }
    std::ranges::reverse(blocks.steps);
    return row.back().saved[end];
  }

  // Adds an instruction of one arm only; a pure one may execute for all items.
  static void extend(AlignCell& here, AlignTrace& trace, const AlignCell& from, bool pure, bool left) {
    const AlignState to = pure ? Along : Apart;
    const int costs = pure ? 0 : kBranch;
    // The better one of a pair and an instruction that runs for all items comes before it, a pair if equal.
    const AlignState before = from.saved[Along] > from.saved[Paired] ? Along : Paired;
    if (const int saved = from.saved[before] - costs; saved > here.saved[to])
      here.saved[to] = saved, trace.set(to, before, left);
    if (from.saved[Apart] > here.saved[Apart])
      here.saved[Apart] = from.saved[Apart], trace.set(Apart, Apart, left);
  }

  // Aligns a single block with that block of a larger piece with which it saves most.
  std::optional<Scored> meld_single(const MeldPiece& left, const MeldPiece& right) const {
    const size_t side = left.blocks.size() == 1 ? 0 : 1;
    const MeldPiece& many = side == 0 ? right : left;
    const BlockId one = (side == 0 ? left : right).entry();
    if (f.inst(f.terminator(one)).op != Op::br || many.blocks.size() > kMostBeside) return std::nullopt;
    std::optional<Scored> best;
    for (BlockId with : many.blocks) {
      const auto way = way_past(f, many, with, [&](BlockId b) { return b == with ? 0 : passing_cost(b); });
      if (way.empty()) continue;
      Scored made;
      made.pieces.single = side;
      for (BlockId b : many.blocks) {
        const BlockId beside = b == with ? one : BlockId();
        MeldedBlocks blocks{.left = side == 0 ? beside : b, .right = side == 0 ? b : beside};
        if (auto it = way.find(b); it != way.end()) blocks.way = it->second;
        if (b == with) {
          const auto score = align(blocks);
          if (!score) return std::nullopt;
          made.score += *score + kBranch + 1 - narrowed_branch(b);
        } else {
          for (InstId i : body(b))
            blocks.steps.push_back({side == 0 ? InstId() : i, side == 0 ? i : InstId()});
          if (blocks.way) made.score -= passing_cost(b);
        }
        for (const MeldStep& s : blocks.steps) made.common += s.both();
        made.pieces.blocks.push_back(std::move(blocks));
      }

      if (made.common > 0 && (!best || made.score > best->score)) best = std::move(made);
    }
    return best;
  }

  // The cost of passing the block for work-items that do not execute it.
  int passing_cost(BlockId b) const {
    return narrowed_branch(b) + (meld_run_cost(f, body(b)) > kMeldRun ? kBranch : 0);
  }

  // The cost of a branch at a block's end where some work-items have a single target.
  int narrowed_branch(BlockId b) const {
    const Inst& end = f.inst(f.terminator(b));
    if (end.op == Op::br) return 0;
    return u.divergent[end.operands[0].index] ? 1 : 2 * kBranch;
  }

  // Walks two pieces in parallel; nothing if their graphs differ.
  std::optional<Scored> meld(const MeldPiece& left, const MeldPiece& right) const {
    if (beside_ && (left.blocks.size() == 1) != (right.blocks.size() == 1)) return meld_single(left, right);
    if (left.blocks.size() != right.blocks.size()) return std::nullopt;
    Scored made;
    std::map<BlockId, BlockId> right_of, left_of;
    std::vector<std::pair<BlockId, BlockId>> work{{left.entry(), right.entry()}};
    while (!work.empty()) {
      auto [l, r] = work.back();
      work.pop_back();
      if (l == left.next || r == right.next) {
        if (l != left.next || r != right.next) return std::nullopt;
        continue;
      }
      auto [known, fresh] = right_of.try_emplace(l, r);
      if (!fresh && known->second != r) return std::nullopt;
      if (fresh != left_of.try_emplace(r, l).second) return std::nullopt;
      if (!fresh) continue;
      MeldedBlocks blocks{.left = l, .right = r};
      if (!alike_ends(blocks, left.next, right.next)) return std::nullopt;
      if (costs_.rows && uniform_branch(blocks) > 0) return std::nullopt;
      const auto score = align(blocks);
      if (!score) return std::nullopt;
      made.score += std::max(0, *score) + (left.blocks.size() > 1 ? kBranch - 1 : 0) - uniform_branch(blocks);
      for (const MeldStep& s : blocks.steps) made.common += s.both();
      const auto to_left = f.successors(l), to_right = f.successors(r);
      for (size_t k = to_left.size(); k-- > 0;)
        work.push_back({to_left[k].block, to_right[blocks.swapped ? 1 - k : k].block});
      made.pieces.blocks.push_back(std::move(blocks));
    }
    return made;
  }

  // The cost of a branch that is uniform in each arm, but not in both together.
  int uniform_branch(const MeldedBlocks& blocks) const {
    const Inst &a = f.inst(f.terminator(blocks.left)), &b = f.inst(f.terminator(blocks.right));
    if (a.op == Op::br || (!blocks.swapped && a.operands[0] == b.operands[0])) return 0;
    return u.divergent[a.operands[0].index] && u.divergent[b.operands[0].index] ? 0 : 2 * kBranch;
  }

  bool alike_ends(MeldedBlocks& blocks, BlockId left_next, BlockId right_next) const {
    const Inst &a = f.inst(f.terminator(blocks.left)), &b = f.inst(f.terminator(blocks.right));
    if (a.op != b.op || a.targets.size() != b.targets.size()) return false;
    if (a.op == Op::switch_)
      return std::equal(a.operands.begin() + 1, a.operands.end(), b.operands.begin() + 1, b.operands.end());
    if (a.op != Op::br_if) return a.op == Op::br;
    auto leaves = [&](const Inst& inst, size_t k, BlockId next) { return inst.targets[k].block == next; };
    const std::array<bool, 2> l{leaves(a, 0, left_next), leaves(a, 1, left_next)},
        r{leaves(b, 0, right_next), leaves(b, 1, right_next)};
    blocks.swapped = l != r && l[0] == r[1] && l[1] == r[0];
    return l == r || blocks.swapped;
  }

  // Aligns the pieces, in the order of both arms.
  void align_pieces(MeldPlan& plan, const std::vector<MeldPiece>& left, const std::vector<MeldPiece>& right) {
    for (const auto* side : {&left, &right})
      for (const MeldPiece& piece : *side)
        blocks_.insert(blocks_.end(), piece.blocks.begin(), piece.blocks.end());
    std::ranges::sort(blocks_);
    const size_t n = left.size(), m = right.size(), width = m + 1;
    std::map<std::pair<size_t, size_t>, Scored> scored;
    std::vector<int> best((n + 1) * width, 0);
    // In long arms only pieces at about the same place: the work is linear in the length of the arms.
    const size_t partners = std::max(kMostPartners, 2 * kMostPairs / std::max(n, m));
    auto near = [&](size_t i, size_t j) {
      if (n * m <= kMostPairs) return true;
      const size_t a = n < m ? i * m / n : i, b = m < n ? j * n / m : j;
      return (a < b ? b - a : a - b) <= partners / 2;
    };
    for (size_t i = 1; i <= n; ++i)
      for (size_t j = 1; j <= m; ++j) {
        int& here = best[i * width + j];
        here = std::max(best[(i - 1) * width + j], best[i * width + j - 1]);
        if (!near(i, j)) continue;
        auto found = meld(left[i - 1], right[j - 1]);
        if (!found || found->common == 0 || found->score <= 0) continue;
        found->pieces.left = i - 1, found->pieces.right = j - 1;
        if (const int with = best[(i - 1) * width + j - 1] + found->score; with > here) {
          here = with;
          scored.emplace(std::pair{i, j}, std::move(*found));
        }
      }
    for (size_t i = n, j = m; i > 0 && j > 0;) {
      if (auto it = scored.find({i, j}); it != scored.end()) {
        plan.common += it->second.common;
        plan.melded.push_back(std::move(it->second.pieces));
        --i, --j;
      } else if (best[(i - 1) * width + j] == best[i * width + j]) {
        --i;
      } else {
        --j;
      }
    }
    std::ranges::reverse(plan.melded);
  }

  // The saving of the rewritten code, given the pairs.
  int saved(const MeldPlan& plan) const {
    const std::map<ValueId, ValueId> partner = meld_partners(f, plan.melded);
    int sum = 0;
    std::set<std::pair<ValueId, ValueId>> chosen;
    for (const MeldedPieces& pieces : plan.melded) {
      for (const MeldedBlocks& blocks : pieces.blocks) {
        const BlockId several = pieces.single == 0 ? blocks.right : blocks.left;
        if (blocks.both())
          sum += saved(blocks, partner, chosen) + moves_in_common(plan.region.end, blocks, partner);
        if (blocks.way) sum -= blocks.both() ? narrowed_branch(several) : passing_cost(several);
      }
      if (!pieces.single) sum += (kBranch - 1) * static_cast<int>(pieces.blocks.size() - 1);
    }
    if (plan.region.of_switch()) sum += 1 - 2 * static_cast<int>(plan.region.cases.size());
    return sum - kBranch * static_cast<int>(one_sided_stretches(plan)) + kBranch;
  }

  int saved(const MeldedBlocks& blocks, const std::map<ValueId, ValueId>& partner,
            std::set<std::pair<ValueId, ValueId>>& chosen) const {
    int sum = 0;
    std::array<std::vector<InstId>, 2> runs;
    auto end_run = [&] {
      bool jumps = false;
      for (auto& run : runs) {
        jumps |= meld_run_cost(f, run) > kMeldRun;
        run.clear();
      }
      if (jumps) sum -= kBranch;
    };
    for (const MeldStep& s : blocks.steps) {
      if (!s.both()) {
        runs[s.left.valid() ? 0 : 1].push_back(s.left.valid() ? s.left : s.right);
        continue;
      }
      end_run();
      sum += worth(s.left, s.right);
      if (!divergent(s.left) && !divergent(s.right)) sum += 1 - worth(s.left, s.right);
      const Inst &a = f.inst(s.left), &b = f.inst(s.right);
      for (size_t k = 0; k < a.operands.size(); ++k) {
        auto it = partner.find(b.operands[k]);
        const ValueId r = it == partner.end() ? b.operands[k] : it->second;
        if (a.operands[k] != r && chosen.insert({a.operands[k], r}).second) sum -= select_cost(r);
      }
    }
    end_run();
    return blocks.way ? sum : sum - uniform_branch(blocks);
  }

  // Values that are merged and passed to the join are moved there once.
  int moves_in_common(BlockId end, const MeldedBlocks& blocks,
                      const std::map<ValueId, ValueId>& partner) const {
    int count = 0;
    for (const Target& l : f.successors(blocks.left))
      for (const Target& r : f.successors(blocks.right))
        for (size_t k = 0; l.block == end && r.block == end && k < l.args.size(); ++k) {
          auto it = partner.find(r.args[k]);
          count += it != partner.end() && it->second == l.args[k];
        }
    return count;
  }

  // Runs of unmerged pieces that need a branch of their own.
  static size_t one_sided_stretches(const MeldPlan& plan) {
    size_t count = 0, left = 0, right = 0;
    for (const MeldedPieces& p : plan.melded) {
      count += p.left > left || p.right > right;
      left = p.left + 1, right = p.right + 1;
    }
    return count + (plan.region.sides[0].size() > left || plan.region.sides[1].size() > right);
  }

  const Function& f;
  const Uniformity& u;
  const TargetCosts& costs_;
  const bool beside_;
  std::vector<BlockId> blocks_;  // of both arms, ascending
  // Of the current alignment:
  mutable std::array<std::vector<AlignCell>, 2> rows_;
  mutable std::vector<AlignTrace> trace_;
  // Of all blocks that have been aligned:
  mutable std::vector<Candidate> candidates_;
  mutable std::unordered_map<uint32_t, size_t> candidates_at_;               // by block: where they begin
  mutable std::vector<Operand> operands_;                                    // of the candidates
  mutable std::unordered_map<uint64_t, std::pair<InstId, uint32_t>> kinds_;  // the first of each, and number
  mutable size_t work_left_ = kMostCells;
};

// Whether the value is an id along a row of work-items plus something uniform.
bool follows_ids(const Function& f, const Uniformity& u, ValueId v, int depth) {
  if (f.is_inline(v) || !u.divergent[v.index]) return true;
  const InstId def = f.def(v);
  if (!def.valid() || depth == 0) return false;
  const Inst& inst = f.inst(def);
  if (inst.op == Op::global_id || inst.op == Op::local_id) return true;
  if (inst.op != Op::add && inst.op != Op::sub && inst.op != Op::sext && inst.op != Op::zext &&
      inst.op != Op::trunc)
    return false;
  return f.type(v).bits() >= 32 &&
         std::ranges::all_of(inst.operands, [&](ValueId o) { return follows_ids(f, u, o, depth - 1); });
}

}  // namespace

bool agree_in_most_waves(const Function& f, const Uniformity& u, ValueId condition, int depth) {
  if (f.is_inline(condition) || !u.divergent[condition.index]) return true;
  const InstId def = f.def(condition);
  if (!def.valid() || depth == 0) return false;
  const Inst& inst = f.inst(def);
  if (inst.op == Op::and_ || inst.op == Op::or_ || inst.op == Op::xor_)
    return std::ranges::all_of(inst.operands,
                               [&](ValueId o) { return agree_in_most_waves(f, u, o, depth - 1); });
  if (inst.op == Op::feq || inst.op == Op::fne) return true;
  return class_of(inst.op) == OpClass::IntCompare &&
         std::ranges::all_of(inst.operands, [&](ValueId o) { return follows_ids(f, u, o, depth); });
}

std::map<ValueId, ValueId> meld_partners(const Function& f, const std::vector<MeldedPieces>& melded) {
  std::map<ValueId, ValueId> partners;
  for (const MeldedPieces& pieces : melded)
    for (const MeldedBlocks& blocks : pieces.blocks)
      for (const MeldStep& s : blocks.steps)
        if (s.both())
          for (size_t k = 0; k < f.inst(s.left).results.size(); ++k)
            partners[f.result(s.right, k)] = f.result(s.left, k);
  return partners;
}

double meld_profit(const Function& f, std::span<const BlockId> left, std::span<const BlockId> right) {
  auto latency = [](Op op) {
    if (info(op).effects == Effects::Read || info(op).effects == Effects::Write) return 100;
    if (op == Op::sdiv || op == Op::udiv || op == Op::srem || op == Op::urem || op == Op::fdiv) return 20;
    if (op == Op::mul || op == Op::fmul || op == Op::ffma) return 10;
    return op == Op::add || op == Op::sub || op == Op::fadd || op == Op::fsub ? 5 : 3;
  };
  std::map<Op, std::array<int, 2>> of_op;
  int all = 0, common = 0;
  for (size_t side : {0, 1})
    for (BlockId b : side == 0 ? left : right)
      for (InstId i : f.block(b).insts) {
        of_op[f.inst(i).op][side] += latency(f.inst(i).op);
        all += latency(f.inst(i).op);
      }
  for (const auto& [op, sides] : of_op) common += std::min(sides[0], sides[1]);
  return all == 0 ? 0 : static_cast<double>(common) / all;
}

int meld_run_cost(const Function& f, std::span<const InstId> run) {
  int sum = 0;
  for (InstId i : run) {
    const int cost = speculation_cost(f, f.inst(i));
    if (cost >= kNeverSpeculate) return kNeverSpeculate;
    sum += cost;
  }
  return sum;
}

std::optional<MeldPlan> plan_meld(const Function& f, MeldRegion region, const Uniformity& uniformity,
                                  const TargetCosts& costs, bool beside) {
  return MeldPlanner(f, uniformity, costs, beside).plan(std::move(region));
}

}  // namespace kc
