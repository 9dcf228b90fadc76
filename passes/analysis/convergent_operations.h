// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Whether the function has convergent operations: sub-group operations that read other active lanes. Their
/// result depends on which work-items execute together. A pass may then remove blocks and branches between
/// such operations, but each source loop stays a cycle of its own, and no such operation is copied.
bool has_convergent_operations(const Function& f);

}  // namespace kc
