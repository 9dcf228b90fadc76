// SPDX-License-Identifier: Apache-2.0
// Which passes make of a kernel what engines run.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "passes/lower/lower_to_wave.h"

namespace kc {

/// The passes on thread IR at a level of optimisation, 0 to 3; traps are lowered. `check_bounds`: accesses
/// outside the buffers are among them.
std::vector<std::string_view> thread_passes(int optimisation, bool check_bounds = false);

/// A copy of the kernel after these passes.
std::unique_ptr<Function> lower_thread(const Function& kernel, int optimisation = 2,
                                       bool check_bounds = false);

/// From there to wave IR.
std::unique_ptr<Function> make_wave(const Function& thread, const WaveOptions& options);

/// Lanes of the kernel's waves on a CPU: one, two or four vectors, or what it requires.
uint32_t cpu_width(const Function& thread, bool avx512);

}  // namespace kc
