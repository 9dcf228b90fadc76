// SPDX-License-Identifier: Apache-2.0
// lower_to_wave: from the code of one work-item to the code of a wave, with masks as values.
//
// At a divergent branch with primary successor P and post-dominating secondary S, the lanes that take S wait
// in a rejoin mask of S while the wave runs P; S adds them again. Parameters of S become variables that each
// edge updates for its lanes. A value that the wave may recompute while a lane waits for the old one is saved
// for that lane when it starts to wait. Variables are undef outside of waiting times; mem2reg makes SSA
// values of them.
//
// In a wave of one lane nothing diverges: it branches, and accesses memory, as the work-item does.
//
// Needs ThreadForm, Ssa, NoTraps, NoObjects, Expanded, NoSubGroups, Reconverging; gives WaveForm; kills
// ThreadForm, Ssa, Reconverging, Structured.
//
//   b: br_if %c -> P, S          b: %s = mask_andnot %exec, (mask_cond %exec, %c); rejoin |= %s
//                           ==>     exec = mask_andnot exec, %s; br_if (any exec) -> P, S
//                                S: exec = mask_or exec, rejoin; rejoin = none
#include "passes/lower/lower_to_wave.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ir/cfg.h"
#include "ir/check.h"
#include "ir/parameters.h"
#include "ir/text.h"
#include "passes/analysis/lane_liveness.h"
#include "passes/analysis/mutually_exclusive.h"
#include "passes/analysis/uniformity.h"

namespace kc {
namespace {

class WaveLowering {
 public:
  WaveLowering(const Function& thread, Function& wave, const WaveOptions& options, AnalysisCache& analyses)
      : t(thread),
        w(wave),
        options_(options),
        cfg_(analyses.cfg()),
        tree_(analyses.dominators()),
        build_(w),
        uniformity_(analyses.uniformity()),
        waits_(plan_reconvergence_points(t, cfg_, tree_, uniformity_,
                                         {options.costs, options.uniform_needs_lanes})),
        plan_(t, cfg_, uniformity_, waits_),
        exclusive_(t, cfg_, tree_, flags()),
        map_(t.value_count()),
        blocks_(t.block_count()),
        masks_(t.block_count()),
        entry_masks_(t.block_count()),
        joins_(t.block_count()) {}

  void run() {
    w.name = t.name, w.dialect = Dialect::Wave, w.is_kernel = t.is_kernel, w.width = options_.width;
    w.reqd_local = t.reqd_local, w.reqd_sub_group = t.reqd_sub_group, w.params = t.params, w.traps = t.traps,
    w.objects = t.objects, w.files = t.files;
    for (BlockId b : t.layout)
      if (cfg_.reachable(b)) blocks_[b.index] = w.add_block(t.block(b).hint);
    exec_ = w.add_var("exec", kMask);
    for (const LaneVariable& v : plan_.variables) {
      vars_.push_back(w.add_var(v.mask ? "flags" : "lanes", v.mask ? kMask : v.type.lanes()));
      touched_.emplace_back();
    }
    declare_joins();
    begin_entry();
    // In reverse post-order dominators come first, so operands are mapped before their uses.
    for (BlockId b : cfg_.rpo) block(b);
    limit_lifetimes();
  }

 private:
  // A reconvergence point: its rejoin mask, unless another block's mask serves, and a variable for each
  // uniform parameter.
  struct Join {
    VarId rejoin;
    std::vector<VarId> params;
  };
  // An edge's update of a lane variable, for the lanes that take the edge.
  struct Write {
    uint32_t variable;
    ValueId value;  // per lane; for a boolean, the mask of lanes where it is true
  };
  struct Edge {
    BlockId to;
    ValueId mask;
    std::vector<uint32_t> drops;  // flags that may be true and that only other lanes need
    std::vector<Write> writes;
    ValueList args;  // for uniform parameters
  };

  bool divergent(ValueId v) const { return uniformity_.divergent[v.index]; }
  bool one_lane() const { return w.width == 1; }
  std::vector<bool> flags() const {
    std::vector<bool> set(t.value_count());
    for (uint32_t v = 0; v < t.value_count(); ++v) set[v] = is_flag(plan_.variable(ValueId(v)));
    return set;
  }
  bool is_flag(uint32_t variable) const { return variable != kNone && plan_.variables[variable].mask; }
  ValueId none() { return w.constant(kMask, 0); }
  ValueId boolean(bool b) { return w.constant(kI1.lanes(), b); }

  void declare_joins() {
    for (BlockId b : cfg_.rpo) {
      if (!waits_.waited_for(b)) continue;
      Join& join = joins_[b.index];
      if (waits_.same_lanes[b.index].kind == SameLanes::Nowhere) join.rejoin = w.add_var("rejoin", kMask);
      for (ValueId p : t.block(b).params)
        join.params.push_back(divergent(p) ? VarId() : w.add_var("joined", t.type(p)));
    }
  }

  void begin_entry() {
    BlockId entry = t.entry();
    for (ValueId p : t.block(entry).params) map_[p.index] = w.add_param(blocks_[entry.index], t.type(p));
    const ValueId lanes = add_hidden_parameter(w, ParamRole::EntryMask);
    build_.block = blocks_[entry.index];
    build_.set(exec_, lanes);
    for (const Join& join : joins_)
      if (join.rejoin) build_.set(join.rejoin, none());
  }

  void block(BlockId b) {
    build_.block = blocks_[b.index];
    build_.loc = {};
    here_ = b;
    gotten_.clear();
    mask_ = begin_mask(b);
    masks_[b.index] = w.block(blocks_[b.index]).mask = mask_;
    if (b != t.entry()) begin_params(b);
    for (ValueId p : t.block(b).params) keep(p);
    for (InstId i : t.block(b).insts) {
      build_.loc = t.inst(i).loc;
      if (info(t.inst(i).op).has(Terminator))
        terminator(b, t.inst(i));
      else
        instruction(t.inst(i));
    }
  }

  ValueId begin_mask(BlockId b) {
    if (!waits_.waited_for(b)) return build_.get(exec_);
    ValueId mask;
    if (SameLanes same = waits_.same_lanes[b.index]; same.kind == SameLanes::Block) {
      mask = masks_[same.block.index];
    } else if (same.kind == SameLanes::Entry) {
      mask = entry_masks_[same.block.index];
    } else {
      VarId rejoin = joins_[b.index].rejoin;
      mask = build_.make(Op::mask_or, kMask, {build_.get(exec_), build_.get(rejoin)});
      build_.set(rejoin, none());
    }
    build_.set(exec_, mask);
    return mask;
  }

  void begin_params(BlockId b) {
    const Join& join = joins_[b.index];
    const auto& params = t.block(b).params;
    for (size_t i = 0; i < params.size(); ++i) {
      ValueId p = params[i];
      if (divergent(p)) continue;  // in a lane variable, if it is used
      if (waits_.waited_for(b)) {
        map_[p.index] = build_.get(join.params[i]);
        build_.set(join.params[i], w.undef(t.type(p)));
      } else {
        map_[p.index] = w.add_param(blocks_[b.index], t.type(p));
      }
    }
  }

  /// Sets each lane variable to undef, or to the empty mask, in the nearest block that dominates all its
  /// definitions and uses and in which it is dead, so that it is not carried around outer cycles.
  void limit_lifetimes() {
    auto needed = [&](uint32_t variable, BlockId b) {
      return plan_.variables[variable].waits_at(waits_.position[b.index]) || plan_.is_live_in(variable, b);
    };
    for (uint32_t n = 0; n < vars_.size(); ++n) {
      BlockId b = touched_[n];
      if (!b.valid()) continue;
      while (b != t.entry() && needed(n, b)) b = tree_.idom[b.index];
      Type type = w.vars[vars_[n].index].type;
      InstId set = w.create(Op::var_set, {is_flag(n) ? none() : w.undef(type)}, {});
      w.inst(set).attrs[0] = vars_[n].index;
      w.insert(blocks_[b.index], 0, set);
    }
  }

  void touch(uint32_t variable) {
    BlockId& d = touched_[variable];
    d = d.valid() ? tree_.nearest_common(d, here_) : here_;
  }
  ValueId get(uint32_t variable) {
    touch(variable);
    return build_.get(vars_[variable]);
  }
  void set(uint32_t variable, ValueId v) {
    touch(variable);
    build_.set(vars_[variable], v);
  }
  bool waits_here(uint32_t variable) const {
    return plan_.variables[variable].waits_at(waits_.position[here_.index]);
  }

  /// Writes a lane variable for the lanes of a mask; the other lanes keep theirs if `shared`. A flag that is
  /// `fresh` is false in the lanes of the mask.
  void write(const Write& write, ValueId mask, bool shared, bool fresh) {
    ValueId v = write.value;
    if (shared && is_flag(write.variable)) {
      ValueId old = get(write.variable);
      if (!fresh) old = build_.make(Op::mask_andnot, kMask, {old, mask});
      v = w.is_const(v) && !w.value(v).bits ? old : build_.make(Op::mask_or, kMask, {old, v});
    } else if (shared) {
      v = build_.make(Op::blend, w.type(v), {mask, v, get(write.variable)});
    }
    set(write.variable, v);
  }

  /// Stores a computed value in its lane variable.
  void keep(ValueId v) {
    uint32_t variable = plan_.variable(v);
    if (plan_.kept(v) != kNone) {
      write({plan_.kept(v), lanes(map_[v.index])}, mask_, true, true);
    } else if (variable != kNone && t.value(v).kind == ValueKind::Result) {
      ValueId value = map_[v.index];
      if (is_flag(variable)) value = build_.make(Op::mask_cond, kMask, {mask_, value});
      write({variable, value}, mask_, waits_here(variable), !plan_.is_live_in(variable, here_));
    }
  }

  /// The wave value that stands for v in the current block.
  ValueId use(ValueId v) {
    if (t.is_const(v)) return w.constant(t.type(v), t.value(v).bits);
    if (t.is_undef(v)) return w.undef(t.type(v));
    if (plan_.kept(v) != kNone && plan_.uses_kept(v, here_)) return current(plan_.kept(v));
    if (plan_.variable(v) != kNone && !computed_here(v)) return current(plan_.variable(v));
    KC_CHECK(map_[v.index].valid(), "lower_to_wave: operand without a definition in @{}", t.name);
    return map_[v.index];
  }
  bool computed_here(ValueId v) const {
    return t.value(v).kind == ValueKind::Result && block_of(t, v) == here_;
  }
  /// The content of a lane variable, read once per block: later writes in the block are for another value of
  /// the variable, and by then this one is dead.
  ValueId current(uint32_t variable) {
    auto [it, fresh] = gotten_.try_emplace(variable, ValueId());
    if (fresh) {
      it->second = get(variable);
      if (is_flag(variable))
        it->second = build_.make(Op::blend, kI1.lanes(), {it->second, boolean(true), boolean(false)});
    }
    return it->second;
  }
  /// The lanes of a mask for which the boolean v is true.
  ValueId where(ValueId v, ValueId mask) {
    if (t.is_const(v)) return t.value(v).bits ? mask : none();
    if (t.is_undef(v)) return none();
    if (is_flag(plan_.variable(v)) && !computed_here(v))
      return build_.make(Op::mask_and, kMask, {mask, get(plan_.variable(v))});
    return build_.make(Op::mask_cond, kMask, {mask, lanes(use(v))});
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
    ValueList operands;
    bool any_lane = false;
    for (ValueId v : inst.operands) {
      operands.push_back(use(v));
      any_lane |= w.type(operands.back()).lane;
    }
    if (row.effects == Effects::Write) return effect(inst, std::move(operands));
    if (row.effects == Effects::CrossLane) return meet(inst, operands);
    ValueId result = inst.results[0];
    Type type = t.type(result);
    ValueId made;
    if (inst.op == Op::load) {
      // Equal offsets into private memory are different addresses in each lane.
      if (t.type(inst.operands[0]) == kPtrPrivate && !one_lane())
        operands[0] = lanes(operands[0]), any_lane = true;
      made = any_lane ? build_.make(Op::lane_load, type.lanes(), {mask_, operands[0]}, {inst.attrs[0]})
                      : build_.make(Op::uniform_load, type, {operands[0]}, {inst.attrs[0]});
    } else if (inst.op == Op::sub_group_local_id) {
      made = one_lane() ? w.constant(kI32, 0) : build_.make(Op::lane_id, kI32.lanes(), {});
    } else {
      KC_CHECK(row.dialects & InWave, "lower_to_wave: '{}' in @{} has no wave form", row.name, t.name);
      bool lane = any_lane || (row.has(LaneSource) && divergent(result));
      made = build_.make(inst.op, lane ? type.lanes() : type, std::move(operands),
                         {inst.attrs[0], inst.attrs[1], inst.attrs[2], inst.attrs[3]});
    }
    // In a cycle with divergent entries even uniform computations differ between lanes.
    define(result, made);
  }
  void define(ValueId result, ValueId made) {
    map_[result.index] = divergent(result) ? lanes(made) : made;
    keep(result);
  }

  /// Convergent operations on the lanes of the mask. A block with one is skipped if no lane is active.
  void meet(const Inst& inst, const ValueList& operands) {
    ValueId result = inst.results[0];
    Type type = t.type(result);
    // only needed until convergence is fixed
    if (inst.op == Op::opaque_false) return define(result, w.constant(kI1, 0));
    if (one_lane()) return define(result, among_one_lane(inst, operands));
    if (inst.op == Op::ballot)
      return define(result, build_.make(Op::mask_bits, kI64, {where(inst.operands[0], mask_)}));
    ValueId value = lanes(operands[0]);
    if (inst.op == Op::broadcast_first)
      return define(result, build_.make(Op::first_lane, type, {mask_, value}));
    KC_CHECK(inst.op == Op::shuffle, "lower_to_wave: '{}' in @{} has no wave form", info(inst.op).name,
             t.name);
    if (w.type(operands[1]).lane)
      return define(result, build_.make(Op::lane_shuffle, type.lanes(), {mask_, value, operands[1]}));
    ValueId equal =
        build_.make(Op::eq, kI1.lanes(), {build_.make(Op::lane_id, kI32.lanes(), {}), operands[1]});
    ValueId there = build_.make(Op::mask_cond, kMask, {mask_, equal});
    ValueId any = build_.make(Op::any, kI1, {there});
    ValueId none = build_.make(Op::xor_, kI1, {any, w.constant(kI1, 1)});
    // Needs an active lane to read, also if the requested one is inactive.
    ValueId asked = build_.make(Op::mask_or, kMask, {there, build_.make(Op::mask_if, kMask, {mask_, none})});
    ValueId first = build_.make(Op::first_lane, type, {asked, value});
    define(result, build_.make(Op::select, type, {any, first, w.constant(type, 0)}));
  }

  /// A convergent operation where the only lane is active.
  ValueId among_one_lane(const Inst& inst, const ValueList& operands) {
    const Type type = t.type(inst.results[0]);
    if (inst.op == Op::ballot) return build_.make(Op::zext, kI64, {operands[0]});
    if (inst.op == Op::broadcast_first) return operands[0];
    KC_CHECK(inst.op == Op::shuffle, "lower_to_wave: '{}' in @{} has no wave form", info(inst.op).name,
             t.name);
    ValueId itself = build_.make(Op::eq, kI1, {operands[1], w.constant(kI32, 0)});
    return build_.make(Op::select, type, {itself, operands[0], w.constant(type, 0)});
  }

  /// Stores and atomic operations execute for the lanes of the mask, other effects for the wave.
  void effect(const Inst& inst, ValueList operands) {
    const OpInfo& row = info(inst.op);
    const bool once = one_lane() && row.uniform != Op::Count_;
    std::vector<Type> types;
    for (ValueId r : inst.results) types.push_back(once ? t.type(r) : t.type(r).lanes());
    Op op = inst.op == Op::sub_group_barrier ? Op::fence : inst.op;  // a wave executes in order
    if (once) {
      op = row.uniform;
    } else if (!(info(op).dialects & InWave)) {
      op = row.lanes;
      KC_CHECK(op != Op::Count_, "lower_to_wave: '{}' in @{} has no wave form", row.name, t.name);
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

  /// Whether an argument changes the lane variable of a divergent parameter.
  bool writes(ValueId p, ValueId a) const {
    uint32_t variable = plan_.variable(p);
    if (t.is_undef(a)) return flags_here_.contains(variable);  // a flag that is true would stay true
    return variable != kNone && (t.is_const(a) || plan_.variable(a) != variable);
  }

  /// The updates on an edge for the lanes of `mask`. Reads only: the values are those before any edge.
  Edge edge(const Inst& inst, const Target& target, ValueId mask) {
    Edge e{.to = target.block, .mask = mask, .drops = {}, .writes = {}, .args = {}};
    if (!uniformity_.cycles.leads_to_header(here_.index, target.block.index))
      entry_masks_[target.block.index] = mask;
    const auto& params = t.block(target.block).params;
    for (size_t i = 0; i < params.size(); ++i) {
      ValueId p = params[i], a = target.args[i];
      if (!divergent(p)) {
        e.args.push_back(use(a));
        KC_CHECK(!w.type(e.args.back()).lane,
                 "lower_to_wave: a lane value reaches uniform parameter {} of block {} in @{}", i,
                 target.block.index, t.name);
      } else if (writes(p, a)) {
        uint32_t variable = plan_.variable(p);
        e.writes.push_back({variable, is_flag(variable) ? where(a, mask) : lanes(use(a))});
      }
    }
    for (auto [flag, value] : flags_here_)
      if (must_drop(inst, target, flag, value)) e.drops.push_back(flag);
    return e;
  }

  /// Performs the updates of an edge. `other` is the edge of the block's other lanes; its own writes come
  /// later if `other_later`.
  void take(Edge& e, const Edge* other, bool other_later) {
    auto others_need = [&](uint32_t variable) {
      if (!other || !plan_.is_live_in(variable, other->to)) return false;
      return !other_later ||
             std::ranges::find(other->writes, variable, &Write::variable) == other->writes.end();
    };
    for (const Write& x : e.writes)
      write(x, e.mask, waits_here(x.variable) || others_need(x.variable), !flags_here_.contains(x.variable));
    if (!waits_.waited_for(e.to)) return;
    size_t next = 0;
    for (VarId var : joins_[e.to.index].params) {
      if (!var) continue;
      ValueId v = e.args[next++];
      if (!w.is_undef(v)) build_.set(var, v);
    }
    e.args.clear();
  }

  /// The flags in use at the end of the current block, with their values.
  void collect_flags() {
    flags_here_.clear();
    auto add = [&](ValueId v) {
      if (is_flag(plan_.variable(v))) flags_here_[plan_.variable(v)] = v;
    };
    for (ValueId v : plan_.live_in(here_)) add(v);
    for (InstId i : t.block(here_).insts)
      for (ValueId v : t.inst(i).results) add(v);
  }
  /// Finds for each edge which flags are live after it: there may be many flags, which are looked up
  /// together.
  void collect_live_flags(const Inst& inst) {
    live_flags_.resize(inst.targets.size());
    for (size_t k = 0; k < inst.targets.size(); ++k) {
      live_flags_[k].clear();
      if (flags_here_.empty()) continue;
      for (ValueId v : plan_.live_in(inst.targets[k].block))
        if (is_flag(plan_.variable(v))) live_flags_[k].push_back(plan_.variable(v));
      std::ranges::sort(live_flags_[k]);
    }
  }
  bool dropped(uint32_t flag, const Inst& inst, const Target& target) const {
    return !std::ranges::binary_search(live_flags_[static_cast<size_t>(&target - inst.targets.data())], flag);
  }
  bool dropped_everywhere(uint32_t flag, const Inst& inst) const {
    return std::ranges::all_of(inst.targets, [&](const Target& s) { return dropped(flag, inst, s); });
  }
  /// Whether the lanes that take this edge must clear a flag: it is dead for them, live for others, and may
  /// be true.
  bool must_drop(const Inst& inst, const Target& target, uint32_t flag, ValueId value) {
    if (!dropped(flag, inst, target) || dropped_everywhere(flag, inst)) return false;
    if (inst.op == Op::br_if &&
        exclusive_.never_both({inst.operands[0], &target != &inst.targets[0]}, {value}))
      return false;
    return !exclusive_.is_false_in({value}, here_);
  }
  void drop(const Edge& e) {
    for (uint32_t flag : e.drops) set(flag, build_.make(Op::mask_andnot, kMask, {get(flag), e.mask}));
  }
  /// Clears the flags that are dead on all edges.
  void drop_rest(const Inst& inst) {
    for (auto [flag, value] : flags_here_)
      if (dropped_everywhere(flag, inst))
        set(flag, waits_here(flag) ? build_.make(Op::mask_andnot, kMask, {get(flag), mask_}) : none());
  }

  void terminator(BlockId b, const Inst& inst) {
    collect_flags();
    collect_live_flags(inst);
    if (uniformity_.divergent_branch[b.index]) return divergent_terminator(b, inst);
    ValueList operands;
    for (ValueId v : inst.operands) operands.push_back(use(v));
    InstId made = w.create(inst.op, std::move(operands), {}, inst.loc);
    std::vector<Edge> edges;
    for (const Target& target : inst.targets) edges.push_back(edge(inst, target, mask_));
    drop_rest(inst);
    BlockId end = build_.block;
    TargetList targets;
    for (Edge& e : edges) targets.push_back(uniform_edge(e, edges.size() > 1));
    build_.block = end;
    w.inst(made).targets = std::move(targets);
    w.append(end, made);
  }

  /// The edge that the wave takes; if it is one of `several`, its updates need a block of their own.
  Target uniform_edge(Edge& e, bool several) {
    bool sets =
        waits_.waited_for(e.to) && std::ranges::any_of(e.args, [&](ValueId v) { return !w.is_undef(v); });
    bool own_block = several && (sets || !e.drops.empty() || !e.writes.empty());
    if (own_block) {
      build_.block = w.add_block("edge");
      w.block(build_.block).mask = mask_;
    }
    drop(e);
    take(e, nullptr, false);
    Target result{blocks_[e.to.index], std::move(e.args)};
    if (!own_block) return result;
    BlockId edge_block = build_.block;
    build_.br(result.block, std::move(result.args));
    return {edge_block, {}};
  }

  void divergent_terminator(BlockId b, const Inst& inst) {
    const DivergentBranch& d = waits_.branches[waits_.branch_of[b.index]];
    KC_CHECK(inst.op == Op::br_if, "lower_to_wave: divergent '{}' in @{}", info(inst.op).name, t.name);
    ValueId taken = where(inst.operands[0], mask_);
    ValueId others = build_.make(Op::mask_andnot, kMask, {mask_, taken});
    bool secondary_is_yes = inst.targets[0].block == d.secondary;
    const Target& to_secondary = inst.targets[secondary_is_yes ? 0 : 1];
    const Target& to_primary = inst.targets[secondary_is_yes ? 1 : 0];
    ValueId waiting = secondary_is_yes ? taken : others, going = secondary_is_yes ? others : taken;
    Edge wait = edge(inst, to_secondary, waiting), go = edge(inst, to_primary, going);
    drop_rest(inst);
    drop(wait), drop(go);
    take(wait, &go, true);
    take(go, &wait, false);
    if (d.primary == d.secondary) {
      // One successor: only the arguments differ, and those of uniform parameters do not.
      for (size_t i = 0; i < go.args.size(); ++i)
        if (w.is_undef(go.args[i])) go.args[i] = wait.args[i];
      build_.br(blocks_[d.primary.index], std::move(go.args));
      return;
    }
    if (VarId rejoin = joins_[d.secondary.index].rejoin)
      build_.set(rejoin, build_.make(Op::mask_or, kMask, {build_.get(rejoin), waiting}));
    build_.set(exec_, going);
    Target primary{blocks_[d.primary.index], std::move(go.args)};
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
  const Cfg& cfg_;
  const DominatorTree& tree_;
  Builder build_;
  const Uniformity& uniformity_;
  ReconvergencePlan waits_;
  LaneLiveness plan_;
  MutuallyExclusive exclusive_;
  std::vector<ValueId> map_;          // thread value -> wave value at its definition
  std::vector<BlockId> blocks_;       // thread block -> wave block
  std::vector<ValueId> masks_;        // by thread block
  std::vector<ValueId> entry_masks_;  // by thread block: lanes that enter by forward edges
  std::vector<Join> joins_;           // by thread block
  std::vector<VarId> vars_;           // by lane variable
  // by lane variable: the nearest common dominator of its definitions and uses
  std::vector<BlockId> touched_;
  std::map<uint32_t, ValueId> gotten_;
  std::map<uint32_t, ValueId> flags_here_;
  std::vector<std::vector<uint32_t>>
      live_flags_;  // by edge of the current block: those live after it, ascending
  VarId exec_;
  ValueId mask_;  // the current block's mask
  BlockId here_;  // the current thread block
};

}  // namespace

std::unique_ptr<Function> lower_to_wave(const Function& thread, const WaveOptions& options,
                                        AnalysisCache& analyses) {
  KC_CHECK(analyses.ids().one_lane() == (options.width == 1), "lower_to_wave: @{} has waves of {} lanes, {}",
           thread.name, options.width,
           options.width > 1 ? "and the analysis is for one" : "and the analysis is for several");
  auto wave = std::make_unique<Function>();
  WaveLowering(thread, *wave, options, analyses).run();
  return wave;
}

}  // namespace kc
