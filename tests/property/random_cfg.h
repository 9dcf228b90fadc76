// SPDX-License-Identifier: Apache-2.0
// Random kernels for property tests: any control flow, every run terminates, and no work-item accesses data
// that another one writes. The same seed gives the same kernel and the same data everywhere.
#pragma once

#include <memory>

#include "ir/function.h"
#include "tests/property/engines.h"

namespace kc::test {

struct RandomOptions {
  uint32_t min_blocks = 3, max_blocks = 40;
  bool traps = true;
  bool floats = true;
  bool narrow_memory = true;  // bytes and shorts
  bool irreducible = true;    // some of the graphs
};

/// A thread function before SSA construction: (in: i32 buffer, out: i32 buffer, fl: f32 buffer, a: i32, b:
/// i32, x: f32). All work-items read `in`; each accesses its own slice of `out` and `fl`.
std::unique_ptr<Function> random_function(uint64_t seed, const RandomOptions& options = {});
/// Its text form.
std::string random_text(uint64_t seed, const RandomOptions& options = {});
/// Arguments and a launch of at most 192 work-items for the function of this seed.
RunData make_data(uint64_t seed);

}  // namespace kc::test
