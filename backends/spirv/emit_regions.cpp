// SPDX-License-Identifier: Apache-2.0
// Emission of regions and joins.
#include <algorithm>

#include "backends/spirv/emitter.h"

namespace kc::spirv {

// --- regions

void Emitter::list(const RegionList& regions) {
  for (const Region& r : regions) region(r);
}

void Emitter::region(const Region& r) {
  switch (r.kind) {
    case RegionKind::Block: {
      bind(r.arrival, r.block);
      name_block(current_, r.block, {});
      const auto& insts = f.block(r.block).insts;
      for (size_t i = 0; i + 1 < insts.size(); ++i) instruction(f.inst(insts[i]));
      return place(f.inst(insts.back()).loc);
    }
    case RegionKind::Select:
      return select(r);
    case RegionKind::ExitIf:
      return exit_if(r);
    case RegionKind::Loop:
      return loop(r);
    case RegionKind::Test:
      return test(r);
    case RegionKind::LeaveIf:
      return leave_if(r);
    case RegionKind::LeaveAll:
      return leave_all(r);
    case RegionKind::Jump:
      return jump(r);
    case RegionKind::Return:
      return c.m.code(spv::Op::OpReturn, {});
    case RegionKind::Unreachable:
      return c.m.code(spv::Op::OpUnreachable, {});
  }
}

Words Emitter::carried(uint32_t join, BlockId block) const {
  Words ids;
  std::map<Elem, size_t> count;
  for (ValueId p : f.block(block).params) {
    const Elem e = type_class(f.type(p).elem);
    ids.push_back(joins_[join].slots.at({e, count[e]++}));
  }
  return ids;
}

// The arguments that an edge passes to the parameters of its block.
Words Emitter::passed(const Target& target) {
  Words r = values(target.args);
  opaque_floats_.replace(f, target, r);
  return r;
}

Words Emitter::arriving(const Arrival& arrival, BlockId block) {
  if (arrival.join != kNoJoin) return carried(arrival.join, block);
  if (arrival.terminator.valid()) return passed(f.inst(arrival.terminator).targets[arrival.edge]);
  return {};
}

// Without an arrival the parameters are already bound: those of the entry and of a loop header.
void Emitter::bind(const Arrival& arrival, BlockId block) {
  if (arrival.join == kNoJoin && !arrival.terminator.valid()) return;
  Words ids = arriving(arrival, block);
  for (size_t i = 0; i < ids.size(); ++i) define(f.block(block).params[i], ids[i]);
}

Word Emitter::go(const Region& r, Incoming incoming) {
  incoming.pred = current_;
  if (r.leave == Leave::Continue) {
    loops_.back().incoming.push_back(std::move(incoming));
    return loops_.back().continue_label;
  }
  if (r.leave == Leave::Break)
    for (ValueId v : leaving_.kept[r.to]) incoming.kept.push_back(read_kept(v));
  if (r.leave == Leave::Break && joins_[r.to].first_token) incoming.token = exit_token(r.to, incoming);
  joins_[r.to].incoming.push_back(std::move(incoming));
  return joins_[r.to].label;
}

void Emitter::jump(const Region& r) {
  Incoming incoming{.target = r.block, .values = arriving(r.arrival, r.block)};
  c.m.code(spv::Op::OpBranch, {go(r, std::move(incoming))});
}

void Emitter::leave_all(const Region& r) { c.m.code(spv::Op::OpBranch, {go(r, {.from = r.from})}); }

void Emitter::leave_if(const Region& r) {
  Word condition = selected(r.from, r.targets), next = c.m.id();
  Word label = go(r, {.from = r.from});
  c.m.code(spv::Op::OpBranchConditional, {condition, label, next});
  begin_block(next);
}

void Emitter::exit_if(const Region& r) {
  const Inst& inst = f.inst(f.terminator(r.block));
  Word condition = value(inst.operands[0]), next = c.m.id();
  const Target& target = inst.targets[r.edge];
  Word label = go(r, {.target = target.block, .values = passed(target)});
  c.m.code(spv::Op::OpBranchConditional, {condition, r.edge == 0 ? label : next, r.edge == 0 ? next : label});
  begin_block(next);
}

bool Emitter::only_jumps_to(const RegionList& arm, uint32_t join) const {
  return arm.size() == 1 && arm[0].kind == RegionKind::Jump && arm[0].leave == Leave::Join &&
         arm[0].to == join;
}

// The labels of a switch's arms are emitted in case order, since cases fall through to the next one.
void Emitter::switch_to(const Region& r, Word control, const Words& labels) {
  const Inst& inst = f.inst(f.terminator(r.block));
  const bool wide = width(f.type(inst.operands[0]).elem) == 64;
  Words words{control, 0};
  for (size_t i = 0; i < labels.size(); ++i)
    for (size_t edge : r.arm_edges[i]) {
      if (edge == 0) {
        words[1] = labels[i];
        continue;
      }
      const uint64_t bits = f.value(inst.operands[edge]).bits;
      words.push_back(static_cast<Word>(bits));
      if (wide) words.push_back(static_cast<Word>(bits >> 32));
      words.push_back(labels[i]);
    }
  c.m.code(spv::Op::OpSwitch, words);
}

void Emitter::select(const Region& r) {
  const Inst& inst = f.inst(f.terminator(r.block));
  Word join = joins_[r.join].label, control = value(inst.operands[0]);
  // One empty arm may branch directly to the join; a second one would give the same predecessor twice.
  Words labels(r.arms.size(), 0);
  for (size_t i = 0; i < r.arms.size(); ++i) {
    if (uint32_t fallen_into = r.arm_joins[i]; fallen_into != kNoJoin) {
      const Target& target = inst.targets[r.arm_edges[i].front()];
      labels[i] = joins_[fallen_into].label;
      joins_[fallen_into].incoming.push_back(
          {.pred = current_, .target = target.block, .values = passed(target)});
      continue;
    }
    bool straight = std::ranges::find(labels, join) == labels.end() && only_jumps_to(r.arms[i], r.join);
    labels[i] = straight ? join : c.m.id();
    if (straight) {
      const Region& to = r.arms[i][0];
      go(to, {.target = to.block, .values = arriving(to.arrival, to.block)});
    }
  }
  c.m.code(spv::Op::OpSelectionMerge, {join, 0});
  if (inst.op == Op::br_if)
    c.m.code(spv::Op::OpBranchConditional, {control, labels[0], labels[1]});
  else
    switch_to(r, control, labels);
  for (size_t i = 0; i < r.arms.size(); ++i) {
    if (labels[i] == join) continue;
    if (r.arm_joins[i] != kNoJoin)
      begin_join(r.arm_joins[i]);
    else
      begin_block(labels[i]);
    list(r.arms[i]);
  }
  begin_join(r.join);
}

void Emitter::loop(const Region& r) {
  Words initial = arriving(r.arrival, r.block);
  const auto& params = f.block(r.block).params;
  Word header = c.m.id(), body = c.m.id();
  Words next(params.size());
  for (Word& id : next) id = c.m.id();
  loops_.push_back({r.block, c.m.id(), {}});
  const bool is_left = !tree_.joins[r.join].targets.empty();
  ExitConditions asked;
  if (options_.detect_loop_limits && is_left) asked = askable_exits(f, tree_, r);
  const bool differ = is_left && asked.exits.empty() && exits_differ(f, tree_, r);
  joins_[r.join].differ = differ;
  if (options_.detect_loop_limits && is_left && asked.exits.empty()) make_tokens(r.join);
  const Word before = current_;
  c.m.code(spv::Op::OpBranch, {header});
  begin_block(header);
  name_block(header, r.block, "loop");
  c.m.name(loops_.back().continue_label, "next_round");
  Words phis;
  for (size_t i = 0; i < params.size(); ++i)
    phis.push_back(c.make(spv::Op::OpPhi, f.type(params[i]).elem,
                          {initial[i], before, next[i], loops_.back().continue_label}));
  c.m.code(spv::Op::OpLoopMerge, {joins_[r.join].label, loops_.back().continue_label, 0});
  c.m.code(spv::Op::OpBranch, {body});
  begin_block(body);
  for (size_t i = 0; i < params.size(); ++i) define(params[i], phis[i]);
  const bool guarded = options_.guard_loop_values || options_.detect_loop_limits;
  if (guarded && is_left && asked.exits.empty() && !differ) guard(r);
  list(r.arms[0]);

  LoopState state = std::move(loops_.back());
  loops_.pop_back();
  begin_block(state.continue_label);
  for (size_t i = 0; i < params.size(); ++i) {
    Words words{c.type(f.type(params[i]).elem), next[i]};
    for (const Incoming& in : state.incoming) {
      words.push_back(in.from == kNoJoin ? in.values[i] : carried(in.from, r.block)[i]);
      words.push_back(in.pred);
    }
    c.m.code(spv::Op::OpPhi, words);
  }
  c.m.code(spv::Op::OpBranch, {header});
  begin_join(r.join);
  if (!asked.exits.empty()) ask_again(r, asked);
}

// A second exit, never taken, that passes zeros: values that leave the loop become operands of a phi.
void Emitter::guard(const Region& r) {
  Word never = launch_.never(), body = c.m.id();
  JoinState& join = joins_[r.join];
  Incoming incoming{.pred = current_, .target = tree_.joins[r.join].targets.front()};
  for (ValueId p : f.block(incoming.target).params) incoming.values.push_back(c.zero(f.type(p).elem));
  for (ValueId v : leaving_.kept[r.join]) incoming.kept.push_back(c.zero(f.type(v).elem));
  if (join.first_token) incoming.token = c.zero(Elem::I32);
  join.incoming.push_back(std::move(incoming));
  c.m.code(spv::Op::OpBranchConditional, {never, join.label, body});
  begin_block(body);
}

void Emitter::test(const Region& r) {
  Word condition = selected(r.from, {r.block}), arm = c.m.id();
  joins_[r.join].incoming.push_back({.pred = current_, .from = r.from});
  c.m.code(spv::Op::OpSelectionMerge, {joins_[r.join].label, 0});
  c.m.code(spv::Op::OpBranchConditional, {condition, arm, joins_[r.join].label});
  begin_block(arm);
  list(r.arms[0]);
  begin_join(r.join);
}

// --- joins

Word Emitter::phi(Elem e, std::span<const Incoming> incoming,
                  const std::function<Word(const Incoming&)>& of) {
  Words words{c.type(e), c.m.id()};
  for (const Incoming& in : incoming) words.insert(words.end(), {of(in), in.pred});
  c.m.code(spv::Op::OpPhi, words);
  return words[1];
}

// The incoming value of a slot; zero if the target does not use it.
Word Emitter::brought(const Incoming& in, Slot slot) {
  if (in.from != kNoJoin) {
    auto it = joins_[in.from].slots.find(slot);
    return it == joins_[in.from].slots.end() ? c.zero(slot.first) : it->second;
  }
  const auto& params = f.block(in.target).params;
  for (size_t i = 0, k = 0; i < params.size(); ++i)
    if (type_class(f.type(params[i]).elem) == slot.first && k++ == slot.second) return in.values[i];
  return c.zero(slot.first);
}

Word Emitter::selector_of(uint32_t join) {
  if (joins_[join].selector && tree_.joins[join].targets.size() > 1) return joins_[join].selector;
  return c.constant(Elem::I32, tree_.number[tree_.joins[join].targets.front().index]);
}

void Emitter::begin_join(uint32_t index) {
  JoinState& join = joins_[index];
  const auto& targets = tree_.joins[index].targets;
  const auto& kept_values = leaving_.kept[index];
  begin_block(join.label);
  for (BlockId target : targets) {
    std::map<Elem, size_t> count;
    for (ValueId p : f.block(target).params) {
      const Elem e = type_class(f.type(p).elem);
      const Slot slot{e, count[e]++};
      if (!join.slots.contains(slot))
        join.slots[slot] = phi(e, join.incoming, [&](const Incoming& in) { return brought(in, slot); });
    }
  }
  Words kept;
  for (size_t i = 0; i < kept_values.size(); ++i)
    kept.push_back(
        phi(f.type(kept_values[i]).elem, join.incoming, [&](const Incoming& in) { return in.kept[i]; }));
  Word token = 0;
  if (join.first_token)
    token = phi(Elem::I32, join.incoming, [](const Incoming& in) { return in.token; });
  else if (targets.size() > 1)
    begin_selector(join);
  for (size_t i = 0; i < kept.size(); ++i) define(kept_values[i], kept[i]);
  if (token) compare_token(join, token);
}

void Emitter::begin_selector(JoinState& join) {
  join.selector = phi(Elem::I32, join.incoming, [&](const Incoming& in) {
    return in.from == kNoJoin ? c.constant(Elem::I32, tree_.number[in.target.index]) : selector_of(in.from);
  });
  c.m.name(join.selector, "to");
}

Word Emitter::selected(uint32_t join, const std::vector<BlockId>& targets) {
  Word result = 0;
  for (BlockId target : targets) {
    Word number = c.constant(Elem::I32, tree_.number[target.index]);
    Word equal = c.make(spv::Op::OpIEqual, Elem::I1, {selector_of(join), number});
    result = result ? c.make(spv::Op::OpLogicalOr, Elem::I1, {result, equal}) : equal;
  }
  return result;
}

}  // namespace kc::spirv
