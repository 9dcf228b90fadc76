// SPDX-License-Identifier: Apache-2.0
// Reduces a program that shows some behaviour. The reducer understands only lines, braces and parentheses.
// Its candidates may fail to compile; the callback then rejects them.
#pragma once

#include <functional>
#include <string>

#include "fuzz/dialogue.h"

namespace kc::fuzz {

/// Removes statements, unwraps blocks and replaces parts of expressions while the result stays interesting.
/// The source has one statement per line, as `random_program` writes it. The callback is called at most
/// `most` times.
std::string reduce(const std::string& source, const std::function<bool(const std::string&)>& interesting,
                   size_t most = 20'000);

/// The same, where somebody else says whether a candidate is interesting.
using Reduction = Dialogue<std::string, bool, std::string>;
Reduction reduction(std::string source, size_t most = 20'000);

}  // namespace kc::fuzz
