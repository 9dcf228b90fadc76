// SPDX-License-Identifier: Apache-2.0
// The places of a source where control flow depends on a value.
#pragma once
#include <vector>

#include "frontend/frontend.h"
#include "frontend/parse/ast.h"
#include "frontend/source/source.h"

namespace kc::front {

/// Outer ones before those inside them; of the file itself, not of those that it includes.
std::vector<Decision> find_decisions(const TranslationUnit& unit, const Sources& sources);

}  // namespace kc::front
