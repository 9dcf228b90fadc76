// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Replaces instructions whose opcode has an expansion; backends rely on their absence. Returns whether f
/// changed.
bool expand_ops(Function& f);

}  // namespace kc
