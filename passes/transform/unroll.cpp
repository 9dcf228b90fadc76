// SPDX-License-Identifier: Apache-2.0
// unroll: short loops whose number of rounds is known are written out.
//
// The exit condition is run on constants (trip_count.h), so any counter will do. A loop is written out when
// that makes few instructions, those not counted that become constants; more are allowed where constant
// indices may take a private array apart. Each round is a copy of the loop's blocks whose edges to the header
// go to the next round's; the branch of the known exit becomes a jump. Values that are used behind the loop
// go through variables, which SSA construction resolves. Inner loops come first; simplify runs between
// rounds, so that bounds which depend on outer counters become known. Instances of barriers are told apart by
// the rounds of their loops, so those with a barrier have one exit, and all work-items of a group come to the
// same barriers; they may be longer, because they are what a group does together. Loops with meetings of
// sub-groups stay.
//
// What the source asks for stands at the header (`unroll=`) and is gone behind this pass: 1 forbids; `full`
// allows more rounds and more instructions; a number does so for loops with no more rounds, and of the others
// makes that many rounds one. In only one of these the test is left, as it is known in which the last round
// ends.
//
// Needs: ThreadForm, Ssa. Kills: Reconverging, Structured.
//
//   b1(%i: i32):                             store %p, 0
//     br_if (slt %i, 2) -> b2, b3    ==>     store %p, 1
//   b2: store %p, %i; br -> b1(add %i, 1)    br -> b3
#include "passes/transform/unroll.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "passes/analysis/trip_count.h"
#include "passes/analysis/uniformity.h"
#include "passes/ir_util.h"
#include "passes/lower/unify_barriers.h"
#include "passes/transform/instcombine.h"
#include "passes/transform/mem2reg.h"

namespace kc {
namespace {

constexpr uint32_t kRoundsToLookAt = 4;
constexpr uint32_t kMostRounds = 64;
constexpr size_t kMostInstructions = 160;     // of all rounds together
constexpr size_t kMostForArrays = 640;        // when it may take a private array apart
constexpr size_t kMostWithBarriers = 320;     // when work-items of a group meet in it
constexpr uint32_t kMostRoundsWithExits = 4;  // when work-items may leave in other ways too
constexpr uint32_t kMostRoundsAsked = 1024;   // when the source asks for it
constexpr size_t kMostAsked = 2048;           // likewise
constexpr size_t kMostSteps = 8;
constexpr size_t kMostInFunction = 100'000;  // no more is written out in a function as long as this

// One sweep: writes out loops that lie in no other that this sweep writes out.
class Unroller {
 public:
  Unroller(Function& function, Remarks* remarks, std::set<BlockId>& partly)
      : f(function),
        remarks_(remarks),
        partly_(partly),
        cfg_(f),
        tree_(f, cfg_),
        cycles_(f, cfg_),
        plan_of_(f.block_count(), kNone) {}

  bool run() {
    std::vector<bool> busy(cycles_.cycles.size());  // something within is written out
    for (auto c = static_cast<uint32_t>(cycles_.cycles.size()); c-- > 0;) {
      bool done = busy[c] || consider(c);
      if (uint32_t p = cycles_.cycles[c].parent; done && p != kNone) busy[p] = true;
    }
    if (plans_.empty()) {
      for (const auto& [c, why] : missed_) say(c, "loop is not unrolled: " + why);
      return false;
    }
    for (const Plan& plan : plans_) {
      const uint32_t rounds = plan.trips.rounds;
      say(plan.cycle, plan.copies > rounds
                          ? fmt::format("loop is unrolled: it has {} rounds", rounds)
                          : fmt::format("loop is unrolled by {}: it has {} rounds", plan.copies, rounds));
    }
    // What is used behind a loop comes from one of its rounds.
    pass_through_variables(f, cfg_.rpo, "unrolled", [&](ValueId v, BlockId b) {
      uint32_t plan = plan_of_[block_of(f, v).index];
      return plan != kNone && plan != plan_of_[b.index];
    });
    for (Plan& plan : plans_) write_out(plan);
    remove_unreachable_blocks(f);
    if (!f.vars.empty()) mem2reg(f);
    return true;
  }

 private:
  static constexpr uint32_t kNone = Cycles::kNone;
  struct Plan {
    uint32_t cycle;
    TripCount trips;
    uint32_t copies;              // of the body: one for each round, or fewer that go round
    std::vector<BlockId> blocks;  // in reverse post-order
  };
  // What one round of a loop is.
  struct Round {
    size_t kept = 0;      // instructions that do not become constants
    size_t exits = 0;     // edges that leave the loop
    bool arrays = false;  // constant indices may take a private array apart
    bool barriers = false;
  };

  bool consider(uint32_t c) {
    const Cycle& cycle = cycles_.cycles[c];
    if (!cycle.reducible() || BlockId(cycle.header) == f.entry()) return false;
    if (partly_.contains(BlockId(cycle.header))) return false;
    const uint32_t asked = f.block(BlockId(cycle.header)).unroll;
    if (asked == NeverUnroll) return missed(c, "the source forbids it");
    size_t size = 0;
    bool barriers = false;
    for (uint32_t n : cycles_.nodes(c)) {
      size += f.block(BlockId(n)).insts.size();
      if (size > (asked ? kMostAsked : kMostForArrays)) return missed(c, "it is too long");
      for (InstId i : f.block(BlockId(n)).insts) {
        if (!info(f.inst(i).op).has(Convergent)) continue;
        if (f.inst(i).op != Op::barrier) return missed(c, "sub-groups meet in it");
        barriers = true;
      }
    }
    if (barriers && !all_meet()) return missed(c, "it has a barrier to which not all work-items come");
    const uint32_t most = asked ? kMostRoundsAsked : kMostRounds;
    auto trips = find_trip_count(f, cfg_, tree_, cycles_, c, most);
    if (!trips) return missed(c, "it is not known to end after at most {} rounds", most);
    const uint32_t copies = copies_for(*trips, round_of(c, *trips, barriers), asked);
    if (copies == 0) return missed(c, "its {} rounds would be too long", trips->rounds);
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
    if (!all_meet_) all_meet_ = barriers_are_uniform(f);
    return *all_meet_;
  }

  Round round_of(uint32_t c, const TripCount& trips, bool barriers) {
    // What starts as a constant may be mixed with something else at the end of the first round.
    RoundEvaluator round(f, cfg_, cycles_, c);
    for (uint32_t n = 1; n < std::min(trips.rounds, kRoundsToLookAt); ++n) round.next_round();
    Round r{.barriers = barriers};
    for (uint32_t n : cycles_.nodes(c)) {
      for (InstId i : f.block(BlockId(n)).insts) {
        const Inst& inst = f.inst(i);
        bool known = inst.results.size() == 1 && round.value(inst.results[0]).has_value();
        if (!known && inst.op != Op::br) ++r.kept;
        r.arrays |= inst.op == Op::ptr_add && f.type(inst.results[0]).elem == Elem::PtrPrivate &&
                    !f.is_const(inst.operands[1]) && round.value(inst.operands[1]).has_value();
      }
      for (const Target& t : f.successors(BlockId(n))) r.exits += !cycles_.contains(c, t.block);
    }
    return r;
  }

  // How many copies of the body there will be; 0 when the loop stays.
  static uint32_t copies_for(const TripCount& trips, const Round& round, uint32_t asked) {
    const bool wholly_asked = asked != NoUnrollHint && asked > trips.rounds;
    if (round.exits > 1 && round.barriers) return 0;
    const bool few_enough = round.exits <= 1 || trips.rounds <= kMostRoundsWithExits || wholly_asked;
    const size_t most = wholly_asked     ? kMostAsked
                        : round.arrays   ? kMostForArrays
                        : round.barriers ? kMostWithBarriers
                                         : kMostInstructions;
    if (few_enough && round.kept * trips.rounds <= most) return trips.rounds + 1;
    const bool partly = asked != NoUnrollHint && !wholly_asked && round.kept * asked <= kMostAsked;
    return partly ? asked : 0;
  }

  void say(uint32_t c, std::string text) const {
    BlockId header(cycles_.cycles[c].header);
    if (remarks_) remarks_->add({"unroll", f.inst(f.terminator(header)).loc, std::move(text)});
  }
  // Once no loop is unrolled any more; what stands in the way may go until then.
  bool missed(uint32_t c, const char* why, uint32_t rounds = 0) {
    if (remarks_) missed_.emplace_back(c, fmt::format(fmt::runtime(why), rounds));
    return false;
  }

  void write_out(const Plan& plan) {
    const uint32_t rounds = plan.trips.rounds;
    const bool wholly = plan.copies > rounds;
    f.block(plan.blocks[0]).unroll = NoUnrollHint;
    if (!wholly) partly_.insert(plan.blocks[0]);
    // copies[r][k]: block k in copy r; the first one is the loop itself.
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

  // Edges within the copy, and from its end to the header of the next one; the last round has none.
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
  Remarks* remarks_;
  std::set<BlockId>& partly_;  // headers of loops of which several rounds are one by now
  Cfg cfg_;
  DominatorTree tree_;
  Cycles cycles_;
  std::vector<uint32_t> plan_of_;  // by block
  std::vector<Plan> plans_;
  std::vector<std::pair<uint32_t, std::string>> missed_;
  std::optional<bool> all_meet_;  // whether all work-items of a group come to the same barriers
};

}  // namespace

bool unroll(Function& f, Remarks* remarks) {
  bool changed = remove_unreachable_blocks(f);
  std::set<BlockId> partly;
  for (size_t step = 0; step < kMostSteps && f.inst_count() < kMostInFunction; ++step) {
    if (!Unroller(f, remarks, partly).run()) break;
    instcombine(f);
    changed = true;
  }
  for (BlockId b : f.layout)
    if (f.block(b).unroll != NoUnrollHint) f.block(b).unroll = NoUnrollHint, changed = true;
  return changed;
}

}  // namespace kc
