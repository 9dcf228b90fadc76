// SPDX-License-Identifier: Apache-2.0
// lower_to_wave: from what one work-item does to what a wave does, with masks as values.
//
// At a divergent branch with primary successor P and post-dominating secondary S, the lanes that take S
// wait in a rejoin mask of S while the wave runs P; S takes them back. Parameters of S become variables
// that each edge updates for the lanes that take it. A value that the wave may compute again while a
// lane waits for the old one is saved for that lane when it starts to wait. Variables are undef outside the
// time of waiting, and become SSA values on the wave's own graph afterwards.
//
// needs: Ssa, Reconverging, NoTraps   gives: Wave
//
//   b: br_if %c -> P, S          b: %s = mask_andnot %exec, (mask_cond %exec, %c); rejoin |= %s
//                           ==>     exec = mask_andnot exec, %s; br_if (any exec) -> P, S
//                                S: exec = mask_or exec, rejoin; rejoin = none
#include "passes/lower_to_wave.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/cfg.h"
#include "ir/check.h"
#include "ir/text.h"
#include "passes/uniformity.h"
#include "passes/wave_hazards.h"

namespace kc {
namespace {

/// The row of wave IR that does for the lanes of a mask what a row of thread IR does for one work-item.
Op lane_form(Op op) {
  static const std::vector<Op> forms = [] {
    std::vector<Op> r;
    for (size_t n = 0; n < kOpCount; ++n)
      r.push_back(find_op(Dialect::Wave, fmt::format("lane_{}", name_of(static_cast<Op>(n)))));
    return r;
  }();
  return forms[static_cast<size_t>(op)];
}

class Lowering {
 public:
  Lowering(const Function& thread, Function& wave, const WaveOptions& options)
      : t(thread),
        w(wave),
        options_(options),
        cfg_(t),
        build_(w),
        uniformity_(analyse_uniformity(t, options.uniformity)),
        plan_(plan_waits(t, cfg_, uniformity_, {options.skip_limit, options.uniform_needs_lanes})),
        map_(t.value_count()),
        blocks_(t.block_count()),
        joins_(t.block_count()),
        lane_vars_(t.value_count()) {}

  void run() {
    w.name = t.name, w.dialect = Dialect::Wave, w.is_kernel = t.is_kernel, w.width = options_.width;
    w.reqd_local = t.reqd_local, w.params = t.params, w.traps = t.traps, w.objects = t.objects;
    for (BlockId b : t.layout)
      if (cfg_.reachable(b)) blocks_[b.index] = w.add_block(t.block(b).hint);
    exec_ = w.add_var("exec", kMask);
    declare_joins();
    declare_kept_values();
    begin_entry();
    // Dominators come first in reverse post-order, so operands are mapped before their uses.
    for (BlockId b : cfg_.rpo) block(b);
  }

 private:
  // A value that is computed again while lanes wait, and where they keep their own.
  struct Saved {
    ValueId value;
    VarId var;
  };
  // A block that lanes wait for: its rejoin mask, one variable for each parameter, and what is saved.
  struct Join {
    VarId rejoin;
    std::vector<VarId> params;
    std::vector<Saved> saved;
  };

  bool divergent(ValueId v) const { return uniformity_.divergent[v.index]; }
  Type wave_type(ValueId v) const { return divergent(v) ? t.type(v).lanes() : t.type(v); }

  void declare_joins() {
    for (const DivergentBranch& d : plan_.branches) {
      if (d.primary == d.secondary) continue;
      Join& join = joins_[d.secondary.index];
      if (join.rejoin) continue;
      join.rejoin = w.add_var("rejoin", kMask);
      for (ValueId p : t.block(d.secondary).params) join.params.push_back(w.add_var("joined", wave_type(p)));
    }
  }

  void declare_kept_values() {
    for (uint32_t i = 0; i < t.value_count(); ++i) {
      ValueId v(i);
      if (plan_.hazards[i].empty()) continue;
      lane_vars_[i] = w.add_var("kept", t.type(v).lanes());
      for (BlockId b : plan_.hazards[i])
        joins_[b.index].saved.push_back({v, w.add_var("saved", t.type(v).lanes())});
    }
  }

  void begin_entry() {
    BlockId entry = t.entry();
    for (ValueId p : t.block(entry).params) map_[p.index] = w.add_param(blocks_[entry.index], t.type(p));
    ValueId lanes = w.add_param(blocks_[entry.index], kMask);
    w.params.push_back({.name = "mask", .hidden = true});
    build_.block = blocks_[entry.index];
    build_.set(exec_, lanes);
    for (const Join& join : joins_)
      if (join.rejoin) build_.set(join.rejoin, none());
  }

  ValueId none() { return w.constant(kMask, 0); }

  void block(BlockId b) {
    build_.block = blocks_[b.index];
    build_.loc = {};
    here_ = b;
    gotten_.clear();
    mask_ = build_.get(exec_);
    const Join& join = joins_[b.index];
    ValueId waited;
    if (join.rejoin) {
      waited = build_.get(join.rejoin);
      mask_ = build_.make(Op::mask_or, kMask, {mask_, waited});
      build_.set(join.rejoin, none());
      build_.set(exec_, mask_);
    }
    w.block(blocks_[b.index]).mask = mask_;
    for (const Saved& s : join.saved) {
      VarId kept = lane_vars_[s.value.index];
      build_.set(kept, merge(waited, take(s.var), build_.get(kept)));
    }
    if (b != t.entry()) {
      const auto& params = t.block(b).params;
      for (size_t i = 0; i < params.size(); ++i)
        map_[params[i].index] =
            join.rejoin ? take(join.params[i]) : w.add_param(blocks_[b.index], wave_type(params[i]));
    }
    for (ValueId p : t.block(b).params) keep(p);
    for (InstId i : t.block(b).insts) {
      build_.loc = t.inst(i).loc;
      if (info(t.inst(i).op).has(Terminator))
        terminator(b, t.inst(i));
      else
        instruction(t.inst(i));
    }
  }

  /// The lanes that compute a value see it in its variable from here on.
  void keep(ValueId v) {
    if (lane_vars_[v.index]) build_.set(lane_vars_[v.index], lanes(map_[v.index]));
  }

  /// Reads a variable for the last time: nobody waits with it any more.
  ValueId take(VarId var) {
    ValueId v = build_.get(var);
    build_.set(var, w.undef(w.vars[var.index].type));
    return v;
  }

  ValueId merge(ValueId mask, ValueId fresh, ValueId old) {
    return build_.make(Op::merge, w.type(fresh), {mask, fresh, old});
  }

  /// The wave value to use for v in the current block.
  ValueId use(ValueId v) {
    if (t.is_const(v)) return w.constant(t.type(v), t.value(v).bits);
    if (t.is_undef(v)) return w.undef(t.type(v));
    if (lane_vars_[v.index] && plan_.uses_kept(v, here_)) {
      auto [it, fresh] = gotten_.try_emplace(v, ValueId());
      if (fresh) it->second = build_.get(lane_vars_[v.index]);
      return it->second;
    }
    KC_CHECK(map_[v.index].valid(), "lower_to_wave: operand without a definition in @{}", t.name);
    return map_[v.index];
  }

  ValueId lanes(ValueId v) {
    const Value& value = w.value(v);
    if (value.type.lane) return v;
    if (value.kind == ValueKind::Const) return w.constant(value.type.lanes(), value.bits);
    if (value.kind == ValueKind::Undef) return w.undef(value.type.lanes());
    return build_.make(Op::splat, value.type.lanes(), {v});
  }

  void instruction(const Inst& inst) {
    const OpInfo& row = info(inst.op);
    std::vector<ValueId> operands;
    bool any_lane = false;
    for (ValueId v : inst.operands) {
      operands.push_back(use(v));
      any_lane |= w.type(operands.back()).lane;
    }
    if (row.effects == Effects::Write) return effect(inst, std::move(operands));
    ValueId result = inst.results[0];
    Type type = t.type(result);
    ValueId made;
    if (inst.op == Op::load) {
      // Equal offsets of private memory are another place in every lane.
      if (t.type(inst.operands[0]) == kPtrPrivate) operands[0] = lanes(operands[0]), any_lane = true;
      made = any_lane ? build_.make(Op::lane_load, type.lanes(), {mask_, operands[0]}, {inst.attrs[0]})
                      : build_.make(Op::uniform_load, type, {operands[0]}, {inst.attrs[0]});
    } else {
      KC_CHECK(row.dialects & InWave, "lower_to_wave: '{}' in @{} has no wave form", row.name, t.name);
      bool lane = any_lane || (row.has(LaneSource) && divergent(result));
      made = build_.make(inst.op, lane ? type.lanes() : type, std::move(operands),
                         {inst.attrs[0], inst.attrs[1], inst.attrs[2], inst.attrs[3]});
    }
    // A cycle with divergent entries makes even its uniform computations differ between lanes.
    map_[result.index] = divergent(result) ? lanes(made) : made;
    keep(result);
  }

  /// Stores and atomic operations are done by the lanes of the mask; others are done by the wave.
  void effect(const Inst& inst, std::vector<ValueId> operands) {
    const OpInfo& row = info(inst.op);
    std::vector<Type> types;
    for (ValueId r : inst.results) types.push_back(t.type(r).lanes());
    Op op = inst.op;
    if (!(row.dialects & InWave)) {
      op = lane_form(op);
      for (ValueId& v : operands) v = lanes(v);
      operands.insert(operands.begin(), mask_);
    }
    InstId made = w.create(op, std::move(operands), types, inst.loc);
    w.inst(made).attrs = inst.attrs;
    w.append(build_.block, made);
    if (inst.results.empty()) return;
    map_[inst.results[0].index] = w.result(made);
    keep(inst.results[0]);
  }

  /// Passes an edge's values for the lanes in `mask`: into the variables of a join, or as arguments.
  std::vector<ValueId> pass(const Target& edge, ValueId mask) {
    const Join& join = joins_[edge.block.index];
    const auto& params = t.block(edge.block).params;
    std::vector<ValueId> args, values;
    for (ValueId a : edge.args) values.push_back(use(a));
    for (size_t i = 0; i < params.size(); ++i) {
      Type want = wave_type(params[i]);
      KC_CHECK(want.lane || !w.type(values[i]).lane,
               "lower_to_wave: a lane value reaches uniform parameter {} of block {} in @{}", i,
               edge.block.index, t.name);
      ValueId v = want.lane ? lanes(values[i]) : values[i];
      if (!join.rejoin)
        args.push_back(v);
      else if (w.is_undef(v))
        continue;
      else if (want.lane)
        build_.set(join.params[i], merge(mask, v, build_.get(join.params[i])));
      else
        build_.set(join.params[i], v);
    }
    return args;
  }

  Target wave_target(const Target& edge, ValueId mask) {
    return {blocks_[edge.block.index], pass(edge, mask)};
  }

  void terminator(BlockId b, const Inst& inst) {
    if (uniformity_.divergent_branch[b.index]) return divergent_terminator(b, inst);
    std::vector<ValueId> operands;
    for (ValueId v : inst.operands) operands.push_back(use(v));
    InstId made = w.create(inst.op, std::move(operands), {}, inst.loc);
    std::vector<Target> targets;
    BlockId end = build_.block;
    for (const Target& edge : inst.targets) {
      // Variables of a join are set on the edge itself when the block has other edges.
      bool split = inst.targets.size() > 1 && joins_[edge.block.index].rejoin && !edge.args.empty();
      if (!split) {
        targets.push_back(wave_target(edge, mask_));
        continue;
      }
      build_.block = w.add_block("edge");
      w.block(build_.block).mask = mask_;
      auto saved = std::move(gotten_);  // values fetched on one edge are not available on another
      gotten_ = saved;
      targets.push_back({build_.block, {}});
      build_.br(blocks_[edge.block.index], wave_target(edge, mask_).args);
      gotten_ = std::move(saved);
      build_.block = end;
    }
    w.inst(made).targets = std::move(targets);
    w.append(end, made);
  }

  void divergent_terminator(BlockId b, const Inst& inst) {
    const DivergentBranch& d = plan_.branches[plan_.branch_of[b.index]];
    KC_CHECK(inst.op == Op::br_if, "lower_to_wave: divergent '{}' in @{}", info(inst.op).name, t.name);
    ValueId condition = lanes(use(inst.operands[0]));
    ValueId taken = build_.make(Op::mask_cond, kMask, {mask_, condition});
    ValueId others = build_.make(Op::mask_andnot, kMask, {mask_, taken});
    const Target &yes = inst.targets[0], &no = inst.targets[1];
    if (d.primary == d.secondary) {
      // One successor: only the values it is given differ.
      const auto& params = t.block(d.primary).params;
      if (joins_[d.primary.index].rejoin) {
        pass(yes, taken), pass(no, others);
        build_.br(blocks_[d.primary.index]);
        return;
      }
      std::vector<ValueId> args, a = pass(yes, taken), c = pass(no, others);
      for (size_t i = 0; i < params.size(); ++i)
        args.push_back(w.type(a[i]).lane ? merge(taken, a[i], c[i]) : a[i]);
      build_.br(blocks_[d.primary.index], std::move(args));
      return;
    }
    bool secondary_is_yes = yes.block == d.secondary;
    const Target &to_primary = secondary_is_yes ? no : yes, &to_secondary = secondary_is_yes ? yes : no;
    ValueId waiting = secondary_is_yes ? taken : others, going = secondary_is_yes ? others : taken;
    pass(to_secondary, waiting);
    for (const Saved& saved : joins_[d.secondary.index].saved)
      build_.set(saved.var, merge(waiting, lanes(use(saved.value)), build_.get(saved.var)));
    VarId rejoin = joins_[d.secondary.index].rejoin;
    build_.set(rejoin, build_.make(Op::mask_or, kMask, {build_.get(rejoin), waiting}));
    build_.set(exec_, going);
    Target primary = wave_target(to_primary, going);
    if (!d.skip) {
      build_.br(primary.block, std::move(primary.args));
      return;
    }
    ValueId some = build_.make(Op::any, kI1, {going});
    build_.br_if(some, std::move(primary), {blocks_[d.secondary.index], {}});
  }

  const Function& t;
  Function& w;
  const WaveOptions& options_;
  Cfg cfg_;
  Builder build_;
  Uniformity uniformity_;
  WaitPlan plan_;
  std::vector<ValueId> map_;      // thread value -> wave value at its definition
  std::vector<BlockId> blocks_;   // thread block -> wave block
  std::vector<Join> joins_;       // by thread block; a rejoin variable marks blocks that lanes wait for
  std::vector<VarId> lane_vars_;  // by thread value: what each lane last computed
  std::map<ValueId, ValueId> gotten_;
  VarId exec_;
  ValueId mask_;  // the current block's mask
  BlockId here_;  // the current thread block
};

}  // namespace

std::string check_lower_to_wave(const Function& thread) {
  for (BlockId b : thread.layout)
    for (InstId i : thread.block(b).insts) {
      const Inst& inst = thread.inst(i);
      const OpInfo& row = info(inst.op);
      if (!(row.dialects & InWave) && !row.expand && inst.op != Op::trap && lane_form(inst.op) == Op::Count_)
        return fmt::format("'{}' at line {} has no wave form yet; --target=interp runs it", row.name,
                           inst.loc.line);
    }
  return "";
}

std::unique_ptr<Function> lower_to_wave(const Function& thread, const WaveOptions& options) {
  auto wave = std::make_unique<Function>();
  Lowering(thread, *wave, options).run();
  return wave;
}

}  // namespace kc
