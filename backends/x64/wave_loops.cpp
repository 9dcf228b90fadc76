// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/wave_loops.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "backends/x64/borders.h"
#include "backends/x64/few_lanes.h"
#include "backends/x64/fold_known.h"
#include "backends/x64/group_copies.h"
#include "backends/x64/group_regions.h"
#include "backends/x64/groups_meet.h"
#include "backends/x64/wave_copies.h"
#include "ir/launch.h"
#include "passes/analysis/cycles.h"
#include "passes/analysis/phi_webs.h"
#include "passes/ir_util.h"
#include "passes/transform/dce.h"
#include "passes/transform/instcombine.h"
#include "passes/transform/simplify_cfg.h"

namespace kc::x64 {
namespace {

constexpr unsigned kMostRecomputed = 8;  // instructions, for one value in one loop
constexpr unsigned kMostCost = 4;        // of one of them
constexpr size_t kMostHoisted = 40;
constexpr size_t kMostWithFewLanes = 60;  // instructions, of which there is a third copy

class WaveLoops {
 public:
  WaveLoops(Function& function, const LaneLayout& layout, uint32_t vector_lanes)
      : f(function),
        g(f, row_of(function, layout)),
        waves_(waves_of(function, layout)),
        ascending_(layout.along == 0 && function.reqd_local[1] == 1 && function.reqd_local[2] == 1),
        along_x_(!layout.packed || ascending_),
        vector_lanes_(vector_lanes) {}

  /// Work-items that waves are cut from.
  static uint64_t row_of(const Function& wave, const LaneLayout& layout) {
    const auto& size = wave.reqd_local;
    return uint64_t{size[0]} * (layout.packed ? size[1] * size[2] : 1);
  }

  bool run() {
    if (waves_ == 1) erase_barriers();
    const bool wave_is_row = along_x_ && f.reqd_local[0] <= f.width;
    if (wave_is_row) number_by_lane();
    // What follows from ids and a mask that are known now, as in reductions of sub-groups.
    if (wave_is_row || has_any(f, {Op::mask_bits})) {
      fold_known(f);
    }
    if (waves_ == 1) return true;
    if (!g.find()) return false;
    if (ascending_ && can_copy_group(f, g, waves_)) {
      copy_group(f, g, waves_);
      instcombine_keeping_order(f);
    } else {
      share_values();
      make_loops();
      if (two_copies_) instcombine_keeping_order(f);
    }
    simplify_cfg(f);
    dce(f);
    join_moves(f);
    return true;
  }

 private:
  static uint32_t waves_of(const Function& wave, const LaneLayout& layout) {
    const auto& size = wave.reqd_local;
    const uint64_t row = row_of(wave, layout), rows = uint64_t{size[0]} * size[1] * size[2] / row;
    return static_cast<uint32_t>((row + wave.width - 1) / wave.width * rows);
  }

  void erase_barriers() {
    for (BlockId b : f.layout) {
      const std::vector<InstId> insts = f.block(b).insts;
      for (InstId i : insts)
        if (f.inst(i).op == Op::lane_barrier) f.erase(i);
    }
  }
  // Where a wave is a row of the group, the local ids along it are the numbers of the lanes, so that `if (id
  // < 8)` has a constant mask. Other ids are 0 if the group has one row in their direction.
  void number_by_lane() {
    Replacements ids(f);
    for (BlockId b : f.layout) {
      Builder build(f);
      build.block = b;
      for (InstId i : std::exchange(f.block(b).insts, {})) {
        const size_t d = static_cast<size_t>(f.inst(i).attrs[0]);
        if (f.inst(i).op != Op::local_id || (d != 0 && f.reqd_local[d] != 1)) {
          f.block(b).insts.push_back(i);
          continue;
        }
        const Type type = f.type(f.result(i));
        build.loc = f.inst(i).loc;
        ids.set(f.result(i), d == 0 ? ids_of_wave(build, type, 0) : f.constant(type, 0));
      }
    }
    apply_replacements(f, ids);
  }

  // --- values that a wave needs in several regions

  void share_values() {
    const Cfg cfg(f);
    const Cycles cycles(f, cfg);
    slots_at_ = f.objects.size();
    f.add_object({.name = "waves", .type = kPtrPrivate, .size = 0, .align = 8});
    slots_from_ = lay_out_objects(f, kPtrPrivate).offsets[slots_at_];
    before_.resize(f.block_count()), at_end_.resize(f.block_count());
    std::vector<bool> shared(f.value_count());
    for (size_t v = 0; v < shared.size(); ++v) shared[v] = g.differs(ValueId(v));
    webs_.emplace(f, cfg, DominatorTree(f, cfg), shared);
    for (const Region& r : g.regions()) use_in(r, cycles);
    for (const Region& r : g.regions())
      for (BlockId b : r.blocks) store_for_next(b);
    for (ValueId v : stored_) store_after_definition(v);
    for (BlockId b : f.layout) {
      auto& insts = f.block(b).insts;
      insts.insert(insts.begin(), before_[b.index].begin(), before_[b.index].end());
      insts.insert(insts.end() - 1, at_end_[b.index].begin(), at_end_[b.index].end());
    }
    drop_incoming();
    f.objects[slots_at_].size = slot_bytes_;
    if (slot_bytes_ == 0) f.objects.pop_back();
  }

  // Replaces what the region's blocks use of others.
  void use_in(const Region& r, const Cycles& cycles) {
    const BlockId start = r.start();
    std::map<uint32_t, BlockId> used_in;  // by value: the block with all uses, or the start
    auto each_foreign = [&](auto&& visit) {
      for (BlockId b : r.blocks) {
        if (ValueId& m = f.block(b).mask; m.valid() && g.is_foreign(m, start)) visit(start, m);
        for (InstId i : f.block(b).insts) {
          Inst& inst = f.inst(i);
          for (ValueId& v : inst.operands)
            if (g.is_foreign(v, start)) visit(b, v);
          for (Target& t : inst.targets)
            for (size_t k = 0; k < t.args.size(); ++k)
              if (g.is_foreign(t.args[k], start) && !stays(t, k, start)) visit(b, t.args[k]);
        }
      }
    };
    each_foreign([&](BlockId b, ValueId v) {
      const bool once = cycles.innermost[b.index] == cycles.innermost[start.index] && !computes_mask(b);
      const auto [at, fresh] = used_in.try_emplace(v.index, once ? b : start);
      if (!fresh && at->second != b) at->second = start;
    });
    for (const auto& [v, at] : used_in)
      if (at == start) here(ValueId(v), start, start);
    each_foreign([&](BlockId, ValueId& v) { v = here(v, used_in.at(v.index), start); });
  }
  // Lane operations cannot be at the start of such a block.
  bool computes_mask(BlockId b) const {
    const InstId d = f.def(f.block(b).mask);
    return d && f.inst(d).block == b;
  }
  // Whether what an edge passes to a region is in the slot of the parameter already.
  bool stays(const Target& t, size_t k, BlockId region) const {
    const ValueId p = f.block(t.block).params[k];
    return g.is_start(t.block) && g.differs(p) && g.is_foreign(t.args[k], region) &&
           webs_->of(t.args[k]) == webs_->of(p);
  }

  // The value at the start of a block, recomputed or loaded.
  ValueId here(ValueId v, BlockId b, BlockId region) {
    if (auto at = made_.find({region.index, v.index}); at != made_.end()) return at->second;
    if (auto at = made_.find({b.index, v.index}); at != made_.end()) return at->second;
    unsigned left = kMostRecomputed;
    return is_cheap(v, left) ? recomputed(v, b, region) : note(v, b, loaded(v, b));
  }
  ValueId note(ValueId v, BlockId b, ValueId copy) {
    original_[copy.index] = v;
    return made_[{b.index, v.index}] = copy;
  }
  // Instructions of regions that have been visited use copies.
  ValueId original(ValueId v) const {
    const auto at = original_.find(v.index);
    return at == original_.end() ? v : at->second;
  }
  bool is_cheap(ValueId v, unsigned& left) const {
    if (!g.differs(v)) return true;
    const InstId d = f.def(v);
    if (!d || left == 0) return false;
    --left;
    const Inst& inst = f.inst(d);
    const OpInfo& row = info(inst.op);
    if (row.effects != Effects::None || inst.results.size() != 1 || row.cost > kMostCost) return false;
    return std::ranges::all_of(inst.operands, [&](ValueId o) { return is_cheap(original(o), left); });
  }
  ValueId recomputed(ValueId v, BlockId b, BlockId region) {
    if (!g.differs(v)) return v;
    if (auto at = made_.find({region.index, v.index}); at != made_.end()) return at->second;
    if (auto at = made_.find({b.index, v.index}); at != made_.end()) return at->second;
    ValueList operands;
    for (ValueId o : ValueList(f.inst(f.def(v)).operands))
      operands.push_back(recomputed(original(o), b, region));
    const InstId i = copy_with(f, f.def(v), std::move(operands));
    f.inst(i).block = b;
    before_[b.index].push_back(i);
    return note(v, b, f.result(i));
  }

  // --- slots

  static constexpr uint64_t kTrue = 0xffffffff;  // of a mask, as on AVX2
  Type stored_as(ValueId v) const {
    const Type t = f.type(v);
    return t.is_mask() || t.elem == Elem::I1 ? kI32.lanes() : t.lanes();
  }
  ValueId slot_of(ValueId v) {
    const auto [at, fresh] = slots_.try_emplace(webs_->of(v), 0);
    if (fresh) {
      const uint64_t bytes = stored_as(v).bytes();
      at->second = (slot_bytes_ + bytes - 1) / bytes * bytes;
      slot_bytes_ = at->second + bytes;
    }
    return f.constant(kPtrPrivate.lanes(), slots_from_ + at->second);
  }
  ValueId add(std::vector<InstId>& to, BlockId b, Op op, Type type, ValueList operands) {
    const InstId i = f.create(op, std::move(operands), {});
    f.inst(i).block = b;
    to.push_back(i);
    return type.is_void() ? ValueId() : f.add_result(i, type);
  }
  ValueId load_from(std::vector<InstId>& to, BlockId b, ValueId at, ValueId v) {
    const Type t = f.type(v), stored = stored_as(v);
    ValueId x = add(to, b, Op::lane_load, stored, {g.all(), at});
    if (!t.lane && !t.is_mask()) x = add(to, b, Op::first_lane, stored.scalar(), {g.all(), x});
    if (t.is_mask() || t.elem == Elem::I1)
      x = add(to, b, Op::slt, {Elem::I1, t.lane || t.is_mask()}, {x, f.constant(f.type(x), 0)});
    return t.is_mask() ? add(to, b, Op::mask_cond, kMask, {g.all(), x}) : x;
  }
  void store_to(std::vector<InstId>& to, BlockId b, ValueId at, ValueId v) {
    const Type t = f.type(v), stored = stored_as(v);
    if (t.is_mask())
      v = add(to, b, Op::blend, stored, {v, f.constant(stored, kTrue), f.constant(stored, 0)});
    else if (t.elem == Elem::I1 && !f.is_inline(v))
      v = add(to, b, Op::select, {Elem::I32, t.lane},
              {v, f.constant({Elem::I32, t.lane}, kTrue), f.constant({Elem::I32, t.lane}, 0)});
    else if (t.elem == Elem::I1)
      v = f.constant(stored, f.value(v).bits ? kTrue : 0);
    if (!f.type(v).lane) v = add(to, b, Op::splat, stored, {v});
    add(to, b, Op::lane_store, kVoid, {g.all(), at, v});
  }
  ValueId loaded(ValueId v, BlockId b) {
    if (!g.is_incoming(v)) stored_.insert(v);
    return load_from(before_[b.index], b, slot_of(v), v);
  }

  void store_after_definition(ValueId v) {
    const BlockId b = block_of(f, v);
    std::vector<InstId> store;
    store_to(store, b, slot_of(v), v);
    // Not before the mask of the block.
    auto& insts = f.block(b).insts;
    auto after = insts.begin();
    for (ValueId earlier : {v, f.block(b).mask})
      if (const InstId d = f.def(earlier); d && f.inst(d).block == b)
        after = std::max(after, std::ranges::find(insts, d) + 1);
    if (after == insts.begin())
      before_[b.index].insert(before_[b.index].begin(), store.begin(), store.end());
    else
      insts.insert(after, store.begin(), store.end());
  }

  // At the end of a block that leaves its region: the parameters of the next.
  void store_for_next(BlockId b) {
    for (const Target& t : f.inst(f.terminator(b)).targets) {
      if (!g.is_start(t.block)) continue;
      for (size_t k = 0; k < t.args.size(); ++k) {
        const ValueId p = f.block(t.block).params[k];
        if (!g.differs(p) || f.is_undef(t.args[k]) || webs_->of(p) == kNone) continue;
        if (!stays(t, k, g.region_of(b)))
          store_to(at_end_[b.index], b, slot_of(p), t.args[k]);
        else if (!g.is_incoming(t.args[k]))
          stored_.insert(t.args[k]);
      }
    }
  }
  void drop_incoming() {
    std::vector<bool> doomed(f.value_count());
    for (const Region& r : g.regions())
      for (ValueId p : f.block(r.start()).params) doomed[p.index] = g.differs(p);
    remove_params(f, doomed);
  }

  // --- loops

  struct Front {
    BlockId block;  // before the loop, with the parameters of the region's start
    bool loop = false;
  };

  void make_loops() {
    find_what_others_use();
    Replacements params(f);
    for (const Region& r : g.regions()) {
      Front& front = fronts_[r.start()];
      front.block = g.new_block("waves");
      front.loop = std::ranges::any_of(r.blocks, [&](BlockId b) { return acts(b); });
      for (ValueId p : std::exchange(f.block(r.start()).params, {}))
        params.set(p, f.add_param(front.block, f.type(p)));
    }
    apply_replacements(f, params);
    std::vector<BlockId> layout{f.entry()};
    for (const Region& r : g.regions()) make_loop(r, layout);
    retarget(f.entry());
    f.layout = std::move(layout);
  }
  // Results that are used outside of their region, or by the branch of the group at its end.
  void find_what_others_use() {
    used_by_others_.resize(f.value_count());
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        auto use = [&](ValueId v) {
          const BlockId from = block_of(f, v);
          const bool group = g.is_group_branch(b) && info(inst.op).has(Terminator);
          if (from.valid() && (group || g.region_of(from) != g.region_of(b))) used_by_others_[v.index] = true;
        };
        for (ValueId v : inst.operands) use(v);
        for (const Target& t : inst.targets) std::ranges::for_each(t.args, use);
      }
  }
  bool acts(BlockId b) const {
    return std::ranges::any_of(f.block(b).insts, [&](InstId i) {
      const Effects e = info(f.inst(i).op).effects;
      return e == Effects::Write || e == Effects::CrossLane;
    });
  }
  void retarget(BlockId b) {
    for (Target& t : f.inst(f.terminator(b)).targets)
      if (auto at = fronts_.find(t.block); at != fronts_.end()) t.block = at->second.block;
  }

  void make_loop(const Region& r, std::vector<BlockId>& layout) {
    const BlockId start = r.start();
    const Front& front = fronts_.at(start);
    hoist(r, front.block);
    // The end of an iteration, and what comes after the last one. The parameters of the next region are
    // passed through both.
    const BlockId end = g.new_block("next"), back = g.new_block("back"), done = g.new_block("done");
    ValueList of_end, of_done;
    if (r.exit.valid())
      for (ValueId p : f.block(fronts_.at(r.exit).block).params) {
        of_end.push_back(f.add_param(end, f.type(p)));
        of_done.push_back(f.add_param(done, f.type(p)));
      }
    Builder build(f);
    for (BlockId b : r.blocks) {
      const InstId last = f.terminator(b);
      if (b == r.branch) {
        f.block(b).insts.pop_back();
        f.append(done, last);
        retarget(done);
        build.block = b;
        build.br(end);
      } else if (f.inst(last).targets.empty()) {
        make_jump(f.inst(last), {end, {}});
      } else {
        for (Target& t : f.inst(last).targets)
          if (g.is_start(t.block)) t.block = end;
      }
    }
    layout.push_back(front.block);
    build.block = done;
    if (r.exit.valid())
      build.br(fronts_.at(r.exit).block, of_done);
    else if (!r.branch.valid())
      build.ret();
    if (front.loop && ascending_ && !has_results(r) && ids_decide(f, r.blocks, waves_)) {
      two_copies_ = true;
      const auto waves = copy_for_each_wave(f, g, r.blocks, front.block, end, waves_);
      layout.insert(layout.end(), waves.begin(), waves.end());
      build.block = end;
      build.emit(Op::move_wave, {f.constant(kI64, -uint64_t{waves_ - 1})});
      build.br(done, of_end);
      layout.insert(layout.end(), {end, done});
      return;
    }
    layout.insert(layout.end(), r.blocks.begin(), r.blocks.end());
    BlockId head = start;  // of the loop
    FewLanes copies;
    if (front.loop && !has_results(r)) head = test_borders(r, layout, copies);
    layout.insert(layout.end(), {end, back, done});
    build.block = front.block;
    if (front.loop) {
      const ValueId counter = f.add_param(head, kI64);
      build.br(head, {f.constant(kI64, 0)});
      build.block = end;
      const ValueId next = build.make(Op::add, kI64, {counter, f.constant(kI64, 1)});
      build.emit(Op::move_wave, {f.constant(kI64, 1)});
      build.br_if(build.make(Op::ult, kI1, {next, f.constant(kI64, waves_)}), {head, {next}}, {back, {}});
      build.block = back;
      build.emit(Op::move_wave, {f.constant(kI64, -uint64_t{waves_})});
      build.br(done, of_end);
      if (ascending_ && !has_results(r)) {
        if (end_early(r.blocks, counter, end, done, layout))
          leave_after(copies.first, counter, end, done, layout);
        if (!copies.few.empty()) end_early(copies.few, counter, end, done, layout);
      }
    } else {
      build.br(start);
      build.block = end;
      build.br(back);
      build.block = back;
      build.br(done, of_end);
    }
  }

  std::vector<bool> defined_in(std::span<const BlockId> blocks) const {
    std::vector<bool> defined(f.value_count());
    for (BlockId b : blocks) {
      for (ValueId p : f.block(b).params) defined[p.index] = true;
      for (InstId i : f.block(b).insts)
        for (ValueId v : f.inst(i).results) defined[v.index] = true;
    }
    return defined;
  }

  // What is the same for all waves is computed before the loop.
  void hoist(const Region& r, BlockId front) {
    std::vector<bool> stays = defined_in(r.blocks);
    size_t count = 0;
    auto moves = [&](const Inst& inst, bool first) {
      const OpInfo& row = info(inst.op);
      if (row.effects != Effects::None || inst.results.size() != 1 || count == kMostHoisted) return false;
      const ValueId v = inst.results[0];
      if (g.is_new(v) || g.differs(v) || f.type(v).lane || f.type(v).is_mask()) return false;
      if (!first && row.op_class == OpClass::IntDivision) return false;
      return std::ranges::none_of(inst.operands, [&](ValueId o) { return stays[o.index]; });
    };
    for (BlockId b : r.blocks)
      for (InstId i : std::exchange(f.block(b).insts, {})) {
        if (!moves(f.inst(i), b == r.blocks.front())) {
          f.block(b).insts.push_back(i);
          continue;
        }
        f.append(front, i);
        stays[f.result(i).index] = false;
        ++count;
      }
  }

  // Whether something computed in the loop, the same in each iteration, is used after it.
  bool has_results(const Region& r) const {
    auto used = [&](ValueId v) { return v.index < used_by_others_.size() && used_by_others_[v.index]; };
    return std::ranges::any_of(r.blocks, [&](BlockId b) {
      return std::ranges::any_of(f.block(b).params, used) ||
             std::ranges::any_of(f.block(b).insts,
                                 [&](InstId i) { return std::ranges::any_of(f.inst(i).results, used); });
    });
  }

  // Copies of a region for waves with few lanes (few_lanes.h).
  struct FewLanes {
    std::vector<BlockId> few, first;  // the latter of several copies
  };

  // A second copy of the region for waves that are inside of all its borders (borders.h), perhaps others for
  // waves with few lanes (few_lanes.h), and tests before all. Returns the first of these, or the start
  // where there are no borders.
  BlockId test_borders(const Region& r, std::vector<BlockId>& layout, FewLanes& made_for) {
    const BlockId start = r.start();
    size_t count = 0;
    for (BlockId b : r.blocks) count += f.block(b).insts.size();
    if (count > kMostCopied) return start;
    const std::vector<bool> inside = defined_in(r.blocks);
    const auto given = [&](ValueId v) { return v.index >= inside.size() || !inside[v.index]; };
    std::vector<Border> borders = find_borders(f, r.blocks, given);
    if (borders.empty()) return start;
    const Lists<InstId> users = users_of(f, r.blocks);
    for (Border& b : borders)
      if (!b.id && f.inst(b.inst).op != Op::eq && lets_lanes_in(f.result(b.inst), users)) b.truth = true;
    std::vector<BlockId> copies, tests;
    for (size_t k = 0; k < r.blocks.size(); ++k) copies.push_back(g.new_block("inside"));
    for (size_t k = 0; k < borders.size(); ++k) tests.push_back(g.new_block("border"));
    copy_inside(f, r.blocks, copies, borders);
    Builder build(f);
    ValueMap made;
    auto here = [&](auto&& self, ValueId v) -> ValueId {
      if (given(v)) return v;
      if (const auto at = made.find(v.index); at != made.end()) return at->second;
      ValueList operands;
      for (ValueId o : ValueList(f.inst(f.def(v)).operands)) operands.push_back(self(self, o));
      const InstId i = copy_with(f, f.def(v), std::move(operands));
      f.append(build.block, i);
      return made[v.index] = f.result(i);
    };
    auto begin = [&](BlockId block, const Border& border) {
      build.block = block, build.loc = f.inst(border.inst).loc;
      made.clear();
    };
    BlockId others = start;  // where waves that are not inside go on
    if (const Border* bound = count <= kMostWithFewLanes ? bound_of(borders, users) : nullptr) {
      std::vector<BlockId>& few = made_for.few;
      for (size_t k = 0; k < r.blocks.size(); ++k) few.push_back(g.new_block("few"));
      copy_for_few_lanes(f, r.blocks, few, f.result(bound->inst), users, lanes_of_one_vector());
      BlockId test = others = g.new_block("few");
      begin(test, *bound);
      const auto lanes = ascending_ ? find_first_lanes(f, *bound, r.blocks, users, g.all()) : std::nullopt;
      if (lanes)
        for (unsigned n = f.width / 2; n != 0; n /= 2) {
          if (f.is_const(lanes->bound) && (f.value(lanes->bound).bits - n) % f.width != 0) continue;
          std::vector<BlockId> copies;
          for (size_t k = 0; k < r.blocks.size(); ++k) copies.push_back(g.new_block("first"));
          copy_inside(f, r.blocks, copies, {},
                      {{lanes->mask.index, f.constant(kMask, (uint64_t{1} << n) - 1)}});
          const ValueId these = are_first(build, here(here, lanes->id), here(here, lanes->bound), n);
          const BlockId next = g.new_block("few");
          build.br_if(these, {copies.front(), {}}, {next, {}});
          layout.push_back(std::exchange(test, next));
          layout.insert(layout.end(), copies.begin(), copies.end());
          made_for.first.insert(made_for.first.end(), copies.begin(), copies.end());
          begin(test, *bound);
        }
      const ValueId upper = f.constant(kMask, all_lanes() & ~lanes_of_one_vector()),
                    mask = build.make(Op::mask_cond, kMask, {upper, here(here, f.result(bound->inst))});
      build.br_if(build.make(Op::any, kI1, {mask}), {start, {}}, {few.front(), {}});
      layout.push_back(test);
      layout.insert(layout.end(), few.begin(), few.end());
    }
    for (size_t k = 0; k < borders.size(); ++k) {
      begin(tests[k], borders[k]);
      const ValueId outside = is_outside(build, borders[k], [&](ValueId v) { return here(here, v); });
      build.br_if(outside, {others, {}}, {k + 1 < tests.size() ? tests[k + 1] : copies.front(), {}});
    }
    layout.insert(layout.end(), tests.begin(), tests.end());
    layout.insert(layout.end(), copies.begin(), copies.end());
    two_copies_ = true;
    return tests.front();
  }

  uint64_t all_lanes() const { return ~uint64_t{0} >> (64 - f.width); }
  uint64_t lanes_of_one_vector() const { return ~uint64_t{0} >> (64 - vector_lanes_); }

  // The bound of the ids of lanes that go on, where waves have several vectors.
  const Border* bound_of(std::span<const Border> borders, const Lists<InstId>& users) const {
    if (f.width <= vector_lanes_) return nullptr;
    const auto at = std::ranges::find_if(borders, [&](const Border& b) {
      return b.below && f.type(f.result(b.inst)).lane && !masks_of(f, f.result(b.inst), users).empty();
    });
    return at == borders.end() ? nullptr : &*at;
  }
  // Whether the comparison is one of the conditions under which lanes go on.
  bool lets_lanes_in(ValueId v, const Lists<InstId>& users) const { return !masks_of(f, v, users).empty(); }

  // `if (id < n)`, and nothing else: after the first wave without such a lane there are no others.
  bool end_early(std::span<const BlockId> blocks, ValueId counter, BlockId end, BlockId done,
                 std::vector<BlockId>& layout) {
    const BlockId start = blocks.front();
    if (acts(start)) return false;
    Inst& last = f.inst(f.terminator(start));
    if (last.op != Op::br_if || !ends_with_the_first(last.operands[0])) return false;
    Target idle = last.targets[1];
    const std::vector<bool> stays = defined_in(blocks);
    while (idle.block != end) {
      const auto& insts = f.block(idle.block).insts;
      if (insts.size() != 1 || f.inst(insts[0]).op != Op::br || !f.block(idle.block).params.empty())
        return false;
      idle = f.inst(insts[0]).targets[0];
    }
    if (std::ranges::any_of(idle.args, [&](ValueId v) { return stays[v.index]; })) return false;
    last.targets[1] = {leave(counter, done, idle.args, layout), {}};
    return true;
  }
  // What the first lanes of a wave did is the last of the region, where end_early holds. These blocks are no
  // longer in the loop over waves, but still of one wave.
  void leave_after(std::span<const BlockId> blocks, ValueId counter, BlockId end, BlockId done,
                   std::vector<BlockId>& layout) {
    const std::vector<bool> stays = defined_in(blocks);
    for (BlockId b : blocks)
      for (size_t k = 0; k < f.successors(b).size(); ++k) {
        const Target t = f.successors(b)[k];
        if (t.block != end || std::ranges::any_of(t.args, [&](ValueId v) { return stays[v.index]; }))
          continue;
        const BlockId early = leave(counter, done, t.args, layout);
        f.inst(f.terminator(b)).targets[k] = {early, {}};
      }
  }
  // A block that leaves the loop.
  BlockId leave(ValueId counter, BlockId done, const ValueList& args, std::vector<BlockId>& layout) {
    const BlockId early = g.new_block("early");
    layout.insert(layout.end() - 1, early);
    Builder build(f);
    build.block = early;
    build.emit(Op::move_wave, {build.make(Op::sub, kI64, {f.constant(kI64, 0), counter})});
    build.br(done, args);
    return early;
  }
  bool ends_with_the_first(ValueId condition) const {
    auto def = [&](ValueId v, Op op) -> const Inst* {
      const InstId d = f.def(v);
      return d && f.inst(d).op == op ? &f.inst(d) : nullptr;
    };
    const Inst* any = def(condition, Op::any);
    if (!any) return false;
    const Inst* part = def(any->operands[0], Op::mask_and);  // of waves with few lanes
    const bool few = part && f.is_const(part->operands[1]);
    const Inst* lanes = def(few ? part->operands[0] : any->operands[0], Op::mask_cond);
    if (!lanes || lanes->operands[0] != g.all() || !f.def(lanes->operands[1])) return false;
    const Inst& test = f.inst(f.def(lanes->operands[1]));
    if (test.operands.size() != 2) return false;
    const ValueId id = test.operands[0], bound = test.operands[1];
    if (!is_local_id(f, id) || f.type(bound).lane || g.differs(bound)) return false;
    if (test.op == Op::eq) return f.is_const(bound) && f.value(bound).bits == 0;
    return test.op == Op::ult || test.op == Op::ule || test.op == Op::slt || test.op == Op::sle;
  }

  Function& f;
  GroupRegions g;
  const uint32_t waves_;
  const bool ascending_;         // the local ids in x, from wave to wave
  const bool along_x_;           // the lanes of each wave
  const uint32_t vector_lanes_;  // of the machine, 32-bit elements
  // Instructions to come at the start and the end of a block.
  std::vector<std::vector<InstId>> before_, at_end_;
  std::map<std::pair<uint32_t, uint32_t>, ValueId> made_;  // by block and value: its copy there
  std::map<uint32_t, ValueId> original_;                   // by value: what it is a copy of
  std::optional<PhiWebs> webs_;
  std::map<uint32_t, uint64_t> slots_;  // by web: an offset
  std::set<ValueId> stored_;            // in their slots, after their definitions
  size_t slots_at_ = 0;                 // the object with the slots
  uint64_t slots_from_ = 0, slot_bytes_ = 0;
  std::map<BlockId, Front> fronts_;
  std::vector<bool> used_by_others_;  // by value
  bool two_copies_ = false;           // of a region
};

}  // namespace

std::unique_ptr<Function> with_wave_loops(const Function& wave, const LaneLayout& layout,
                                          uint32_t vector_lanes) {
  if (!layout.aligned || wave.width == 1 || wave.reqd_local[0] == 0) return nullptr;
  if (layout.packed && WaveLoops::row_of(wave, layout) % wave.width != 0) return nullptr;
  auto looped = std::make_unique<Function>(wave);
  remove_unreachable_blocks(*looped);
  return WaveLoops(*looped, layout, vector_lanes).run() ? std::move(looped) : nullptr;
}

}  // namespace kc::x64
