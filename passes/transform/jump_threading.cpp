// SPDX-License-Identifier: Apache-2.0
// jump_threading: an edge whose arguments determine the branch at its target is redirected past it.
//
// A block qualifies if it has at most a few pure instructions and ends in a branch or switch. For each
// incoming edge the condition is evaluated with the edge's arguments; if it is a constant, the edge is
// redirected to the branch's target. The target's arguments must be arguments or known, too. If the block's
// values are used elsewhere, the target is one that other ways lead to, so that the block still dominates
// these uses. Headers of cycles and blocks of irreducible cycles stay, and so do edges that would enter
// another cycle than the block's: every loop keeps its single entry.
//
// Needs ThreadForm, Ssa; kills Reconverging, Structured.
//
//   b1: br -> b3(true)                     b1: br -> b4
//   b2: br -> b3(%c)                  ==>  b2: br -> b3(%c)
//   b3(%f: i1): br_if %f -> b4, b5         b3(%f: i1): br_if %f -> b4, b5
#include "passes/transform/jump_threading.h"

#include <algorithm>
#include <map>
#include <optional>

#include "ir/cfg.h"
#include "passes/analysis/cycles.h"
#include "passes/ir_util.h"

namespace kc {
namespace {

constexpr size_t kLongest = 4;      // instructions of a bypassed block
constexpr size_t kMostHops = 32;    // per edge
constexpr int kMostSearches = 200;  // for other ways; each may visit all blocks

class JumpThreading {
 public:
  JumpThreading(Function& function, AnalysisCache& analyses)
      : f(function), cfg_(analyses.cfg()), cycles_(analyses.cycles()), size_(f.block_count(), Size::Large) {
    auto uses = count_uses(f);
    for (BlockId b : cfg_.rpo) size_[b.index] = size_of(b, uses);
  }

  bool run() {
    bool changed = false;
    // Successors first, so that edges see where later branches lead by now.
    for (auto b = cfg_.rpo.rbegin(); b != cfg_.rpo.rend(); ++b)
      for (size_t k = 0; k < f.successors(*b).size(); ++k)
        for (size_t hop = 0; hop < kMostHops && thread(*b, k); ++hop) changed = true;
    return changed;
  }

 private:
  enum class Size : char { Large, Tiny, TinyAndClosed };  // closed: its values are used only inside

  Size size_of(BlockId b, std::vector<uint32_t>& uses) const {
    const Block& block = f.block(b);
    const Inst& end = f.inst(f.terminator(b));
    if (block.params.empty() || block.insts.size() > kLongest || end.targets.size() < 2 || b == f.entry())
      return Size::Large;
    uint32_t c = cycles_.innermost[b.index];
    if (c != kNone && (cycles_.cycles[c].header == b.index || !cycles_.cycles[c].reducible()))
      return Size::Large;
    std::map<uint32_t, uint32_t> own;
    for (InstId i : block.insts) {
      const Inst& inst = f.inst(i);
      if (i != block.insts.back() && (info(inst.op).effects != Effects::None || inst.results.size() != 1))
        return Size::Large;
      for (ValueId v : inst.operands) ++own[v.index];
      for (const Target& t : inst.targets)
        for (ValueId v : t.args) ++own[v.index];
    }
    auto only_here = [&](ValueId v) { return uses[v.index] == own[v.index]; };
    const bool closed =
        std::ranges::all_of(block.params, only_here) && std::ranges::all_of(block.insts, [&](InstId i) {
          return std::ranges::all_of(f.inst(i).results, only_here);
        });
    return closed ? Size::TinyAndClosed : Size::Tiny;
  }

  // The value of v on the edge with these arguments; invalid if it would have to be computed.
  ValueId on_edge(ValueId v, BlockId b, const ValueList& args) {
    const Value& value = f.value(v);
    if (value.kind == ValueKind::Param && BlockId(value.owner) == b) return args[value.index];
    InstId d = f.def(v);
    if (!d.valid() || f.inst(d).block != b) return v;
    const OpInfo& row = info(f.inst(d).op);
    size_t count = f.inst(d).operands.size();
    if (!row.eval || count == 0 || count > 3) return ValueId();
    uint64_t bits[3] = {};
    for (size_t k = 0; k < count; ++k) {
      ValueId operand = on_edge(f.inst(d).operands[k], b, args);
      if (!operand.valid() || !f.is_const(operand)) return ValueId();
      bits[k] = f.value(operand).bits;
    }
    EvalFn eval = row.eval(f.type(f.inst(d).operands[0]).elem, f.type(v).elem);
    return eval ? f.constant(f.type(v), eval(bits)) : ValueId();
  }

  // The target that the block's branch takes.
  std::optional<size_t> decided(BlockId b, const ValueList& args) {
    const Inst& end = f.inst(f.terminator(b));
    ValueId v = on_edge(end.operands[0], b, args);
    if (!v.valid() || !f.is_const(v)) return std::nullopt;
    if (end.op == Op::br_if) return f.value(v).bits & 1 ? 0 : 1;
    auto hit = std::find(end.operands.begin() + 1, end.operands.end(), v);
    return hit == end.operands.end() ? 0 : static_cast<size_t>(hit - end.operands.begin());
  }

  bool thread(BlockId from, size_t k) {
    Target edge = f.successors(from)[k];
    BlockId b = edge.block;
    const Size size = size_[b.index];
    if (size == Size::Large || b == from) return false;
    auto way = decided(b, edge.args);
    if (!way) return false;
    Target to = f.successors(b)[*way];
    if (enters(from, b, to.block)) return false;
    if (size == Size::Tiny && !is_reached_without(b, to.block)) return false;
    for (ValueId& v : to.args) {
      v = on_edge(v, b, edge.args);
      if (!v.valid()) return false;
    }
    // A branch must not reach one block twice with different arguments.
    const auto& targets = f.inst(f.terminator(from)).targets;
    for (size_t other = 0; other < targets.size(); ++other)
      if (other != k && targets[other].block == to.block && targets[other].args != to.args) return false;
    f.inst(f.terminator(from)).targets[k] = std::move(to);
    return true;
  }
  // Whether the edge would enter a cycle other than at its header, or would become a back edge where the one
  // that it goes past leaves a cycle.
  bool enters(BlockId from, BlockId past, BlockId to) const {
    uint32_t c = cycles_.largest_between(to.index, from.index);
    if (c != kNone && cycles_.cycles[c].header != to.index) return true;
    if (cfg_.number[to.index] > cfg_.number[from.index]) return false;
    return cycles_.innermost[from.index] != cycles_.innermost[past.index] ||
           !cycles_.leads_to_header(from.index, to.index);
  }
  // Whether a way leads here that does not go through `b`.
  bool is_reached_without(BlockId b, BlockId to) {
    if (++searches_ > kMostSearches) return false;
    std::vector<bool> seen(f.block_count());
    std::vector<BlockId> work{f.entry()};
    seen[b.index] = seen[f.entry().index] = true;
    while (!work.empty()) {
      const BlockId at = work.back();
      work.pop_back();
      if (at == to) return true;
      for (const Target& t : f.successors(at))
        if (!seen[t.block.index]) seen[t.block.index] = true, work.push_back(t.block);
    }
    return false;
  }

  Function& f;
  const Cfg& cfg_;
  const Cycles& cycles_;
  std::vector<Size> size_;  // by block
  int searches_ = 0;
};

}  // namespace

bool jump_threading(Function& f, AnalysisCache& analyses) {
  bool changed = remove_unreachable_blocks(f, analyses);
  if (!JumpThreading(f, analyses).run()) return changed;
  remove_unreachable_blocks(f);
  return true;
}

}  // namespace kc
