// SPDX-License-Identifier: Apache-2.0
// What --emit=json says of kernels: what a launch must bring, and what their code takes on a target.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "driver/targets.h"

namespace kc {

/// Without `resources`, nothing depends on a target.
nlohmann::ordered_json reflect(const Function& kernel, const Resources* resources);

}  // namespace kc
