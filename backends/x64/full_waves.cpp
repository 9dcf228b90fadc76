// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/full_waves.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "passes/ir_util.h"

namespace kc::x64 {
namespace {

constexpr size_t kMostInstructions = 400;
constexpr size_t kMostSplats = 4;  // in registers for the whole row

class FullWaves {
 public:
  explicit FullWaves(Function& function)
      : f(function), entry_(f.entry()), mask_(f.block(entry_).params.back()) {}

  void run() {
    const std::vector<BlockId> old(f.layout.begin() + 1, f.layout.end());
    some_ = f.add_block("some");
    f.block(some_).mask = f.block(entry_).mask;
    for (InstId i : std::exchange(f.block(entry_).insts, {})) f.append(some_, i);
    std::vector<BlockId> blocks{some_};
    blocks.insert(blocks.end(), old.begin(), old.end());
    next_ = f.add_block("next"), end_ = f.add_block("end");
    for (BlockId b : blocks) leave_by_end(b);
    const std::vector<BlockId> copies = copy(blocks);
    guard(copies.front());
    const auto [more, done] = ends();
    Builder build(f);
    build.block = next_;
    ValueId full = build.make(Op::ne, kI1, {build.make(Op::full_waves, kI64, {}), f.constant(kI64, 0)});
    build.br_if(full, {copies.front(), {}}, {some_, {}});
    hoist(copies.front());
    build.block = entry_;
    build.br(next_);
    f.layout = {entry_, next_, copies.front()};
    f.layout.insert(f.layout.end(), tests_.begin(), tests_.end());
    f.layout.insert(f.layout.end(), copies.begin() + 1, copies.end());
    f.layout.insert(f.layout.end(), {end_, more});
    f.layout.insert(f.layout.end(), blocks.begin(), blocks.end());
    f.layout.push_back(done);
  }

 private:
  ValueId all() { return f.constant(f.type(mask_), ~uint64_t{0} >> (64 - f.width)); }

  void leave_by_end(BlockId b) {
    Inst& last = f.inst(f.terminator(b));
    if (last.op == Op::ret) last.op = Op::br, last.targets = {{end_, {}}};
  }

  std::vector<BlockId> copy(const std::vector<BlockId>& blocks) {
    std::unordered_map<uint32_t, BlockId> block_of;
    std::vector<BlockId> copies;
    for (BlockId b : blocks) {
      copies.push_back(f.add_block(f.block(b).hint));
      block_of[b.index] = copies.back();
    }
    f.block(copies.front()).hint = "all";
    values_[mask_.index] = all();
    if (auto test = guard_of(some_)) values_[test->mask.index] = all();
    for (size_t k = 0; k < blocks.size(); ++k)
      for (ValueId p : f.block(blocks[k]).params) values_[p.index] = f.add_param(copies[k], f.type(p));
    for (size_t k = 0; k < blocks.size(); ++k)
      for (InstId i : f.block(blocks[k]).insts) {
        const Inst& inst = f.inst(i);
        InstId made = f.create(inst.op, inst.operands, {}, inst.loc);
        for (ValueId v : inst.results) {
          ValueId result = f.add_result(made, f.type(v));
          values_.try_emplace(v.index, result);
        }
        f.inst(made).attrs = inst.attrs;
        f.inst(made).targets = inst.targets;
        f.append(copies[k], made);
      }
    for (size_t k = 0; k < blocks.size(); ++k) {
      if (ValueId m = f.block(blocks[k]).mask; m.valid()) f.block(copies[k]).mask = copied(m);
      for (InstId i : f.block(copies[k]).insts) {
        Inst& inst = f.inst(i);
        for (ValueId& v : inst.operands) v = copied(v);
        for (Target& t : inst.targets) {
          for (ValueId& v : t.args) v = copied(v);
          if (auto at = block_of.find(t.block.index); at != block_of.end()) t.block = at->second;
        }
      }
    }
    return copies;
  }

  ValueId copied(ValueId v) const {
    auto at = values_.find(v.index);
    return at == values_.end() ? v : at->second;
  }

  // The test at the end of the first block: lanes go on or leave by this condition, and so the mask is made.
  struct Guard {
    ValueId condition, mask;
    bool leaves = false;
  };

  // What comes before the test can be computed once more.
  std::optional<Guard> guard_of(BlockId b) const {
    for (InstId i : f.block(b).insts)
      if (const OpInfo& row = info(f.inst(i).op);
          !row.has(Terminator) && row.effects != Effects::None && row.effects != Effects::Read)
        return std::nullopt;
    auto here = [&](ValueId v, Op op) -> const Inst* {
      const InstId d = f.def(v);
      return d && f.inst(d).op == op && f.inst(d).block == b ? &f.inst(d) : nullptr;
    };
    const Inst& last = f.inst(f.terminator(b));
    const Inst* any = last.op == Op::br_if ? here(last.operands[0], Op::any) : nullptr;
    if (!any) return std::nullopt;
    const ValueId going = any->operands[0];
    const Inst* others = here(going, Op::mask_andnot);
    const Inst* cond =
        here(others && others->operands[0] == mask_ ? others->operands[1] : going, Op::mask_cond);
    if (!cond || cond->operands[0] != mask_ || f.is_inline(cond->operands[1])) return std::nullopt;
    return Guard{cond->operands[1], going, others != nullptr};
  }

  // If a lane does not go on, the wave starts again as one with a mask.
  void guard(BlockId b) {
    const auto test = guard_of(some_);
    if (!test) return;
    const InstId last = f.terminator(b);
    Target on = f.inst(last).targets[0];
    f.erase(last);
    Builder build(f);
    build.block = b;
    build.loc = f.inst(last).loc;
    std::vector<ValueId> reasons;  // to leave
    collect(build, copied(test->condition), test->leaves, reasons);
    for (size_t k = 0; k < reasons.size(); ++k) {
      ValueId leaves = reasons[k];
      if (f.type(leaves).lane)
        leaves = build.make(Op::any, kI1, {build.make(Op::mask_cond, f.type(mask_), {all(), leaves})});
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
    if (!splits) return to.push_back(positive ? c : negated(build, c));
    const ValueId left = f.inst(d).operands[0], right = f.inst(d).operands[1];
    collect(build, left, positive, to);
    collect(build, right, positive, to);
  }

  ValueId negated(Builder& build, ValueId c) {
    const Type type = f.type(c);
    if (const InstId d = f.def(c); d && class_of(f.inst(d).op) == OpClass::IntCompare) {
      const Op op = f.inst(d).op;
      const ValueId x = f.inst(d).operands[0], y = f.inst(d).operands[1];
      if (op == Op::eq || op == Op::ne) return build.make(op == Op::eq ? Op::ne : Op::eq, type, {x, y});
      constexpr std::pair<Op, Op> kOthers[] = {
          {Op::slt, Op::sle}, {Op::sle, Op::slt}, {Op::ult, Op::ule}, {Op::ule, Op::ult}};
      for (const auto& [from, to] : kOthers)
        if (op == from) return build.make(to, type, {y, x});
    }
    return build.make(Op::xor_, type, {c, f.constant(type, 1)});
  }

  std::pair<BlockId, BlockId> ends() {
    const BlockId more = f.add_block("more"), done = f.add_block("done");
    Builder build(f);
    build.block = end_;
    ValueId several = build.make(Op::ult, kI1, {f.constant(kI64, 1), build.make(Op::full_waves, kI64, {})});
    build.br_if(several, {more, {}}, {done, {}});
    build.block = more;
    build.emit(Op::next_wave, {});
    build.br(next_);
    build.block = done;
    build.ret();
    return {more, done};
  }

  // What is the same for all waves of the row is computed before the first.
  void hoist(BlockId b) {
    std::vector<bool> outside(f.value_count());
    for (ValueId p : f.block(entry_).params) outside[p.index] = true;
    size_t splats = 0;
    auto moves = [&](const Inst& inst) {
      if (info(inst.op).effects != Effects::None || inst.results.size() != 1) return false;
      if (inst.op == Op::global_id || inst.op == Op::local_id || info(inst.op).has(Terminator)) return false;
      const Type type = f.type(inst.results[0]);
      if (type.is_mask() || (type.lane && (inst.op != Op::splat || splats == kMostSplats))) return false;
      splats += type.lane;
      return std::ranges::all_of(inst.operands,
                                 [&](ValueId v) { return f.is_inline(v) || outside[v.index]; });
    };
    std::vector<InstId> stay;
    for (InstId i : std::exchange(f.block(b).insts, {})) {
      if (!moves(f.inst(i))) {
        stay.push_back(i);
        continue;
      }
      f.append(entry_, i);
      outside[f.result(i).index] = true;
    }
    f.block(b).insts = std::move(stay);
  }

  Function& f;
  BlockId entry_, some_, next_, end_;
  ValueId mask_;
  std::vector<BlockId> tests_;                    // of the guard, but for the first
  std::unordered_map<uint32_t, ValueId> values_;  // of the copy, by that of the original
};

}  // namespace

std::unique_ptr<Function> with_full_waves(const Function& wave) {
  if (wave.width == 1 || has_any(wave, {Op::lane_barrier, Op::full_waves})) return nullptr;
  size_t count = 0, accesses = 0;
  for (BlockId b : wave.layout) {
    // Loops that lanes leave one by one have masks anyway.
    const auto& params = wave.block(b).params;
    if (b != wave.entry() && std::ranges::any_of(params, [&](ValueId p) { return wave.type(p).is_mask(); }))
      return nullptr;
    count += wave.block(b).insts.size();
    for (InstId i : wave.block(b).insts) {
      const Op op = wave.inst(i).op;
      accesses += op == Op::lane_load || op == Op::lane_store;
    }
  }
  if (count > kMostInstructions || accesses == 0) return nullptr;
  auto copy = std::make_unique<Function>(wave);
  FullWaves(*copy).run();
  return copy;
}

}  // namespace kc::x64
