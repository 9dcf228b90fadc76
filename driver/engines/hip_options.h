// SPDX-License-Identifier: Apache-2.0
// What the environment says about HIP.
#pragma once

#include <string>

#include "runtime/hip/hip.h"

namespace kc {

/// KERNELC_HIP_LIBRARY, or empty: the machine's own.
std::string hip_library();
/// The architecture of the first device, or empty.
std::string hip_arch();

}  // namespace kc
