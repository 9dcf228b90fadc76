// SPDX-License-Identifier: Apache-2.0
// unroll: full and partial unrolling of short loops with a known trip count (trip_count.h).
// A loop is unrolled if that makes few instructions, not counting those that become constants; more are
// allowed where constant indices may let sroa split a private array, or make loads from a table constants.
// A nest is unrolled wholly if few instructions are left of all of it (unrolled_size.h): where the counters
// decide branches, no loop by itself shows that.
// Each iteration is a copy of the body whose back edges go to the next copy; the branch of the known exit
// becomes a jump. Values live after the loop go through variables. Inner loops come first; instcombine runs
// between sweeps, so bounds that depend on outer counters become known. Barrier instances are identified by
// iterations: a loop with a barrier needs one exit and uniform barriers, and may be longer. Loops with
// convergent operations stay. The hint `unroll=` at the header is consumed, but for 1, which forbids, also
// when code for one lane unrolls more; `full` raises the limits; a number does so for loops with no more
// iterations, else it is the factor of partial unrolling, where the test remains in one copy: that of the
// last iteration. Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   b1(%i: i32):                             store %p, 0
//     br_if (slt %i, 2) -> b2, b3    ==>     store %p, 1
//   b2: store %p, %i; br -> b1(add %i, 1)    br -> b3
#include "passes/transform/unroll.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/ssa_repair.h"
#include "passes/analysis/trip_count.h"
#include "passes/analysis/uniformity.h"
#include "passes/analysis/unrolled_size.h"
#include "passes/ir_util.h"
#include "passes/lower/unify_barriers.h"
#include "passes/transform/instcombine.h"
#include "passes/transform/mem2reg.h"
#include "passes/transform/simplify_cfg.h"

namespace kc {
namespace {

constexpr uint32_t kRoundsToLookAt = 4;
constexpr uint32_t kMostTrips = 64;
constexpr size_t kMostForArrays = 640;        // if it may let a private array be split, or a table vanish
constexpr size_t kMostWithBarriers = 320;     // if the loop has a barrier
constexpr uint32_t kMostRoundsWithExits = 4;  // if there are other exits
constexpr double kMostOfExecuted = 0.3;       // of a longer nest: instructions that are kept
constexpr size_t kMostInNest = 480;
constexpr uint32_t kMostRoundsAsked = 1024;  // if the source asks for it
constexpr size_t kMostAsked = 2048;          // likewise
constexpr size_t kMostSteps = 8;
constexpr size_t kMostInFunction = 100'000;  // limit on unrolling per function

// One sweep: unrolls loops without an inner loop that this sweep unrolls.
class Unroller {
 public:
  Unroller(Function& function, AnalysisCache& analyses, Remarks* remarks, const std::set<BlockId>& chosen,
           std::set<BlockId>& partly, const UnrollOptions& options)
      : f(function),
        analyses_(analyses),
        remarks_(remarks),
        chosen_(chosen),
        partly_(partly),
        options_(options),
        cfg_(analyses.cfg()),
        tree_(analyses.dominators()),
        cycles_(analyses.cycles()),
        plan_of_(f.block_count(), kNone) {}

  bool run() {
    std::vector<bool> busy(cycles_.cycles.size());  // whether an inner loop is unrolled
    for (auto c = static_cast<uint32_t>(cycles_.cycles.size()); c-- > 0;) {
      bool done = busy[c] || consider(c);
      if (uint32_t p = cycles_.cycles[c].parent; done && p != kNone) busy[p] = true;
    }
    if (plans_.empty()) {
      if (options_.where.empty())  // else a run before has said so
        for (const auto& [c, why] : missed_) say(c, "loop is not unrolled: " + why);
      return false;
    }
    for (const Plan& plan : plans_) {
      const uint32_t rounds = plan.trips.rounds;
      say(plan.cycle, plan.copies > rounds
                          ? fmt::format("loop is unrolled{}: it has {} iterations", options_.where, rounds)
                          : fmt::format("loop is unrolled by {}: it has {} iterations", plan.copies, rounds));
    }
    // Values used after a loop come from one of its iterations.
    pass_through_variables(f, cfg_.rpo, "unrolled", [&](ValueId v, BlockId b) {
      uint32_t plan = plan_of_[block_of(f, v).index];
      return plan != kNone && plan != plan_of_[b.index];
    });
    for (Plan& plan : plans_) write_out(plan);
    remove_unreachable_blocks(f);
    analyses_.keep(NoAnalyses);
    if (!f.vars.empty()) mem2reg(f, analyses_);
    return true;
  }

 private:
  struct Plan {
    uint32_t cycle;
    TripCount trips;
    uint32_t copies;              // of the body: one per iteration, or the factor of partial unrolling
    std::vector<BlockId> blocks;  // in reverse post-order
  };
  // Properties of one iteration of a loop.
  struct Round {
    size_t kept = 0;      // instructions that do not become constants
    size_t exits = 0;     // exit edges
    bool arrays = false;  // constant indices may let a private array be split, or a table vanish
    bool barriers = false;
  };

  bool consider(uint32_t c) {
    const Cycle& cycle = cycles_.cycles[c];
    if (!cycle.reducible() || BlockId(cycle.header) == f.entry()) return false;
    if (partly_.contains(BlockId(cycle.header))) return false;
    const uint32_t asked = f.block(BlockId(cycle.header)).unroll;
    const bool chosen = chosen_.contains(BlockId(cycle.header));  // its size as a part of a nest is known
    if (asked == NeverUnroll) return missed(c, "the source forbids it");
    size_t size = 0;
    bool barriers = false;
    for (uint32_t n : cycles_.nodes(c)) {
      size += f.block(BlockId(n)).insts.size();
      if (!chosen && size > (asked ? kMostAsked : kMostForArrays)) return missed(c, "it is too long");
      for (InstId i : f.block(BlockId(n)).insts) {
        if (!info(f.inst(i).op).has(Convergent)) continue;
        if (f.inst(i).op != Op::barrier) return missed(c, "it has sub-group operations");
        barriers = true;
      }
    }
    if (barriers && !all_meet()) return missed(c, "it has a barrier to which not all work-items come");
    const uint32_t most = asked ? kMostRoundsAsked : kMostTrips;
    auto trips = find_trip_count(f, cfg_, tree_, cycles_, c, most);
    if (!trips) return missed(c, "it is not known to end after at most {} iterations", most);
    const uint32_t copies =
        chosen ? trips->rounds + 1 : copies_for(*trips, round_of(c, *trips, barriers), asked);
    if (copies == 0) return missed(c, "its {} iterations would be too long", trips->rounds);
    Plan plan{c, *trips, copies, {}};
    for (uint32_t n : cycles_.nodes(c)) {
      plan.blocks.push_back(BlockId(n));
      plan_of_[n] = static_cast<uint32_t>(plans_.size());
    }
    std::ranges::sort(plan.blocks, {}, [&](BlockId b) { return cfg_.number[b.index]; });
    plans_.push_back(std::move(plan));
    return true;
  }

  bool all_meet() {
    if (!all_meet_) all_meet_ = barriers_are_uniform(f, analyses_);
    return *all_meet_;
  }

  Round round_of(uint32_t c, const TripCount& trips, bool barriers) {
    // Parameters that start as constants may be merged with other values after the first iteration.
    RoundEvaluator round(f, cfg_, cycles_, c);
    for (uint32_t n = 1; n < std::min(trips.rounds, kRoundsToLookAt); ++n) round.next_round();
    Round r{.barriers = barriers};
    for (uint32_t n : cycles_.nodes(c)) {
      for (InstId i : f.block(BlockId(n)).insts) {
        const Inst& inst = f.inst(i);
        bool known = inst.results.size() == 1 && round.value(inst.results[0]).has_value();
        bool table = inst.op == Op::load && is_known_place_in_table(f, inst.operands[0], [&](ValueId v) {
                       return round.value(v).has_value();
                     });
        if (!known && !table && inst.op != Op::br) ++r.kept;
        r.arrays |= table || (inst.op == Op::ptr_add && f.type(inst.results[0]).elem == Elem::PtrPrivate &&
                              !f.is_const(inst.operands[1]) && round.value(inst.operands[1]).has_value());
      }
      for (const Target& t : f.successors(BlockId(n))) r.exits += !cycles_.contains(c, t.block);
    }
    return r;
  }

  // The number of copies of the body; 0 if the loop stays.
  uint32_t copies_for(const TripCount& trips, const Round& round, uint32_t asked) const {
    const bool wholly_asked = asked != NoUnrollHint && asked > trips.rounds;
    if (round.exits > 1 && round.barriers) return 0;
    const bool few_enough = round.exits <= 1 || trips.rounds <= kMostRoundsWithExits || wholly_asked;
    const size_t most = wholly_asked     ? kMostAsked
                        : round.arrays   ? kMostForArrays
                        : round.barriers ? kMostWithBarriers
                                         : options_.most;
    if (few_enough && round.kept * trips.rounds <= most) return trips.rounds + 1;
    const bool partly = asked != NoUnrollHint && !wholly_asked && round.kept * asked <= kMostAsked;
    return partly ? asked : 0;
  }

  void say(uint32_t c, std::string text) const {
    BlockId header(cycles_.cycles[c].header);
    if (remarks_) remarks_->add({"unroll", f.inst(f.terminator(header)).loc, std::move(text)});
  }
  // Reported once no loop is unrolled any more; obstacles may disappear until then.
  bool missed(uint32_t c, const char* why, uint32_t rounds = 0) {
    if (remarks_) missed_.emplace_back(c, fmt::format(fmt::runtime(why), rounds));
    return false;
  }

  void write_out(const Plan& plan) {
    const uint32_t rounds = plan.trips.rounds;
    const bool wholly = plan.copies > rounds;
    f.block(plan.blocks[0]).unroll = NoUnrollHint;
    if (!wholly) partly_.insert(plan.blocks[0]);
    // copies[r][k]: block k in copy r; copy 0 is the loop itself.
    std::vector<std::vector<BlockId>> copies{plan.blocks};
    for (uint32_t r = 1; r < plan.copies; ++r) {
      copies.emplace_back();
      for (BlockId b : plan.blocks) {
        copies.back().push_back(f.add_block(f.block(b).hint));
        f.block(copies.back().back()).unroll = f.block(b).unroll;
      }
    }
    for (uint32_t r = 1; r < plan.copies; ++r) copy_blocks(f, plan.blocks, copies[r]);
    for (uint32_t r = 0; r < plan.copies; ++r) {
      connect(plan, copies, r);
      auto at = std::ranges::find(plan.blocks, plan.trips.exit) - plan.blocks.begin();
      Inst& branch = f.inst(f.terminator(copies[r][static_cast<size_t>(at)]));
      const bool leaves = r == rounds % plan.copies;
      if (leaves && !wholly) continue;
      make_jump(branch, Target(branch.targets[leaves ? plan.trips.leaving : 1 - plan.trips.leaving]));
    }
  }

  // Edges within the copy, and from its end to the header of the next copy; the last iteration has none.
  void connect(const Plan& plan, const std::vector<std::vector<BlockId>>& copies, uint32_t r) {
    const bool wholly = plan.copies > plan.trips.rounds;
    const uint32_t next = wholly ? std::min(r + 1, plan.trips.rounds) : (r + 1) % plan.copies;
    for (BlockId b : copies[r])
      for (Target& t : f.inst(f.terminator(b)).targets) {
        auto k = std::ranges::find(plan.blocks, t.block) - plan.blocks.begin();
        if (k == static_cast<std::ptrdiff_t>(plan.blocks.size())) continue;
        // The header is first in reverse post-order.
        t.block = copies[k == 0 ? next : r][static_cast<size_t>(k)];
      }
  }

  Function& f;
  AnalysisCache& analyses_;
  Remarks* remarks_;
  const std::set<BlockId>& chosen_;  // headers of loops of nests that are unrolled wholly
  std::set<BlockId>& partly_;        // headers of partially unrolled loops
  const UnrollOptions& options_;
  const Cfg& cfg_;
  const DominatorTree& tree_;
  const Cycles& cycles_;
  std::vector<uint32_t> plan_of_;  // by block
  std::vector<Plan> plans_;
  std::vector<std::pair<uint32_t, std::string>> missed_;
  std::optional<bool> all_meet_;  // whether all work-items of a group reach the same barriers
};

// Nests of loops that are unrolled wholly: what their loops' counters decide goes away, which one loop by
// itself does not show. Returns the headers that have got a hint.
std::set<BlockId> choose_nests(Function& f, AnalysisCache& analyses, size_t most) {
  std::set<BlockId> chosen;
  const Cycles& cycles = analyses.cycles();
  for (uint32_t c = 0; c < cycles.cycles.size(); ++c) {
    uint32_t end = c;
    bool hinted = false;
    for (; end < cycles.cycles.size() && cycles.encloses(c, end); ++end)
      hinted |= f.block(BlockId(cycles.cycles[end].header)).unroll != NoUnrollHint;
    if (hinted || BlockId(cycles.cycles[c].header) == f.entry()) continue;
    if (!find_trip_count(f, analyses.cfg(), analyses.dominators(), cycles, c, kMostTrips)) continue;
    const auto size = unrolled_size(f, analyses.cfg(), cycles, c, kMostTrips, kMostForArrays);
    if (!size) continue;
    const size_t others = size->kept - size->arrays;
    const bool saves =
        static_cast<double>(size->kept) <= kMostOfExecuted * static_cast<double>(size->executed);
    if (others > (saves ? std::max(most, kMostInNest) : most)) continue;
    for (uint32_t inner = c; inner < end; ++inner) {
      const BlockId header(cycles.cycles[inner].header);
      f.block(header).unroll = UnrollFully;
      chosen.insert(header);
    }
    c = end - 1;
  }
  return chosen;
}

}  // namespace

bool unroll(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  return unroll(f, analyses, remarks, {});
}

bool unroll(Function& f, AnalysisCache& analyses, Remarks* remarks, const UnrollOptions& options) {
  bool changed = fold_branches(f, analyses);  // no copies of loops that are never entered
  const std::set<BlockId> chosen = choose_nests(f, analyses, options.most);
  std::set<BlockId> partly;
  for (size_t step = 0; step < kMostSteps && f.inst_count() < kMostInFunction; ++step) {
    if (!Unroller(f, analyses, remarks, chosen, partly, options).run()) break;
    instcombine(f, analyses);
    analyses.keep(GraphAnalyses);
    fold_branches(f, analyses);
    changed = true;
  }
  for (BlockId b : f.layout)
    if (uint32_t& hint = f.block(b).unroll; hint != NoUnrollHint && hint != NeverUnroll) {
      hint = NoUnrollHint;
      changed |= !chosen.contains(b);
    }
  return changed;
}

}  // namespace kc
