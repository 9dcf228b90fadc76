// SPDX-License-Identifier: Apache-2.0
// Schedules loads early. Within a region between two instructions that must not move, the loads and their
// address computations come first. Loads that depend on no other load come first of all, so that several are
// outstanding together and one wait covers them.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "backends/gcn/machine.h"
#include "backends/gcn/rewrites.h"
#include "backends/gcn/selector.h"

namespace kc::gcn {
namespace {

// More loads would hold too many registers.
constexpr size_t kMostLoads = 8, kMostScalarLoads = 24;

bool is_load(const Inst& inst) { return info(inst.op).effects == Effects::Read; }
bool stays(const Inst& inst) {
  const Effects effects = info(inst.op).effects;
  return effects != Effects::None && effects != Effects::Read;
}

class LoadsFirst {
 public:
  explicit LoadsFirst(Function& function)
      : f(function), needed_(function.inst_count()), rank_(function.inst_count()) {}

  void block(std::vector<InstId>& insts) {
    size_t start = 0;
    for (size_t i = 0; i <= insts.size(); ++i) {
      if (i < insts.size() && !stays(f.inst(insts[i]))) continue;
      region(insts, start, i);
      start = i + 1;
    }
  }

 private:
  void region(std::vector<InstId>& insts, size_t start, size_t end) {
    size_t scalars = 0, to_lanes = 0;
    for (size_t i = start; i < end; ++i)
      if (const Inst& inst = f.inst(insts[i]); is_load(inst))
        ++(info(inst.op).machine.form == Smem ? scalars : to_lanes);
    if (scalars + to_lanes < 2 || to_lanes > kMostLoads || scalars > kMostScalarLoads) return;
    // Backwards, so that users are seen before their operands. Marks in other regions are harmless.
    for (size_t i = end; i-- > start;) {
      const Inst& inst = f.inst(insts[i]);
      if (is_load(inst)) needed_[insts[i].index] = true;
      if (!needed_[insts[i].index]) continue;
      for (ValueId v : inst.operands)
        if (InstId def = f.def(v); def) needed_[def.index] = true;
    }
    for (size_t i = start; i < end; ++i) rank_[insts[i].index] = rank(insts[i]);
    std::stable_sort(insts.begin() + static_cast<std::ptrdiff_t>(start),
                     insts.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](InstId a, InstId b) { return rank_[a.index] < rank_[b.index]; });
    for (size_t i = start; i < end; ++i) rank_[insts[i].index] = 0;
  }

  // One more than the length of the chain of loads in the region that the instruction depends on.
  // Instructions that no load depends on come last.
  uint32_t rank(InstId i) const {
    if (!needed_[i.index]) return UINT32_MAX;
    uint32_t r = 1;
    for (ValueId v : f.inst(i).operands)
      if (InstId def = f.def(v); def && rank_[def.index])
        r = std::max(r, rank_[def.index] + is_load(f.inst(def)));
    return r;
  }

  Function& f;
  // By instruction.
  std::vector<bool> needed_;    // a load, or needed for the address of one
  std::vector<uint32_t> rank_;  // in the current region; 0 outside
};

}  // namespace

void loads_first(Function& f) {
  LoadsFirst pass(f);
  for (BlockId b : f.layout) pass.block(f.block(b).insts);
}

}  // namespace kc::gcn
