// SPDX-License-Identifier: Apache-2.0
// What `kernelc stats` counts, for other commands.
#pragma once

#include <nlohmann/json.hpp>

#include "driver/session.h"

namespace kc {

/// The object that `kernelc stats --json` prints. Restructuring schemes are compared whatever the options
/// say.
nlohmann::ordered_json statistics_of(const Options& options, const Session& session);

}  // namespace kc
