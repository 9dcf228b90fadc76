// SPDX-License-Identifier: Apache-2.0
// Kernels of any length, to see how the time of the compiler grows with it.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace kc {

/// A way to write a kernel of about `statements` statements.
struct KernelShape {
  const char* name;
  std::string (*write)(size_t statements);
};

/// Straight code, branches, nested branches, a switch, loops in sequence, calls, arrays, values that stay
/// live, accesses, a long expression, a loop with many ends, returns, floating point. The kernels have the
/// parameters
/// `(global int* o, global const int* a, int n)`.
std::span<const KernelShape> kernel_shapes();

}  // namespace kc
