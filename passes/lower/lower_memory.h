// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Assigns addresses: local objects get constant offsets (lay_out_objects), constant objects offsets into the
/// hidden parameter `constants: ptr<constant>`, whose bytes are `constant_bytes`. The table of objects stays,
/// for the sizes. Returns whether f changed.
bool lower_memory(Function& f);

}  // namespace kc
