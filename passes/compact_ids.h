// SPDX-License-Identifier: Apache-2.0
// Ids of instructions, values and blocks are never given twice, and tables by id are as long as there were
// ever ids. Where most of what there was is gone, the rest is numbered anew.
#pragma once

#include "ir/function.h"

namespace kc {

/// Numbers the blocks of the layout, their instructions, and the values that those define and use from 0 on,
/// in the order of their old ids, which is what passes may go by. Nothing else changes.
void compact_ids(Function& f);

}  // namespace kc
