// SPDX-License-Identifier: Apache-2.0
// sroa_indices: scalar replacement of arrays of a few elements whose index differs between lanes.
//
// A load is then a selection among the elements, and a store a selection between the old and the new value
// for each of them. That costs an operation or two for each element; in memory, lanes with different indices
// take turns. Arrays that are mostly accessed at uniform indices stay: lanes access these together.
//
// Needs ThreadForm, Ssa; kills Ssa.
//
//   %1: ptr<private> = object_address object=$a.0
//   %2: ptr<private> = ptr_add %1, %i, scale=4             %4: i1 = eq %i, 1:i32
//   %3: i32 = load %2                                 ==>  %3: i32 = select %4, %a1, %a0
#include "passes/transform/sroa_indices.h"

#include "passes/transform/scalar_replacement.h"

namespace kc {

bool sroa_indices(Function& f, AnalysisCache& analyses, Remarks* remarks) {
  return !f.objects.empty() && replace_aggregates(f, analyses, &analyses.uniformity(), remarks);
}

}  // namespace kc
