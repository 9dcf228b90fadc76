// SPDX-License-Identifier: Apache-2.0
// Registers of a kernel over its machine instructions.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "host/targets.h"
#include "ir/function.h"

namespace kc {

/// Instructions, pressure and live ranges of machine code after register allocation, in the order of the
/// layout, as docs/record.md says. Ranges have no holes here: they go from the first to the last instruction
/// where the value is live.
nlohmann::ordered_json registers_of(const Function& allocated, const TargetDesc& target);

}  // namespace kc
