// SPDX-License-Identifier: Apache-2.0
// The device that HIP finds.
#pragma once

#include <string>

#include "host/hip_code.h"

namespace kc {

/// The architecture of the first device, or empty.
std::string hip_arch();

}  // namespace kc
