// SPDX-License-Identifier: Apache-2.0
// A simple and slow lowering to waves, for tests: every value is a lane variable, every block has a mask of
// the lanes that wait at it, and a dispatcher runs the first block with waiting lanes. It accepts any control
// flow, so wave interpreters and backends are tested independently of the passes.
#pragma once

#include <memory>

#include "ir/function.h"

namespace kc::test {

struct NaiveOptions {
  /// Preserves the lanes outside the mask when a variable is written. Without it the result is wrong, which
  /// the tests of the tests need.
  bool merge = true;
};

/// The thread function must not trap. The result has variables (it is not in SSA form) and, as its last
/// parameter, the hidden mask of the wave's lanes.
std::unique_ptr<Function> naive_waves(const Function& thread, uint32_t width,
                                      const NaiveOptions& options = {});

}  // namespace kc::test
