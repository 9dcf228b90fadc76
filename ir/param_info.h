// SPDX-License-Identifier: Apache-2.0
// What is known of a kernel's parameter besides its type. ir/parameters.h has operations on these.
#pragma once

#include <cstdint>
#include <string>

#include "ir/type.h"

namespace kc {

/// What a parameter is for. The hidden ones, all but Explicit, are supplied by the runtime.
enum class ParamRole : uint8_t {
  Explicit,    // declared in the source
  Traps,       // a TrapSlot for each work-item (ir/launch.h)
  Constants,   // the bytes of the constant objects
  Printf,      // the buffer of messages (ir/printf.h)
  BufferSize,  // the size in bytes of the buffer that another parameter points to
  EntryMask,   // of a wave: the lanes that exist
  Count_
};

/// A kernel argument, as its source declares it if it is explicit.
struct ParamInfo {
  std::string name;
  Elem pointee = Elem::Void;  // element type of a pointer; Void for a pointer to a struct
  uint32_t pointee_size = 0;  // size of that struct; 0 if the element type determines it
  bool is_unsigned = false;   // whether elements are read and printed as unsigned
  bool is_half = false;       // whether elements are half-precision numbers, of 16 bits
  bool is_const = false, is_restrict = false;
  ParamRole role = ParamRole::Explicit;
  uint32_t sized = 0;  // BufferSize: the index of the other parameter
  bool hidden() const { return role != ParamRole::Explicit; }
  bool operator==(const ParamInfo&) const = default;
};

}  // namespace kc
