// SPDX-License-Identifier: Apache-2.0
#include "tests/rewrites/patterns.h"

#include <array>

namespace kc::rewrites {
namespace {

constexpr std::string_view kPatterns[] = {
    "(select ? undef ?)",
    "(and (slt x #) (slt # x))",
};

}  // namespace

std::span<const std::string_view> patterns() { return kPatterns; }

}  // namespace kc::rewrites
