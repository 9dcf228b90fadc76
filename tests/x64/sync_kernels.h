// SPDX-License-Identifier: Apache-2.0
// Wave functions with atomic operations and barriers, and launches for them.
#pragma once

#include <string>
#include <vector>

#include "tests/x64/support.h"

namespace kc::test {

/// One way to use an atomic row.
struct AtomicCase {
  Op op;
  Elem elem;
  bool local, shared, constant,
      keep;  // memory, address and value of all lanes, whether the old value is used
};
/// All rows, types and ways.
std::vector<AtomicCase> atomic_cases();
std::string describe(const AtomicCase& c);
/// Work-items with an index at or above 0 operate on the cell of that number; results and cells are kept.
std::string atomic_kernel(const AtomicCase& c, unsigned width);
/// Five groups, with waves in which nobody takes part.
Launch atomic_launch(const AtomicCase& c);

/// Every work-item adds what another one of its group has, over three rounds with barriers.
std::string rotate_kernel(unsigned width);
Launch rotate_launch(uint64_t local);

}  // namespace kc::test
