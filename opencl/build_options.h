// SPDX-License-Identifier: Apache-2.0
// The options of clBuildProgram, clCompileProgram and clLinkProgram.
#pragma once

#include <optional>
#include <string_view>

#include "frontend/frontend.h"

namespace kc::cl {

struct BuildOptions {
  FrontendOptions frontend;
  bool no_optimisation = false;
};
/// Nothing if an option is unknown or incomplete.
std::optional<BuildOptions> parse_options(std::string_view text);

struct LinkOptions {
  bool library = false;
};
std::optional<LinkOptions> parse_link_options(std::string_view text);

}  // namespace kc::cl
