// SPDX-License-Identifier: Apache-2.0
// Makes a program smaller that shows something: it knows lines, braces and parentheses, nothing else of the
// language. What it makes need not compile; the caller says no to that.
#pragma once

#include <functional>
#include <string>

namespace kc::fuzz {

/// Drops statements, unwraps blocks and replaces parts of expressions as long as what is left is still
/// interesting. The source is one that `random_program` wrote, or any with a statement on each line. The
/// callback is asked at most `most` times.
std::string reduce(const std::string& source, const std::function<bool(const std::string&)>& interesting,
                   size_t most = 20'000);

}  // namespace kc::fuzz
