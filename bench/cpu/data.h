// SPDX-License-Identifier: Apache-2.0
// Data for kernels that the fillers of `kernelc run` cannot make, always the same.
#pragma once

#include <expected>
#include <string>

namespace kc::bench {

/// The bytes of `NAME(NUMBER,...)`; data.cpp lists the generators.
std::expected<std::string, std::string> generate(const std::string& call);

}  // namespace kc::bench
