// SPDX-License-Identifier: Apache-2.0
// What kernels with sub-groups are compared with. Their results depend on who runs together, so the
// interpreter of single work-items cannot say what they are: the warp simulator does, on what the front end
// made and by priorities, with warps as the engine in question has them.
#pragma once

#include "driver/engines/engines.h"

namespace kc {

/// The simulator with warps of that shape.
std::unique_ptr<Engine> make_sub_group_reference(SubGroups shape, uint64_t max_steps);

}  // namespace kc
