// SPDX-License-Identifier: Apache-2.0
// What narrow and narrow_small have in common: values of work-items are computed by their low bits.
#pragma once

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"
#include "passes/rewrite_counts.h"

namespace kc {

struct Widths {
  Type wide, low;
  /// Of less than a word.
  bool small() const { return low.bits() < 32; }
};

/// Whether an operand is a value of the type and no constant: a quick test.
bool has_numbers(const Function& f, Type type);

/// Computes values of the wide type in the low one where the lost bits are dead. Thread dialect in SSA form.
/// `remarks` and `counts` may be null. Returns whether f changed.
bool narrow_bits(Function& f, const Widths& widths, AnalysisCache& analyses, Remarks* remarks,
                 RewriteCounts* counts);

}  // namespace kc
