// SPDX-License-Identifier: Apache-2.0
#include "driver/engines/opencl_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "frontend/features.h"

namespace kc {
namespace {

// They allow what is not done here (looser arithmetic), ask for what is done anyway, or speak of what an
// implementation keeps for its host.
constexpr std::array<std::string_view, 8> kWithoutEffect{
    "-cl-denorms-are-zero", "-cl-finite-math-only",       "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-kernel-arg-info",  "-cl-no-signed-zeros",        "-cl-no-subgroup-ifp",
    "-cl-strict-aliasing",  "-cl-uniform-work-group-size"};

}  // namespace

std::expected<std::vector<std::string>, std::string> translate_opencl_option(std::string_view option) {
  if (std::ranges::find(kWithoutEffect, option) != kWithoutEffect.end()) return {};
  if (option == "-cl-fast-relaxed-math")
    return std::vector<std::string>{"-D", "__FAST_RELAXED_MATH__=1", "--ffast-math"};
  if (option == "-cl-unsafe-math-optimizations") return std::vector<std::string>{"--ffast-math"};
  if (option == "-cl-mad-enable") return std::vector<std::string>{"--ffp-contract=on"};
  if (option == "-cl-opt-disable") return std::vector<std::string>{"-O0"};
  if (option.starts_with("-cl-std=")) {
    if (const std::optional<int> version = language_version(option.substr(8)))
      return std::vector<std::string>{"--opencl-version", std::to_string(*version)};
    return std::unexpected(fmt::format("{}: the language is OpenCL C 1.2", option));
  }
  if (option == "-cl-single-precision-constant")
    return std::vector<std::string>{"--fsingle-precision-constant"};
  return std::unexpected(fmt::format("unknown option {}", option));
}

}  // namespace kc
