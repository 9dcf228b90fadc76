// SPDX-License-Identifier: Apache-2.0
#include "driver/sub_groups.h"

#include <algorithm>

#include "driver/engine_list.h"

namespace kc {

bool uses_sub_groups(const Function& f) {
  return std::ranges::any_of(f.layout, [&](BlockId b) {
    return std::ranges::any_of(f.block(b).insts, [&](InstId i) {
      return f.inst(i).op >= Op::sub_group_local_id && f.inst(i).op <= Op::sub_group_barrier;
    });
  });
}

std::unique_ptr<Engine> make_sub_group_reference(SubGroups shape, uint64_t max_steps) {
  return make_tf_stack_engine({.max_steps = max_steps, .warp = shape.lanes, .rows = shape.rows});
}

}  // namespace kc
