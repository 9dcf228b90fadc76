// SPDX-License-Identifier: Apache-2.0
// The regions of structured control flow, for the graph of a record.
#pragma once

#include <string>

#include "ir/function.h"

namespace kc {

/// A list of JSON: the loops, selections and tests of the function's region tree with the blocks in them,
/// outer ones first, as docs/record.md says. At most 200. Empty: the control flow is not structured.
std::string regions_of(const Function& f);

}  // namespace kc
