// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ir/function.h"
#include "ir/remarks.h"
#include "passes/analysis/cache.h"

namespace kc {

/// Unrolls loops with a small known trip count. Hints that ask for it are consumed, those that forbid it
/// stay. Returns whether f changed.
bool unroll(Function& f, AnalysisCache& analyses, Remarks* remarks = nullptr);

struct UnrollOptions {
  size_t most = 160;            // instructions of all iterations, where only their counter is saved
  std::string_view where = {};  // for remarks: the code that this is for, behind a space, if not for all
};
bool unroll(Function& f, AnalysisCache& analyses, Remarks* remarks, const UnrollOptions& options);

}  // namespace kc
