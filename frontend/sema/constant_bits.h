// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "frontend/parse/ast.h"

namespace kc::front {

/// The encoding of a constant expression of scalar type; none if it is not constant. Inside an expression
/// that is computed for each component of vectors, of the one with this number.
std::optional<uint64_t> constant_bits(const Expr* e, unsigned component = 0);
/// The same for a component of a constant expression with the type of a vector.
std::optional<uint64_t> constant_component(const Expr* e, unsigned index);

}  // namespace kc::front
