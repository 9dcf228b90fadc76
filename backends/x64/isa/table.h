// SPDX-License-Identifier: Apache-2.0
// The private columns of backends/x64/isa/ops.def.
#pragma once

#include <cstdint>

namespace kc::x64 {

/// Families of rows (`form`).
enum Form : uint16_t {
  PlainForm,
  ByteLanesForm,  // works on lanes of one or two bytes, or on masks of more than 16 lanes
};

}  // namespace kc::x64
