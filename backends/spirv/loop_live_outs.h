// SPDX-License-Identifier: Apache-2.0
// Values that are used behind the loop that computes them, and how they come out of it.
//
// Behind a loop whose exits go to several places no block of the loop dominates; values from inside that are
// needed there live in local variables, which every driver turns back into registers.
#pragma once

#include <vector>

#include "backends/spirv/spirv.h"
#include "backends/structured/region_tree.h"

namespace kc::spirv {

using namespace structured;

struct LoopLiveOuts {
  LoopLiveOuts(const Function& function, const RegionTree& region_tree, const SpirvOptions& options);

  std::vector<char> demoted;               // by value id: lives in a local variable
  std::vector<std::vector<ValueId>> kept;  // by join: those that a guarded loop carries out through phis

 private:
  void visit(const RegionList& regions);
  bool collect(const RegionList& regions, std::vector<BlockId>& blocks) const;
  std::vector<ValueId> demote(const std::vector<BlockId>& blocks, BlockId head = {});

  const Function& f;
  const RegionTree& tree_;
  const SpirvOptions& options_;
};

}  // namespace kc::spirv
