// SPDX-License-Identifier: Apache-2.0
// The control-flow graph of a small function as a picture.
#pragma once

#include <string>

#include "ir/function.h"

namespace kc::bench {

/// Blocks stand as deep as the longest way to them. Those with numbers from `original` on have another
/// colour; edges to them carry the constants and conditions that they pass.
std::string draw_graph(const Function& f, size_t original, const std::string& title);

}  // namespace kc::bench
