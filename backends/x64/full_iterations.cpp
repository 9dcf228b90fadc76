// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/full_iterations.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "backends/x64/borders.h"
#include "backends/x64/fold_known.h"
#include "backends/x64/lane_tests.h"
#include "ir/ssa_repair.h"
#include "passes/analysis/cycles.h"
#include "passes/ir_util.h"
#include "passes/transform/mem2reg.h"

namespace kc::x64 {
namespace {

constexpr size_t kMostOfLoop = 120, kMostOfLoops = 240;  // instructions: of a loop, of all copies together
constexpr int kMostLoops = 8;                            // each of them analyses the function anew

// Whether lanes leave the loop with this header one by one.
bool is_masked(const Function& f, BlockId header) {
  const auto& params = f.block(header).params;
  return header != f.entry() && std::ranges::find(params, f.block(header).mask) != params.end();
}

class FullIterations {
 public:
  FullIterations(Function& function, const LaneLayout& layout, bool avx512)
      : f(function), layout_(layout), avx512_(avx512) {}

  bool run() {
    bool changed = false;
    for (int n = 0; n < kMostLoops && step(); ++n) changed = true;
    return changed;
  }

 private:
  struct Loop {
    BlockId header;
    ValueId mask;                  // the parameter of the header: who is in the loop
    std::vector<BlockId> blocks;   // the header first
    std::vector<BlockId> outside;  // predecessors of the header
    std::optional<LaneTest> test;  // at the end of the header: who goes on
    bool other_exits = false;
    size_t count = 0;  // of instructions
  };

  // Changes one loop.
  bool step() {
    AnalysisCache analyses(f);
    const Cfg& cfg = analyses.cfg();
    const Cycles& cycles = analyses.cycles();
    shapes_.clear();
    for (uint32_t c = static_cast<uint32_t>(cycles.cycles.size()); c-- > 0;) {
      if (done_.contains(cycles.cycles[c].header)) continue;
      done_.insert(cycles.cycles[c].header);
      const auto loop = loop_of(cfg, cycles, c);
      if (!loop) continue;
      if (shapes_.empty()) shapes_ = analyse_shapes(f, layout_, analyses);
      if (!gains(*loop, cycles, c) || gives_masks(cfg, cycles, c)) continue;
      copied_ += loop->count;
      change(*loop, cfg, cycles, c);
      return true;
    }
    return false;
  }

  std::optional<Loop> loop_of(const Cfg& cfg, const Cycles& cycles, uint32_t c) {
    if (!cycles.cycles[c].reducible()) return std::nullopt;
    Loop loop{.header = BlockId(cycles.cycles[c].header)};
    loop.mask = f.block(loop.header).mask;
    if (!is_masked(f, loop.header)) return std::nullopt;
    for (uint32_t n : cycles.nodes(c)) {
      const BlockId b(n);
      loop.blocks.push_back(b);
      loop.count += f.block(b).insts.size();
      if (loop.count > kMostOfLoop || copied_ + loop.count > kMostOfLoops) return std::nullopt;
      for (InstId i : f.block(b).insts)
        if (info(f.inst(i).op).has(Convergent)) return std::nullopt;
    }
    std::ranges::sort(loop.blocks, {}, [&](BlockId b) { return cfg.number[b.index]; });
    for (BlockId p : cfg.preds[loop.header.index])
      if (!cycles.contains(c, p)) loop.outside.push_back(p);
    const auto ends = f.successors(loop.header);
    if (ends.size() == 2 && cycles.contains(c, ends[0].block) && !cycles.contains(c, ends[1].block))
      loop.test = lane_test(f, loop.header, loop.mask);
    for (BlockId b : loop.blocks)
      for (const Target& t : f.successors(b))
        loop.other_exits |= !cycles.contains(c, t.block) && !(b == loop.header && loop.test);
    return loop;
  }

  // Whether a block behind the loop has a mask that is made in it.
  bool gives_masks(const Cfg& cfg, const Cycles& cycles, uint32_t c) const {
    return std::ranges::any_of(cfg.rpo, [&](BlockId b) {
      const ValueId m = f.block(b).mask;
      return m.valid() && !cycles.contains(c, b) && cycles.defines(c, f, m);
    });
  }

  // Where lanes walk through memory side by side, masks are a large part of the work. Elsewhere it is blends
  // that are saved, in loops that waves come to with all their lanes and stay in, and on AVX2: instructions
  // of AVX-512 keep what inactive lanes have.
  bool gains(const Loop& loop, const Cycles& cycles, uint32_t c) const {
    bool blends = false, side_by_side = loop.test && last_lane(*loop.test);
    for (BlockId b : loop.blocks)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        blends |= inst.op == Op::blend && !avx512_;
        if (inst.op != Op::lane_load && inst.op != Op::lane_store) continue;
        const Shape& s = shapes_[inst.operands[1].index];
        side_by_side |= s.kind == Shape::Strided && s.stride != 0;
      }
    for (uint32_t outer = cycles.cycles[c].parent; outer != kNone; outer = cycles.cycles[outer].parent)
      blends &= !is_masked(f, BlockId(cycles.cycles[outer].header));
    return blends || side_by_side;
  }
  ValueId all() { return f.constant(kMask, ~uint64_t{0} >> (64 - f.width)); }

  void change(const Loop& loop, const Cfg& cfg, const Cycles& cycles, uint32_t c) {
    if (loop.other_exits)
      pass_through_variables(f, cfg.rpo, "left", [&](ValueId v, BlockId b) {
        return cycles.defines(c, f, v) && !cycles.contains(c, b);
      });
    const std::vector<ValueId> params = f.block(loop.header).params;
    const auto at = static_cast<size_t>(std::ranges::find(params, loop.mask) - params.begin());
    std::vector<BlockId> copies;
    for (BlockId b : loop.blocks) copies.push_back(f.add_block(f.block(b).hint));
    const BlockId full = copies.front();
    f.block(full).hint = "full";
    ValueMap known;
    if (loop.test) known[loop.test->going.index] = all();
    const ValueMap copied = copy_inside(f, loop.blocks, copies, {}, std::move(known));
    for (BlockId b : copies) done_.insert(b.index);
    std::vector<BlockId> more;  // blocks beside the copies
    auto fresh = [&](const char* hint, ValueId mask) {
      const BlockId b = f.add_block(hint);
      f.block(b).mask = mask;
      more.push_back(b);
      return b;
    };
    // Back edges, where lanes may have left since the header.
    for (BlockId b : copies) {
      const InstId last = f.terminator(b);
      for (size_t k = 0; k < f.inst(last).targets.size(); ++k) {
        const Target t = f.inst(last).targets[k];
        if (t.block != full || t.args[at] == all()) continue;
        const ValueId mask = t.args[at];
        if (mask == copied_of(copied, loop.mask)) continue;
        const BlockId test = fresh("full", mask);
        f.inst(last).targets[k] = {test, {}};
        branch(test, mask, loop.header, full, t.args, at);
      }
    }
    // Who comes in.
    std::vector<std::pair<BlockId, ValueList>> entries;
    for (BlockId p : loop.outside) {
      const InstId last = f.terminator(p);
      for (size_t k = 0; k < f.inst(last).targets.size(); ++k) {
        const Target t = f.inst(last).targets[k];
        if (t.block != loop.header) continue;
        entries.emplace_back(fresh("enter", t.args[at]), t.args);
        f.inst(last).targets[k] = {entries.back().first, {}};
      }
    }
    if (loop.test) {
      const BlockId front = entries.size() == 1 ? entries[0].first : BlockId();
      test_header(loop, copied, copies, params, fresh("leave", all()), front);
    }
    for (const auto& [test, args] : entries) branch(test, args[at], loop.header, full, args, at);
    // The mask is known in the copies.
    const ValueId mask = copied_of(copied, loop.mask);
    Replacements replaced(f);
    replaced.set(mask, all());
    place(loop.blocks.front(), copies, more);
    apply_replacements(f, replaced);
    std::vector<bool> doomed(f.value_count());
    doomed[mask.index] = true;
    remove_params(f, doomed);
    if (!f.vars.empty()) mem2reg(f);
  }

  // Goes to the masked loop if a lane is missing, else to the full one.
  void branch(BlockId test, ValueId mask, BlockId loop, BlockId full, const ValueList& args, size_t at) {
    Builder build(f);
    build.block = test;
    ValueList of_full = args;
    of_full[at] = all();
    const ValueId missing = build.make(Op::any, kI1, {build.make(Op::mask_andnot, kMask, {all(), mask})});
    build.br_if(missing, {loop, args}, {full, of_full});
  }

  // At the end of the copy of the header: if a lane leaves, the masked loop executes the header again.
  // `front`: the block before the loop, if it is one.
  void test_header(const Loop& loop, const ValueMap& copied, const std::vector<BlockId>& copies,
                   const std::vector<ValueId>& params, BlockId leave, BlockId front) {
    const BlockId full = copies.front();
    const InstId last = f.terminator(full);
    const Target on = f.inst(last).targets[0];
    Builder build(f);
    build.loc = f.inst(last).loc;
    f.erase(last);
    build.block = full;
    const LaneTest& test = *loop.test;
    const auto by_last = last_lane(test);
    ValueId missing;
    if (by_last) {
      missing = by_last_lane(build, loop, *by_last, copied, front);
    } else {
      const ValueId condition = copied_of(copied, test.condition);
      missing = in_some_lane(build, test.leaves ? condition : negated(build, condition));
    }
    build.br_if(missing, {leave, {}}, on);
    if (by_last) widen(*by_last, copied, {copies.begin() + 1, copies.end()});
    build.block = leave;
    ValueList args;
    for (ValueId p : params)
      args.push_back(p == loop.mask ? all() : lanes_of(build, copied_of(copied, p), p));
    build.br(loop.header, args);
  }

  static ValueId copied_of(const ValueMap& copied, ValueId v) {
    const auto at = copied.find(v.index);
    return at == copied.end() ? v : at->second;
  }

  std::optional<int64_t> step_of(ValueId v) const {
    const Type t = f.type(v);
    if (v.index >= shapes_.size() || !t.lane || (t.elem != Elem::I32 && t.elem != Elem::I64))
      return std::nullopt;
    const Shape& s = shapes_[v.index];
    if (s.kind != Shape::Strided || s.stride == 0) return std::nullopt;
    return s.stride;
  }

  // Numbers of the lanes that are a step apart.
  ValueId ascending(Builder& build, ValueId first, int64_t step) {
    const Type many = f.type(first).lanes();
    ValueId lane = build.make(Op::lane_id, kI32.lanes(), {});
    if (many.elem == Elem::I64) lane = build.make(Op::zext, many, {lane});
    if (step != 1) lane = build.make(Op::mul, many, {lane, f.constant(many, static_cast<uint64_t>(step))});
    return build.make(Op::add, many, {lane, build.make(Op::splat, many, {first})});
  }
  // The value again, out of that of lane 0: the loop of full iterations has no other use of the lanes.
  ValueId lanes_of(Builder& build, ValueId v, ValueId original) {
    const auto step = step_of(original);
    return step ? ascending(build, first_of(build, v), *step) : v;
  }
  ValueId first_of(Builder& build, ValueId v) {
    return build.make(Op::first_lane, f.type(v).scalar(), {all(), v});
  }

  // A condition to stay, of numbers that ascend from lane to lane and one that is the same for all.
  struct LastLane {
    ValueId ascending, bound;
    int64_t step = 0;
    bool strict = false, is_signed = false;
  };
  std::optional<LastLane> last_lane(const LaneTest& test) const {
    const InstId d = f.def(test.condition);
    if (!d) return std::nullopt;
    const Inst& compare = f.inst(d);
    const bool is_signed = compare.op == Op::slt || compare.op == Op::sle,
               strict = compare.op == Op::slt || compare.op == Op::ult;
    if (!strict && compare.op != Op::sle && compare.op != Op::ule) return std::nullopt;
    ValueId x = compare.operands[0], n = compare.operands[1];
    if (test.leaves) std::swap(x, n);  // those stay for whom it is false: `n <= x` is not
    const auto step = step_of(x);
    if (!step || *step < 0 || *step > kMostStep || f.type(n).lane) return std::nullopt;
    return LastLane{x, n, *step, strict != test.leaves, is_signed};
  }

  // Whether a lane leaves, by the last of lanes that ascend: `first < bound - distance`, which is false where
  // lanes behind the first wrap.
  ValueId by_last_lane(Builder& build, const Loop& loop, const LastLane& last, const ValueMap& copied,
                       BlockId front) {
    const Type type{f.type(last.ascending).elem};
    const uint64_t least = last.is_signed ? (uint64_t{1} << 63) >> (64 - type.bits()) : 0;
    const uint64_t distance = static_cast<uint64_t>(last.step) * (f.width - 1) - (last.strict ? 0 : 1);
    const BlockId here = build.block;
    const BlockId from = f.is_inline(last.bound) ? here : block_of(f, last.bound);
    if (front.valid() && std::ranges::find(loop.blocks, from) == loop.blocks.end()) build.block = front;
    // The limit is the least number, than which none is less, if the bound is too near to it.
    const ValueId bound = copied_of(copied, last.bound), lowest = f.constant(type, least);
    const ValueId limit = build.make(
        Op::select, type,
        {build.make(last.is_signed ? Op::slt : Op::ult, kI1, {bound, f.constant(type, least + distance)}),
         lowest, build.make(Op::sub, type, {bound, f.constant(type, distance)})});
    build.block = here;
    const ValueId first = first_of(build, copied_of(copied, last.ascending));
    return build.make(last.is_signed ? Op::sle : Op::ule, kI1, {limit, first});
  }

  // Behind that test no lane has wrapped, and so the lanes of the number are also apart by its step where it
  // is extended to 64 bits: there a sum says so.
  void widen(const LastLane& last, const ValueMap& copied, std::span<const BlockId> blocks) {
    const ValueId narrow = copied_of(copied, last.ascending);
    const Op extends = last.is_signed ? Op::sext : Op::zext;
    Replacements sums(f);
    for (BlockId b : blocks)
      for (InstId i : std::exchange(f.block(b).insts, {})) {
        f.append(b, i);
        const Inst inst = f.inst(i);
        if (inst.op != extends || inst.operands[0] != narrow) continue;
        Builder build(f);
        build.block = b;
        build.loc = inst.loc;
        const ValueId first = build.make(extends, kI64, {first_of(build, narrow)});
        sums.set(inst.results[0], ascending(build, first, last.step));
      }
    if (!sums.empty()) apply_replacements(f, sums);
  }

  void place(BlockId before, const std::vector<BlockId>& copies, const std::vector<BlockId>& more) {
    std::vector<BlockId> layout, old = f.layout;
    old.resize(old.size() - copies.size() - more.size());  // new blocks are the last ones
    for (BlockId b : old) {
      if (b == before) {
        layout.insert(layout.end(), copies.begin(), copies.end());
        layout.insert(layout.end(), more.begin(), more.end());
      }
      layout.push_back(b);
    }
    f.layout = std::move(layout);
  }

  static constexpr int64_t kMostStep = 1 << 16;

  Function& f;
  const LaneLayout& layout_;
  const bool avx512_;
  std::vector<Shape> shapes_;  // by value, before a loop is changed
  std::set<uint32_t> done_;    // headers
  size_t copied_ = 0;
};

}  // namespace

std::unique_ptr<Function> with_full_iterations(const Function& wave, const LaneLayout& layout, bool avx512) {
  if (wave.width == 1 || layout.copies) return nullptr;
  if (std::ranges::none_of(wave.layout, [&](BlockId b) { return is_masked(wave, b); })) return nullptr;
  auto copy = std::make_unique<Function>(wave);
  if (!FullIterations(*copy, layout, avx512).run()) return nullptr;
  fold_known(*copy);
  return copy;
}

}  // namespace kc::x64
