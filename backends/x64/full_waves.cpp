// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/full_waves.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/x64/borders.h"
#include "backends/x64/fold_known.h"
#include "backends/x64/lane_tests.h"
#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

constexpr size_t kMostAtEndOfRow = 300;  // instructions that have a copy for few lanes
constexpr size_t kMostSplats = 4;        // in registers for the whole row
constexpr size_t kMostUniform = 40;      // values of a row that not all of its waves need

class FullWaves {
 public:
  FullWaves(Function& function, bool all_are_full, uint32_t vector_lanes)
      : f(function),
        entry_(f.entry()),
        mask_(f.block(entry_).params.back()),
        all_are_full_(all_are_full),
        vector_lanes_(vector_lanes) {}

  void run() {
    const std::vector<BlockId> old(f.layout.begin() + 1, f.layout.end());
    some_ = f.add_block("some");
    f.block(some_).mask = f.block(entry_).mask;
    for (InstId i : std::exchange(f.block(entry_).insts, {})) f.append(some_, i);
    std::vector<BlockId> blocks{some_};
    blocks.insert(blocks.end(), old.begin(), old.end());
    next_ = f.add_block("next"), end_ = f.add_block("end");
    for (BlockId b : blocks) leave_by_end(b);
    find_inside(blocks);
    std::vector<BlockId> most, others, copies = copy(blocks, false);  // what most waves run comes first
    const bool inside = !borders_.empty() || !rows_.empty();
    append_copies(inside ? others : most, copies);
    if (inside) {
      const std::vector<BlockId> tests = test_borders(copies.front());
      copies = copy(blocks, true);
      f.inst(f.terminator(tests.back())).targets.back().block = copies.front();
      most = tests;
      append_copies(most, copies);
    }
    Builder build(f);
    build.block = next_;
    ValueId full = build.make(Op::ne, kI1, {build.make(Op::full_waves, kI64, {}), f.constant(kI64, 0)});
    build.br_if(full, {most.front(), {}}, {some_, {}});
    const BlockId done = f.add_block("done"), end = f.add_block("end");
    build.block = done;
    build.ret();
    for (BlockId b : most)
      for (Target& t : f.inst(f.terminator(b)).targets)
        if (t.block == end_) t.block = end;
    const BlockId more = go_on(end, most.front(), done), next = go_on(end_, next_, done);
    hoist(copies);
    if (inside) hoist(others);
    blocks = with_few_lanes(std::move(blocks));
    build.block = entry_;
    build.br(next_);
    f.layout = {entry_, next_};
    for (const std::vector<BlockId>& part : {most, {end, more}, others, {end_, next}, blocks, {done}})
      f.layout.insert(f.layout.end(), part.begin(), part.end());
  }

  /// Of waves of one lane, or of one work-item, which are all full: only the loop. Its ids and its count are
  /// values.
  void loop() {
    std::vector<BlockId> layout(f.layout.begin() + 1, f.layout.end());
    some_ = f.add_block("next"), end_ = f.add_block("end");
    f.block(some_).mask = f.block(entry_).mask;
    for (InstId i : std::exchange(f.block(entry_).insts, {})) f.append(some_, i);
    layout.insert(layout.begin(), some_);
    for (BlockId b : layout) leave_by_end(b);
    if (f.width > 1)
      for_each_use(f, [&](ValueId& v) {
        if (v == mask_) v = all();
      });
    Builder build(f);
    build.block = entry_;
    std::vector<ValueId> counters{f.add_param(some_, kI64)};
    ValueList first{build.make(Op::full_waves, kI64, {})};
    Replacements ids(f);
    std::map<std::pair<Op, Elem>, ValueId> made;
    for (BlockId b : layout)
      for (InstId i : f.block(b).insts) {
        const Inst inst = f.inst(i);
        if (!is_id(inst.op) || inst.attrs[0] != 0) continue;
        const Type type = f.type(inst.results[0]);
        const auto [at, fresh] = made.try_emplace({inst.op, type.elem});
        if (fresh) {
          at->second = f.add_param(some_, type);
          counters.push_back(at->second);
          first.push_back(build.make(inst.op, type, {}, {0}));
        }
        ids.set(inst.results[0], at->second);
      }
    apply_replacements(f, ids);
    hoist({some_});
    build.br(some_, first);
    const BlockId more = f.add_block("more"), done = f.add_block("done");
    build.block = end_;
    build.br_if(build.make(Op::ule, kI1, {counters[0], f.constant(kI64, 1)}), {done, {}}, {more, {}});
    build.block = more;
    ValueList next{build.make(Op::sub, kI64, {counters[0], f.constant(kI64, 1)})};
    for (size_t k = 1; k < counters.size(); ++k)
      next.push_back(
          build.make(Op::add, f.type(counters[k]), {counters[k], f.constant(f.type(counters[k]), 1)}));
    build.br(some_, next);
    build.block = done;
    build.ret();
    layout.insert(layout.begin(), entry_);
    layout.insert(layout.end(), {end_, more, done});
    f.layout = std::move(layout);
  }

 private:
  ValueId all() { return f.constant(f.type(mask_), ~uint64_t{0} >> (64 - f.width)); }

  void leave_by_end(BlockId b) {
    Inst& last = f.inst(f.terminator(b));
    if (last.op == Op::ret) last.op = Op::br, last.targets = {{end_, {}}};
  }

  // With the tests of its guard behind the first block.
  void append_copies(std::vector<BlockId>& to, const std::vector<BlockId>& copies) {
    to.push_back(copies.front());
    to.insert(to.end(), tests_.begin(), tests_.end());
    to.insert(to.end(), copies.begin() + 1, copies.end());
    tests_.clear();
  }

  // What decides on a third copy: rows, if the kernel does not compare its ids themselves with borders (a
  // wave that is in no row would lose the copy without borders), and borders. Neither, if there are no others
  // than those of the guard, which has its tests.
  void find_inside(const std::vector<BlockId>& blocks) {
    std::vector<ValueId> known;
    if (auto test = guard_of(some_)) leaves_of(test->condition, known);
    borders_ = find_borders(f, blocks);
    const bool others = std::ranges::any_of(
        borders_, [&](const Border& b) { return std::ranges::find(known, f.result(b.inst)) == known.end(); });
    if (others) return;
    rows_ = find_rows_of_ids(f, blocks);
    borders_ = rows_.empty() ? std::vector<Border>() : find_borders(f, blocks, {}, rows_);
  }
  void leaves_of(ValueId c, std::vector<ValueId>& to) const {
    const InstId d = f.def(c);
    if (!d || (f.inst(d).op != Op::and_ && f.inst(d).op != Op::or_)) return to.push_back(c);
    for (ValueId v : f.inst(d).operands) leaves_of(v, to);
  }

  // Tests, each in a block, that a wave is in one row and inside of all borders; if it is not, it goes to
  // `outside`, else from the last of them to a block that is still to be made.
  std::vector<BlockId> test_borders(BlockId outside) {
    ValueMap made;
    std::vector<BlockId> tests;
    Builder build(f);
    auto begin = [&] {
      const BlockId test = f.add_block("test");
      f.block(test).mask = f.block(entry_).mask;
      if (!tests.empty()) f.inst(f.terminator(tests.back())).targets.back().block = test;
      tests.push_back(test);
      build.block = test;
    };
    const auto here = [&](ValueId v) { return recomputed(build, v, made); };
    const auto leave_if = [&](ValueId beyond) {
      build.br_if(beyond, {outside, {}}, {outside, {}});
      begin();
    };
    std::map<std::tuple<ValueId, ValueId, bool>, RowOfWave> found;
    begin();
    for (const FlatRow& row : rows_) {
      const ValueList of = f.inst(row.inst).operands;
      const auto [at, fresh] = found.try_emplace({of[0], of[1], row.is_signed});
      build.loc = f.inst(row.inst).loc;
      if (fresh) at->second = test_row(build, row, here, leave_if);
      const ValueId is = row.is_remainder ? at->second.column : at->second.quotient;
      made[f.result(row.inst).index] = in_row_[f.result(row.inst).index] = is;
    }
    for (const Border& b : borders_) {
      build.loc = f.inst(b.inst).loc;
      leave_if(is_outside(build, b, here));
    }
    build.br(outside);
    return tests;
  }

  // Whether it differs between the waves of a row.
  bool has_ids(ValueId v) const {
    const InstId d = f.def(v);
    return d && ((is_id(f.inst(d).op) && (f.inst(d).attrs[0] == 0 || f.type(v).lane)) ||
                 std::ranges::any_of(f.inst(d).operands, [&](ValueId o) { return has_ids(o); }));
  }

  // What a test needs, computed for it; once for the row where no id is in it.
  ValueId recomputed(Builder& build, ValueId v, ValueMap& made) {
    const InstId d = f.def(v);
    if (!d) return v;
    if (auto at = made.find(v.index); at != made.end()) return at->second;
    const ValueList of = f.inst(d).operands;
    ValueList operands;
    for (ValueId o : of) operands.push_back(recomputed(build, o, made));
    const InstId i = copy_with(f, d, std::move(operands));
    f.append(has_ids(v) ? build.block : entry_, i);
    return made[v.index] = f.result(i);
  }

  // For full waves; `inside`: for those inside of the borders.
  std::vector<BlockId> copy(const std::vector<BlockId>& blocks, bool inside) {
    std::vector<BlockId> copies;
    for (BlockId b : blocks) copies.push_back(f.add_block(f.block(b).hint));
    f.block(copies.front()).hint = inside ? "inside" : "all";
    ValueMap given{{mask_.index, all()}};
    const auto test = guard_of(some_);
    if (test) given[test->going.index] = all();
    if (inside) given.insert(in_row_.begin(), in_row_.end());
    const std::span<const Border> borders =
        inside ? std::span<const Border>(borders_) : std::span<const Border>();
    const ValueMap copied = copy_inside(f, blocks, copies, borders, std::move(given));
    if (!test) return copies;
    const auto condition = copied.find(test->condition.index);
    guard(copies.front(), *test, condition == copied.end() ? test->condition : condition->second);
    return copies;
  }

  // The test of ids at the end of the first block.
  std::optional<LaneTest> guard_of(BlockId b) const {
    const auto test = lane_test(f, b, mask_);
    return test && !has_data(test->condition) ? test : std::nullopt;
  }

  // Whether data of the lanes decide on a value. Hardly a wave has the same answer in all lanes then.
  bool has_data(ValueId v) const {
    std::vector<bool> seen(f.value_count());
    std::vector<ValueId> pending{v};
    while (!pending.empty()) {
      const ValueId at = pending.back();
      pending.pop_back();
      const InstId d = f.def(at);
      if (!d || seen[at.index]) continue;
      seen[at.index] = true;
      if (info(f.inst(d).op).effects != Effects::None && f.type(at).lane) return true;
      pending.insert(pending.end(), f.inst(d).operands.begin(), f.inst(d).operands.end());
    }
    return false;
  }

  // If a lane does not go on, the wave starts again as one with a mask.
  void guard(BlockId b, const LaneTest& test, ValueId condition) {
    const InstId last = f.terminator(b);
    Target on = f.inst(last).targets[0];
    f.erase(last);
    Builder build(f);
    build.block = b;
    build.loc = f.inst(last).loc;
    std::vector<ValueId> reasons;  // to leave
    collect(build, condition, test.leaves, reasons);
    for (size_t k = 0; k < reasons.size(); ++k) {
      const ValueId leaves = in_some_lane(build, reasons[k]);
      if (k + 1 == reasons.size()) return void(build.br_if(leaves, {some_, {}}, std::move(on)));
      const BlockId then = f.add_block("all");
      f.block(then).mask = f.block(b).mask;
      build.br_if(leaves, {some_, {}}, {then, {}});
      build.block = then;
      tests_.push_back(then);
    }
  }

  // The alternatives of a condition, or of its negation: each is tested by itself, if it can be on one lane.
  void collect(Builder& build, ValueId c, bool positive, std::vector<ValueId>& to) {
    constexpr size_t kMost = 4;
    const InstId d = f.def(c);
    const bool splits = d && f.inst(d).op == (positive ? Op::or_ : Op::and_) && to.size() < kMost;
    if (!splits) return to.push_back(positive ? c : negated(build, uniform_alternatives(build, c)));
    const ValueId left = f.inst(d).operands[0], right = f.inst(d).operands[1];
    collect(build, left, positive, to);
    collect(build, right, positive, to);
  }

  // Of alternatives, those that are the same for all lanes, if each of the others is for one lane (`x == 0`):
  // not all lanes have one of these.
  ValueId uniform_alternatives(Builder& build, ValueId c) {
    constexpr size_t kMost = 16;
    ValueId r;
    std::vector<ValueId> pending{c};
    for (size_t n = 0; n < pending.size(); ++n) {
      const ValueId v = pending[n];
      const InstId d = f.def(v);
      if (n == kMost) return c;
      if (!f.type(v).lane)
        r = r ? build.make(Op::or_, kI1, {r, v}) : v;
      else if (d && f.inst(d).op == Op::or_)
        pending.insert(pending.end(), f.inst(d).operands.begin(), f.inst(d).operands.end());
      else if (!d || f.inst(d).op != Op::eq)
        return c;
    }
    return r ? r : c;
  }

  // Where the lanes of a wave that go on are all in its first vector, as at the end of a row, nothing is
  // computed of the others: a copy in which the mask has no other lanes. Returns the blocks with the new
  // ones.
  std::vector<BlockId> with_few_lanes(std::vector<BlockId> blocks) {
    size_t count = 0;
    for (BlockId b : blocks) count += f.block(b).insts.size();
    if (f.width <= vector_lanes_ || count > kMostAtEndOfRow) return blocks;
    auto guard = guard_of(some_);
    // Where lanes that it keeps out have more to do, as in `if (x > 0) west = in[i - 1];`, the wave's own
    // decide.
    if (guard && !only_ends(f.inst(f.terminator(some_)).targets[1].block)) guard.reset();
    if (all_are_full_ && !guard) return blocks;
    const ValueId mask = guard ? guard->going : mask_;
    const InstId from = f.terminator(guard ? some_ : next_);
    const size_t edge = guard ? 0 : 1;
    const std::vector<BlockId> old(blocks.begin() + (guard ? 1 : 0), blocks.end());
    if (std::ranges::find(old, f.inst(from).targets[edge].block) == old.end()) return blocks;
    const BlockId test = f.add_block("few"), first = f.add_block("few");
    f.block(test).mask = mask;
    Builder build(f);
    build.loc = f.inst(f.terminator(some_)).loc;
    build.block = first;
    const uint64_t lanes = ~uint64_t{0} >> (64 - vector_lanes_);
    const ValueId few = f.block(first).mask =
        build.make(Op::mask_and, f.type(mask), {mask, f.constant(f.type(mask), lanes)});
    std::vector<BlockId> copies;
    for (BlockId b : old) copies.push_back(f.add_block(f.block(b).hint));
    copy_inside(f, old, copies, {}, {{mask.index, few}});
    Target on = std::exchange(f.inst(from).targets[edge], {test, {}}), inside = on;
    std::ranges::replace(inside.args, mask, few);
    inside.block = copies[static_cast<size_t>(std::ranges::find(old, on.block) - old.begin())];
    build.br(inside.block, inside.args);
    build.block = test;
    const ValueId others = f.constant(f.type(mask), f.value(all()).bits & ~lanes);
    build.br_if(build.make(Op::any, kI1, {build.make(Op::mask_and, f.type(mask), {mask, others})}),
                std::move(on), {first, {}});
    blocks.insert(blocks.end(), {test, first});
    blocks.insert(blocks.end(), copies.begin(), copies.end());
    return blocks;
  }

  // Whether nothing is done from here to the end. An empty endless loop has none.
  bool only_ends(BlockId b) const {
    for (size_t most = f.layout.size(); b != end_; --most) {
      const auto& insts = f.block(b).insts;
      if (most == 0 || insts.size() != 1 || f.inst(insts[0]).op != Op::br) return false;
      b = f.inst(insts[0]).targets[0].block;
    }
    return true;
  }

  // Makes an end: after the last wave it goes to `done`, else through a new block, which is returned, to
  // `next`.
  BlockId go_on(BlockId end, BlockId next, BlockId done) {
    const BlockId more = f.add_block("more");
    Builder build(f);
    build.block = end;
    ValueId last = build.make(Op::ule, kI1, {build.make(Op::full_waves, kI64, {}), f.constant(kI64, 1)});
    build.br_if(last, {done, {}}, {more, {}});
    build.block = more;
    build.emit(Op::next_wave, {});
    build.br(next);
    return more;
  }

  // What is the same for all waves of the row is computed before the first: all that the first block has of
  // it, and of blocks that only some waves come to what may be computed in vain.
  void hoist(const std::vector<BlockId>& blocks) {
    std::vector<bool> outside(f.value_count());
    for (ValueId p : f.block(entry_).params) outside[p.index] = true;
    size_t uniform = 0;
    auto moves = [&](const Inst& inst, bool first) {
      if (info(inst.op).effects != Effects::None || inst.results.size() != 1) return false;
      if (is_id(inst.op) && inst.attrs[0] == 0) return false;
      if (info(inst.op).has(Terminator)) return false;
      if (!first && (uniform == kMostUniform || info(inst.op).op_class == OpClass::IntDivision)) return false;
      const Type type = f.type(inst.results[0]);
      if (type.is_mask() || (type.lane && (inst.op != Op::splat || splats_ == kMostSplats))) return false;
      return std::ranges::all_of(inst.operands,
                                 [&](ValueId v) { return f.is_inline(v) || outside[v.index]; });
    };
    for (BlockId b : blocks) {
      std::vector<InstId> stay;
      for (InstId i : std::exchange(f.block(b).insts, {})) {
        if (!moves(f.inst(i), b == blocks.front())) {
          stay.push_back(i);
          continue;
        }
        f.append(entry_, i);
        const bool lane = f.type(f.result(i)).lane;
        splats_ += lane, uniform += !lane;
        outside[f.result(i).index] = true;
      }
      f.block(b).insts = std::move(stay);
    }
  }

  static bool is_id(Op op) { return op == Op::global_id || op == Op::local_id; }

  Function& f;
  BlockId entry_, some_, next_, end_;
  ValueId mask_;
  const bool all_are_full_;      // waves, but for what a guard keeps out
  const uint32_t vector_lanes_;  // of the machine, 32-bit elements
  std::vector<BlockId> tests_;   // of the guard, but for the first
  size_t splats_ = 0;            // in the entry block
  std::vector<FlatRow> rows_;
  ValueMap in_row_;  // their results inside
  std::vector<Border> borders_;
};

}  // namespace

bool all_waves_are_full(const Function& wave, const LaneLayout& layout) {
  const auto& size = wave.reqd_local;
  const uint64_t row = uint64_t{size[0]} * (layout.packed ? size[1] * size[2] : 1);
  return layout.aligned && row != 0 && row % wave.width == 0;
}

std::unique_ptr<Function> with_full_waves(const Function& wave, const LaneLayout& layout,
                                          uint32_t vector_lanes) {
  if (has_any(wave, {Op::lane_barrier, Op::full_waves})) return nullptr;
  if (wave.width == 1 || layout.copies) {
    auto looped = std::make_unique<Function>(wave);
    FullWaves(*looped, true, vector_lanes).loop();
    if (layout.copies) fold_known(*looped);
    return looped;
  }
  size_t count = 0, accesses = 0;
  for (BlockId b : wave.layout) {
    count += wave.block(b).insts.size();
    for (InstId i : wave.block(b).insts) {
      const Op op = wave.inst(i).op;
      accesses += op == Op::lane_load || op == Op::lane_store;
    }
  }
  if (count > kMostCopied || accesses == 0) return nullptr;
  auto copy = std::make_unique<Function>(wave);
  FullWaves(*copy, all_waves_are_full(wave, layout), vector_lanes).run();
  remove_unreachable_blocks(*copy);
  fold_known(*copy);
  return copy;
}

}  // namespace kc::x64
