// SPDX-License-Identifier: Apache-2.0
// Loop live-outs: values that are used after the loop that computes them.
//
// If the exits of a loop have several targets, no block of the loop dominates the code after it. Live-outs
// are then demoted to local variables, which every driver promotes back to registers.
#pragma once

#include <vector>

#include "backends/spirv/spirv.h"
#include "backends/structured/region_tree.h"

namespace kc::spirv {

using namespace structured;

struct LoopLiveOuts {
  LoopLiveOuts(const Function& function, const RegionTree& region_tree, const SpirvOptions& options);

  std::vector<char> demoted;  // by value id: demoted to a local variable
  // by join: live-outs of a guarded loop that are passed through phis
  std::vector<std::vector<ValueId>> kept;

 private:
  void visit(const RegionList& regions);
  bool collect(const RegionList& regions, std::vector<BlockId>& blocks) const;
  std::vector<ValueId> demote(const std::vector<BlockId>& blocks, BlockId head = {});

  const Function& f;
  const RegionTree& tree_;
  const SpirvOptions& options_;
};

}  // namespace kc::spirv
