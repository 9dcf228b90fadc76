// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/uniformity.h"

namespace kc {

/// Reorders sums, products and addresses so that what a wave shares, and what a loop does not change, is put
/// together first. Returns whether f changed.
bool reassociate(Function& f, UniformityOptions options = {});

}  // namespace kc
