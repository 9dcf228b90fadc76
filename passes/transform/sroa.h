// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"

namespace kc {

/// Replaces private objects whose accesses all have constant offsets and fall into disjoint places by one
/// variable for each place; objects that are never accessed go too. Needs SSA form so that addresses are
/// seen; run `mem2reg` afterwards. Returns whether f changed.
bool sroa(Function& f, Remarks* remarks = nullptr);

}  // namespace kc
