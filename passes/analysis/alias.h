// SPDX-License-Identifier: Apache-2.0
// Alias analysis of the memory accesses of one work-item.
#pragma once

#include "ir/function.h"

namespace kc {

/// Bytes [offset, offset + bytes) from base + index * scale.
struct Access {
  ValueId base, index;  // an invalid index means 0
  int64_t scale = 0, offset = 0;
  uint32_t bytes = 0;
  ValueId root;  // origin of the address: a kernel parameter, an object's address, or any other value
};

/// The bytes that a load, store or other access of `bytes` bytes through this pointer touches.
Access access_of(const Function& f, ValueId pointer, uint32_t bytes);

/// The kernel parameter that an address is based on; invalid if unknown.
ValueId buffer_of(const Function& f, ValueId pointer);

/// Whether both accesses touch exactly the same bytes.
bool same_bytes(const Access& a, const Access& b);

/// False only if no byte is touched by both in one work-item, at any time while base and index keep their
/// values. Different buffers do not overlap if one of the parameters is `restrict`.
bool may_overlap(const Function& f, const Access& a, const Access& b);

/// Whether the instruction may change the bytes: a store that may overlap them; any other write, such as a
/// barrier, an atomic or a volatile access.
bool may_change(const Function& f, const Inst& inst, const Access& bytes);

}  // namespace kc
