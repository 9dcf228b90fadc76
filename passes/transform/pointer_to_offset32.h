// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"
#include "passes/analysis/uniformity.h"

namespace kc {

/// Pointers that differ between lanes become 32-bit distances from the buffer that they point into. Right
/// only where every buffer of the launch is smaller than 2 GiB. Returns whether anything changed.
bool pointer_to_offset32(Function& f, UniformityOptions options = {});

}  // namespace kc
