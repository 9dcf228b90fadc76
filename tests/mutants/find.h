// SPDX-License-Identifier: Apache-2.0
// Finds what can be changed in a source, by Clang's syntax tree.
#pragma once

#include <vector>

#include "tests/mutants/change.h"

namespace clang {
class ASTUnit;
}

namespace kc::mutants {

/// Adds all places in the functions of the main file, in the order of the syntax tree; `seed` decides what
/// each one becomes where there are several choices. Templates, constant expressions and macros have none.
void find_sites(clang::ASTUnit& unit, uint64_t seed, std::vector<Site>& sites);

}  // namespace kc::mutants
