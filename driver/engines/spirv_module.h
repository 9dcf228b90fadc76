// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/session.h"

namespace kc {

/// A session whose program is a module that kernelc made, for Vulkan devices. Its kernel has no instructions.
std::expected<Session, DriverError> open_spirv_session(const Options& options, std::string_view bytes);

}  // namespace kc
