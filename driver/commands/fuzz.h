// SPDX-License-Identifier: Apache-2.0
// What `kernelc fuzz` says and writes.
#pragma once

#include "driver/commands/fuzz_workers.h"
#include "driver/options.h"

namespace kc {

/// Runs the plan, prints a line for each route, writes what differs into the output directory, and gives the
/// exit status.
int fuzz_and_report(const Options& options, FuzzPlan plan);

}  // namespace kc
