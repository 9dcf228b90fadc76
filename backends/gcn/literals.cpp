// SPDX-License-Identifier: Apache-2.0
// Placement of constants that no encoding holds. Selection loads each into a scalar register in the entry
// block. Here the constants that loops use most keep their registers, and the others are rematerialised at
// their uses. Constants that loops move into vector registers are moved once, in the entry block, as long as
// they are few.
//
//   entry: s_mov_b32 %1, 0x3ea0bb17             entry: v_mov_b32 %2, 0x3ea0bb17
//   loop:  v_mov_b32 %2, 0x3ea0bb17       ==>   loop:  v_fma_f32 %3, %a, %b, %2
//          v_fma_f32 %3, %a, %b, %2
#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "backends/gcn/isa/table.h"
#include "backends/gcn/rewrites.h"
#include "backends/gcn/selector.h"
#include "passes/analysis/cycles.h"
#include "passes/ir_util.h"

namespace kc::gcn {
namespace {

constexpr size_t kMostHeldScalars = 28;     // more would be spilled
constexpr size_t kMostHeldVectors = 6;      // more would reduce the number of waves
constexpr uint64_t kAssumedIterations = 8;  // assumed iterations of a loop
constexpr uint32_t kDeepest = 6;

struct Candidate {
  InstId move;
  uint64_t weight = 0;  // frequency of use
};

class LiteralPlacement {
 public:
  explicit LiteralPlacement(Function& function)
      : f(function), cfg_(f), cycles_(f, cfg_), candidate_(f.value_count(), kNone) {}

  void run() {
    std::vector<InstId> vectors;
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        const bool scalar = inst.op == Op::gcn_s_mov_b32 && b == f.entry();
        if (!scalar && inst.op != Op::gcn_v_mov_b32) continue;
        ValueId from = inst.operands[0];
        if (!f.is_const(from) || is_inline_constant(static_cast<uint32_t>(f.value(from).bits))) continue;
        if (scalar) {
          candidate_[inst.results[0].index] = static_cast<uint32_t>(scalars_.size());
          scalars_.push_back({i});
        } else if (weight(b) > 1) {
          vectors.push_back(i);
        }
      }
    keep_scalars();
    if (!vectors.empty()) hoist(vectors);
  }

 private:
  uint64_t weight(BlockId b) const {
    const uint32_t c = cycles_.innermost[b.index];
    uint64_t w = 1;
    for (uint32_t d = c == kNone ? 0 : std::min(cycles_.cycles[c].depth, kDeepest); d > 0; --d)
      w *= kAssumedIterations;
    return w;
  }

  void keep_scalars() {
    if (scalars_.size() <= kMostHeldScalars) return;
    auto candidate = [&](ValueId v) { return f.is_inline(v) ? kNone : candidate_[v.index]; };
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        for (size_t k = 0; k < inst.operands.size(); ++k)
          if (uint32_t n = candidate(inst.operands[k]); n != kNone)
            takes_vector(inst, k) ? scalars_[n].weight += weight(b)
                                  : candidate_[inst.operands[k].index] = kNone;
        for (const Target& t : inst.targets)
          for (ValueId v : t.args)
            if (candidate(v) != kNone) candidate_[v.index] = kNone;
      }
    std::vector<Candidate> movable;
    for (const Candidate& c : scalars_)
      if (candidate_[f.result(c.move).index] != kNone) movable.push_back(c);
    std::ranges::stable_sort(movable, std::greater<>(), &Candidate::weight);
    if (movable.size() <= kMostHeldScalars) return;
    std::vector<bool> away(f.value_count(), false);
    for (size_t i = kMostHeldScalars; i < movable.size(); ++i) away[f.result(movable[i].move).index] = true;
    for (BlockId b : f.layout) make_at_use(b, away);
  }

  void make_at_use(BlockId b, const std::vector<bool>& away) {
    std::vector<InstId> out;
    for (InstId i : f.block(b).insts) {
      for (size_t k = 0; k < f.inst(i).operands.size(); ++k) {
        ValueId v = f.inst(i).operands[k];
        if (f.is_inline(v) || v.index >= away.size() || !away[v.index]) continue;
        const Type type = vgpr();
        ValueId constant = f.inst(f.def(v)).operands[0];
        InstId move = f.create(Op::gcn_v_mov_b32, {constant}, {&type, 1}, f.inst(i).loc);
        f.inst(move).block = b;
        out.push_back(move);
        f.inst(i).operands[k] = f.result(move);
      }
      const Inst& inst = f.inst(i);
      const bool gone = inst.op == Op::gcn_s_mov_b32 && away[inst.results[0].index];
      if (!gone) out.push_back(i);
    }
    f.block(b).insts = std::move(out);
  }

  // In the entry block all lanes of the wave are active.
  void hoist(const std::vector<InstId>& moves) {
    std::vector<bool> fixed(f.value_count(), false);  // an edge argument, or overwritten by a merge
    for (BlockId b : f.layout)
      for (InstId i : f.block(b).insts) {
        const Inst& inst = f.inst(i);
        for (size_t k = 0; k < inst.operands.size(); ++k)
          if (!takes_vector(inst, k)) fixed[inst.operands[k].index] = true;
        for (const Target& t : inst.targets)
          for (ValueId v : t.args) fixed[v.index] = true;
      }
    std::map<uint32_t, uint64_t> weights;  // by constant
    for (InstId i : moves)
      if (!fixed[f.result(i).index]) weights[f.inst(i).operands[0].index] += weight(f.inst(i).block);
    std::vector<std::pair<uint64_t, uint32_t>> order;
    for (const auto& [constant, w] : weights) order.emplace_back(w, constant);
    std::ranges::stable_sort(order, std::greater<>(), &std::pair<uint64_t, uint32_t>::first);
    if (order.size() > kMostHeldVectors) order.resize(kMostHeldVectors);
    Replacements replaced(f);
    for (const auto& [w, constant] : order) {
      const Type type = vgpr();
      InstId first = f.create(Op::gcn_v_mov_b32, {ValueId(constant)}, {&type, 1}, f.inst(moves[0]).loc);
      f.insert(f.entry(), 0, first);
      for (InstId i : moves) {
        if (f.inst(i).operands[0] != ValueId(constant) || fixed[f.result(i).index]) continue;
        replaced.set(f.result(i), f.result(first));
        f.inst(i).erased = true;
      }
    }
    sweep_erased(f);
    apply_replacements(f, replaced);
  }

  Function& f;
  Cfg cfg_;
  Cycles cycles_;
  std::vector<Candidate> scalars_;
  std::vector<uint32_t> candidate_;  // by value: index of its candidate
};

}  // namespace

void place_literals(Function& f) { LiteralPlacement(f).run(); }

}  // namespace kc::gcn
