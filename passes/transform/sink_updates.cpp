// SPDX-License-Identifier: Apache-2.0
// sink_updates: moves the new value of a variable after the last use of the old one.
//
// `c = *p++` computes the new pointer before it loads from the old one; both would need a register, or for
// waiting lanes a variable with its own blends. A pure instruction with a single non-constant operand moves
// after the last other use of that operand in its block, if its own result is not used earlier: that shortens
// the live range of the result and extends none.
//
// Needs ThreadForm, as the mask of a wave's block is not an instruction's operand; gives and kills nothing.
//
//   %2: ptr<global> = ptr_add %1, 0:i32, offset=1          %3: i8 = load %1
//   %3: i8 = load %1                                  ==>  %2: ptr<global> = ptr_add %1, 0:i32, offset=1
#include "passes/transform/sink_updates.h"

#include <algorithm>

namespace kc {
namespace {

class Sinker {
 public:
  explicit Sinker(Function& function) : f(function), last_(f.value_count(), 0), first_(f.value_count(), 0) {}

  bool run() {
    bool changed = false;
    for (BlockId b : f.layout) changed |= block(b);
    return changed;
  }

 private:
  // An instruction to be placed after instruction `after`; several keep their order.
  struct Move {
    uint32_t after, from;
  };

  bool block(BlockId b) {
    auto& insts = f.block(b).insts;
    note_uses(insts);
    std::vector<Move> moves;
    for (uint32_t n = 0; n + 1 < insts.size(); ++n) {
      ValueId old = only_operand(insts[n]);
      if (!old.valid()) continue;
      uint32_t last = last_[old.index], needed = first_[f.inst(insts[n]).results[0].index];
      // Nothing can be placed after the terminator.
      if (last <= n + 1 || last == insts.size() || (needed != 0 && needed <= last)) continue;
      moves.push_back({last - 1, n});
    }
    forget_uses(insts);
    if (moves.empty()) return false;
    std::ranges::stable_sort(moves, {}, &Move::after);
    std::vector<bool> moved(insts.size());
    for (const Move& m : moves) moved[m.from] = true;
    std::vector<InstId> order;
    size_t next = 0;
    for (uint32_t n = 0; n < insts.size(); ++n) {
      if (!moved[n]) order.push_back(insts[n]);
      for (; next < moves.size() && moves[next].after == n; ++next) order.push_back(insts[moves[next].from]);
    }
    insts = std::move(order);
    return true;
  }

  // Positions count from 1; 0 means no use in the block. A use as an edge argument is the terminator's.
  void note_uses(const std::vector<InstId>& insts) {
    for (uint32_t n = 0; n < insts.size(); ++n)
      each_operand(insts[n], [&](ValueId v) {
        last_[v.index] = n + 1;
        if (first_[v.index] == 0) first_[v.index] = n + 1;
      });
  }
  void forget_uses(const std::vector<InstId>& insts) {
    for (InstId i : insts) each_operand(i, [&](ValueId v) { last_[v.index] = first_[v.index] = 0; });
  }
  template <typename Visit>
  void each_operand(InstId i, Visit visit) const {
    for (ValueId v : f.inst(i).operands) visit(v);
    for (const Target& t : f.inst(i).targets)
      for (ValueId v : t.args) visit(v);
  }

  ValueId only_operand(InstId i) const {
    const Inst& inst = f.inst(i);
    if (info(inst.op).effects != Effects::None || inst.results.size() != 1) return {};
    ValueId one;
    for (ValueId v : inst.operands) {
      if (f.is_inline(v) || v == one) continue;
      if (one.valid()) return {};
      one = v;
    }
    return one;
  }

  Function& f;
  std::vector<uint32_t> last_, first_;  // by value id: uses in the current block
};

}  // namespace

bool sink_updates(Function& f) { return Sinker(f).run(); }

}  // namespace kc
