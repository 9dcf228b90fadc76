// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ir/function.h"

namespace kc {

/// How waves cover a group: `width` work-items each, a power of two up to 64, along the linear local ids or,
/// if `rows`, along x in each row.
struct SubGroupShape {
  uint32_t width = 16;
  bool rows = true;
};

/// Lowers sub-group operations for waves of that shape: ids and sizes to arithmetic, reduce and scan to
/// shuffles. Returns whether f changed.
bool lower_sub_groups(Function& f, SubGroupShape shape);

/// Whether the result depends on which work-items run together.
bool uses_sub_groups(const Function& thread);

/// "@k needs sub-groups of 32 work-items, and these waves have 64", or nothing.
std::string wrong_sub_group_size(const Function& wave);

/// Whether the opcode is one of the sub-group operations that depend on the width.
bool is_sub_group_row(Op op);

}  // namespace kc
