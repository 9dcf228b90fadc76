// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ir/function.h"

namespace kc {

/// What an edge that passes undef says about a parameter: as much as any value, or nothing, so that the
/// parameter is the constant that the other edges pass.
enum class UndefArguments : uint8_t { Vary, Any };

/// Finds what is constant on the ways that can be taken, and the ways that constants leave. Returns whether
/// anything was found.
bool sccp(Function& f, UndefArguments undef = UndefArguments::Vary);

}  // namespace kc
