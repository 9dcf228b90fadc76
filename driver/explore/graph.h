// SPDX-License-Identifier: Apache-2.0
// The graph of a function beside its text: what the page of a launch draws.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "ir/function.h"
#include "ir/remarks.h"

namespace kc {

/// Blocks with their lines in the text, edges, dominators, post-dominators and loops, as docs/record.md says.
/// `text` is the function as printed, `f` what parsing it gives. `why`: remarks of "uniformity". Thread IR
/// only says which branches are divergent.
nlohmann::ordered_json graph_of(const Function& f, std::string_view text, const std::vector<Remark>& why);

/// Of each line of a text of IR the source line, in the main file; 0 for none.
std::vector<uint32_t> source_lines(std::string_view text);

/// The chain of reasons of a divergent branch, from the branch on.
nlohmann::ordered_json causes_of(const Remark& remark);

}  // namespace kc
