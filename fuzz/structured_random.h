// SPDX-License-Identifier: Apache-2.0
// Random structured programs. The set of work-items at every convergent operation is known without
// compilation.
#pragma once

#include "fuzz/structured_tree.h"

namespace kc::fuzz {

struct StructuredProgram {
  StructuredTree tree;
  StructuredRun run;  // of any width
  std::string source;
  std::vector<std::string> launch;  // command-line options: sizes and arguments
};
StructuredProgram random_structured(uint64_t seed);

}  // namespace kc::fuzz
