// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"

namespace kc {

struct NodeSplitReport {
  uint32_t copies = 0;    // blocks more than before
  bool given_up = false;  // it grew too much, and structurize took over
};

/// Makes the graph structured by copying blocks; only exits of loops need variables. What would grow to more
/// than eight times its size, or take too long, or copy a barrier, goes through `structurize` instead, with a
/// remark. Needs SSA form and no `trap`. Returns whether f changed.
bool node_split(Function& f, Remarks* remarks = nullptr, NodeSplitReport* report = nullptr);

}  // namespace kc
