// SPDX-License-Identifier: Apache-2.0
// Definitions shared by the test and the shared object that g++ builds from the programs.
#pragma once

#include <cstdint>

namespace oracle {

/// A launch of one work-item: its ids, and the bits of its arguments.
struct Item {
  uint64_t global_id[3], local_id[3], group_id[3], global_size[3], local_size[3], offset[3];
  uint32_t dims;
  const uint64_t* arguments;
};

/// The uncaught exception; `type` is null if there is none.
struct Thrown {
  const char* type;
  uint64_t bits;
};

using RunItem = Thrown (*)(const Item& item);

}  // namespace oracle
