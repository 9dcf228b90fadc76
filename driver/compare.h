// SPDX-License-Identifier: Apache-2.0
// What one engine left in the buffers, against what another did.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driver/arguments.h"
#include "ir/launch.h"
#include "sim/interpreter/race_detector.h"

namespace kc {

struct Difference {
  uint64_t elements = 0;  // that differ at all
  uint64_t largest = 0;   // in ulp for floats; UINT64_MAX for integers and NaN against a number
  std::string first;      // the first that counts; empty when all are within what is allowed
};

/// Bit by bit, but all NaNs are equal. Floats may be `allowed` units in the last place apart. Elements with a
/// byte whose flag is set in `open`, by buffer and byte, may be anything.
Difference compare_buffers(const KernelArguments& want, const KernelArguments& got, uint64_t allowed,
                           std::span<const std::vector<uint8_t>> open = {});

/// Says where the text differs that the kernel printed; empty if it does not, or messages were lost.
std::string compare_printed(const PrintedText& want, const PrintedText& got);

bool same_trap(const std::optional<TrapReport>& a, const std::optional<TrapReport>& b);

/// Whether both are divergent barriers: such a barrier ends its group wherever the others have come to by
/// then, which waves do in another order than work-items, so that nothing else can be compared.
bool both_meet_no_more(const std::optional<TrapReport>& a, const std::optional<TrapReport>& b);
constexpr std::string_view kOnlyTrapNote =
    "both report a divergent barrier; what the group did besides may differ";

/// "lines 3 and 5 race".
std::string describe(const OrderDependence& dependence, const Function& kernel);

}  // namespace kc
