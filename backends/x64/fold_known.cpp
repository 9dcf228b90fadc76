// SPDX-License-Identifier: Apache-2.0
#include "backends/x64/fold_known.h"

#include "passes/transform/dce.h"
#include "passes/transform/instcombine.h"
#include "passes/transform/simplify_cfg.h"

namespace kc::x64 {

void fold_known(Function& wave) {
  instcombine_keeping_order(wave);
  simplify_cfg(wave);
  dce(wave);
}

}  // namespace kc::x64
