// SPDX-License-Identifier: Apache-2.0
// Preprocessed text.
#pragma once
#include <string>
#include <vector>

#include "frontend/preprocess/preprocessor.h"

namespace kc::front {

// Preserves lines, emits #line to show their origin, and separates tokens that would merge.
std::string print_tokens(const std::vector<Token>& tokens, const std::deque<Pragma>& pragmas,
                         const Sources& sources);

}  // namespace kc::front
