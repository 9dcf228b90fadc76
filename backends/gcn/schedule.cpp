// SPDX-License-Identifier: Apache-2.0
// Loads first: between two instructions that must stay where they are, the loads and what they need come
// before everything else, so that several are under way together and one wait does for all.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "backends/gcn/machine.h"
#include "backends/gcn/rewrites.h"
#include "backends/gcn/selector.h"

namespace kc::gcn {
namespace {

constexpr size_t kMostLoads = 8;  // more would hold too many registers

bool is_load(const Inst& inst) { return info(inst.op).effects == Effects::Read; }
bool stays(const Inst& inst) {
  const Effects effects = info(inst.op).effects;
  return effects != Effects::None && effects != Effects::Read;
}

class LoadsFirst {
 public:
  explicit LoadsFirst(Function& function) : f(function), needed_(function.inst_count()) {}

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
    size_t loads = 0, to_lanes = 0;
    for (size_t i = start; i < end; ++i) {
      const Inst& inst = f.inst(insts[i]);
      loads += is_load(inst), to_lanes += is_load(inst) && info(inst.op).machine.form != Smem;
    }
    if (loads < 2 || to_lanes > kMostLoads) return;
    // Backwards, so that users are seen before what they use. Marks in other regions do no harm.
    for (size_t i = end; i-- > start;) {
      const Inst& inst = f.inst(insts[i]);
      if (is_load(inst)) needed_[insts[i].index] = true;
      if (!needed_[insts[i].index]) continue;
      for (ValueId v : inst.operands)
        if (InstId def = f.def(v); def) needed_[def.index] = true;
    }
    std::stable_partition(insts.begin() + static_cast<std::ptrdiff_t>(start),
                          insts.begin() + static_cast<std::ptrdiff_t>(end),
                          [&](InstId i) { return needed_[i.index]; });
  }

  Function& f;
  std::vector<bool> needed_;  // by instruction: a load, or for the address of one
};

}  // namespace

void loads_first(Function& f) {
  LoadsFirst pass(f);
  for (BlockId b : f.layout) pass.block(f.block(b).insts);
}

}  // namespace kc::gcn
