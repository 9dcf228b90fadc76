// SPDX-License-Identifier: Apache-2.0
// rotate: loops that test at their head test at their end instead.
//
// The way into the loop gets a copy of the head, and its test decides whether to enter at all; the head
// itself is left to those that go round, where simplify_cfg appends it to the end of the body. A round has
// one jump less, and what the body computes is computed in every first round, which is what licm asks for.
// Only short heads are copied, and only of loops that the whole wave leaves together: values that lanes take
// out of a loop in different rounds would have to be kept for two exits. What the head computes goes through
// variables, which SSA construction resolves. Loops with a barrier stay, because instances of barriers are
// told apart by the rounds of loops.
//
// Needs: ThreadForm, Ssa. Kills: Reconverging.
//
//   b0: br -> b1(0)                           b0: br_if (slt 0, %n) -> b2(0), b3
//   b1(%i): br_if (slt %i, %n) -> b2, b3  ==> b2(%i): ...; %j = add %i, 1
//   b2: ...; br -> b1(add %i, 1)                      br_if (slt %j, %n) -> b2(%j), b3
#include "passes/rotate.h"

#include <algorithm>
#include <unordered_map>

#include "passes/rewrite.h"
#include "passes/ssa.h"

namespace kc {
namespace {

constexpr size_t kLongestHead = 8;

class Rotator {
 public:
  Rotator(Function& function, UniformityOptions options, bool divergent_exits)
      : f(function),
        options_(options),
        cfg_(f),
        cycles_(f, cfg_),
        is_head_(f.block_count()),
        divergent_exits_(divergent_exits) {}

  bool run() {
    // Inner loops first: the copy of a head around them then leads to their copies.
    std::vector<uint32_t> chosen;
    for (auto c = static_cast<uint32_t>(cycles_.cycles.size()); c-- > 0;)
      if (fits(c)) chosen.push_back(c);
    if (!chosen.empty() && !divergent_exits_) {
      Uniformity uniformity = analyse_uniformity(f, options_);
      std::erase_if(chosen, [&](uint32_t c) { return uniformity.divergent_exit[c]; });
    }
    if (chosen.empty()) return false;
    // And of two loops one behind the other the second first: the copy of the first then leads to the copy of
    // the second.
    std::ranges::sort(chosen, std::greater(),
                      [&](uint32_t c) { return cfg_.number[cycles_.cycles[c].header]; });
    std::vector<BlockId> heads;
    for (uint32_t c : chosen) heads.push_back(BlockId(cycles_.cycles[c].header));
    for (BlockId h : heads) is_head_[h.index] = true;
    read_variables();
    for (BlockId h : heads) write_variables(h);
    std::vector<BlockId> copies;
    for (BlockId h : heads) copies.push_back(copy(h));
    place_in_layout(heads, copies);
    if (!f.vars.empty()) ssa(f);
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

  // Elsewhere, what a head defines is read from a variable.
  void read_variables() {
    var_of_.resize(f.value_count());
    for (BlockId b : cfg_.rpo) {
      std::vector<InstId> list;
      std::unordered_map<uint32_t, ValueId> read;
      auto use = [&](ValueId& v, Loc loc) {
        BlockId def = block_of(f, v);
        if (!def.valid() || def == b || !is_head_[def.index]) return;
        VarId& var = var_of_[v.index];
        if (!var.valid()) var = f.add_var("rotated", f.type(v));
        auto [it, fresh] = read.try_emplace(v.index);
        if (fresh) {
          Type type = f.type(v);
          list.push_back(f.create(Op::var_get, {}, std::span(&type, 1), loc));
          f.inst(list.back()).attrs[0] = var.index;
          it->second = f.result(list.back());
        }
        v = it->second;
      };
      auto old = std::move(f.block(b).insts);
      f.block(b).insts.clear();
      for (InstId i : old) {
        // Creating instructions moves the others.
        Inst inst = f.inst(i);
        for (ValueId& v : inst.operands) use(v, inst.loc);
        for (Target& t : inst.targets)
          for (ValueId& v : t.args) use(v, inst.loc);
        f.inst(i).operands = std::move(inst.operands), f.inst(i).targets = std::move(inst.targets);
        list.push_back(i);
      }
      for (InstId i : list) f.append(b, i);
    }
  }
  void write_variables(BlockId head) {
    std::vector<InstId> list;
    auto write = [&](ValueId v) {
      if (v.index >= var_of_.size() || !var_of_[v.index].valid()) return;
      list.push_back(f.create(Op::var_set, {v}, {}));
      f.inst(list.back()).attrs[0] = var_of_[v.index].index;
    };
    for (ValueId p : f.block(head).params) write(p);
    auto old = std::move(f.block(head).insts);
    f.block(head).insts.clear();
    for (InstId i : old) {
      list.push_back(i);
      for (ValueId v : std::vector<ValueId>(f.inst(i).results)) write(v);
    }
    for (InstId i : list) f.append(head, i);
  }

  // A copy of the head, which those that come from outside enter.
  BlockId copy(BlockId head) {
    BlockId block = f.add_block(f.block(head).hint);
    std::unordered_map<uint32_t, ValueId> map;
    auto mapped = [&](ValueId v) {
      auto it = map.find(v.index);
      return it == map.end() ? v : it->second;
    };
    for (ValueId p : f.block(head).params) map[p.index] = f.add_param(block, f.type(p));
    for (InstId i : f.block(head).insts) {
      Inst inst = f.inst(i);
      for (ValueId& v : inst.operands) v = mapped(v);
      for (Target& t : inst.targets)
        for (ValueId& v : t.args) v = mapped(v);
      std::vector<Type> types;
      for (ValueId v : inst.results) types.push_back(f.type(v));
      InstId made = f.create(inst.op, std::move(inst.operands), types, inst.loc);
      f.inst(made).attrs = inst.attrs;
      f.inst(made).targets = std::move(inst.targets);
      for (size_t n = 0; n < types.size(); ++n) map[inst.results[n].index] = f.result(made, n);
      f.append(block, made);
    }
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
  UniformityOptions options_;
  Cfg cfg_;
  Cycles cycles_;
  std::vector<bool> is_head_;  // by block: it is copied
  bool divergent_exits_;
  std::vector<VarId> var_of_;  // by value
};

}  // namespace

bool rotate(Function& f, UniformityOptions options, bool divergent_exits) {
  bool changed = remove_unreachable_blocks(f);
  return Rotator(f, options, divergent_exits).run() || changed;
}

}  // namespace kc
