// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"

namespace kc {

struct NodeSplitReport {
  uint32_t copies = 0;    // blocks added
  bool given_up = false;  // size limit reached; structurize took over
};

/// Makes the graph structured by copying blocks; only loop exits need variables. A function that would grow
/// to more than eight times its size, take too long, or have a barrier copied goes through `structurize`
/// instead, with a remark. Needs SSA form and no `trap`. Returns whether f changed.
bool node_split(Function& f, Remarks* remarks = nullptr, NodeSplitReport* report = nullptr);

}  // namespace kc
