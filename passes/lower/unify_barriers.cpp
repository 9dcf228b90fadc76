// SPDX-License-Identifier: Apache-2.0
// unify_barriers: one barrier in a loop around the kernel, executed by the whole group in each iteration.
// For machines that need every work-item of a group, ended ones too, at every barrier, or lose the state of
// those absent. No item ends early: at a barrier or the end it goes to a dispatch block with the barrier's
// number, or 0. There the group computes the greatest number and, among items not ended, the smallest, in
// local memory. If the greatest is 0, all have ended. If the two differ, items wait at different barriers,
// and trap; else a switch resumes each item. Each iteration uses the next of three pairs of numbers, and the
// first item clears the pair that is no longer read; so one barrier per iteration suffices. One barrier
// reached in different iterations of source loops is not detected. Kernels whose barriers are uniform are
// unchanged.
// Needs ThreadForm, Ssa, NoTraps; kills Ssa, NoTraps, NoObjects, Reconverging, Structured.
//
//   a: ...; br_if %1 -> e, b          resume(%n, %s): switch %n -> dispatch(%n), 1 -> c, 2 -> a
//   b: ...; barrier               ==> a: ...; br_if %1 -> dispatch(0), b
//   c: ...; br -> e                   b: ...; br -> dispatch(1);  c: ...; br -> dispatch(0)
//   e: ret                            dispatch(%k): max, min of %k; -> end, traps, resume(%k, next of %s)
#include "passes/lower/unify_barriers.h"

#include "ir/cfg.h"
#include "ir/ssa_repair.h"
#include "passes/analysis/uniformity.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

struct BarrierPoint {
  BlockId after;  // where execution resumes
  int64_t site = 0;
  Loc loc;
};

class BarrierUnifier {
 public:
  explicit BarrierUnifier(Function& function) : f(function), b_(function) {}

  void run() {
    remove_unreachable_blocks(f);
    entry_ = f.entry();
    start_ = f.add_block("start");
    dispatch_ = f.add_block("dispatch");
    split_entry();
    cut_blocks();
    prologue();
    dispatch();
    carry_values();
  }

 private:
  // Computations that all items do first stay there, and are not live across barriers.
  void split_entry() {
    std::vector<bool> moved(f.value_count());
    std::vector<InstId> old = std::move(f.block(entry_).insts);
    f.block(entry_).insts.clear();
    for (InstId i : old) {
      const Inst& inst = f.inst(i);
      bool stays = info(inst.op).effects == Effects::None && !info(inst.op).has(Convergent);
      for (ValueId v : inst.operands) stays &= f.is_inline(v) || !moved[v.index];
      if (!stays)
        for (ValueId v : inst.results) moved[v.index] = true;
      f.append(stays ? entry_ : start_, i);
    }
  }

  // Splits blocks at barriers; these and returns lead to the dispatch block.
  void cut_blocks() {
    const std::vector<BlockId> blocks = f.layout;
    for (BlockId block : blocks) {
      if (block == dispatch_ || block == entry_) continue;
      BlockId at = block;
      const std::vector<InstId> old = std::move(f.block(block).insts);
      f.block(block).insts.clear();
      for (InstId i : old) {
        const Op op = f.inst(i).op;
        if (op != Op::barrier && op != Op::ret) {
          f.append(at, i);
          continue;
        }
        b_.block = at;
        b_.loc = f.inst(i).loc;
        f.inst(i).erased = true;
        f.inst(i).block = {};
        if (op == Op::ret) {
          b_.br(dispatch_, {b_.i32(0)});
          continue;
        }
        flags_ |= f.inst(i).attrs[0];
        at = f.add_block("after");
        waiting_.push_back({at, f.inst(i).attrs[1], b_.loc});
        b_.br(dispatch_, {b_.i32(static_cast<int32_t>(waiting_.size()))});
      }
    }
  }

  ValueId binary(Op op, ValueId x, ValueId y) { return b_.make(op, f.type(x), {x, y}); }
  ValueId is(ValueId x, int32_t n) { return b_.make(Op::eq, kI1, {x, b_.i32(n)}); }
  // Slots for the greatest number of an iteration, and for the distance of the smallest from all ones.
  ValueId greatest(ValueId slot) { return b_.make(Op::ptr_add, kPtrLocal, {numbers_, slot}, {4, 0}); }
  ValueId smallest(ValueId slot) { return b_.make(Op::ptr_add, kPtrLocal, {numbers_, slot}, {4, 12}); }
  void clear(ValueId slot) {
    b_.emit(Op::store, {greatest(slot), b_.i32(0)});
    b_.emit(Op::store, {smallest(slot), b_.i32(0)});
  }
  void barrier(int64_t flags) { b_.emit(Op::barrier, {}, {}, {flags, waiting_[0].site}); }
  void branch_by(ValueId number, Target otherwise, std::span<const BlockId> blocks) {
    std::vector<ValueId> operands{number};
    for (size_t k = 0; k < blocks.size(); ++k) operands.push_back(b_.i32(static_cast<int32_t>(k + 1)));
    InstId branch = b_.emit(Op::switch_, std::move(operands));
    f.inst(branch).targets.push_back(std::move(otherwise));
    for (BlockId block : blocks) f.inst(branch).targets.push_back({block, {}});
  }

  // All items of the group enter the first iteration at the kernel's start.
  void prologue() {
    BlockId clear_all = f.add_block("clear"), begin = f.add_block("begin");
    resume_ = f.add_block("resume");
    next_ = f.add_param(resume_, kI32);
    slot_ = f.add_param(resume_, kI32);
    b_.block = entry_;
    b_.loc = {};
    ObjectId object = f.add_object({.name = "barriers", .type = kPtrLocal, .size = 24, .align = 4});
    numbers_ = b_.object_address(object);
    ValueId id = b_.make(Op::local_id, kI32, {}, {0});
    for (int64_t dim : {1, 2}) id = binary(Op::or_, id, b_.make(Op::local_id, kI32, {}, {dim}));
    first_ = is(id, 0);
    b_.br_if(first_, {clear_all, {}}, {begin, {}});
    b_.block = clear_all;
    for (int32_t slot : {0, 1, 2}) clear(b_.i32(slot));
    b_.br(begin);
    b_.block = begin;
    barrier(1);
    std::vector<BlockId> places;
    for (const BarrierPoint& w : waiting_) places.push_back(w.after);
    places.push_back(start_);
    b_.br(resume_, {b_.i32(static_cast<int32_t>(places.size())), b_.i32(0)});
    b_.block = resume_;
    branch_by(next_, {dispatch_, {next_}}, places);
  }

  void dispatch() {
    BlockId end = f.add_block("end"), compare = f.add_block("compare"), iterate = f.add_block("iterate"),
            mismatch = f.add_block("mismatch");
    ValueId number = f.add_param(dispatch_, kI32);
    b_.block = dispatch_;
    ValueId high = greatest(slot_), low = smallest(slot_);
    b_.make(Op::atomic_umax, kI32, {high, number});
    ValueId below = binary(Op::sub, b_.i32(-1), number);
    b_.make(Op::atomic_umax, kI32, {low, b_.make(Op::select, kI32, {is(number, 0), b_.i32(0), below})});
    barrier(flags_ | 1);
    ValueId most = b_.make(Op::load, kI32, {high}), least = b_.make(Op::load, kI32, {low});
    b_.br_if(is(most, 0), {end, {}}, {compare, {}});
    b_.block = end;
    b_.ret();
    b_.block = compare;
    ValueId same = b_.make(Op::eq, kI1, {least, binary(Op::sub, b_.i32(-1), most)});
    b_.br_if(same, {iterate, {}}, {mismatch, {}});
    next_iteration(iterate, number);
    trap_all(mismatch, number, end);
  }

  ValueId slot_after(ValueId slot) {
    return b_.make(Op::select, kI32, {is(slot, 2), b_.i32(0), binary(Op::add, slot, b_.i32(1))});
  }

  void next_iteration(BlockId iterate, ValueId number) {
    BlockId clear_last = f.add_block("clear");
    b_.block = iterate;
    ValueId slot = slot_after(slot_), last = slot_after(slot);
    b_.br_if(first_, {clear_last, {}}, {resume_, {number, slot}});
    b_.block = clear_last;
    clear(last);
    b_.br(resume_, {number, slot});
  }

  // Waiting items trap, each at its barrier.
  void trap_all(BlockId mismatch, ValueId number, BlockId end) {
    std::vector<BlockId> traps;
    for (const BarrierPoint& w : waiting_) {
      b_.block = traps.emplace_back(f.add_block("trap"));
      b_.loc = w.loc;
      b_.emit(Op::trap, {b_.i32(0)}, {}, {w.site});
    }
    b_.block = mismatch;
    b_.loc = {};
    branch_by(number, {end, {}}, traps);
  }

  // Values live across a barrier.
  void carry_values() {
    remove_unreachable_blocks(f);
    const Cfg cfg(f);
    restore_dominance(f, cfg.rpo, DominatorTree(f, cfg), "kept");
  }

  Function& f;
  Builder b_;
  BlockId entry_, start_, resume_, dispatch_;
  ValueId next_, slot_, numbers_, first_;
  std::vector<BarrierPoint> waiting_;
  int64_t flags_ = 0;
};

bool has_barrier(const Function& f, BlockId b) {
  for (InstId i : f.block(b).insts)
    if (f.inst(i).op == Op::barrier) return true;
  return false;
}

}  // namespace

// The blocks that a divergent branch controls are not reached by all items, nor are the branches in them.
bool barriers_are_uniform(const Function& f, AnalysisCache& analyses) {
  if (!has_any(f, {Op::barrier})) return true;
  const Cfg& cfg = analyses.cfg();
  std::vector<BlockId> with_barrier;
  for (BlockId b : cfg.rpo)
    if (has_barrier(f, b)) with_barrier.push_back(b);
  if (with_barrier.empty()) return true;
  PostDominatorTree post(f, cfg);
  Uniformity uniformity = analyse_uniformity(f, {.lane_y = true, .lane_z = true}, cfg);
  std::vector<bool> partial(f.block_count()), queued(f.block_count());
  std::vector<BlockId> work;
  auto queue = [&](BlockId b) {
    if (!queued[b.index]) queued[b.index] = true, work.push_back(b);
  };
  for (BlockId b : cfg.rpo)
    if (uniformity.divergent_branch[b.index]) queue(b);
  while (!work.empty()) {
    BlockId b = work.back();
    work.pop_back();
    for (const Target& t : f.successors(b))
      for (BlockId x = t.block; x.valid() && x != post.ipdom[b.index]; x = post.ipdom[x.index]) {
        partial[x.index] = true;
        queue(x);
      }
  }
  for (BlockId b : with_barrier)
    if (partial[b.index]) return false;
  return true;
}

bool unify_barriers(Function& f, AnalysisCache& analyses) {
  if (barriers_are_uniform(f, analyses)) return false;
  BarrierUnifier(f).run();
  return true;
}

}  // namespace kc
