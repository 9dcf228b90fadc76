// SPDX-License-Identifier: Apache-2.0
// Random programs in processes of their own: a crash names its seed, too.
#pragma once

#include <catch2/catch.hpp>

#include "driver/commands/fuzz_workers.h"

namespace kc::test {

/// Runs the programs; each one that differs from the interpreter is a failure.
inline FuzzReport expect_no_difference(const FuzzPlan& plan) {
  FuzzReport report = run_fuzz(plan);
  CHECK(report.programs == plan.count);
  for (const FuzzFinding& f : report.findings)
    FAIL_CHECK("seed " << f.seed << " " << plan.options.back() << ": "
                       << (f.fault       ? "the program itself"
                           : f.route < 0 ? "the compiler"
                                         : plan.routes[static_cast<size_t>(f.route)]->name)
                       << ": " << f.what);
  return report;
}

}  // namespace kc::test
