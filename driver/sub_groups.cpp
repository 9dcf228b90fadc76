// SPDX-License-Identifier: Apache-2.0
#include "driver/sub_groups.h"

#include "driver/engines/engine_list.h"

namespace kc {

std::unique_ptr<Engine> make_sub_group_reference(SubGroups shape, uint64_t max_steps) {
  return make_tf_stack_engine({.max_steps = max_steps, .warp = shape.lanes, .rows = shape.rows});
}

}  // namespace kc
