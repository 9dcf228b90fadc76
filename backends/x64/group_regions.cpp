// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/group_regions.h"

#include <algorithm>
#include <utility>

#include "passes/analysis/cycles.h"
#include "passes/ir_util.h"
#include "passes/transform/preheader.h"

namespace kc::x64 {
namespace {

constexpr size_t kMostBlocks = 400;  // control dependence is found by walks up the post-dominators

}  // namespace

GroupRegions::GroupRegions(Function& function, uint64_t row)
    : f(function), all_(f.constant(kMask, ~uint64_t{0} >> (64 - f.width))) {
  const ValueId given = f.block(f.entry()).params.back();
  Builder build(f);
  build.block = f.entry();
  const std::vector<InstId> after = std::exchange(f.block(f.entry()).insts, {});
  const ValueId mask = mask_of(build, row);
  auto& insts = f.block(f.entry()).insts;
  insts.insert(insts.end(), after.begin(), after.end());
  Replacements masks(f);
  masks.set(given, mask);
  // Blocks that all lanes come to start regions, in which the mask is yet to be computed.
  for (BlockId b : f.layout)
    if (f.block(b).mask == given) f.block(b).mask = all_;
  apply_replacements(f, masks);
}

// Of a wave in rows of so many work-items.
ValueId GroupRegions::mask_of(Builder& build, uint64_t row) {
  if (row % f.width == 0) return all_;
  if (row < f.width) return f.constant(kMask, (uint64_t{1} << row) - 1);
  const ValueId id = build.make(Op::local_id, kI32.lanes(), {}, {0});
  return build.make(Op::mask_cond, kMask,
                    {all_, build.make(Op::ult, kI1.lanes(), {id, f.constant(kI32, row)})});
}

bool GroupRegions::find() {
  split();
  split_edges();
  if (f.layout.size() > kMostBlocks || !make_preheaders()) return false;
  differences_.emplace(f, after_barriers_);
  known_ = f.value_count();
  find_regions();
  return regions_are_closed();
}

bool GroupRegions::is_foreign(ValueId v, BlockId region) const {
  return differs(v) && (region_of(block_of(f, v)) != region || is_incoming(v));
}
bool GroupRegions::is_incoming(ValueId v) const {
  return !is_new(v) && f.value(v).kind == ValueKind::Param && is_start(block_of(f, v));
}

BlockId GroupRegions::new_block(std::string hint) {
  const BlockId b = f.add_block(std::move(hint));
  f.block(b).mask = all_;
  return b;
}

// The entry block keeps nothing but parameters. The last barrier of a block comes first, so that each
// instruction moves once.
void GroupRegions::split() {
  const BlockId first = split_at(f.entry(), 0, "start");
  after_barriers_.push_back(first);
  const std::vector<BlockId> old(f.layout.begin() + 1, f.layout.end());
  for (BlockId b : old)
    for (size_t k = f.block(b).insts.size(); k-- > 0;) {
      const InstId i = f.block(b).insts[k];
      if (f.inst(i).op != Op::lane_barrier) continue;
      after_barriers_.push_back(split_at(b, k, "after"));
      f.erase(i);
    }
}
// Moves the instructions from the k-th on to a new block.
BlockId GroupRegions::split_at(BlockId b, size_t k, std::string hint) {
  const BlockId after = new_block(std::move(hint));
  if (f.block(b).mask.valid()) f.block(after).mask = f.block(b).mask;
  auto& insts = f.block(b).insts;
  const std::vector<InstId> moved(insts.begin() + static_cast<std::ptrdiff_t>(k), insts.end());
  insts.resize(k);
  for (InstId i : moved) f.append(after, i);
  Builder build(f);
  build.block = b;
  build.br(after);
  return after;
}

// Then no region ends in the header of a loop that is a region, or part of one.
bool GroupRegions::make_preheaders() {
  for (uint32_t c = 0;; ++c) {
    const Cfg cfg(f);
    const Cycles cycles(f, cfg);
    if (c == cycles.cycles.size()) return true;
    if (!cycles.cycles[c].reducible()) return false;
    const BlockId b = preheader(f, cfg, cycles, c);
    if (!f.block(b).mask.valid()) f.block(b).mask = all_;
  }
}

// A branch that decides whether the waves come to the start of a region is taken by the group, and regions
// start after it. So does one where regions join.
void GroupRegions::find_regions() {
  const Cfg cfg(f);
  const PostDominatorTree post(f, cfg);
  const size_t n = f.block_count();
  std::vector<std::vector<BlockId>> controls(n);  // by block: the branches that decide whether it runs
  for (BlockId b : cfg.rpo) {
    if (f.successors(b).size() < 2) continue;
    for (const Target& t : f.successors(b))
      for (BlockId x = t.block; x.valid() && x != post.ipdom[b.index]; x = post.ipdom[x.index])
        if (controls[x.index].empty() || controls[x.index].back() != b) controls[x.index].push_back(b);
  }
  starts_.assign(n, false), group_branch_.assign(n, false);
  std::vector<BlockId> work;
  auto start = [&](BlockId b) {
    if (!starts_[b.index]) starts_[b.index] = true, work.push_back(b);
  };
  for (BlockId b : after_barriers_) start(b);
  for (bool more = true; more;) {
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      for (BlockId a : controls[b.index]) {
        if (group_branch_[a.index]) continue;
        group_branch_[a.index] = true;
        work.push_back(a);
        for (const Target& t : f.successors(a)) start(t.block);
      }
    }
    region_of_.assign(n, {});
    regions_.clear();
    more = false;
    for (BlockId b : cfg.rpo) {
      if (!starts_[b.index]) continue;
      if (const BlockId join = fill(b); join.valid()) {
        start(join);
        more = true;
        break;
      }
    }
  }
  for (Region& r : regions_) std::ranges::sort(r.blocks, {}, [&](BlockId b) { return cfg.number[b.index]; });
}
// The blocks of the region that starts here; or one that belongs to another region.
BlockId GroupRegions::fill(BlockId from) {
  Region& r = regions_.emplace_back();
  std::vector<BlockId> work{from};
  region_of_[from.index] = from;
  while (!work.empty()) {
    const BlockId b = work.back();
    work.pop_back();
    r.blocks.push_back(b);
    if (group_branch_[b.index]) continue;
    for (const Target& t : f.successors(b)) {
      BlockId& of = region_of_[t.block.index];
      if (starts_[t.block.index] || of == from) continue;
      if (of.valid()) return t.block;
      of = from;
      work.push_back(t.block);
    }
  }
  return {};
}

// Each region has one way out, which does not depend on the wave.
bool GroupRegions::regions_are_closed() {
  for (Region& r : regions_) {
    const BlockId start = r.start();
    std::vector<BlockId> exits;
    bool returns = false;
    for (BlockId b : r.blocks) {
      if (b == start && f.block(b).mask.valid() && is_foreign(f.block(b).mask, start)) return false;
      const Inst& last = f.inst(f.terminator(b));
      if (group_branch_[b.index]) {
        if (std::ranges::any_of(last.operands, [&](ValueId v) { return differs(v); })) return false;
        if (r.branch.valid()) return false;
        r.branch = b;
        continue;
      }
      returns |= last.targets.empty();
      for (const Target& t : last.targets)
        if (starts_[t.block.index] && std::ranges::find(exits, t.block) == exits.end())
          exits.push_back(t.block);
    }
    if (exits.size() + returns + r.branch.valid() != 1) return false;
    if (!exits.empty()) r.exit = exits.front();
  }
  return true;
}

// Then what passes a value to another block goes nowhere else.
void GroupRegions::split_edges() {
  const std::vector<BlockId> old = f.layout;
  for (BlockId b : old) {
    if (f.successors(b).size() < 2) continue;
    for (size_t k = 0; k < f.successors(b).size(); ++k) {
      if (f.successors(b)[k].args.empty()) continue;
      Builder build(f);
      build.block = new_block("edge");
      Target& t = f.inst(f.terminator(b)).targets[k];
      build.br(t.block, t.args);
      t = {build.block, {}};
    }
  }
}

}  // namespace kc::x64
