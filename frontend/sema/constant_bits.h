// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "frontend/parse/ast.h"

namespace kc::front {

/// The encoding of a constant scalar expression, or none if it is not constant. Inside an elementwise vector
/// expression, evaluates the component with this number.
std::optional<uint64_t> constant_bits(const Expr* e, unsigned component = 0);
/// The same for one component of a constant expression of vector type.
std::optional<uint64_t> constant_component(const Expr* e, unsigned index);
/// Where a pointer leads that is computed from the null pointer, as in `&((struct s*)0)->member`.
std::optional<uint64_t> offset_from_null(const Expr* pointer);

}  // namespace kc::front
