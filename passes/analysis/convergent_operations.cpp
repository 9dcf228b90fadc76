// SPDX-License-Identifier: Apache-2.0
#include "passes/analysis/convergent_operations.h"

#include <algorithm>

namespace kc {

bool has_convergent_operations(const Function& f) {
  return std::ranges::any_of(f.layout, [&](BlockId b) {
    return std::ranges::any_of(f.block(b).insts, [&](InstId i) {
      return info(f.inst(i).op).effects == Effects::CrossLane || f.inst(i).op == Op::sub_group_barrier;
    });
  });
}

}  // namespace kc
