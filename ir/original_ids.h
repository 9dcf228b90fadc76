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

/// The same function with values in the order of these numbers (by value, 0 for constants), and with blocks
/// that have these numbers as ids (by block) if they are different and small; else in their order.
std::unique_ptr<Function> with_ids(const Function& f, const std::vector<uint32_t>& values,
                                   const std::vector<uint32_t>& blocks);

}  // namespace kc
