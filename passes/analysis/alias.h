// SPDX-License-Identifier: Apache-2.0
// Which accesses of one work-item may touch the same bytes.
#pragma once

#include "ir/function.h"

namespace kc {

/// Bytes [offset, offset + bytes) from base + index * scale.
struct Access {
  ValueId base, index;  // an invalid index stands for 0
  int64_t scale = 0, offset = 0;
  uint32_t bytes = 0;
  ValueId root;  // where the address comes from: a parameter of the kernel, an object's address, or anything
};

/// What a load or store, or another access of `bytes` bytes, through this pointer touches.
Access access_of(const Function& f, ValueId pointer, uint32_t bytes);

/// The parameter of the kernel that an address is computed from; invalid when that is not known.
ValueId buffer_of(const Function& f, ValueId pointer);

/// Whether the two touch exactly the same bytes.
bool same_bytes(const Access& a, const Access& b);

/// False only if no work-item can touch a byte with both, at whatever times it makes them while base and
/// index keep their values. Different buffers are different memory if one of the parameters is `restrict`.
bool may_overlap(const Function& f, const Access& a, const Access& b);

}  // namespace kc
