// SPDX-License-Identifier: Apache-2.0
// Random straight-line functions over every elementwise opcode and type, rich in the constants and shapes
// that identities match. All computed values are stored.
#pragma once

#include <cstdint>
#include <memory>

#include "tests/property/engines.h"

namespace kc::test {

inline constexpr uint32_t kExpressions = 48;

/// (in: i64 buffer, out: i64 buffer): work-item i reads in[8i..8i+7] and writes out[kExpressions * i ...].
/// width 0 gives thread IR; otherwise wave IR with masks among the values, whose items must fill the waves.
std::unique_ptr<Function> random_expressions(uint64_t seed, uint32_t width);
RunData expression_data(uint64_t seed);

}  // namespace kc::test
