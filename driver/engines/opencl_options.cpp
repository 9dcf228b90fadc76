// SPDX-License-Identifier: Apache-2.0
#include "driver/engines/opencl_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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
    static constexpr std::pair<std::string_view, const char*> kVersions[] = {
        {"CL1.0", "100"}, {"CL1.1", "110"}, {"CL1.2", "120"}, {"CL3.0", "300"}};
    const auto* version =
        std::ranges::find(kVersions, option.substr(8), &std::pair<std::string_view, const char*>::first);
    if (version != std::end(kVersions)) return std::vector<std::string>{"--opencl-version", version->second};
    return std::unexpected(fmt::format("{}: the language is OpenCL C 1.2", option));
  }
  if (option == "-cl-single-precision-constant")
    return std::vector<std::string>{"--fsingle-precision-constant"};
  return std::unexpected(fmt::format("unknown option {}", option));
}

}  // namespace kc
