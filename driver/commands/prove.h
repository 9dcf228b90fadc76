// SPDX-License-Identifier: Apache-2.0
// kernelc check --prove: of each pass on the way to each route, whether it keeps control flow and effects.
#pragma once

#include "driver/options.h"

namespace kc {

/// Needs no launch. All kernels of the file, or the one that is named. Exit status 6 if a proof fails.
int prove_passes(const Options& options);

}  // namespace kc
