// SPDX-License-Identifier: Apache-2.0
// The private columns of backends/x64/isa/ops.def.
#pragma once

#include <cstdint>

namespace kc::x64 {

/// Families of rows (`form`).
enum Form : uint16_t {
  PlainForm,
  ByteLanesForm,  // works on lanes of one byte, or on masks with a bit for each of them
};

}  // namespace kc::x64
