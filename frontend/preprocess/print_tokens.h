// SPDX-License-Identifier: Apache-2.0
// Preprocessed text.
#pragma once
#include <string>
#include <vector>

#include "frontend/preprocess/preprocessor.h"

namespace kc::front {

// Lines stay lines, #line tells where they came from, and tokens never run into each other.
std::string print_tokens(const std::vector<Token>& tokens, const std::vector<Pragma>& pragmas,
                         const Sources& sources);

}  // namespace kc::front
