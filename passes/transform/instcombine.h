// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "passes/analysis/cache.h"
#include "passes/rewrite_counts.h"

namespace kc {

/// Folds constants through the opcode table, applies algebraic identities that are exact for every input,
/// shares equal pure values with a dominating block (value numbering), removes trivial block parameters.
/// Thread and wave dialect. Leaves dead instructions to dce. Returns whether f changed.
bool instcombine(Function& f, AnalysisCache& analyses);
inline bool instcombine(Function& f) {
  AnalysisCache analyses(f);
  return instcombine(f, analyses);
}
/// The same, and counts the rules that applied.
bool instcombine(Function& f, AnalysisCache& analyses, RewriteCounts& counts);
/// The same, but does not exchange operands that commute. Their canonical order follows value ids. Printing
/// and parsing a function changes these, and must not change the code that is made of it.
bool instcombine_keeping_order(Function& f);
/// The names of all rules, as they are counted.
std::vector<std::string> instcombine_rules();

}  // namespace kc
