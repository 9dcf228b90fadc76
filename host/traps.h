// SPDX-License-Identifier: Apache-2.0
// What is said about a launch whose work-items trapped.
#pragma once

#include <string>
#include <string_view>

#include "ir/launch.h"

namespace kc {

/// "kernel 'k': uncaught throw of int 7 at line 12 by work-item (3, 0, 0); 5 work-items trapped"
std::string describe(const TrapReport& trap, const Function& kernel);
/// "k.cl:12": where it is in the source, which is `compiled` or was included there.
std::string place_of(const TrapReport& trap, const Function& kernel, std::string_view compiled);
/// The kind of a trap, as --json names it.
std::string_view trap_name(TrapKind kind);
/// What was thrown; the index of an access out of bounds, or nothing where its buffer is not known.
std::string format_trap_value(const TrapReport& trap);

}  // namespace kc
