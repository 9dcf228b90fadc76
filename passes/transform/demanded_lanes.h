// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// Drops the choices of lanes and masks that nobody asks for. Returns whether there were any.
bool demanded_lanes(Function& f);

}  // namespace kc
