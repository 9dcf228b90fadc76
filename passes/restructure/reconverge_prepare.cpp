// SPDX-License-Identifier: Apache-2.0
#include "passes/restructure/reconverge_prepare.h"

#include <algorithm>

#include "ir/case_clusters.h"
#include "ir/cfg.h"
#include "ir/check.h"
#include "ir/known_bits.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

// Replaces the terminator of a block.
void end_with_br(Function& f, BlockId b, Target to) {
  Builder build(f);
  build.block = b;
  build.loc = f.inst(f.terminator(b)).loc;
  f.erase(f.terminator(b));
  build.br(to.block, std::move(to.args));
}

// br_if %c -> T(a), T(b)  ==>  br -> T(select %c, a, b)
void merge_equal_targets(Function& f, BlockId b) {
  InstId end = f.terminator(b);
  if (f.inst(end).op != Op::br_if) return;
  Target yes = f.inst(end).targets[0], no = f.inst(end).targets[1];
  if (yes.block != no.block) return;
  for (size_t k = 0; k < yes.args.size(); ++k) {
    if (yes.args[k] == no.args[k]) continue;
    Type type = f.type(yes.args[k]);
    InstId select = f.create(Op::select, {f.inst(end).operands[0], yes.args[k], no.args[k]},
                             std::span(&type, 1), f.inst(end).loc);
    f.insert(b, f.block(b).insts.size() - 1, select);
    yes.args[k] = f.result(select);
  }
  end_with_br(f, b, std::move(yes));
}

// Whether the value is in the cluster.
ValueId is_in(Builder& build, ValueId v, const CaseCluster& c) {
  const Type type = build.f.type(v);
  const auto number = [&](uint64_t bits) { return build.f.constant(type, bits); };
  if (c.first == c.last) return build.make(Op::eq, kI1, {v, number(c.first)});
  if (c.first == 0) return build.make(Op::ule, kI1, {v, number(c.last)});
  if (c.last == low_ones(type.bits())) return build.make(Op::ule, kI1, {number(c.first), v});
  const ValueId distance = build.make(Op::sub, type, {v, number(c.first)});
  return build.make(Op::ule, kI1, {distance, number(c.last - c.first)});
}

// switch %v, 1, 2, 3 -> D, A, B, B  ==>  br_if (eq %v, 1) -> A, n;  n: br_if (ule (sub %v, 2), 1) -> B, D
void chain_of_compares(Function& f, BlockId b) {
  const Inst old = f.inst(f.terminator(b));
  std::vector<CaseCluster> clusters = case_clusters(f, old);
  std::ranges::sort(clusters, {}, &CaseCluster::target);  // as they are written
  Builder build(f);
  build.block = b;
  build.loc = old.loc;
  f.erase(f.terminator(b));
  if (clusters.empty()) {
    build.br(old.targets[0].block, old.targets[0].args);
    return;
  }
  for (const CaseCluster& c : clusters) {
    const ValueId hit = is_in(build, old.operands[0], c);
    if (&c == &clusters.back()) {
      build.br_if(hit, old.targets[c.target], old.targets[0]);
    } else {
      BlockId next = f.add_block("case");
      build.br_if(hit, old.targets[c.target], {next, {}});
      build.block = next;
    }
  }
}

// Gives each edge of a switch to a block that another edge reaches with different arguments a block of its
// own, except the first.
void split_equal_targets(Function& f, BlockId b) {
  InstId end = f.terminator(b);
  if (f.inst(end).op != Op::switch_) return;
  for (size_t k = 1; k < f.inst(end).targets.size(); ++k) {
    const auto& targets = f.inst(end).targets;
    bool differs = std::any_of(
        targets.begin(), targets.begin() + static_cast<ptrdiff_t>(k),
        [&](const Target& t) { return t.block == targets[k].block && t.args != targets[k].args; });
    if (!differs) continue;
    Builder build(f);
    build.block = f.add_block("case");
    build.loc = f.inst(end).loc;
    Target to = f.inst(end).targets[k];
    build.br(to.block, std::move(to.args));
    f.inst(end).targets[k] = {build.block, {}};
  }
}

BlockId single_return(Function& f) {
  std::vector<BlockId> returns;
  for (BlockId b : f.layout)
    if (f.successors(b).empty()) {
      KC_CHECK(f.inst(f.terminator(b)).op == Op::ret, "one exit needs a function without '{}'",
               name_of(f.inst(f.terminator(b)).op));
      returns.push_back(b);
    }
  if (returns.size() == 1) return returns[0];
  Builder build(f);
  build.block = f.add_block("exit");
  build.ret();
  for (BlockId b : returns) end_with_br(f, b, {build.block, {}});
  return build.block;
}

// br -> T  ==>  br_if true -> T, exit, in one block of each endless cycle.
void exits_for_endless_cycles(Function& f, BlockId exit) {
  Cfg cfg(f);
  std::vector<char> reaches(f.block_count(), 0);
  std::vector<BlockId> work;
  auto flood = [&](BlockId from) {
    if (reaches[from.index]) return;
    reaches[from.index] = 1;
    work.push_back(from);
    while (!work.empty()) {
      BlockId b = work.back();
      work.pop_back();
      for (BlockId p : cfg.preds[b.index])
        if (!reaches[p.index]) reaches[p.index] = 1, work.push_back(p);
    }
  };
  flood(exit);
  for (auto it = cfg.rpo.rbegin(); it != cfg.rpo.rend(); ++it) {
    BlockId b = *it;
    if (reaches[b.index]) continue;
    Target to = f.successors(b)[0];
    Builder build(f);
    build.loc = f.inst(f.terminator(b)).loc;
    if (f.inst(f.terminator(b)).op == Op::br) {
      f.erase(f.terminator(b));
      build.block = b;
    } else {
      build.block = f.add_block("endless");
      f.inst(f.terminator(b)).targets[0] = {build.block, {}};
    }
    ValueList undefs;
    for (ValueId p : f.block(exit).params) undefs.push_back(f.undef(f.type(p)));
    build.br_if(f.constant(kI1, 1), std::move(to), {exit, std::move(undefs)});
    flood(b);
  }
}

}  // namespace

bool separate_cases(Function& f) {
  const size_t blocks = f.block_count();
  // the layout grows at its end
  for (size_t i = 0; i < f.layout.size(); ++i) split_equal_targets(f, f.layout[i]);
  return f.block_count() != blocks;
}

bool give_one_exit(Function& f) {
  const size_t blocks = f.block_count(), insts = f.inst_count();
  exits_for_endless_cycles(f, single_return(f));
  return f.block_count() != blocks || f.inst_count() != insts;
}

void prepare_reconvergence(Function& f, const Uniformity& u) {
  remove_unreachable_blocks(f);
  const std::vector<BlockId> blocks = f.layout;
  for (BlockId b : blocks)
    if (f.inst(f.terminator(b)).op == Op::switch_ && u.divergent_branch[b.index]) chain_of_compares(f, b);
  for (size_t i = 0; i < f.layout.size(); ++i) {  // the layout grows at its end
    BlockId b = f.layout[i];
    merge_equal_targets(f, b);
    split_equal_targets(f, b);
  }
  give_one_exit(f);
}

}  // namespace kc
