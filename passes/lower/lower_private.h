// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ir/function.h"

namespace kc {

/// How a machine interleaves the private memory of a wave's lanes, which decides what sizes of access it has.
enum class PrivateUnits : uint8_t {
  Words,     // in units of 32 bits
  Elements,  // each access in units of its own size
  Plain,     // not at all: a wave has one lane
};

/// Private objects get constant addresses (lay_out_objects). Accesses that the machine lacks are split, or
/// become read-modify-write of the words around them. The table of objects stays, for the sizes.
bool lower_private(Function& f, PrivateUnits units);

}  // namespace kc
