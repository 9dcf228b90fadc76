// SPDX-License-Identifier: Apache-2.0
// Random structured programs: which work-items are together at every meeting is known without compiling them.
#pragma once

#include "fuzz/structured_tree.h"

namespace kc::fuzz {

struct StructuredProgram {
  StructuredTree tree;
  StructuredRun run;  // of any width
  std::string source;
  std::vector<std::string> launch;  // options of the command: sizes and arguments
};
StructuredProgram random_structured(uint64_t seed);

}  // namespace kc::fuzz
