// SPDX-License-Identifier: Apache-2.0
// What the test and the shared object that g++ makes of the programs share.
#pragma once

#include <cstdint>

namespace oracle {

/// A launch of one work-item: where it is, and the bits of its arguments.
struct Item {
  uint64_t global_id[3], local_id[3], group_id[3], global_size[3], local_size[3], offset[3];
  uint32_t dims;
  const uint64_t* arguments;
};

/// What left the kernel; `type` is null when nothing did.
struct Thrown {
  const char* type;
  uint64_t bits;
};

using RunItem = Thrown (*)(const Item& item);

}  // namespace oracle
