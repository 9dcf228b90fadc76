// SPDX-License-Identifier: Apache-2.0
// The text of a machine function has the ids of its values and blocks as numbers, because register allocation
// and labels go by ids: a function that is read is compiled to the same code as the one that was printed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ir/function.h"

namespace kc {

/// Whether the numbers in the text of this function are its ids.
bool keeps_ids(const Function& f);

/// The same function with these numbers as ids of values (by value, 0 for constants) and of blocks (by
/// block). Where the numbers of values cannot be ids - two are the same, results of an instruction or
/// parameters of a block do not follow each other, or they are far above the count - values have ids in the
/// order of their numbers; and so have blocks.
std::unique_ptr<Function> with_ids(const Function& f, const std::vector<uint32_t>& values,
                                   const std::vector<uint32_t>& blocks);

}  // namespace kc
