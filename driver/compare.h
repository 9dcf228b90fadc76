// SPDX-License-Identifier: Apache-2.0
// What one engine left in the buffers, against what another did.
#pragma once

#include <optional>
#include <string>

#include "driver/arguments.h"
#include "ir/launch.h"

namespace kc {

struct Difference {
  uint64_t elements = 0;  // that differ at all
  uint64_t largest = 0;   // in ulp for floats; UINT64_MAX for integers and NaN against a number
  std::string first;      // the first that counts; empty when all are within what is allowed
};

/// Bit by bit, but all NaNs are equal. Floats may be `allowed` units in the last place apart.
Difference compare_buffers(const KernelArguments& want, const KernelArguments& got, uint64_t allowed);

/// Says where the text differs that the kernel printed; empty if it does not, or messages were lost.
std::string compare_printed(const PrintedText& want, const PrintedText& got);

bool same_trap(const std::optional<TrapReport>& a, const std::optional<TrapReport>& b);

}  // namespace kc
