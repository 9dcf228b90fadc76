// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Finds what is constant on the ways that can be taken, and the ways that constants leave. Returns whether
/// anything was found.
bool sccp(Function& f);

}  // namespace kc
