// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// The lattice value of an undef argument: varying, or unknown, so that the parameter becomes the constant
/// that the other edges pass.
enum class UndefArguments : uint8_t { Vary, Any };

/// Finds constants on feasible edges, and the edges that constants leave feasible. Returns whether anything
/// was found.
bool sccp(Function& f, UndefArguments undef = UndefArguments::Vary);

}  // namespace kc
