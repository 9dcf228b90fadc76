// SPDX-License-Identifier: Apache-2.0
// Wave functions with atomic operations and barriers, and launches for them.
#pragma once

#include <string>
#include <vector>

#include "tests/x64/support.h"

namespace kc::test {

/// One variant of an atomic row.
struct AtomicCase {
  Op op;
  Elem elem;
  bool local, shared, constant,
      keep;  // memory, address and value of all lanes, whether the old value is used
};
/// All rows, types and variants.
std::vector<AtomicCase> atomic_cases();
std::string describe(const AtomicCase& c);
/// A work-item with an index at or above 0 operates on the cell of that index; results and cells are stored.
std::string atomic_kernel(const AtomicCase& c, unsigned width);
/// Five groups, including waves without active lanes.
Launch atomic_launch(const AtomicCase& c);

/// Every work-item adds the value of another one of its group, in three iterations with barriers.
std::string rotate_kernel(unsigned width);
Launch rotate_launch(uint64_t local);

}  // namespace kc::test
