// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "frontend/parse/ast.h"

namespace kc::front {

// The checked tree as indented text, one node per line, with the type after a colon.
std::string print_ast(const TranslationUnit& unit);

}  // namespace kc::front
