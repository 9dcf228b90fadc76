// SPDX-License-Identifier: Apache-2.0
// Detection of driver loop limits. Some drivers leave a loop after a fixed number of iterations, even if
// work-items are still active. Such work-items are detected after the loop; they report to the host and end.
#include <algorithm>

#include "backends/spirv/emitter.h"

namespace kc::spirv {

// Must be far from the numbers of other work-items, because a register may still hold the value of an earlier
// one.
Word Emitter::own_number() {
  constexpr uint32_t kFactors[] = {0x9e3779b1, 0x85ebca77, 0xc2b2ae3d};  // odd, without a pattern
  const Elem e = Elem::I32;
  Word sum = 0;
  for (unsigned dim = 0; dim < 3; ++dim) {
    Word id = launch_.position(Op::global_id, dim, e);
    Word term = c.make(spv::Op::OpIMul, e, {id, c.constant(e, kFactors[dim])});
    sum = sum ? c.make(spv::Op::OpIAdd, e, {sum, term}) : term;
  }
  return sum;
}

// Each execution of a loop has its own range of tokens, so that a value left by an earlier execution is never
// valid. The range contains one token per target.
void Emitter::make_tokens(uint32_t index) {
  JoinState& join = joins_[index];
  const auto& targets = tree_.joins[index].targets;
  const Elem e = Elem::I32;
  Word count = c.make(spv::Op::OpLoad, e, {loop_count_});
  join.first_token = c.make(spv::Op::OpIAdd, e, {count, c.constant(e, f.block_count())});
  c.m.code(spv::Op::OpStore, {loop_count_, join.first_token});
  if (join.differ)
    join.tokens = {join.first_token, c.make(spv::Op::OpIAdd, e, {join.first_token, c.constant(e, 1)})};
  else
    for (BlockId target : targets) {
      Word number = c.constant(e, targets.size() > 1 ? tree_.number[target.index] : 0);
      join.tokens.push_back(c.make(spv::Op::OpIAdd, e, {join.first_token, number}));
    }
}

Word Emitter::exit_token(uint32_t index, const Incoming& incoming) {
  JoinState& join = joins_[index];
  const auto& targets = tree_.joins[index].targets;
  if (join.differ) return join.tokens[join.incoming.size() % 2];
  if (targets.size() == 1) return join.first_token;
  BlockId target = incoming.target;
  if (incoming.from != kNoJoin) {
    const auto& inner = tree_.joins[incoming.from].targets;
    if (inner.size() > 1)
      return c.make(spv::Op::OpIAdd, Elem::I32, {join.first_token, selector_of(incoming.from)});
    target = inner.front();
  }
  return join.tokens[static_cast<size_t>(std::ranges::find(targets, target) - targets.begin())];
}

// A work-item without a token of this range left the loop by none of its exits.
void Emitter::compare_token(JoinState& join, Word token) {
  const Elem e = Elem::I32;
  join.selector = c.make(spv::Op::OpISub, e, {token, join.first_token});
  end_cut_items(
      c.make(spv::Op::OpUGreaterThanEqual, Elem::I1, {join.selector, c.constant(e, f.block_count())}));
}

// Uses an opaque zero. Otherwise the driver would reuse the values of the last iteration, even for work-items
// that were not active in it.
void Emitter::ask_again(const Region& r, const ExitConditions& asked) {
  for (ValueId p : f.block(r.block).params) {
    const Elem e = f.type(p).elem, bits = integer_of(e);
    if (e == Elem::I1) {
      again_[p] = c.make(spv::Op::OpLogicalOr, e, {value(p), launch_.never()});
      continue;
    }
    Word zero = bits == Elem::I32 ? launch_.zero() : c.make(spv::Op::OpUConvert, bits, {launch_.zero()});
    Word hidden = is_float(e) ? c.make(spv::Op::OpBitcast, bits, {value(p)}) : value(p);
    hidden = c.make(spv::Op::OpBitwiseOr, bits, {hidden, zero});
    again_[p] = is_float(e) ? c.make(spv::Op::OpBitcast, e, {hidden}) : hidden;
  }
  asking_ = true;
  for (InstId i : asked.slice) instruction(f.inst(i));
  asking_ = false;
  Word cut = 0;
  for (const LoopExit& exit : asked.exits) {
    Word stays = value(exit.condition);
    if (exit.when) stays = c.make(spv::Op::OpLogicalNot, Elem::I1, {stays});
    cut = cut ? c.make(spv::Op::OpLogicalAnd, Elem::I1, {cut, stays}) : stays;
  }
  again_.clear();
  end_cut_items(cut);
}

void Emitter::end_cut_items(Word cut) {
  Word stop = c.m.id(), next = c.m.id();
  c.m.code(spv::Op::OpSelectionMerge, {next, 0});
  c.m.code(spv::Op::OpBranchConditional, {cut, stop, next});
  begin_block(stop);
  launch_.report_cut();
  c.m.code(spv::Op::OpReturn, {});
  begin_block(next);
}

}  // namespace kc::spirv
