// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "frontend/ast.h"

namespace kc::front {

/// The encoding of a constant expression of scalar type; none if it is not constant.
std::optional<uint64_t> constant_bits(const Expr* e);

}  // namespace kc::front
