// SPDX-License-Identifier: Apache-2.0
// Loop vectorisation: the iterations of a work-item's innermost loops become lanes.
//
// A work-item that walks along a row of an array leaves the lanes of a wave far apart in memory where they
// are work-items, and beside each other where they are iterations. So a wave of W lanes runs one work-item:
// its lanes are W copies of it along z, which all compute the same except in these loops, where copy k does
// iterations k, k + W, ... A loop qualifies if it counts up to a bound (or down), has that exit only, and if
// W iterations in a row may run side by side: what one of them stores, no other one loads or stores. Sums,
// products, minima and bits of integers that go from iteration to iteration become one for each copy, and
// one again behind the loop; the order of floats would show. The last iterations, fewer than W, are a copy of
// the loop's body that some of the lanes run.
//
//   b0: br -> b1(0)                        b0: %l = sub_group_local_id;  br -> b1(0)
//   b1(%i): %1 = slt %i, %n                b1(%i): %k = add %i, %l;  %d = sub %n, %i
//     br_if %1 -> b2, b3            ==>      br_if (slt %i, %n) & (ult 15, %d) -> b2, b4
//   b2: %2 = load %p, %i                   b2: %2 = load %p, %k
//     store %q, %i, %2                       store %q, %k, %2
//     %3 = add %i, 1;  br -> b1(%3)          %3 = add %i, 16;  br -> b1(%3)
//   b3: ret                                b4: br_if (slt %i, %n) & (ult %l, %d) -> b5, b3
//                                          b5: what b2 does;  br -> b3
// Needs Ssa.
#include "passes/transform/loop_vectorisation.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/fold.h"
#include "passes/ir_util.h"
#include "passes/transform/loop_vectorisation_plan.h"
#include "passes/transform/preheader.h"

namespace kc {
namespace {

class LoopVectoriser {
 public:
  LoopVectoriser(Function& function, uint32_t lanes) : f(function), lanes_(lanes) {}

  /// Returns what stands for the reductions behind the loop.
  std::vector<std::pair<ValueId, ValueId>> rewrite(const CountedLoop& counted, BlockId front) {
    Builder b(f);
    const InstId test = f.terminator(counted.header);
    b.loc = f.inst(test).loc;
    const Type type = f.type(counted.counter.param);

    // In front of the loop: what is the same in all iterations.
    const InstId jump = pop_terminator(front);
    b.block = front;
    CountedLoop loop = counted;
    loop.bound = in_front(loop, front, loop.bound);
    const ValueId lane = lane_id(b, type);
    std::vector<ValueId> offsets;
    for (const Counter& k : loop.counters) offsets.push_back(offset_of(b, k));
    const ValueId wide_lane = lane_id(b, kI64);
    f.append(front, jump);

    for (BlockId block : loop.blocks) rebase_addresses(loop, block, wide_lane);

    // The header: counters of lanes, and whether there are iterations for all of them.
    std::vector<InstId> rest = std::move(f.block(loop.header).insts);
    f.block(loop.header).insts.clear();
    rest.pop_back();
    b.block = loop.header;
    std::vector<std::pair<ValueId, ValueId>> by_lane;
    for (size_t k = 0; k < loop.counters.size(); ++k) {
      const ValueId param = loop.counters[k].param;
      by_lane.emplace_back(param, f.type(param).is_pointer()
                                      ? b.make(Op::ptr_add, f.type(param), {param, offsets[k]}, {1, 0})
                                      : b.make(Op::add, f.type(param), {param, offsets[k]}));
    }
    Inst condition = f.inst(loop.condition);  // of the counter, not of the lane's
    for (ValueId& v : condition.operands)
      if (v == counted.bound) v = loop.bound;
    for (InstId i : rest) {
      replace(f.inst(i), by_lane);
      f.append(loop.header, i);
    }
    replace(f.inst(test), by_lane);
    for (BlockId block : loop.blocks)
      for (InstId i : f.block(block).insts)
        if (!of_first_lane_.contains(i)) replace(f.inst(i), by_lane);
    const ValueId all = all_lanes_go_on(b, loop, condition, front);

    // The last iterations.
    const TargetList old = f.inst(test).targets;
    std::vector<BlockId> copies;
    for (size_t k = 0; k < loop.blocks.size(); ++k) copies.push_back(f.add_block("last"));
    copy_blocks(f, loop.blocks, copies);
    auto copy_of = [&](BlockId block) {
      const auto it = std::ranges::find(loop.blocks, block);
      return copies[static_cast<size_t>(it - loop.blocks.begin())];
    };
    for (BlockId copy : copies)
      for (Target& t : f.inst(f.terminator(copy)).targets)
        if (std::ranges::find(loop.blocks, t.block) != loop.blocks.end()) t.block = copy_of(t.block);
    const BlockId rest_test = f.add_block("rest"), join = f.add_block("sum");
    Target from_rest{join, {}}, from_last{join, {}};
    const auto& params = f.block(loop.header).params;
    const ValueList back = f.successors(copy_of(loop.latch))[0].args;
    std::vector<ValueId> sums;
    for (const Reduction& r : loop.reductions) {
      const auto k = static_cast<size_t>(std::ranges::find(params, r.param) - params.begin());
      from_rest.args.push_back(r.param), from_last.args.push_back(back[k]);
      sums.push_back(f.add_param(join, f.type(r.param)));
    }
    f.inst(f.terminator(copy_of(loop.latch))).targets = {std::move(from_last)};

    f.inst(test).operands = {all};
    f.inst(test).targets = {old[0], {rest_test, {}}};
    f.append(loop.header, test);
    b.block = rest_test;
    b.br_if(lane_goes_on(b, loop, condition, lane), {copy_of(loop.body), old[0].args}, std::move(from_rest));

    // Behind the loop: one value of those of the lanes.
    b.block = join;
    std::vector<std::pair<ValueId, ValueId>> totals;
    for (size_t k = 0; k < loop.reductions.size(); ++k) {
      const Reduction& r = loop.reductions[k];
      const Type of = f.type(r.param);
      const auto fold = static_cast<int64_t>(r.fold);
      const auto at = static_cast<size_t>(std::ranges::find(params, r.param) - params.begin());
      ValueId& start = f.inst(f.terminator(front)).targets[0].args[at];
      totals.emplace_back(r.param, b.make(fold_op(fold, of), of, {start, sum_of_lanes(b, sums[k], fold)}));
      start = f.constant(of, fold_identity(fold, of));
    }
    Target exit = old[1];
    InstId leave = f.create(Op::br, {}, {}, b.loc);
    f.inst(leave).targets = {std::move(exit)};
    f.append(join, leave);
    for (BlockId block : f.layout)
      if (block != loop.header && block != rest_test &&
          std::ranges::find(loop.blocks, block) == loop.blocks.end() &&
          std::ranges::find(copies, block) == copies.end())
        for (InstId i : f.block(block).insts)
          if (block != join || i == leave) replace(f.inst(i), totals);

    // The way back: all lanes do an iteration.
    b.block = loop.latch;
    const InstId again = pop_terminator(loop.latch);
    for (const Counter& k : loop.counters) {
      const auto at = static_cast<size_t>(std::ranges::find(params, k.param) - params.begin());
      const int64_t by = k.step * static_cast<int64_t>(lanes_);
      f.inst(again).targets[0].args[at] =
          f.type(k.param).is_pointer()
              ? b.make(Op::ptr_add, f.type(k.param), {k.param, b.i64(by)}, {1, 0})
              : b.make(Op::add, f.type(k.param), {k.param, constant(f.type(k.param), by)});
    }
    f.append(loop.latch, again);
    return totals;
  }

 private:
  InstId pop_terminator(BlockId b) {
    const InstId end = f.terminator(b);
    f.block(b).insts.pop_back();
    return end;
  }
  ValueId constant(Type type, int64_t v) {
    return f.constant(type, type.bits() == 32 ? static_cast<uint32_t>(v) : static_cast<uint64_t>(v));
  }
  ValueId lane_id(Builder& b, Type type) {
    const ValueId lane = b.make(Op::sub_group_local_id, kI32, {});
    return type == kI32 ? lane : b.make(Op::zext, type, {lane});
  }
  ValueId offset_of(Builder& b, const Counter& k) {
    const Type type = f.type(k.param).is_pointer() ? kI64 : f.type(k.param);
    return b.make(Op::mul, type, {lane_id(b, type), constant(type, k.step)});
  }

  // Addresses of lanes are that of the first lane and, in 64 bits, the step of each. Numbers of 32 bits might
  // wrap between two lanes for all that is known, but these both access the buffer, which is smaller than a
  // wrap is wide. The first lane is always active where any is: the access is one of every iteration.
  void rebase_addresses(const CountedLoop& loop, BlockId block, ValueId lane) {
    ValueMap made;
    std::vector<InstId> insts;
    for (InstId i : std::exchange(f.block(block).insts, {})) {
      const auto found = std::ranges::find(loop.strided, i, &StridedAccess::access);
      if (found != loop.strided.end()) {
        const ValueId first = for_first_lane(loop, f.inst(i).operands[0], insts, made);
        const Type type = f.type(first);
        const InstId address = f.create(Op::ptr_add, {first, lane}, {&type, 1}, f.inst(i).loc);
        f.inst(address).attrs = {found->step, 0};
        of_first_lane_.insert(address);
        insts.push_back(address);
        f.inst(i).operands[0] = f.result(address);
      }
      insts.push_back(i);
    }
    for (InstId i : insts) f.append(block, i);
  }

  // The value that the counters themselves make.
  ValueId for_first_lane(const CountedLoop& loop, ValueId v, std::vector<InstId>& insts, ValueMap& made) {
    if (!depends(loop, v)) return v;
    if (f.value(v).kind == ValueKind::Param) return v;
    if (auto at = made.find(v.index); at != made.end()) return at->second;
    ValueList operands;
    for (ValueId o : ValueList(f.inst(f.def(v)).operands))
      operands.push_back(for_first_lane(loop, o, insts, made));
    const InstId copy = copy_with(f, f.def(v), std::move(operands));
    of_first_lane_.insert(copy);
    insts.push_back(copy);
    return made[v.index] = f.result(copy);
  }

  // Whether a counter is in it.
  bool depends(const CountedLoop& loop, ValueId v) {
    if (std::ranges::any_of(loop.counters, [&](const Counter& k) { return k.param == v; })) return true;
    const InstId def = f.def(v);
    if (!def.valid()) return false;
    const BlockId in = f.inst(def).block;
    if (in != loop.header && std::ranges::find(loop.blocks, in) == loop.blocks.end()) return false;
    if (auto known = counts_.find(v.index); known != counts_.end()) return known->second;
    const ValueList operands = f.inst(def).operands;
    const bool does = std::ranges::any_of(operands, [&](ValueId o) { return depends(loop, o); });
    return counts_[v.index] = does;
  }

  // What the header computes of values from outside, computed in front of the loop.
  ValueId in_front(const CountedLoop& loop, BlockId front, ValueId v) {
    if (block_of(f, v) != loop.header) return v;
    ValueList operands;
    for (ValueId o : ValueList(f.inst(f.def(v)).operands)) operands.push_back(in_front(loop, front, o));
    const InstId copy = copy_with(f, f.def(v), std::move(operands));
    f.append(front, copy);
    return f.result(copy);
  }

  // How far the bound is away, for a counter that has not reached it.
  ValueId distance(Builder& b, const CountedLoop& loop) {
    const Type type = f.type(loop.bound);
    const ValueId counter = loop.counter.param;
    return loop.counts_down ? b.make(Op::sub, type, {counter, loop.bound})
                            : b.make(Op::sub, type, {loop.bound, counter});
  }

  // Whether there is an iteration for the lane. `condition`: that of the loop, for the counter.
  ValueId lane_goes_on(Builder& b, const CountedLoop& loop, const Inst& condition, ValueId lane) {
    const ValueId near = b.make(loop.inclusive ? Op::ule : Op::ult, kI1, {lane, distance(b, loop)});
    if (loop.not_equal) return near;
    return b.make(Op::and_, kI1, {near, b.make(condition.op, kI1, condition.operands)});
  }

  // Whether there are iterations for all lanes; one comparison where the bound is known in front of the loop.
  ValueId all_lanes_go_on(Builder& b, const CountedLoop& loop, const Inst& condition, BlockId front) {
    const Type type = f.type(loop.bound);
    const ValueId last = constant(type, lanes_ - 1);
    if (loop.inclusive || loop.not_equal) return lane_goes_on(b, loop, condition, last);
    // The bound less all lanes but one, which is no wrap.
    const bool is_signed = condition.op == Op::slt;
    const uint64_t most = is_signed ? ~uint64_t{0} >> (65 - type.bits()) : ~uint64_t{0} >> (64 - type.bits());
    const uint64_t least = is_signed ? most + 1 : 0;
    const auto near = static_cast<int64_t>(loop.counts_down ? most - (lanes_ - 1) : least + (lanes_ - 1));
    const InstId jump = pop_terminator(front);
    Builder before(f);
    before.block = front, before.loc = b.loc;
    const Op limit = loop.counts_down ? (is_signed ? Op::smin : Op::umin) : (is_signed ? Op::smax : Op::umax);
    const ValueId limited = before.make(limit, type, {loop.bound, constant(type, near)});
    const ValueId bound = before.make(loop.counts_down ? Op::add : Op::sub, type, {limited, last});
    f.append(front, jump);
    return loop.counts_down ? b.make(condition.op, kI1, {bound, loop.counter.param})
                            : b.make(condition.op, kI1, {loop.counter.param, bound});
  }

  // The fold of the values of all lanes, in each of them.
  ValueId sum_of_lanes(Builder& b, ValueId v, int64_t fold) {
    const Type type = f.type(v);
    const ValueId lane = lane_id(b, kI32);
    for (uint32_t d = lanes_ / 2; d > 0; d /= 2) {
      const ValueId other = b.make(Op::xor_, kI32, {lane, b.i32(static_cast<int32_t>(d))});
      v = b.make(fold_op(fold, type), type, {v, b.make(Op::shuffle, type, {v, other})});
    }
    return b.make(Op::broadcast_first, type, {v});
  }

  void replace(Inst& inst, const std::vector<std::pair<ValueId, ValueId>>& by) {
    auto in = [&](ValueList& list) {
      for (ValueId& v : list)
        for (const auto& [from, to] : by)
          if (v == from) {
            v = to;
            break;
          }
    };
    in(inst.operands);
    for (Target& t : inst.targets) in(t.args);
  }

  Function& f;
  const uint32_t lanes_;
  std::unordered_map<uint32_t, bool> counts_;  // by value id: whether a counter is in it
  std::set<InstId> of_first_lane_;             // instructions that compute with the counters themselves
};

// A launch has one work-item along z, whatever the copies of it are called.
void replace_ids_along_z(Function& f) {
  Replacements replaced(f);
  for (BlockId b : f.layout)
    for (InstId i : f.block(b).insts) {
      const Inst& inst = f.inst(i);
      const bool id = inst.op == Op::global_id || inst.op == Op::global_offset;
      if ((!id && inst.op != Op::global_size) || inst.attrs[0] != 2) continue;
      replaced.set(f.result(i), f.constant(f.type(f.result(i)), id ? 0 : 1));
      f.inst(i).erased = true;
    }
  apply_replacements(f, replaced);
  sweep_erased(f);
}

}  // namespace

VectorisableLoops find_vectorisable_loops(const Function& f, AnalysisCache& analyses) {
  VectorisableLoops found;
  if (!analyses.cycles().cycles.empty() && only_loads_and_stores(f, analyses.cfg()))
    find_counted_loops(f, analyses, found);
  return found;
}

VectorisableLoops vectorise_loops(Function& f, AnalysisCache& analyses, uint32_t lanes) {
  VectorisableLoops found;
  if (remove_unreachable_blocks(f, analyses)) analyses.keep(NoAnalyses);
  std::vector<CountedLoop> loops;
  if (only_loads_and_stores(f, analyses.cfg())) loops = find_counted_loops(f, analyses, found);
  if (loops.empty()) return found;
  replace_ids_along_z(f);
  std::vector<BlockId> fronts;
  for (const CountedLoop& loop : loops)
    fronts.push_back(
        preheader(f, analyses.cfg(), analyses.cycles(), analyses.cycles().innermost[loop.header.index]));
  for (size_t k = 0; k < loops.size(); ++k)
    for (auto [part, total] : LoopVectoriser(f, lanes).rewrite(loops[k], fronts[k]))
      for (CountedLoop& other : loops)
        if (other.bound == part) other.bound = total;
  analyses.keep(NoAnalyses);
  f.layout = analyses.cfg().rpo;
  analyses.keep(NoAnalyses);
  return found;
}

}  // namespace kc
