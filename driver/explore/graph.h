// SPDX-License-Identifier: Apache-2.0
// The graph of a function beside its text: what the page of a launch draws.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/function.h"
#include "ir/remarks.h"

namespace kc {

/// Of each divergent branch the chain of reasons, from the branch on, as JSON.
using Causes = std::map<Loc, std::string>;
/// `why`: remarks of "uniformity".
Causes causes_of(const std::vector<Remark>& why);

/// Appends as JSON: blocks with their lines in the text, edges, dominators, post-dominators and loops, as
/// docs/record.md says. `text` is the function as printed. Thread IR only says which branches are divergent.
/// `regions`: as regions_of writes them, or nothing. False, and nothing is appended: the text is not that of
/// the function.
bool write_graph(std::string& out, const Function& f, std::string_view text, const Causes& causes,
                 std::string_view regions = {});

/// Of the blocks of the layout: the source line of the first instruction that has one in the main file, or 0.
std::vector<uint32_t> block_lines(const Function& f);

/// The labels of the blocks in a function as printed.
std::vector<std::string> block_labels(std::string_view text);

/// Of each line of a text of IR the source line, in the main file; 0 for none.
std::vector<uint32_t> source_lines(std::string_view text);

}  // namespace kc
