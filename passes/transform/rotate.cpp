// SPDX-License-Identifier: Apache-2.0
// rotate: loop rotation.
//
// Loops that test at their header test at their latch instead. The entry edge gets a copy of the header,
// whose test decides whether to enter the loop; the header itself remains for back edges, where simplify_cfg
// appends it to the end of the body. Each iteration has one jump less, and the body is executed in every
// first iteration, as licm requires. Only short headers are copied, and only of loops with uniform exits:
// otherwise values live after the loop would need copies per lane for two exits. Values of the header go
// through variables, which SSA construction resolves. Loops with a barrier stay, because barrier instances
// are identified by loop iterations. Between a header that only tests and an inner loop comes a block, so
// that both stay two loops.
//
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   b0: br -> b1(0)                           b0: br_if (slt 0, %n) -> b2(0), b3
//   b1(%i): br_if (slt %i, %n) -> b2, b3  ==> b2(%i): ...; %j = add %i, 1
//   b2: ...; br -> b1(add %i, 1)                      br_if (slt %j, %n) -> b2(%j), b3
#include "passes/transform/rotate.h"

#include <algorithm>
#include <utility>

#include "ir/ssa_repair.h"
#include "passes/ir_util.h"
#include "passes/transform/mem2reg.h"

namespace kc {
namespace {

constexpr size_t kLongestHead = 8;

class Rotator {
 public:
  Rotator(Function& function, AnalysisCache& analyses, bool divergent_exits, Remarks* remarks)
      : f(function),
        analyses_(analyses),
        cfg_(analyses.cfg()),
        cycles_(analyses.cycles()),
        is_head_(f.block_count()),
        divergent_exits_(divergent_exits),
        remarks_(remarks) {}

  // Loops to rotate.
  std::vector<uint32_t> chosen() {
    std::vector<uint32_t> r;
    for (uint32_t c = 0; c < cycles_.cycles.size(); ++c)
      if (fits(c)) r.push_back(c);
    if (!r.empty() && !divergent_exits_) {
      const Uniformity& uniformity = analyses_.uniformity();
      std::erase_if(r, [&](uint32_t c) { return uniformity.divergent_exit[c]; });
    }
    return r;
  }

  bool run(std::vector<uint32_t> chosen) {
    if (chosen.empty()) return false;
    // Inner loops first, and of consecutive loops the last: copies of other headers then lead to their
    // copies.
    std::ranges::sort(chosen, std::greater(),
                      [&](uint32_t c) { return cfg_.number[cycles_.cycles[c].header]; });
    std::vector<BlockId> heads;
    for (uint32_t c : chosen) heads.push_back(BlockId(cycles_.cycles[c].header));
    for (BlockId h : heads) is_head_[h.index] = true;
    // Outside the header its values come from the copy, too.
    pass_through_variables(f, cfg_.rpo, "rotated", [&](ValueId v, BlockId b) {
      BlockId def = block_of(f, v);
      return def != b && is_head_[def.index];
    });
    for (uint32_t c : chosen) pass_on_hint(c);
    std::vector<BlockId> copies;
    for (BlockId h : heads) copies.push_back(copy(h));
    place_in_layout(heads, copies);
    analyses_.keep(NoAnalyses);
    if (!f.vars.empty()) mem2reg(f, analyses_);
    return true;
  }

 private:
  bool fits(uint32_t c) const {
    BlockId head(cycles_.cycles[c].header);
    const Inst& end = f.inst(f.terminator(head));
    if (!cycles_.cycles[c].reducible() || head == f.entry() || end.op != Op::br_if) return false;
    bool first = cycles_.contains(c, end.targets[0].block);
    if (first == cycles_.contains(c, end.targets[1].block) || end.targets[first ? 0 : 1].block == head)
      return false;
    if (f.block(head).insts.size() > kLongestHead) return false;
    size_t latches = 0;
    for (BlockId p : cfg_.preds[head.index])
      if (cycles_.contains(c, p)) latches += f.successors(p).size() == 1 ? 1 : 2;
    if (latches != 1) return false;
    return !has_barrier(c);
  }
  bool has_barrier(uint32_t c) const {
    for (uint32_t n : cycles_.nodes(c))
      for (InstId i : f.block(BlockId(n)).insts)
        if (info(f.inst(i).op).has(Convergent)) return true;
    return false;
  }

  // The block behind the test becomes the header. The header of an inner loop keeps its own hint.
  void pass_on_hint(uint32_t c) {
    const BlockId head(cycles_.cycles[c].header);
    for (const Target& t : f.successors(head))
      if (cycles_.innermost[t.block.index] == c)
        f.block(t.block).unroll = std::exchange(f.block(head).unroll, NoUnrollHint);
  }

  // A copy of the header, for edges from outside.
  BlockId copy(BlockId head) {
    if (remarks_)
      remarks_->add({"rotate", f.inst(f.terminator(head)).loc, "loop is rotated: it tests at its end"});
    BlockId block = f.add_block(f.block(head).hint);
    copy_blocks(f, {&head, 1}, {&block, 1});
    uint32_t c = cycles_.innermost[head.index];
    for (BlockId p : cfg_.preds[head.index])
      if (!cycles_.contains(c, p))
        for (Target& t : f.inst(f.terminator(p)).targets)
          if (t.block == head) t.block = block;
    return block;
  }

  void place_in_layout(const std::vector<BlockId>& heads, const std::vector<BlockId>& copies) {
    std::vector<BlockId> before(f.block_count()), layout;
    for (size_t k = 0; k < heads.size(); ++k) before[heads[k].index] = copies[k];
    for (BlockId b : f.layout) {
      if (b.index >= is_head_.size()) continue;
      if (before[b.index].valid()) layout.push_back(before[b.index]);
      layout.push_back(b);
    }
    f.layout = std::move(layout);
  }

  Function& f;
  AnalysisCache& analyses_;
  const Cfg& cfg_;
  const Cycles& cycles_;
  std::vector<bool> is_head_;  // by block: whether it is a header that is copied
  bool divergent_exits_;
  Remarks* remarks_;
};

// A header that only tests, before an inner loop: rotated, it would jump from the latch to the header of the
// inner loop, and both would be one loop, in which work-items are in different iterations of the outer one.
// Returns whether blocks were put between.
bool separate_inner_loops(Function& f, AnalysisCache& analyses, std::span<const uint32_t> outer_loops) {
  const Cycles& cycles = analyses.cycles();
  bool changed = false;
  for (const uint32_t outer : outer_loops) {
    const BlockId head(cycles.cycles[outer].header);
    for (Target& t : f.inst(f.terminator(head)).targets) {
      const BlockId to = t.block;
      const uint32_t inner = cycles.innermost[to.index];
      if (!cycles.contains(outer, to) || inner == outer || cycles.cycles[inner].header != to.index) continue;
      const BlockId between = f.add_block("loop");
      f.layout.pop_back();
      f.layout.insert(std::ranges::find(f.layout, head) + 1, between);
      Builder build(f);
      build.block = between;
      build.loc = f.inst(f.terminator(head)).loc;
      build.br(to, std::exchange(t, {between, {}}).args);
      changed = true;
    }
  }
  if (changed) analyses.keep(NoAnalyses);
  return changed;
}

}  // namespace

bool rotate(Function& f, AnalysisCache& analyses, bool divergent_exits, Remarks* remarks) {
  bool changed = remove_unreachable_blocks(f, analyses);
  Rotator first(f, analyses, divergent_exits, remarks);
  std::vector<uint32_t> chosen = first.chosen();
  if (!separate_inner_loops(f, analyses, chosen)) return first.run(std::move(chosen)) || changed;
  Rotator again(f, analyses, divergent_exits, remarks);
  return again.run(again.chosen());
}

}  // namespace kc
