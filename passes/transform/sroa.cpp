// SPDX-License-Identifier: Apache-2.0
// sroa: scalar replacement of aggregates.
//
// Structures and small arrays in private memory become variables, where all accesses have constant offsets.
//
// Needs ThreadForm, Ssa; kills Ssa.
//
//   object $p.0: ptr<private> size=8 align=4
//   %1: ptr<private> = object_address object=$p.0          var $p.0: i32
//   %2: ptr<private> = ptr_add %1, 0:i32, offset=4    ==>  var_set %5, var=$p.0
//   store %2, %5
#include "passes/transform/sroa.h"

#include "passes/transform/scalar_replacement.h"

namespace kc {

bool sroa(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  return replace_aggregates(f, analyses, nullptr, remarks);
}

}  // namespace kc
