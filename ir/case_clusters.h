// SPDX-License-Identifier: Apache-2.0
// The cases of a switch in ranges of values that lead to one place ("case clusters" in LLVM).
#pragma once
#include <cstdint>
#include <vector>

#include "ir/function.h"

namespace kc {

/// The values from `first` to `last`, unsigned, lead to the target.
struct CaseCluster {
  uint64_t first = 0, last = 0;
  size_t target = 0;  // of the switch
};

/// The clusters of a switch by their first values. No cluster leads where the default does.
std::vector<CaseCluster> case_clusters(const Function& f, const Inst& switch_inst);

}  // namespace kc
