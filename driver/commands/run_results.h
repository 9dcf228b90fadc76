// SPDX-License-Identifier: Apache-2.0
// What run says about a launch, alone or in a script.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "driver/engines/engines.h"
#include "driver/options.h"

namespace kc {

/// The status to exit with.
int status_of(const EngineResult& result);
/// What the kernel did that is suspicious, on standard error with its place.
void print_warnings(const EngineResult& result, const Function& kernel, std::string_view file);
/// Null without a trap.
nlohmann::ordered_json trap_json(const EngineResult& result, const Function& kernel);
/// Elements as print_buffer writes them: numbers, but infinities and NaNs as strings.
nlohmann::ordered_json json_elements(const std::vector<std::string>& lines);

}  // namespace kc
