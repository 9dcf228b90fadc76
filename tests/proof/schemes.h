// SPDX-License-Identifier: Apache-2.0
// The restructuring passes with their options, applied to a function.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "ir/function.h"

namespace kc::test {

/// As for --restructure.
std::span<const std::string_view> proved_schemes();
/// A copy of the function after the scheme's pass.
std::unique_ptr<Function> restructured(const Function& f, std::string_view scheme);

}  // namespace kc::test
